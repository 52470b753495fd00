#pragma once
// Which losses a translation may have.
#include <bitset>
#include <string_view>

namespace wm::translate {

class Approvals {
  public:
    static Approvals of_served_models(); // losses of an answer are told, never refused
    static Approvals of_mounts();        // every loss has to be approved
    static Approvals strict();           // as on mounts, with none approved

    // `key` is of the registry (watermaster/translation/loss_keys.hpp). What never may be lost stays so.
    void set(std::string_view key, bool approved);

    bool request_may_lose(std::string_view key) const;
    bool answer_may_lose(std::string_view key) const { return !answers_ || request_may_lose(key); }

  private:
    Approvals(bool unregistered, bool answers) : unregistered_(unregistered), answers_(answers) {}

    std::bitset<64> keys_; // by place in the registry
    bool unregistered_;    // keys of plugins' own
    bool answers_;         // those of answers are judged
};

} // namespace wm::translate
