#pragma once
// One request over one connection: it goes out, its answer comes back to the client, unless it is to be sent again.
#include "mount/forward.h"
#include "mount/retries.h"
#include "mount/upload.h"
#include "mount/verdict.h"
#include "runtime/beside.h"

namespace wm::mount {

Outcome failed(Problem problem, std::string_view detail);
Outcome client_gone();

class Conversation {
  public:
    // All of it outlives the conversation; `attempt` cancels what it and the upload await.
    Conversation(const Call& call, http::UpstreamConnection& upstream, Outgoing& outgoing, Upload& upload,
                 runtime::Beside& beside, runtime::Abort& attempt, Retries& retries, SteadyTime deadline);

    runtime::Task<Outcome> run();
    std::optional<SteadyTime> retry_at() const { return retry_at_; } // set: the client was sent nothing of this answer

  private:
    Millis patience() const;
    bool expired() const;
    runtime::Task<std::optional<Outcome>> read_head();
    Outcome no_head(http::HeadRead read);
    runtime::Task<bool> put_off(const Judged& judged);
    runtime::Task<Outcome> switch_protocols();
    runtime::Task<Outcome> convert();
    runtime::Task<> look_ahead();
    runtime::Task<Outcome> relay();
    Outcome broken_off(http::BodyPiece piece);

    const Call& call_;
    http::UpstreamConnection& upstream_;
    Outgoing& outgoing_;
    Upload& upload_;
    runtime::Beside& beside_;
    runtime::Abort& attempt_;
    Retries& retries_;
    const SteadyTime deadline_;
    http::ResponseHead answer_;
    std::optional<SteadyTime> first_byte_, retry_at_;
    std::string read_;                                  // of the answer's body, before it was passed on
    http::BodyPiece last_read_ = http::BodyPiece::more; // how that reading ended
};

} // namespace wm::mount
