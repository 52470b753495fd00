#include "account.h"
#include "cases.h"
#include "feeding.h"

#include <algorithm>
#include <atomic>
#include <clocale>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <watermaster/testing/sse.hpp>

namespace wm::check {

using sdk::testing::Adapter;
using sdk::testing::Backend;
using sdk::testing::Transcoder;

namespace {

constexpr std::size_t max_splits = 1024; // of one sample; longer ones are cut at as many places, evenly
constexpr int threads = 4, rounds = 20;
constexpr std::string_view pure = "results depend on the arguments alone: no globals, clocks, environment, addresses";

// The first line in which they differ.
std::string difference(std::string_view expected, std::string_view found) {
    const auto [a, b] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
    const auto at = static_cast<std::size_t>(a - expected.begin());
    const auto start = at == 0 ? 0 : expected.rfind('\n', at - 1) + 1;
    const auto line = [&](std::string_view text) {
        return plugin::ticked(text.substr(std::min(start, text.size())).substr(0, 80));
    };
    return line(found) + " instead of " + line(expected);
}

void compare(Trial& trial, const std::string& expected, const std::string& found, std::string_view remedy) {
    if (found != expected) trial.find("the same results", difference(expected, found), remedy);
}

// Everything a pure function cannot notice.
void change_the_world() {
    setenv("TZ", "Pacific/Chatham", 1);
    setenv("LANG", "tr_TR.UTF-8", 1);
    setlocale(LC_ALL, "");
    if (chdir("/") != 0) return; // where we are is then not changed
    for (int i = 0; i < 100; ++i) {
        const std::string junk(static_cast<std::size_t>(10 + i * 37), '\x5a'); // what was freed is not zero any more
        static_cast<void>(junk);
    }
}

// Half of the threads take the samples backwards, so that different ones meet.
Samples backwards(Samples samples) {
    for (auto* kind : {&samples.requests, &samples.streams, &samples.documents})
        std::reverse(kind->begin(), kind->end());
    return samples;
}

// Asks in one thread, then in several at once.
void compare_threads(Trial& trial, const std::string& who, const Samples& samples,
                     const std::function<std::string(const Samples&)>& ask) {
    const Samples ways[] = {samples, backwards(samples)};
    trial.step(who + ", in one thread");
    const std::string expected[] = {ask(ways[0]), ask(ways[1])};
    trial.step(who + ", in " + std::to_string(threads) + " threads");
    std::vector<std::string> found(threads);
    std::atomic<int> ready = 0;
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < threads; ++i)
        running.emplace_back([&, i] {
            ++ready;
            while (ready < threads) std::this_thread::yield(); // so that they do run at once
            for (int round = 0; round < rounds && (round == 0 || found[i] == expected[i % 2]); ++round)
                found[i] = ask(ways[i % 2]);
        });
    for (auto& one : running) one.join();
    for (std::size_t i = 0; i < threads; ++i)
        compare(trial, expected[i % 2], found[i], "[any] functions run in many threads on one immutable object");
}

// Each frame by itself, then behind the others, cut ones among them: it keeps nothing.
void compare_frames(Trial& trial, const std::string& who, const Backend& backend, const Samples& samples) {
    std::vector<std::string> alone;
    const auto each = [&](const std::function<void(std::string_view, const std::string&, std::uint32_t)>& f) {
        each_frame(backend, samples,
                   [&](const std::string& sample, std::string_view data, const std::string& name, std::uint32_t kind) {
                       trial.step(who + "a frame of " + sample);
                       f(data, name, kind);
                   });
    };
    each([&](std::string_view data, const std::string& name, std::uint32_t kind) {
        alone.push_back(account_of_frame(backend, name, data, kind));
    });
    std::size_t at = 0;
    each([&](std::string_view data, const std::string& name, std::uint32_t kind) {
        (void)account_of_frame(backend, name, data.substr(0, data.size() / 2), kind);
        compare(trial, alone[at++], account_of_frame(backend, name, data, kind), "unframe keeps nothing between calls");
    });
}

} // namespace

void check_splits(Trial& trial, const Subject& subject) {
    const Opened opened(trial, subject);
    Fence fence(largest(subject.samples));
    opened.each_transcoder([&](const Transcoder& transcoder, const std::string& id) {
        const auto translator = translator_of(transcoder);
        for (const auto& [name, text] : subject.samples.streams) {
            const std::string who = "transcoder `" + id + "`: stream " + name;
            trial.step(who + " in one piece");
            const auto said = [&](std::initializer_list<std::string_view> pieces, Fence* one_frame) {
                std::string all = account_of_stream(transcoder, pieces, one_frame);
                if (translator) all += account_of_stream(*translator, subject.samples.question(), pieces, one_frame);
                return all;
            };
            const std::string expected = said({text}, nullptr);
            const std::string_view all = text;
            for (std::size_t at = 0; at <= all.size(); at += all.size() / max_splits + 1) {
                trial.step(who + " cut at byte " + std::to_string(at));
                compare(trial, expected, said({all.substr(0, at), all.substr(at)}, &fence),
                        "keep copies, not views: a frame's bytes are gone after its call");
            }
        }
    });
}

void check_determinism(Trial& trial, const Subject& subject) {
    std::vector<std::string> before, after;
    for (auto* said : {&before, &after}) {
        const Opened opened(trial, subject);
        Fence fence(largest(subject.samples));
        opened.each_transcoder([&](const Transcoder& transcoder, const std::string& id) {
            const auto translator = translator_of(transcoder);
            trial.step("transcoder `" + id + "`: every sample");
            said->push_back(account(transcoder, translator.get(), subject.samples, fence));
            trial.step("transcoder `" + id + "`: every sample once more");
            compare(trial, said->back(), account(transcoder, translator.get(), subject.samples, fence), pure);
        });
        opened.each_adapter([&](const Adapter& adapter, const plugin::AdapterFacts& facts) {
            trial.step("adapter `" + facts.id + "`: every sample");
            const Backend backend(adapter, settings_for(facts, subject.settings));
            if (!backend.bound()) return;
            said->push_back(account(backend, facts, subject.samples, fence));
            trial.step("adapter `" + facts.id + "`: every sample once more");
            compare(trial, said->back(), account(backend, facts, subject.samples, fence), pure);
            compare_frames(trial, "adapter `" + facts.id + "`: unframe of ", backend, subject.samples);
        });
        change_the_world();
    }
    trial.step(subject.file.string() + ": with another time zone, language and folder, and used memory");
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) compare(trial, before[i], after[i], pure);
}

void check_concurrency(Trial& trial, const Subject& subject) {
    const Opened opened(trial, subject);
    Samples samples = subject.samples; // the longest add time and nothing else
    std::erase_if(samples.streams, [](const Sample& sample) { return sample.text.size() > 64 << 10; });
    opened.each_transcoder([&](const Transcoder& transcoder, const std::string& id) {
        const auto translator = translator_of(transcoder);
        compare_threads(trial, "transcoder `" + id + "`: every sample", samples, [&](const Samples& in_order) {
            Fence fence(largest(in_order));
            return account(transcoder, translator.get(), in_order, fence);
        });
    });
    opened.each_adapter([&](const Adapter& adapter, const plugin::AdapterFacts& facts) {
        const Backend backend(adapter, settings_for(facts, subject.settings));
        if (backend.bound())
            compare_threads(trial, "adapter `" + facts.id + "`: prepare and unframe", samples,
                            [&](const Samples& in_order) {
                                Fence fence(largest(in_order));
                                return account(backend, facts, in_order, fence);
                            });
    });
}

} // namespace wm::check
