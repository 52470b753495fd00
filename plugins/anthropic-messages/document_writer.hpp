#pragma once
// A whole Messages answer, written from events.
#include "answer_shapes.hpp"

#include <watermaster/translation/collector.hpp>

namespace wm::anthropic_messages {

class DocumentWriter {
  public:
    DocumentWriter(const Talk& talk, const Asked& asked) : talk_(talk), asked_(asked) {}

    sdk::Status write(const sdk::Event& event, sdk::Sink& out);
    sdk::Status end(sdk::Sink& out);

  private:
    void choice(const sdk::Choice& choice, sdk::Sink& out);
    void block(sdk::json::Writer& list, const sdk::Block& block, sdk::Sink& out);
    void reasoning(sdk::json::Writer& list, const sdk::Block& block, sdk::Sink& out);

    const Talk& talk_;
    const Asked& asked_;
    AnswerHead head_;
    sdk::Collector collector_;
    sdk::UsageTally usage_;
    sdk::ErrorTree error_;
    sdk::Losses losses_;
    std::string content_;
    Stop stop_;
    bool answered_ = false;
};

} // namespace wm::anthropic_messages
