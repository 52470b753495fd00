#pragma once
// The plugin under check, loaded by the host's own judgement in the process of a case.
#include "fence.h"
#include "finding.h"
#include "plugin/loader.h"
#include "samples.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>
#include <watermaster/testing/adapter.hpp>
#include <watermaster/testing/transcoder.hpp>

namespace wm::check {

// What the command line says.
struct Subject {
    std::filesystem::path file; // absolute
    Samples samples;
    sdk::testing::TextPairs settings;
};

// The library, open: the judged components for the host's typed calls, and the raw tables.
class Opened {
  public:
    Opened(Trial& trial, const Subject& subject); // a refusal is a finding, and ends the case

    // As the host uses them: its sinks judge what the plugin puts.
    plugin::Components components();

    // As the testing library drives them.
    void each_transcoder(const std::function<void(const sdk::testing::Transcoder&, const std::string& id)>& f) const;
    void
    each_adapter(const std::function<void(const sdk::testing::Adapter&, const plugin::AdapterFacts& facts)>& f) const;

  private:
    Trial& trial_;
    sdk::testing::FakeHost host_;
    plugin::JudgedPlugin judged_;
    sdk::testing::PluginFile raw_;
};

// What `bind` is given: where the upstream is, and a value for each setting without which there is no backend.
sdk::testing::TextPairs settings_for(const plugin::AdapterFacts& facts, const sdk::testing::TextPairs& given);

// Every operation of every protocol, plain and streamed.
std::vector<sdk::testing::Attempt> attempts_for(const plugin::AdapterFacts& facts, const std::string& body);

} // namespace wm::check
