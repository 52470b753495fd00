#include "base/text.h"
#include "plugin/bind.h"
#include "plugin/components.h"
#include "plugin/error_events.h"
#include "plugin/sink.h"
#include "plugin/splices.h"

namespace wm::plugin {

namespace {

constexpr std::size_t facts_budget = 1 << 20;
constexpr std::size_t rewrite_budget = 1 << 20; // model names and options, beside what is cut out
constexpr std::size_t document_budget = 1 << 20;

std::optional<bool> parse_bool(std::string_view text) {
    if (text == "true") return true;
    if (text == "false") return false;
    return std::nullopt;
}

template <class T, class V>
bool set(T& into, const std::optional<V>& value) {
    if (value) into = *value;
    return value.has_value();
}

class FactsSink : public Sink<FactsSink> {
  public:
    // Handles may be as long as the body.
    explicit FactsSink(std::string_view body) : Sink(facts_budget + body.size()) {}
    const char* take(const wm_event& event) {
        if (event.tag == WM_OUT_PIN) return take_pin(event), nullptr;
        if (event.tag != WM_OUT_FACT) return nullptr; // prompts were not asked for
        const auto name = to_view(event.name), value = to_view(event.value);
        if (name == WM_FACT_MODEL) facts.model = value;
        return take_typed(name, value) ? nullptr : "a FACT whose value is neither a decimal number nor true or false";
    }
    RequestFacts facts;

  private:
    void take_pin(const wm_event& event) {
        const auto kind = to_view(event.name);
        auto& pins = kind == WM_PIN_CARRIED ? facts.carried : facts.pins;
        if (pins.size() == most_pins) pins.erase(pins.begin());
        pins.push_back(pin_of(kind, to_view(event.value)));
    }
    bool take_typed(std::string_view name, std::string_view value) {
        const auto number = [&] { return parse_number<std::uint64_t>(value); };
        if (name == WM_FACT_STREAM) return set(facts.stream, parse_bool(value));
        if (name == WM_FACT_USAGE) return set(facts.usage_asked, parse_bool(value));
        if (name == WM_FACT_MAX_OUTPUT) return set(facts.max_output, number());
        if (name == WM_FACT_TEXT_BYTES) return set(facts.text_bytes, number());
        // Nothing asks for these; a plugin that misspells them misbehaves all the same.
        if (name == WM_FACT_TOOLS) return parse_bool(value).has_value();
        if (name == WM_FACT_CHOICES || name == WM_FACT_MEDIA) return number().has_value();
        return true; // a newer plugin's
    }
};

class SpliceSink : public Sink<SpliceSink> {
  public:
    explicit SpliceSink(std::string_view body) : Sink(rewrite_budget + 2 * body.size()), splices(body) {}
    const char* take(const wm_event& event) {
        return event.tag == WM_OUT_SPLICE ? splices.add({event.name.data, event.name.size}, to_view(event.value))
                                          : nullptr;
    }
    Splices splices;
};

class BodySink : public Sink<BodySink> {
  public:
    BodySink() : Sink(document_budget) {}
    const char* take(const wm_event& event) {
        if (event.tag == WM_OUT_BODY) body += to_view(event.value);
        return nullptr;
    }
    std::string body;
};

// A request as the ABI wants it, for the length of one call.
struct RawRequest {
    explicit RawRequest(const RequestView& request) : headers(request.headers) {
        raw.size = sizeof raw;
        raw.now_ms = static_cast<std::uint64_t>(request.now_ms);
        raw.method = to_bytes(request.method);
        raw.path = to_bytes(request.path);
        raw.query = to_bytes(request.query);
        raw.headers = headers.get();
        raw.operation = to_bytes(request.operation);
        raw.handle = to_bytes(request.handle);
        raw.body = to_bytes(request.body);
    }
    PairArray headers;
    wm_request raw{};
};

struct TableOptions final : TalkOptions {
    TableOptions(const wm_transcoder& the_table, void* handle) : table(the_table), bound(handle) {}
    ~TableOptions() override { table.unbind(bound); }
    TableOptions(const TableOptions&) = delete;
    const wm_transcoder& table;
    void* const bound;
};

class TableTranscoder final : public Transcoder {
  public:
    TableTranscoder(const wm_transcoder& table, Self self, TranscoderFacts facts)
        : table_(table), self_(self), about_(std::move(facts)) {
        std::vector<SettingProblem> ignored; // of settings, of which there are none
        if (about_.translates) defaults_ = bind({}, ignored);
    }
    ~TableTranscoder() override {
        defaults_.reset();
        self_.destroy(self_.at);
    }
    TableTranscoder(const TableTranscoder&) = delete;
    TableTranscoder& operator=(const TableTranscoder&) = delete;

    const TranscoderFacts& about() const override { return about_; }

    Called<RequestFacts> facts(const RequestView& request) const override {
        const RawRequest in(request);
        FactsSink sink(request.body);
        wm_error error = fresh_error();
        const wm_status status = table_.facts(self_.at, &in.raw, 0, sink.raw(), &error);
        if (sink.fault()) return Failure{misbehaved(sink.fault(), who("facts"))};
        if (status != WM_OK) return Failure{failed(status, error, who("facts"))};
        if (sink.facts.model.empty()) return Failure{misbehaved("returned OK without a model FACT", who("facts"))};
        return std::move(sink.facts);
    }

    Called<std::string> rewrite(const RequestView& request, std::string_view model, bool ask_usage) const override {
        const RawRequest in(request);
        wm_rename rename{};
        rename.size = sizeof rename;
        rename.flags = ask_usage ? WM_RENAME_ASK_USAGE : 0;
        rename.model = to_bytes(model);
        SpliceSink sink(request.body);
        wm_error error = fresh_error();
        const wm_status status = table_.rewrite(self_.at, &in.raw, &rename, sink.raw(), &error);
        if (sink.fault()) return Failure{misbehaved(sink.fault(), who("rewrite"))};
        if (status != WM_OK) return Failure{failed(status, error, who("rewrite"))};
        // Without one the client's own model name would go upstream, unless it stands in the path.
        if (sink.splices.empty() && request.handle.empty())
            return Failure{misbehaved("returned OK without a SPLICE", who("rewrite"))};
        auto body = sink.splices.apply();
        if (!body) return Failure{misbehaved(body.error(), who("rewrite"))};
        return std::move(*body);
    }

    Called<std::unique_ptr<Tap>> open_tap(const TalkParams& params) const override {
        const wm_params in = raw(params, WM_ROLE_UPSTREAM);
        wm_error error = fresh_error();
        wm_tap* handle = table_.tap_open(self_.at, &in, &error);
        if (!handle) return Failure{failed(WM_INTERNAL, error, who("tap_open"))};
        return make_tap(table_, handle, about_.id);
    }

    std::unique_ptr<TalkOptions> bind(std::span<const PairView> capabilities,
                                      std::vector<SettingProblem>& problems) const override {
        void* bound = plugin::bind(table_, self_.at, capabilities, problems, who("bind"));
        if (!bound) return nullptr;
        return std::make_unique<TableOptions>(table_, bound);
    }

    Called<std::unique_ptr<Talk>> open_talk(TalkRole role, const TalkParams& params,
                                            const TalkOptions* options) const override {
        const wm_params in = raw(params, role == TalkRole::client ? WM_ROLE_CLIENT : WM_ROLE_UPSTREAM);
        wm_error error = fresh_error();
        if (!options) options = defaults_.get();
        if (!options) return Failure{failed(WM_UNSUPPORTED, error, who("open"))};
        wm_talk* handle = table_.open(static_cast<const TableOptions*>(options)->bound, &in, &error);
        if (!handle) return Failure{failed(WM_INTERNAL, error, who("open"))};
        return make_talk(table_, handle, about_.id);
    }

    Called<std::string> write_error(const ErrorReport& report) const override {
        const ErrorEvents events(report);
        BodySink sink;
        wm_error error = fresh_error();
        const wm_status status = table_.write_error(self_.at, events.get(), sink.raw(), &error);
        if (sink.fault()) return Failure{misbehaved(sink.fault(), who("write_error"))};
        if (status != WM_OK) return Failure{failed(status, error, who("write_error"))};
        if (sink.body.empty()) return Failure{misbehaved("returned OK without a BODY", who("write_error"))};
        return std::move(sink.body);
    }

  private:
    static wm_params raw(const TalkParams& params, std::uint32_t role) {
        wm_params in{};
        in.size = sizeof in;
        in.role = role;
        in.now_ms = static_cast<std::uint64_t>(params.now_ms);
        in.max_held = params.max_held;
        in.exchange = to_bytes(params.exchange);
        in.operation = to_bytes(params.operation);
        in.model = to_bytes(params.model);
        in.flags = (params.stream ? WM_PARAMS_STREAM : 0u) |
                   (params.usage_asked_by_gateway_alone ? WM_PARAMS_USAGE_BY_GATEWAY : 0u) |
                   (params.ask_usage ? WM_PARAMS_ASK_USAGE : 0u);
        in.attempt = params.attempt;
        return in;
    }

    std::string who(const char* function) const { return "transcoder " + about_.id + ": " + function; }

    const wm_transcoder& table_;
    const Self self_;
    const TranscoderFacts about_;
    std::unique_ptr<TalkOptions> defaults_; // null: no translation
};

} // namespace

std::unique_ptr<Transcoder> make_transcoder(const wm_transcoder& table, Self self, TranscoderFacts facts) {
    return std::make_unique<TableTranscoder>(table, self, std::move(facts));
}

} // namespace wm::plugin
