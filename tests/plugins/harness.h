#pragma once
// The shipped plugins, driven by the SDK's testing library.
#include <watermaster/testing/adapter.hpp>
#include <watermaster/testing/sse.hpp>
#include <watermaster/testing/transcoder.hpp>

#include <chrono>
#include <string>

namespace wm::test {

using sdk::bytes;
using sdk::testing::Attempt;
using sdk::testing::Backend;
using sdk::testing::Capture;
using sdk::testing::error_tree;
using sdk::testing::Event;
using sdk::testing::event;
using sdk::testing::Outcome;
using sdk::testing::Tap;
using Pairs = sdk::testing::TextPairs;

// Opened once for all tests of the process.
const sdk::testing::PluginFile& shipped(const std::string& plugin);

struct Transcoder : sdk::testing::Transcoder { // the component has the plugin's id
    explicit Transcoder(const std::string& plugin) : sdk::testing::Transcoder(shipped(plugin), plugin) {}
};
struct Adapter : sdk::testing::Adapter {
    Adapter(const std::string& plugin, const std::string& id) : sdk::testing::Adapter(shipped(plugin), id) {}
};

// Processor time of this thread: other load on the machine does not count.
std::chrono::nanoseconds cpu_time();

} // namespace wm::test
