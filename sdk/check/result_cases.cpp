#include "cases.h"
#include "plugin/guard.h"
#include "plugin/json_value.h"

#include <watermaster/testing/sse.hpp>

namespace wm::check {

using plugin::ErrorReport;
using plugin::PluginError;

namespace {

constexpr std::string_view read_contract = "see what the contract in watermaster/plugin.h says of this function";

// WM_INTERNAL is the plugin's bug, and what the host makes of results that break the contract.
bool is_bug(const PluginError& error) { return error.status == WM_INTERNAL; }

void check_request(Trial& trial, const plugin::Transcoder& transcoder, const plugin::Operation& operation,
                   const Sample& sample) {
    const std::string where =
        "transcoder `" + transcoder.about().id + "`: " + operation.id + ", request " + sample.name;
    const bool named = operation.path.find('{') != std::string::npos; // by its path, which then may hold the model
    plugin::RequestView request;
    request.method = operation.method;
    request.operation = operation.id;
    std::string path = operation.path;
    if (named) request.handle = "named", path.replace(path.find('{'), path.find('}') + 1 - path.find('{'), "named");
    request.path = path;
    request.body = sample.text;
    const bool must_pass = sample.name != built_in && !named;

    trial.step(where + ": facts");
    const auto facts = transcoder.facts(request);
    if (!facts) {
        if (must_pass || is_bug(facts.error()))
            trial.find("facts", facts.error().message, must_pass ? "it must be understood" : read_contract);
        return;
    }
    for (const bool ask_usage : {false, true}) {
        trial.step(where + (ask_usage ? ": rewrite, asking for usage" : ": rewrite"));
        const auto body = transcoder.rewrite(request, "another/model", ask_usage);
        if (!body) {
            trial.find("an edited request, as facts accepted it", body.error().message, read_contract);
            continue;
        }
        trial.step(where + ": facts of the edited request");
        plugin::RequestView edited = request;
        edited.body = *body;
        const auto again = transcoder.facts(edited);
        if (!again || (again->model != "another/model" && !(named && again->model == request.handle)))
            trial.find("model `another/model`", again ? plugin::ticked(again->model) : again.error().message,
                       "put SPLICEs that leave a request whose model is the new one");
    }
}

ErrorReport some_error() {
    ErrorReport error;
    error.type = WM_ERROR_OVERLOADED;
    error.http_status = 529;
    error.message = "away for \"lunch\"";
    return error;
}

void check_end(Trial& trial, plugin::Tap& tap, const std::string& where, bool failed) {
    if (!failed) {
        trial.step(where + ": tap_end of a stream that ended by itself");
        const auto ended = tap.end(nullptr);
        if (!ended)
            trial.find("a verdict", ended.error().message, read_contract);
        else if (!(ended->verdict & (plugin::terminal | plugin::error)))
            trial.find("TERMINAL for a complete answer, ERROR for one that was cut",
                       "flags " + std::to_string(ended->verdict), read_contract);
    }
    trial.step(where + ": tap_end with an error");
    const auto error = some_error();
    if (const auto closed = tap.end(&error); !closed)
        trial.find("the frames that close the client's stream", closed.error().message, read_contract);
}

void check_answer(Trial& trial, const plugin::Transcoder& transcoder, const Sample& sample, bool stream) {
    const std::string where = "transcoder `" + transcoder.about().id + "`: answer " + sample.name;
    trial.step(where + ": tap_open");
    plugin::TalkParams params;
    params.exchange = "x17";
    params.model = "m";
    params.stream = stream;
    const auto tap = transcoder.open_tap(params);
    if (!tap) return trial.find("a tap", tap.error().message, read_contract);
    std::vector<sdk::testing::SseFrame> frames{{"", sample.text}};
    if (stream) frames = sdk::testing::sse_frames(sample.text);
    const auto kind = stream ? framing::FrameKind::message : framing::FrameKind::document;
    bool failed = false;
    for (std::size_t i = 0; i < frames.size() && !failed; ++i) {
        trial.step(where + ": tap, frame " + std::to_string(i + 1));
        const auto report = (*tap)->frame(frames[i].name, frames[i].data, kind);
        failed = !report;
        if (failed && is_bug(report.error()))
            trial.find("a verdict, or a status that says what is wrong with the frame", report.error().message,
                       read_contract);
    }
    if (stream) check_end(trial, **tap, where, failed);
}

void check_errors(Trial& trial, const plugin::Transcoder& transcoder) {
    trial.step("transcoder `" + transcoder.about().id + "`: write_error");
    const auto document = transcoder.write_error(some_error());
    if (!document)
        trial.find("an error document", document.error().message, read_contract);
    else if (!plugin::is_json_value(*document))
        trial.find("a JSON document", "something else", "write one value, with every text quoted");
}

// Names that would move the request elsewhere if they were pasted into a URL.
constexpr const char* models[] = {"upstream-model", "../../v2/admin", "a@b.example/c", "x?y#z", "m\xC3\xA9 \"q\"\n"};

void check_prepared(Trial& trial, const plugin::BoundAdapter& backend, const sdk::testing::Attempt& attempt,
                    std::string_view configured) {
    std::vector<PairView> headers, query;
    for (const auto& [name, value] : attempt.headers) headers.push_back({name, value});
    for (const auto& [name, value] : attempt.query) query.push_back({name, value});
    plugin::CallView call;
    call.protocol = attempt.protocol;
    call.operation = attempt.operation;
    call.model = attempt.model;
    call.handle = attempt.handle;
    call.exchange = "x17";
    call.headers = headers;
    call.query = query;
    call.body = attempt.body;
    call.attempt = attempt.number;
    call.stream = attempt.stream;
    const auto prepared = backend.prepare(call);
    if (!prepared) {
        if (is_bug(prepared.error()) || attempt.model == models[0])
            trial.find("a request", prepared.error().message, read_contract);
        return;
    }
    if (!plugin::authority_allowed(prepared->url, backend.about(), configured))
        trial.find("a URL of the configured upstream, or of the facts' `hosts`", plugin::ticked(prepared->url),
                   "escape model names and ids in paths (watermaster/url.hpp)");
    const auto& auth = backend.about().auth;
    const bool anonymous = auth.empty() || auth == std::vector<std::string>{"none"};
    if (prepared->secrets.empty() && !anonymous)
        trial.find("a SECRET, as the facts declare auth", "none", "put SECRET: where the credential goes, its prefix");
    const auto whole = framing::Framing::document;
    if (attempt.stream && prepared->framing == whole &&
        backend.about().framing(attempt.protocol, attempt.operation) != whole)
        trial.find("the FRAMING of a stream, as the call asks for one and the facts declare it", "`document`",
                   "put FRAMING by call.flags");
}

// What a frame holds, judged by the host's own sink.
void check_frames(Trial& trial, const plugin::BoundAdapter& backend, const Samples& samples, const std::string& where) {
    const auto judge = [&](std::string_view name, std::string_view data, framing::FrameKind kind) {
        constexpr std::size_t most = 1 << 20;
        const auto frames = backend.unframe(name, data, kind, most);
        if (!frames && is_bug(frames.error()))
            trial.find("frames, or a status that says what is wrong with the one given", frames.error().message,
                       read_contract);
        if (frames && kind == framing::FrameKind::document && frames->size() != 1)
            trial.find("one FRAME of a document", std::to_string(frames->size()), read_contract);
    };
    for (const auto& sample : samples.streams)
        for (const auto& frame : sdk::testing::sse_frames(sample.text)) {
            trial.step(where + "unframe, a frame of " + sample.name);
            judge(frame.name, frame.data, framing::FrameKind::message);
        }
    for (const auto& sample : samples.documents) {
        trial.step(where + "unframe, document " + sample.name);
        judge({}, sample.text, framing::FrameKind::document);
    }
}

// Heads of answers as they come: without the headers it knows, with them, and with what is no number in them.
void check_observed(Trial& trial, const plugin::BoundAdapter& backend) {
    const std::vector<std::vector<PairView>> heads = {
        {},
        {{"x-ratelimit-limit-tokens", "30000"},
         {"x-ratelimit-remaining-tokens", "1"},
         {"x-ratelimit-reset-tokens", "6m0s"}},
        {{"x-ratelimit-limit-tokens", ""}, {"x-ratelimit-remaining-tokens", "-1"}, {"retry-after", "soon, or never"}}};
    for (const auto& headers : heads)
        for (const int status : {200, 429}) {
            const auto said = backend.observe({.http_status = status, .headers = headers, .now_ms = 1'748'000'999'123});
            if (!said && is_bug(said.error()))
                trial.find("LIMITs, as RESOURCE/remaining and a number", said.error().message, read_contract);
        }
}

void check_backend(Trial& trial, const plugin::Adapter& adapter, const Subject& subject) {
    const std::string where = "adapter `" + adapter.about().id + "`: ";
    const auto settings = settings_for(adapter.about(), subject.settings);
    std::vector<PairView> views;
    std::string configured;
    for (const auto& [name, value] : settings) {
        views.push_back({name, value});
        if (name == "base_url" || name == "endpoint") configured = value;
    }
    trial.step(where + "bind");
    std::vector<plugin::SettingProblem> problems;
    const auto backend = adapter.bind(views, problems);
    if (!backend)
        return trial.find("a backend", problems.front().key + ": " + problems.front().problem,
                          "give the settings it needs: --set NAME=VALUE, CHECK_SETTINGS in wm_add_plugin");
    for (auto attempt : attempts_for(adapter.about(), subject.samples.question()))
        for (const char* model : models) {
            attempt.model = attempt.handle = model;
            trial.step(where + "prepare " + attempt.protocol + " " + attempt.operation +
                       (attempt.stream ? ", streamed" : ", plain") + ", model " + plugin::ticked(model));
            check_prepared(trial, *backend, attempt, configured);
        }
    trial.step(where + "observe");
    check_observed(trial, *backend);
    if (backend->unframes()) check_frames(trial, *backend, subject.samples, where);
}

} // namespace

void check_requests(Trial& trial, const Subject& subject) {
    Opened opened(trial, subject);
    const auto components = opened.components();
    for (const auto& transcoder : components.transcoders)
        for (const auto& operation : transcoder->about().operations)
            for (const auto& sample : subject.samples.requests)
                if (operation.kind == "inference") check_request(trial, *transcoder, operation, sample);
}

void check_answers(Trial& trial, const Subject& subject) {
    Opened opened(trial, subject);
    const auto components = opened.components();
    for (const auto& transcoder : components.transcoders) {
        for (const auto& sample : subject.samples.streams) check_answer(trial, *transcoder, sample, true);
        for (const auto& sample : subject.samples.documents) check_answer(trial, *transcoder, sample, false);
        check_errors(trial, *transcoder);
    }
}

void check_backends(Trial& trial, const Subject& subject) {
    Opened opened(trial, subject);
    const auto components = opened.components();
    for (const auto& adapter : components.adapters) check_backend(trial, *adapter, subject);
}

} // namespace wm::check
