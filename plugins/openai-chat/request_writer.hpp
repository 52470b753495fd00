#pragma once
// A Chat Completions request, written from events.
#include "translation.hpp"

#include <watermaster/json_write.hpp>
#include <watermaster/translation/request_writer.hpp>

#include <optional>
#include <string>
#include <vector>

namespace wm::openai_chat {

class RequestWriter final : public sdk::RequestWriterBase {
  public:
    RequestWriter(const Talk& talk, Sent& sent) : talk_(talk), sent_(sent) {}

  private:
    void param(std::string_view word, std::string_view raw) override;
    void stop(std::string_view sequence) override { stops_.emplace_back(sequence); }
    void meta(std::string_view key, std::string_view text) override {
        metadata_.push_back({std::string(key), std::string(text)});
    }
    void reason(std::string_view what, std::string_view token) override;
    void extra(std::string_view member, std::string_view) override { loss(WM_LOSS_EXTENSION_MEMBERS, member); }
    void cache(std::string_view) override { loss(WM_LOSS_CACHE_MARKERS, "cache_control"); }
    void format(sdk::Format& format) override;
    void tool(sdk::Tool& tool) override;
    void turn(sdk::Turn& turn) override;
    void finish() override;

    void system_turn(const sdk::Turn& turn);
    void assistant_turn(const sdk::Turn& turn);
    void user_turn(const sdk::Turn& turn);
    void result_part(const sdk::Block& part, std::optional<std::string>& text, std::vector<const sdk::Block*>& media);
    void tool_message(const sdk::Block& result, std::vector<const sdk::Block*>& media);
    void user_message(std::string_view role, const std::vector<const sdk::Block*>& blocks, std::string_view author);
    void parts(sdk::json::Writer& list, const sdk::Block& block);
    void media_part(sdk::json::Writer& list, const sdk::Block& block);
    void freeform(const sdk::Tool& tool);
    void name_tool(sdk::json::Writer& w, std::string_view tool);
    void write_choice();
    void common_losses(const sdk::Block& block);
    void begin_message();

    const Talk& talk_;
    Sent& sent_;
    std::string system_, messages_, tools_;
    std::vector<std::string> stops_;
    std::vector<sdk::Named> metadata_;
    std::string effort_, budget_;
    bool system_there_ = false, dialog_ = false;
    std::string parallel_;
};

} // namespace wm::openai_chat
