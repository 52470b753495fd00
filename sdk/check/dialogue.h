#pragma once
// A translation from a protocol into itself: what a client asks, an upstream is asked; what that answers, the client
// gets.
#include "account.h"

#include <functional>
#include <watermaster/testing/talk.hpp>

namespace wm::check {

class Dialogue {
  public:
    // `judge` is told of every outcome. Both must outlive it; without a fence, so must all that it is given.
    Dialogue(const sdk::testing::Translator& translator, bool stream, Fence* fence,
             const std::function<void(const sdk::testing::Outcome&)>& judge);

    // Each is false when a call failed; then nothing more may be asked.
    bool ask(std::string_view request);
    bool frame(std::string_view name, std::string_view data, std::uint32_t kind);
    bool end();

    const std::string& account() const { return account_; }

  private:
    bool took(const sdk::testing::Outcome& outcome, const sdk::testing::Capture& out);
    bool pass_on(sdk::testing::Talk& to, const std::vector<sdk::testing::Event>& events);

    sdk::testing::Talk client_, upstream_;
    const bool stream_;
    Fence* const fence_;
    const std::function<void(const sdk::testing::Outcome&)>& judge_;
    std::string account_;
};

} // namespace wm::check
