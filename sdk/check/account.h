#pragma once
// All that a component says about the samples, as one text: equal texts, equal behaviour.
#include "subject.h"

#include <memory>
#include <string>
#include <watermaster/testing/talk.hpp>

namespace wm::check {

// A capture and its outcome as lines.
std::string lines_of(const sdk::testing::Outcome& outcome, const sdk::testing::Capture& out);

// What a tap makes of a stream that arrives in these pieces. With a fence each frame is gone after its call, as in the
// host; without, all of them stay where they are.
std::string account_of_stream(const sdk::testing::Transcoder& transcoder,
                              std::initializer_list<std::string_view> pieces, Fence* fence);

// Null: it has no translation.
std::unique_ptr<sdk::testing::Translator> translator_of(const sdk::testing::Transcoder& transcoder);

// The same of a translation: what each side reads and writes, after `question` was asked.
std::string account_of_stream(const sdk::testing::Translator& translator, const std::string& question,
                              std::initializer_list<std::string_view> pieces, Fence* fence);

// `translator` may be null.
std::string account(const sdk::testing::Transcoder& transcoder, const sdk::testing::Translator* translator,
                    const Samples& samples, Fence& fence);
std::string account(const sdk::testing::Backend& backend, const plugin::AdapterFacts& facts, const Samples& samples,
                    Fence& fence);

// What one frame becomes, and nothing else.
std::string account_of_frame(const sdk::testing::Backend& backend, const std::string& name, std::string_view data,
                             std::uint32_t kind);

// Room for any of the samples.
std::size_t largest(const Samples& samples);

} // namespace wm::check
