#include "account.h"
#include "cases.h"
#include "outcome.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <watermaster/testing/sse.hpp>

namespace wm::check {

using sdk::testing::Adapter;
using sdk::testing::Backend;
using sdk::testing::Capture;
using sdk::testing::Outcome;
using sdk::testing::Tap;
using sdk::testing::Transcoder;

namespace {

constexpr std::size_t max_cuts = 4096; // of one sample; longer ones are cut at as many places, evenly

std::size_t stride(std::size_t size) { return size / max_cuts + 1; }

struct Feeder {
    Trial& trial;
    Fence& fence;

    void request(const Transcoder& transcoder, std::string_view text) const {
        const auto body = fence.hold(text);
        Capture facts(body), edits(body);
        check_status(trial, transcoder.facts(body, facts, WM_WANT_PROMPT));
        check_status(trial, transcoder.rewrite(body, "other", true, edits));
    }
    void frame(const Transcoder& transcoder, std::string_view name, std::string_view data, std::uint32_t kind) const {
        Tap tap(transcoder);
        Capture out, end;
        const Outcome outcome = tap.frame(name, fence.hold(data), out, kind);
        check_status(trial, outcome);
        if (outcome.ok())
            check_status(trial, tap.end(nullptr, end));
    }
    void attempt(const Backend& backend, const plugin::AdapterFacts& facts, std::string_view body) const {
        for (auto& one : attempts_for(facts, std::string(body))) {
            Capture out;
            check_status(trial, backend.prepare(one, out));
        }
    }
};

// f(name of the sample, its text, the name of the frame, kind; 0 for a request) for everything a transcoder is given.
template <class F>
void each_input(const Samples& samples, F&& f) {
    for (const auto& [name, text] : samples.requests)
        f(name, text, std::string(), 0u);
    for (const auto& [name, text] : samples.documents)
        f(name, text, std::string(), std::uint32_t(WM_FRAME_DOCUMENT));
    for (const auto& [name, text] : samples.streams)
        for (const auto& frame : sdk::testing::sse_frames(text))
            f(name, frame.data, frame.name, std::uint32_t(WM_FRAME_MESSAGE));
}

void feed(const Feeder& feeder, const Transcoder& transcoder, const std::string& frame, std::string_view text,
          std::uint32_t kind) {
    if (kind == 0)
        feeder.request(transcoder, text);
    else
        feeder.frame(transcoder, frame, text, kind);
}

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
        for (int i = 0; i < 20'000; ++i)
            deep += opening;
        out.push_back(std::move(deep));
    }
    out.push_back("{\"model\":\"" + std::string(300'000, 'm') + "\"}");
    return out;
}

std::string mutated(std::string text, std::minstd_rand& random) {
    static constexpr const char* tokens[] = {"\"", "\\", "{", "}", "[", "]", ",", "null", "\\ud83d", "1e9", "\xff"};
    const std::size_t at = text.empty() ? 0 : random() % text.size(), length = random() % 16;
    switch (random() % 3) {
    case 0:
        return text.erase(at, length);
    case 1:
        return text.insert(at, text.substr(at, length));
    default:
        return text.insert(at, tokens[random() % std::size(tokens)]);
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
            if (!tap)
                return trial.find("a tap", "null", "empty names are no reason to fail");
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
        if (void* bound = adapter.table().bind(adapter.self(), &none, &sink, nullptr))
            adapter.table().unbind(bound);
        const auto settings = settings_for(facts, subject.settings);
        const sdk::testing::PairArray array(settings);
        const wm_pairs pairs = array.raw();
        trial.step(where + "bind without wm_error");
        void* bound = adapter.table().bind(adapter.self(), &pairs, &sink, nullptr);
        if (!bound)
            return;
        wm_call call{};
        call.size = sizeof call;
        trial.step(where + "prepare of an empty call, without wm_error");
        check_status(trial, {adapter.table().prepare(bound, &call, &sink, nullptr), {}, {}});
        adapter.table().unbind(bound);
    });
}

void check_truncation(Trial& trial, const Subject& subject) {
    const Opened opened(trial, subject);
    Fence fence(largest(subject.samples));
    const Feeder feeder{trial, fence};
    opened.each_transcoder([&](const Transcoder& transcoder, const std::string& id) {
        each_input(subject.samples, [&](const std::string& sample, std::string_view text, const std::string& frame,
                                        std::uint32_t kind) {
            for (std::size_t size = 0; size <= text.size(); size += stride(text.size())) {
                trial.step("transcoder `" + id + "`: " + (kind ? "tap" : "facts and rewrite") + ", " + sample +
                           " after " + std::to_string(size) + " bytes" + (kind ? " of a frame" : ""));
                feed(feeder, transcoder, frame, text.substr(0, size), kind);
            }
        });
    });
    opened.each_adapter([&](const Adapter& adapter, const plugin::AdapterFacts& facts) {
        const Backend backend(adapter, settings_for(facts, subject.settings));
        const std::string& body = subject.samples.question();
        for (std::size_t size = 0; size <= body.size() && backend.bound(); size += stride(body.size())) {
            trial.step("adapter `" + facts.id + "`: prepare, body after " + std::to_string(size) + " bytes");
            feeder.attempt(backend, facts, body.substr(0, size));
        }
    });
}

void check_hostile(Trial& trial, const Subject& subject) {
    const Opened opened(trial, subject);
    const auto texts = hostile_texts();
    Fence fence(std::max<std::size_t>(largest(subject.samples), 1 << 20));
    const Feeder feeder{trial, fence};
    opened.each_transcoder([&](const Transcoder& transcoder, const std::string& id) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            trial.step("transcoder `" + id + "`: hostile text " + plugin::ticked(texts[i]));
            for (const std::uint32_t kind : {0, WM_FRAME_MESSAGE, WM_FRAME_DOCUMENT})
                feed(feeder, transcoder, {}, texts[i], kind);
        }
        std::minstd_rand random(20240613); // the same in every run
        each_input(subject.samples, [&](const std::string& sample, std::string_view text, const std::string& frame,
                                        std::uint32_t kind) {
            std::string changed(text);
            for (int i = 0; i < 100; ++i) {
                changed = mutated(i % 10 ? changed : std::string(text), random);
                trial.step("transcoder `" + id + "`: mutation " + std::to_string(i) + " of " + sample);
                feed(feeder, transcoder, frame, changed, kind);
            }
        });
    });
    opened.each_adapter([&](const Adapter& adapter, const plugin::AdapterFacts& facts) {
        const Backend backend(adapter, settings_for(facts, subject.settings));
        for (std::size_t i = 0; i < texts.size() && backend.bound(); ++i) {
            trial.step("adapter `" + facts.id + "`: prepare, hostile body " + plugin::ticked(texts[i]));
            feeder.attempt(backend, facts, texts[i]);
        }
    });
}

namespace {

// `call` puts into the capture it is given; every place to refuse is tried.
void check_obeyed(Trial& trial, const std::string& where, const std::function<Outcome(Capture&)>& call) {
    Capture whole;
    trial.step(where + ", with a sink that takes everything");
    if (!call(whole).ok())
        return;
    for (std::size_t after = 0; after < std::min<std::size_t>(whole.events.size(), 50); ++after) {
        trial.step(where + ", with a sink that refuses after " + std::to_string(after) + " results");
        Capture out;
        out.refuse_after = after;
        const Outcome outcome = call(out);
        if (outcome.status != WM_REFUSED || out.put_after_refusal > 1)
            trial.find("WM_REFUSED returned, and nothing put after it",
                       "status " + std::to_string(outcome.status) + " and " +
                           std::to_string(out.put_after_refusal - 1) + " more results",
                       "return at once what the sink said (watermaster/sink.hpp)");
    }
}

} // namespace

void check_refusal(Trial& trial, const Subject& subject) {
    const Opened opened(trial, subject);
    opened.each_transcoder([&](const Transcoder& transcoder, const std::string& id) {
        const std::string who = "transcoder `" + id + "`: ";
        each_input(subject.samples, [&](const std::string& sample, std::string_view text, const std::string& frame,
                                        std::uint32_t kind) {
            if (kind == 0)
                return check_obeyed(trial, who + "facts of " + sample,
                                    [&](Capture& out) { return transcoder.facts(text, out); });
            check_obeyed(trial, who + "tap of a frame of " + sample, [&](Capture& out) {
                Tap tap(transcoder);
                return tap.frame(frame, text, out, kind);
            });
        });
        const auto error = sdk::testing::error_tree(WM_ERROR_API, "500", "m");
        check_obeyed(trial, who + "write_error", [&](Capture& out) { return transcoder.write_error(error, out); });
    });
    opened.each_adapter([&](const Adapter& adapter, const plugin::AdapterFacts& facts) {
        const Backend backend(adapter, settings_for(facts, subject.settings));
        if (!backend.bound())
            return;
        for (const auto& attempt : attempts_for(facts, subject.samples.question()))
            check_obeyed(trial, "adapter `" + facts.id + "`: prepare " + attempt.protocol + " " + attempt.operation,
                         [&](Capture& out) { return backend.prepare(attempt, out); });
    });
}

namespace {

constexpr std::string_view canary = "c4n4ry";

void check_silent(Trial& trial, const Outcome& outcome) {
    if (outcome.where.find(canary) != std::string::npos || outcome.message.find(canary) != std::string::npos)
        trial.find("an error text of the plugin's own words", "one that repeats the request: " + outcome.message,
                   "name the member, never its value");
}

void check_log(Trial& trial, const std::string& who, const sdk::testing::FakeHost& host, std::size_t before) {
    trial.step(who);
    if (host.log.size() > before)
        trial.find("no log but in create and bind", plugin::ticked(host.log.back()),
                   "requests and answers leave no trace in logs: remove it");
}

// Requests that are wrong in many ways, each with the canary in names and values.
std::vector<std::string> canaries(const Samples& samples) {
    const std::string word(canary);
    std::vector<std::string> out{"{\"model\":{\"" + word + "\":\"" + word + "\"}}",
                                 "{\"model\":\"" + word + "\",\"stream\":\"" + word + "\"}",
                                 "{\"model\":\"" + word + "\",\"" + word + "\":\"" + word,
                                 "{\"model\":\"m\",\"messages\":\"" + word + "\",\"input\":" + word + "}",
                                 word};
    for (const auto& [name, text] : samples.requests)
        out.push_back(text.substr(0, text.size() / 2) + word);
    return out;
}

} // namespace

void check_secrecy(Trial& trial, const Subject& subject) {
    const Opened opened(trial, subject);
    const auto texts = canaries(subject.samples);
    opened.each_transcoder([&](const Transcoder& transcoder, const std::string& id) {
        const std::string who = "transcoder `" + id + "`: ";
        const auto before = transcoder.host().log.size();
        for (const auto& text : texts) {
            Capture facts(text), edits(text), stream, document;
            trial.step(who + "facts and rewrite of a request with a canary");
            check_silent(trial, transcoder.facts(text, facts));
            check_silent(trial, transcoder.rewrite(text, "m", false, edits));
            trial.step(who + "tap of a frame with a canary");
            check_silent(trial, Tap(transcoder).frame("", text, stream));
            check_silent(trial, Tap(transcoder).document(text, document));
        }
        check_log(trial, who + "after these calls", transcoder.host(), before);
    });
    opened.each_adapter([&](const Adapter& adapter, const plugin::AdapterFacts& facts) {
        const Backend backend(adapter, settings_for(facts, subject.settings));
        const std::string who = "adapter `" + facts.id + "`: ";
        const auto before = adapter.host().log.size();
        for (std::size_t i = 0; i < texts.size() && backend.bound(); ++i)
            for (auto& attempt : attempts_for(facts, texts[i])) {
                attempt.headers.emplace_back("x-note", canary);
                attempt.operation += i ? canary : "";
                Capture out;
                trial.step(who + "prepare of a request with a canary");
                check_silent(trial, backend.prepare(attempt, out));
            }
        check_log(trial, who + "after these calls", adapter.host(), before);
    });
}

} // namespace wm::check
