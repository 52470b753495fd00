#pragma once
// Gives a plugin whatever a client or an upstream might send, and looks at the status alone.
#include "account.h"

#include <functional>

namespace wm::check {

constexpr std::uint32_t as_request = 0; // beside the kinds of frames

// f(name of the sample, its text, the frame's name, its kind or `as_request`) for all that a transcoder is given.
void each_input(const Samples& samples, const std::function<void(const std::string& sample, std::string_view text,
                                                                 const std::string& frame, std::uint32_t kind)>& f);

// The same of what `unframe` is given; nothing where there is none.
void each_frame(const sdk::testing::Backend& backend, const Samples& samples,
                const std::function<void(const std::string& sample, std::string_view text, const std::string& frame,
                                         std::uint32_t kind)>& f);

// A status that no input can bring about is a finding.
class Feeder {
  public:
    Feeder(Trial& trial, Fence& fence) : trial_(trial), fence_(fence) {}

    void feed(const sdk::testing::Transcoder& transcoder, const std::string& frame, std::string_view text,
              std::uint32_t kind) const;
    void feed(const sdk::testing::Backend& backend, const plugin::AdapterFacts& facts, const std::string& body) const;

    void unframe(const sdk::testing::Backend& backend, const std::string& frame, std::string_view text,
                 std::uint32_t kind) const;

  private:
    Trial& trial_;
    Fence& fence_;
};

} // namespace wm::check
