#pragma once
// Message heads of HTTP/1.x, read strictly: what two readers could understand differently is refused, never guessed.
#include "base/pair.h"
#include "base/text.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wm::http {

// Sizes in bytes. Every limit bounds memory one peer can make us hold.
struct Limits {
    std::size_t max_head = 64 * 1024;
    std::size_t max_fields = 100;
    std::size_t max_target = 16 * 1024;
    std::size_t max_chunk_line = 4 * 1024;
    std::size_t max_trailers = 16 * 1024;
};

// Why a message is not served. `reason` is static text, fit for the peer: it repeats nothing the peer sent.
struct Refusal {
    int status;
    std::string_view reason;
};

enum class Framing : unsigned char { none, length, chunked, until_close };

// Fields of a message. All views point into memory the head owns and stay valid until it is parsed again, destroyed
// or assigned to; moving a head keeps them. Names are compared without case; values come trimmed.
class Head {
  public:
    Head(const Head&) = delete;
    Head& operator=(const Head&) = delete;
    Head(Head&&) noexcept = default;
    Head& operator=(Head&&) noexcept = default;

    std::span<const PairView> fields() const { return fields_; }
    std::optional<std::string_view> find(std::string_view name) const { // the first
        for (const auto& field : fields_)
            if (iequals(field.name, name)) return field.value;
        return std::nullopt;
    }
    template <class F>
    void for_each(std::string_view name, F&& f) const {
        for (const auto& field : fields_)
            if (iequals(field.name, name)) f(field.value);
    }
    int minor_version() const { return minor_version_; } // HTTP/1.x: 0, or 1 for every other x
    bool keep_alive() const { return keep_alive_; }      // the peer's wish, from its version and Connection
    Framing framing() const { return framing_; }
    std::uint64_t content_length() const { return content_length_; } // as declared; 0 if it was not

  protected:
    Head() = default;
    ~Head() = default;

    // What the fields say together; gathered once, so that nobody has to search for them again.
    struct Known {
        std::string_view length, coding, host;
        unsigned lengths = 0, codings = 0, hosts = 0;
        bool close = false, stay = false, upgrade = false, expects_continue = false, expects_other = false;
        bool bad_connection = false;
    };
    std::string_view own(std::string_view block);
    std::optional<Refusal> parse_version(std::string_view text);
    std::optional<Refusal> parse_fields(std::string_view lines, const Limits& limits, Known& known);
    std::optional<Refusal> parse_framing(const Known& known); // leaves `none` where neither field is there

    std::string block_;
    std::vector<PairView> fields_;
    std::uint64_t content_length_ = 0;
    int minor_version_ = 1;
    Framing framing_ = Framing::none;
    bool keep_alive_ = true;

  private:
    static void note(PairView field, Known& known);
};

class RequestHead final : public Head {
  public:
    // `block` is one whole head with its empty line. On a refusal the other members mean nothing, except that
    // minor_version() is good for writing the answer.
    std::optional<Refusal> parse(std::string_view block, const Limits& limits = {});

    std::string_view method() const { return method_; } // case-sensitive
    std::string_view target() const { return target_; } // exactly as sent
    std::string_view path() const { return path_; }     // still percent-encoded; "*" for OPTIONS *
    std::string_view query() const { return query_; }   // without '?'
    bool has_query() const { return query_.data() != nullptr; }
    std::string_view host() const { return host_; } // of an absolute target, else of Host; empty only on HTTP/1.0
    bool is_head() const { return method_ == "HEAD"; }
    bool expects_continue() const { return expects_continue_; }
    std::string_view upgrade() const { return upgrade_; } // the protocol asked for, if Connection names it; else empty

  private:
    std::optional<Refusal> parse_target(const Limits& limits);

    std::string_view method_, target_, path_, query_, host_, upgrade_;
    bool expects_continue_ = false;
};

class ResponseHead final : public Head {
  public:
    // `to_head`: the request was HEAD, so that no body follows whatever the fields say. A missing reason is fine.
    std::optional<Refusal> parse(std::string_view block, bool to_head, const Limits& limits = {});

    int status() const { return status_; }

  private:
    int status_ = 0;
};

// Finds the end of a head in bytes that arrive piecemeal, reading each byte once. A bare LF or a head that is too
// large is noticed as soon as it is there, not when the head ends.
class HeadScanner {
  public:
    enum class State : unsigned char { more, found, bad };

    State scan(std::string_view received, const Limits& limits); // always from the head's first byte
    std::size_t size() const { return line_; }                   // found: bytes up to and with the empty line
    Refusal refusal() const { return refusal_; }                 // bad: why
    void reset() { *this = {}; }

  private:
    std::size_t line_ = 0; // start of the line being read
    std::size_t seen_ = 0;
    std::size_t lines_ = 0;
    Refusal refusal_{400, ""};
};

std::string_view reason_phrase(int status); // "" if unknown

} // namespace wm::http
