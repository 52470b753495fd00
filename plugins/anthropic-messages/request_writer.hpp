#pragma once
// A Messages request, written from events.
#include "tool_use_ids.hpp"
#include "translation.hpp"

#include <watermaster/json_write.hpp>
#include <watermaster/translation/request_writer.hpp>

#include <optional>
#include <vector>

namespace wm::anthropic_messages {

class RequestWriter final : public sdk::RequestWriterBase {
  public:
    RequestWriter(const Talk& talk, Sent& sent) : talk_(talk), sent_(sent) {}

  private:
    void param(std::string_view word, std::string_view raw) override;
    void stop(std::string_view sequence) override { stops_.emplace_back(sequence); }
    void meta(std::string_view key, std::string_view text) override;
    void reason(std::string_view what, std::string_view token) override;
    void extra(std::string_view member, std::string_view raw) override;
    void cache(std::string_view ttl) override;
    void format(sdk::Format& format) override;
    void tool(sdk::Tool& tool) override;
    void turn(sdk::Turn& turn) override;
    void finish() override;

    std::string input_schema(const std::string& schema);
    void freeform(const sdk::Tool& tool);
    void temperature(std::string_view raw);
    void service_tier(std::string_view raw);
    void system_turn(const sdk::Turn& turn);
    void message(std::string_view role, const sdk::Turn& turn);
    void end_message();
    void blocks(sdk::json::Writer& list, const std::list<sdk::Block>& blocks);
    void block(sdk::json::Writer& list, const sdk::Block& block);
    void lose_extras(const sdk::Block& block);
    void reasoning(sdk::json::Writer& list, const sdk::Block& block);
    void media(sdk::json::Writer& list, const sdk::Block& block);
    void tool_result(sdk::json::Writer& list, const sdk::Block& block);
    void extras(sdk::json::Writer& w, const std::vector<sdk::Named>& extras, std::string_view what);
    std::string thinking() const;
    void write_choice();

    const Talk& talk_;
    Sent& sent_;
    std::string system_, messages_, tools_, servers_;
    std::string open_role_, open_;         // the message under way, whose blocks a next turn may go on with
    std::optional<std::string> open_text_; // all it holds, if that is one plain text
    bool open_takes_more_ = false;         // it holds results, and what the user says with them may follow
    ToolUseIds ids_;
    std::vector<std::string> stops_;
    std::string user_, max_tokens_, parallel_, effort_, format_, mode_, budget_, display_;
    bool system_is_list_ = false, dialog_ = false;
};

} // namespace wm::anthropic_messages
