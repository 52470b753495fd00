#pragma once
// A whole Messages answer, written from events.
#include "answer_shapes.hpp"
#include "tool_use_ids.hpp"

#include <watermaster/translation/document_writer.hpp>

namespace wm::anthropic_messages {

class DocumentWriter final : public sdk::DocumentWriterBase<AnswerHead> {
  public:
    DocumentWriter(const Talk& talk, const Asked& asked) : talk_(talk), asked_(asked) {}

    sdk::Status end(sdk::Sink& out);

  private:
    void choice(const sdk::Choice& choice, sdk::Sink& out) override;
    void block(sdk::json::Writer& list, const sdk::Block& block, sdk::Sink& out);
    void reasoning(sdk::json::Writer& list, const sdk::Block& block, sdk::Sink& out);

    const Talk& talk_;
    const Asked& asked_;
    ToolUseIds ids_;
    std::string content_;
    Stop stop_;
    bool answered_ = false;
};

} // namespace wm::anthropic_messages
