#pragma once
// A streamed Responses answer: numbered events in the order of their items' life, and the whole answer once more at the
// end, for which all of it is held.
#include "output_stream.hpp"

#include <vector>

namespace wm::openai_responses {

class StreamWriter {
  public:
    StreamWriter(const Talk& talk, const Asked& asked) : talk_(talk), asked_(asked), output_(talk, held_) {}

    sdk::Status write(const sdk::Event& event, sdk::Sink& out);
    sdk::Status end(sdk::Sink& out);

  private:
    void take(const sdk::Event& event, sdk::Sink& out);
    void created(sdk::Sink& out);
    void failed(sdk::Sink& out);
    void complete(sdk::Sink& out);
    void response_event(std::string_view type, const ResponseObject& response, std::uint32_t flags, sdk::Sink& out);

    const Talk& talk_;
    const Asked& asked_;
    AnswerHead head_;
    sdk::Held held_;
    sdk::Held::Share head_weight_{held_, 0};
    OutputStream output_;
    sdk::UsageTally usage_;
    sdk::ErrorTree error_;
    Ending ending_;
    std::uint32_t response_ = 0, choice_ = 0, citation_ = 0, cited_ = 0; // cited_: the block of the open citation
    bool created_ = false, closed_ = false;
};

} // namespace wm::openai_responses
