#pragma once
// A Responses request as events. Strict: what the protocol does not allow is refused by name. request_reader.cpp reads
// what surrounds the conversation, input_reader.cpp its items.
#include "translation.hpp"

#include <watermaster/translation/strict_reader.hpp>

namespace wm::openai_responses {

class RequestReader : sdk::StrictReader {
  public:
    RequestReader(const Talk&, Asked& asked, sdk::Sink& out) : StrictReader(out), asked_(asked) {}

    sdk::Status read(std::string_view body);

  private:
    using Value = sdk::json::Value;

    template <std::size_t N>
    void continuation(std::uint32_t request, const sdk::Object<N>& object);
    template <std::size_t N>
    void controls(std::uint32_t request, const sdk::Object<N>& object);
    void include(std::uint32_t request, const Value& include, const Value& top_logprobs);
    void reasoning(std::uint32_t request, const Value& reasoning);
    void choice_of_tools(std::uint32_t request, const Value& choice);
    void allowed_tools(std::uint32_t request, const Value& mode, const Value& tools);
    void verbosity(std::uint32_t request, const Value& text);
    void format(std::uint32_t request, const Value& text);
    void tool(std::uint32_t request, const Value& tool);
    void grammar(std::uint32_t tool, const Value& format);

    void input(std::uint32_t request, const Value& input);
    void item(std::uint32_t request, const Value& item);
    void message(std::uint32_t request, const Value& item);
    void assistant_message(std::uint32_t request, const Value& item);
    void reasoning_item(std::uint32_t request, const Value& item);
    void call(std::uint32_t request, const Value& item, bool custom);
    void tool_result(std::uint32_t request, const Value& item);
    void foreign_item(std::uint32_t request, std::string_view type, const Value& item);
    void content(std::uint32_t parent, std::string_view member, const Value& content, std::string_view id = {},
                 const Value& phase = {});
    void part(std::uint32_t parent, const Value& part, std::string_view id, const Value& phase);
    template <std::size_t N>
    void said(std::uint32_t block, const sdk::Object<N>& part, std::string_view member);
    template <std::size_t N>
    void media(std::uint32_t block, const sdk::Object<N>& part);
    void breakpoint(std::uint32_t block, const Value& mark);
    void audio(std::uint32_t block, const Value& audio);
    std::uint32_t turn(std::uint32_t request, std::string_view role);
    void end_turn();

    Asked& asked_;
    std::uint32_t turn_ = 0;     // that adjacent items share, while it is open
    std::string_view role_;      // of it
    bool nameless_text_ = false; // its last item is a message without an id
};

} // namespace wm::openai_responses
