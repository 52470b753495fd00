#include "cases.h"
#include "feeding.h"
#include "outcome.h"

#include <algorithm>
#include <iterator>
#include <random>

namespace wm::check {

using sdk::testing::Adapter;
using sdk::testing::Backend;
using sdk::testing::Capture;
using sdk::testing::Transcoder;

namespace {

constexpr std::size_t max_cuts = 4096; // of one sample; longer ones are cut at as many places, evenly

std::size_t stride(std::size_t size) { return size / max_cuts + 1; }

// Texts that have broken parsers: depth, halves of characters, numbers out of range, bytes that are no text.
std::vector<std::string> hostile_texts() {
    std::vector<std::string> out{"",
                                 " ",
                                 "null",
                                 "[]",
                                 "\"\"",
                                 "{\"model\":\"\\ud800\",\"x\":\"\\udc00\\ud83d\"}",
                                 "{\"model\":1e99999,\"choices\":[{\"index\":18446744073709551616}]}",
                                 "{\"model\":\"a\",\"model\":\"b\",\"Model\":\"c\"}",
                                 "{\"model\":\"\xff\xfe\",\"\xc0\x80\":\"\xed\xa0\x80\"}",
                                 std::string("{\"model\":\"a\0b\"}\0", 16),
                                 "\xef\xbb\xbf{}",
                                 "{\"model\":\"m\",\"messages\":{\"role\":[]},\"input\":0,\"stream\":\"yes\"}"};
    for (const char* opening : {"[", "{\"a\":", "{\"choices\":[", "{\"error\":{\"message\":"}) {
        std::string deep = "{\"model\":\"m\",\"x\":";
        for (int i = 0; i < 20'000; ++i) deep += opening;
        out.push_back(std::move(deep));
    }
    out.push_back("{\"model\":\"" + std::string(300'000, 'm') + "\"}");
    return out;
}

std::string mutated(std::string text, std::minstd_rand& random) {
    static constexpr const char* tokens[] = {"\"", "\\", "{", "}", "[", "]", ",", "null", "\\ud83d", "1e9", "\xff"};
    const std::size_t at = text.empty() ? 0 : random() % text.size(), length = random() % 16;
    switch (random() % 3) {
    case 0: return text.erase(at, length);
    case 1: return text.insert(at, text.substr(at, length));
    default: return text.insert(at, tokens[random() % std::size(tokens)]);
    }
}

} // namespace

void check_nulls(Trial& trial, const Subject& subject) {
    const Opened opened(trial, subject);
    opened.each_transcoder([&](const Transcoder& transcoder, const std::string& id) {
        const wm_transcoder& table = transcoder.table();
        Capture out;
        const wm_sink sink = out.sink();
        wm_request request{};
        request.size = sizeof request;
        wm_rename rename{sizeof(wm_rename), 0, {}};
        const wm_events no_events{};
        wm_params params{};
        params.size = sizeof params;
        params.role = WM_ROLE_UPSTREAM;
        const wm_frame frame{sizeof(wm_frame), WM_FRAME_MESSAGE, {}, {}};
        trial.step("transcoder `" + id + "`: facts of an empty request, without wm_error");
        check_status(trial, {table.facts(transcoder.self(), &request, WM_WANT_PROMPT, &sink, nullptr), {}, {}});
        trial.step("transcoder `" + id + "`: rewrite of an empty request, without wm_error");
        check_status(trial, {table.rewrite(transcoder.self(), &request, &rename, &sink, nullptr), {}, {}});
        trial.step("transcoder `" + id + "`: write_error of no events, without wm_error");
        check_status(trial, {table.write_error(transcoder.self(), &no_events, &sink, nullptr), {}, {}});
        for (const bool with_frame : {false, true}) {
            trial.step("transcoder `" + id + "`: tap_open with empty views, without wm_error");
            wm_tap* tap = table.tap_open(transcoder.self(), &params, nullptr);
            if (!tap) return trial.find("a tap", "null", "empty names are no reason to fail");
            trial.step("transcoder `" + id + "`: tap and tap_end of nothing, without wm_error");
            if (with_frame)
                check_status(trial, {table.tap(tap, &frame, &sink, nullptr), {}, {}});
            else
                check_status(trial, {table.tap_end(tap, nullptr, &sink, nullptr), {}, {}});
            table.tap_close(tap);
        }
    });
    opened.each_adapter([&](const Adapter& adapter, const plugin::AdapterFacts& facts) {
        const std::string where = "adapter `" + facts.id + "`: ";
        const wm_pairs none{};
        Capture out;
        const wm_sink sink = out.sink();
        trial.step(where + "bind without settings, without wm_error");
        if (void* bound = adapter.table().bind(adapter.self(), &none, &sink, nullptr)) adapter.table().unbind(bound);
        const auto settings = settings_for(facts, subject.settings);
        const sdk::testing::PairArray array(settings);
        const wm_pairs pairs = array.raw();
        trial.step(where + "bind without wm_error");
        void* bound = adapter.table().bind(adapter.self(), &pairs, &sink, nullptr);
        if (!bound) return;
        wm_call call{};
        call.size = sizeof call;
        trial.step(where + "prepare of an empty call, without wm_error");
        check_status(trial, {adapter.table().prepare(bound, &call, &sink, nullptr), {}, {}});
        if (WM_HAS(&adapter.table(), wm_adapter, unframe))
            for (const std::uint32_t kind : {WM_FRAME_MESSAGE, WM_FRAME_DOCUMENT}) {
                const wm_frame frame{sizeof(wm_frame), kind, {}, {}};
                trial.step(where + "unframe of an empty frame, without wm_error");
                check_status(trial, {adapter.table().unframe(bound, &frame, &sink, nullptr), {}, {}});
            }
        adapter.table().unbind(bound);
    });
}

void check_truncation(Trial& trial, const Subject& subject) {
    const Opened opened(trial, subject);
    Fence fence(largest(subject.samples));
    const Feeder feeder(trial, fence);
    opened.each_transcoder([&](const Transcoder& transcoder, const std::string& id) {
        each_input(subject.samples, [&](const std::string& sample, std::string_view text, const std::string& frame,
                                        std::uint32_t kind) {
            for (std::size_t size = 0; size <= text.size(); size += stride(text.size())) {
                trial.step("transcoder `" + id + "`: " + (kind ? "tap" : "facts and rewrite") + ", " + sample +
                           " after " + std::to_string(size) + " bytes" + (kind ? " of a frame" : ""));
                feeder.feed(transcoder, frame, text.substr(0, size), kind);
            }
        });
    });
    opened.each_adapter([&](const Adapter& adapter, const plugin::AdapterFacts& facts) {
        const Backend backend(adapter, settings_for(facts, subject.settings));
        const std::string& body = subject.samples.question();
        for (std::size_t size = 0; size <= body.size() && backend.bound(); size += stride(body.size())) {
            trial.step("adapter `" + facts.id + "`: prepare, body after " + std::to_string(size) + " bytes");
            feeder.feed(backend, facts, body.substr(0, size));
        }
        each_frame(backend, subject.samples,
                   [&](const std::string& sample, std::string_view text, const std::string& frame, std::uint32_t kind) {
                       for (std::size_t size = 0; size <= text.size(); size += stride(text.size())) {
                           trial.step("adapter `" + facts.id + "`: unframe, " + sample + " after " +
                                      std::to_string(size) + " bytes of a frame");
                           feeder.unframe(backend, frame, text.substr(0, size), kind);
                       }
                   });
    });
}

void check_hostile(Trial& trial, const Subject& subject) {
    const Opened opened(trial, subject);
    const auto texts = hostile_texts();
    Fence fence(std::max<std::size_t>(largest(subject.samples), 1 << 20));
    const Feeder feeder(trial, fence);
    opened.each_transcoder([&](const Transcoder& transcoder, const std::string& id) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            trial.step("transcoder `" + id + "`: hostile text " + plugin::ticked(texts[i]));
            for (const std::uint32_t kind : {int(as_request), WM_FRAME_MESSAGE, WM_FRAME_DOCUMENT})
                feeder.feed(transcoder, {}, texts[i], kind);
        }
        std::minstd_rand random(20240613); // the same in every run
        each_input(subject.samples,
                   [&](const std::string& sample, std::string_view text, const std::string& frame, std::uint32_t kind) {
                       std::string changed(text);
                       for (int i = 0; i < 100; ++i) {
                           changed = mutated(i % 10 ? changed : std::string(text), random);
                           trial.step("transcoder `" + id + "`: mutation " + std::to_string(i) + " of " + sample);
                           feeder.feed(transcoder, frame, changed, kind);
                       }
                   });
    });
    opened.each_adapter([&](const Adapter& adapter, const plugin::AdapterFacts& facts) {
        const Backend backend(adapter, settings_for(facts, subject.settings));
        for (std::size_t i = 0; i < texts.size() && backend.bound(); ++i) {
            trial.step("adapter `" + facts.id + "`: prepare, hostile body " + plugin::ticked(texts[i]));
            feeder.feed(backend, facts, texts[i]);
            for (const std::uint32_t kind : {WM_FRAME_MESSAGE, WM_FRAME_DOCUMENT})
                if (backend.unframes()) feeder.unframe(backend, "chunk", texts[i], kind);
        }
        std::minstd_rand random(20240613);
        each_frame(backend, subject.samples,
                   [&](const std::string& sample, std::string_view text, const std::string& frame, std::uint32_t kind) {
                       std::string changed(text);
                       for (int i = 0; i < 100; ++i) {
                           changed = mutated(i % 10 ? changed : std::string(text), random);
                           trial.step("adapter `" + facts.id + "`: unframe, mutation " + std::to_string(i) + " of " +
                                      sample);
                           feeder.unframe(backend, frame, changed, kind);
                       }
                   });
    });
}

} // namespace wm::check
