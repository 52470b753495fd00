#pragma once
// A Messages request as events. Strict: what the protocol does not allow is refused by name.
#include "translation.hpp"

#include <watermaster/translation/strict_reader.hpp>

namespace wm::anthropic_messages {

class RequestReader : sdk::StrictReader {
  public:
    RequestReader(const Talk&, Asked& asked, sdk::Sink& out) : StrictReader(out), asked_(asked) {}

    sdk::Status read(std::string_view body);

  private:
    using Value = sdk::json::Value;

    void choice_of_tools(std::uint32_t request, const Value& choice);
    void thinking(std::uint32_t request, const Value& thinking);
    void output_config(std::uint32_t request, const Value& config);
    void system(std::uint32_t request, const Value& system);
    void tool(std::uint32_t request, const Value& tool);
    void message(std::uint32_t request, const Value& message);
    void content(std::uint32_t parent, const Value& content, unsigned nesting);
    void block(std::uint32_t parent, const Value& block, unsigned nesting);
    void media(std::uint32_t node, const Value& source, unsigned nesting);
    void thought(std::uint32_t node, const Value& thinking, const Value& signature);
    void citations(std::uint32_t node, const Value& citations);
    void cache(std::uint32_t node, const Value& control);

    Asked& asked_;
};

} // namespace wm::anthropic_messages
