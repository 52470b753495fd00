#include "account.h"
#include "cases.h"
#include "dialogue.h"
#include "feeding.h"

#include <algorithm>

namespace wm::check {

using sdk::testing::Adapter;
using sdk::testing::Backend;
using sdk::testing::Capture;
using sdk::testing::Outcome;
using sdk::testing::Tap;
using sdk::testing::Transcoder;

namespace {

// `call` puts into the capture it is given; every place to refuse is tried.
void check_obeyed(Trial& trial, const std::string& where, const std::function<Outcome(Capture&)>& call) {
    Capture whole;
    trial.step(where + ", with a sink that takes everything");
    if (!call(whole).ok()) return;
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
        each_input(subject.samples,
                   [&](const std::string& sample, std::string_view text, const std::string& frame, std::uint32_t kind) {
                       if (kind == as_request)
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
        if (!backend.bound()) return;
        for (const auto& attempt : attempts_for(facts, subject.samples.question()))
            check_obeyed(trial, "adapter `" + facts.id + "`: prepare " + attempt.protocol + " " + attempt.operation,
                         [&](Capture& out) { return backend.prepare(attempt, out); });
        each_frame(backend, subject.samples,
                   [&](const std::string& sample, std::string_view text, const std::string& frame, std::uint32_t kind) {
                       check_obeyed(trial, "adapter `" + facts.id + "`: unframe of a frame of " + sample,
                                    [&](Capture& out) { return backend.unframe(frame, text, out, kind); });
                   });
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
                                 "{\"model\":\"m\",\"messages\":\"" + word + "\",\"input\":" + word + "}", word};
    for (const auto& [name, text] : samples.requests) out.push_back(text.substr(0, text.size() / 2) + word);
    return out;
}

// An error of a translation may name a member of the request, so only values are canaries here.
void check_dialogues(Trial& trial, const std::string& who, const sdk::testing::Translator& translator,
                     const std::vector<std::string>& texts) {
    const std::function<void(const Outcome&)> silent = [&](const Outcome& outcome) { check_silent(trial, outcome); };
    trial.step(who + "translation of a request with a canary");
    for (const auto& text : texts)
        if (text.find("\"" + std::string(canary) + "\":") == std::string::npos)
            Dialogue(translator, false, nullptr, silent).ask(text);
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
        if (const auto translator = translator_of(transcoder)) check_dialogues(trial, who, *translator, texts);
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
        for (std::size_t i = 0; i < texts.size() && backend.bound() && backend.unframes(); ++i)
            for (const std::uint32_t kind : {WM_FRAME_MESSAGE, WM_FRAME_DOCUMENT}) {
                Capture out;
                trial.step(who + "unframe of a frame with a canary");
                check_silent(trial, backend.unframe(canary, texts[i], out, kind));
            }
        check_log(trial, who + "after these calls", adapter.host(), before);
    });
}

} // namespace wm::check
