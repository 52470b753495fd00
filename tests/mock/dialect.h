// How one protocol writes an answer, whole or as a stream, and an error. Three of them: chat, responses, messages.
#pragma once
#include "ask.h"

#include <string>
#include <string_view>

namespace wm::mock {

// The words of an answer, made one at a time so that a long stream costs no memory.
struct Words {
    int count = 0;
    bool tokens = false; // "token " again and again, else a sentence

    std::string_view at(int index) const;
    std::string all() const;
};

// What a model that reasons says to itself.
inline constexpr std::string_view thought = "Let me think.";

struct Fault {
    int status = 500;
    std::string_view type; // the OpenAI name; Anthropic's follows from the status
    std::string_view code;
    std::string_view param;
    std::string_view message;
};

class Dialect {
  public:
    virtual ~Dialect() = default;

    virtual std::string whole(const Ask& ask, const Words& words) const = 0;
    virtual std::string tool_call(const Ask& ask) const = 0;
    virtual std::string error(const Fault& fault) const = 0;

    // A stream is opening, one piece per word, closing.
    virtual std::string opening(const Ask& ask) const = 0;
    virtual std::string piece(const Ask& ask, std::string_view word, int index) const = 0;
    virtual std::string closing(const Ask& ask, const Words& words) const = 0;
    virtual std::string tool_stream(const Ask& ask) const = 0;
    virtual std::string error_event(const Fault& fault) const = 0;
};

// The dialect of a path, or none.
const Dialect* dialect_of(std::string_view path);

const Dialect& chat_dialect();
const Dialect& responses_dialect();
const Dialect& messages_dialect();

// {"error":{"message","type","param","code"}}, which both OpenAI protocols use.
std::string openai_error(const Fault& fault);

} // namespace wm::mock
