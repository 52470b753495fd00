#pragma once
// A whole Chat Completions answer, written from events.
#include "answer_shapes.hpp"

#include <watermaster/translation/collector.hpp>

namespace wm::openai_chat {

class DocumentWriter {
  public:
    DocumentWriter(const Talk& talk, const Asked& asked) : talk_(talk), asked_(asked) {}

    sdk::Status write(const sdk::Event& event, sdk::Sink& out);
    sdk::Status end(sdk::Sink& out);

  private:
    void choice(const sdk::Choice& choice, sdk::Sink& out);
    void message(sdk::json::Writer& w, const sdk::Choice& choice, sdk::Sink& out);

    const Talk& talk_;
    const Asked& asked_;
    AnswerHead head_;
    sdk::Collector collector_;
    sdk::UsageTally usage_;
    sdk::ErrorTree error_;
    sdk::Losses losses_;
    std::string choices_;
};

} // namespace wm::openai_chat
