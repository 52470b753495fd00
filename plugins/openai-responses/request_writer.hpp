#pragma once
// A Responses request, written from events. request_writer.cpp writes what surrounds the conversation, input_writer.cpp
// its items.
#include "translation.hpp"

#include <watermaster/json_write.hpp>
#include <watermaster/translation/request_writer.hpp>

#include <set>
#include <vector>

namespace wm::openai_responses {

class RequestWriter final : public sdk::RequestWriterBase {
  public:
    RequestWriter(const Talk& talk, Sent&) : talk_(talk) {}

  private:
    using Writer = sdk::json::Writer;

    void param(std::string_view word, std::string_view raw) override;
    void stop(std::string_view) override { loss(WM_LOSS_STOP_SEQUENCES, "stop"); }
    void meta(std::string_view key, std::string_view text) override;
    void reason(std::string_view what, std::string_view token) override;
    void extra(std::string_view name, std::string_view raw) override;
    void cache(std::string_view) override { loss(WM_LOSS_CACHE_MARKERS, "cache_control"); }
    void resume(std::string_view what, std::string_view id) override;
    void format(sdk::Format& format) override;
    void tool(sdk::Tool& tool) override;
    void turn(sdk::Turn& turn) override;
    void finish() override;

    void function(Writer& w, const sdk::Tool& tool);
    void custom(Writer& w, const sdk::Tool& tool);
    void name_tool(Writer& w, std::string_view tool);
    void write_choice();
    void write_reasoning();
    void write_text();
    void write_include();

    Writer item();
    bool instructions(const sdk::Turn& turn);
    void message(const sdk::Turn& turn);
    void assistant(const sdk::Turn& turn);
    void said(const std::vector<const sdk::Block*>& blocks);
    void reasoning(const sdk::Block& block);
    void call(const sdk::Block& block);
    void result(const sdk::Block& block);
    void part(Writer& list, const sdk::Block& block);
    void media(Writer& list, const sdk::Block& block);
    void common_losses(const sdk::Block& block);
    bool own() const { return origin() == protocol; }

    const Talk& talk_;
    std::string items_; // with commas between
    std::string instructions_, tools_, metadata_, parallel_;
    std::set<std::string, std::less<>> custom_calls_; // ids
    std::string effort_, budget_, summary_;
    std::string format_, verbosity_, include_;
    bool logprobs_ = false, store_said_ = false;
    std::uint64_t thoughts_ = 0;
};

} // namespace wm::openai_responses
