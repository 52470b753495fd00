#pragma once
// A whole Chat Completions answer, written from events.
#include "answer_shapes.hpp"

#include <watermaster/translation/document_writer.hpp>

namespace wm::openai_chat {

class DocumentWriter final : public sdk::DocumentWriterBase<AnswerHead> {
  public:
    DocumentWriter(const Talk& talk, const Asked& asked) : talk_(talk), asked_(asked) {}

    sdk::Status end(sdk::Sink& out);

  private:
    void choice(const sdk::Choice& choice, sdk::Sink& out) override;
    bool message(sdk::json::Writer& w, const sdk::Choice& choice, sdk::Sink& out);

    const Talk& talk_;
    const Asked& asked_;
    std::string choices_;
};

} // namespace wm::openai_chat
