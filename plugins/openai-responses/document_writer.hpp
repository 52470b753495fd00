#pragma once
// A whole Responses answer, written from events.
#include "answer_shapes.hpp"

#include <watermaster/translation/document_writer.hpp>

namespace wm::openai_responses {

class DocumentWriter final : public sdk::DocumentWriterBase<AnswerHead> {
  public:
    DocumentWriter(const Talk& talk, const Asked& asked) : talk_(talk), asked_(asked) {}

    sdk::Status end(sdk::Sink& out);

  private:
    void choice(const sdk::Choice& choice, sdk::Sink& out) override;
    void block(const sdk::Block& block, bool last, sdk::Sink& out);
    void said(const sdk::Block& block, sdk::Sink& out);
    void end_message(std::string_view status);
    void item(const std::string& json);
    std::string id(std::string_view kind, const sdk::Block& block) const;

    const Talk& talk_;
    const Asked& asked_;
    std::string output_; // items with commas between
    std::uint64_t items_ = 0;
    std::string content_, phase_; // of the message that goes on, parts with commas between
    std::string message_, item_;  // its id, and as the provider said it
    Ending ending_;
    bool answered_ = false;
};

} // namespace wm::openai_responses
