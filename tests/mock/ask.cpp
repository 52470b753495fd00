#include "ask.h"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace wm::mock {
namespace {

// Keeps the key of every open object, so that a value is known by its path: depth 1 is the body itself.
class AskHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, AskHandler> {
  public:
    Ask ask;
    bool object = false;

    bool Key(const char* text, rapidjson::SizeType size, bool) {
        key_.assign(text, size);
        if (depth_ == 1) {
            top_ = key_;
        }
        return true;
    }
    bool Bool(bool value) {
        if (depth_ == 1 && top_ == "stream") {
            ask.stream = value;
        } else if (depth_ == 2 && top_ == "stream_options" && key_ == "include_usage") {
            ask.include_usage = value;
        }
        return true;
    }
    bool String(const char* text, rapidjson::SizeType size, bool) {
        const std::string_view value(text, size);
        if (depth_ == 1 && top_ == "model") {
            ask.model = value;
        } else if (top_ == "tools" && key_ == "name" && ask.tool.empty()) {
            ask.tool = value;
        } else if ((top_ == "messages" || top_ == "input") && depth_ >= 3) {
            ask.tool_answered |= (key_ == "role" && value == "tool") ||
                                 (key_ == "type" && (value == "function_call_output" || value == "tool_result"));
        }
        return true;
    }
    bool StartObject() {
        object |= depth_ == 0;
        ++depth_;
        return true;
    }
    bool EndObject(rapidjson::SizeType) {
        --depth_;
        return true;
    }
    bool StartArray() {
        ++depth_;
        return true;
    }
    bool EndArray(rapidjson::SizeType) {
        --depth_;
        return true;
    }

  private:
    int depth_ = 0;
    std::string top_;
    std::string key_;
};

} // namespace

std::optional<Ask> read_ask(std::string_view body) {
    rapidjson::MemoryStream stream(body.data(), body.size());
    rapidjson::Reader reader;
    AskHandler handler;
    if (reader.Parse<rapidjson::kParseIterativeFlag>(stream, handler).IsError() || !handler.object) {
        return std::nullopt;
    }
    return handler.ask;
}

} // namespace wm::mock
