#pragma once
// A Chat Completions request as events. Strict: what the protocol does not allow is refused by name.
#include "translation.hpp"

#include <watermaster/translation/strict_reader.hpp>

#include <map>
#include <string>

namespace wm::openai_chat {

class RequestReader : sdk::StrictReader {
  public:
    RequestReader(const Talk&, Asked& asked, sdk::Sink& out) : StrictReader(out), asked_(asked) {}

    sdk::Status read(std::string_view body);

  private:
    using Value = sdk::json::Value;

    void stops(std::uint32_t request, const Value& stop);
    void choices_of_tools(std::uint32_t request, std::string_view member, const Value& choice);
    template <std::size_t N>
    void named_tool(std::uint32_t request, std::string_view how, const sdk::Object<N>& object);
    void allowed_tools(std::uint32_t request, const Value& allowed);
    void stream_options(std::uint32_t request, const Value& options);
    void format(std::uint32_t request, const Value& format);
    void tool(std::uint32_t request, const Value& tool);
    void function(std::uint32_t request, const Value& function);
    void custom(std::uint32_t request, const Value& custom);

    void message(std::uint32_t request, const Value& message);
    template <std::size_t N>
    void tool_message(std::uint32_t request, const sdk::Object<N>& object);
    template <std::size_t N>
    bool names_its_call(const sdk::Object<N>& result);
    void end_tool_turn();
    void content(std::uint32_t turn, const Value& content);
    void part(std::uint32_t turn, const Value& part);
    void image(std::uint32_t block, const Value& image);
    void audio(std::uint32_t block, const Value& audio);
    void file(std::uint32_t block, const Value& file);
    template <std::size_t N>
    void assistant(std::uint32_t turn, const sdk::Object<N>& object);
    void tool_call(std::uint32_t turn, const Value& call);
    void legacy_call(std::uint32_t turn, const Value& call);

    Asked& asked_;
    std::uint32_t tool_turn_ = 0; // the turn that adjacent tool messages share, while it is open
    std::uint64_t legacy_calls_ = 0;
    std::map<std::string, std::string> called_; // the tool of each call, by its id
};

} // namespace wm::openai_chat
