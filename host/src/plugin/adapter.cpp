#include "base/credential_field.h"
#include "plugin/bind.h"
#include "plugin/components.h"
#include "plugin/limits_sink.h"
#include "plugin/prepared_sink.h"
#include "plugin/rate_limit_headers.h"

namespace wm::plugin {

namespace {

class FrameSink : public Sink<FrameSink> {
  public:
    explicit FrameSink(std::size_t most) : Sink(most) {}
    const char* take(const wm_event& event) {
        if (event.tag == WM_OUT_FRAME)
            frames.push_back({std::string(to_view(event.name)), std::string(to_view(event.value)), event.flags});
        return nullptr;
    }
    std::vector<OutFrame> frames;
};

class TableBound final : public BoundAdapter {
  public:
    TableBound(const wm_adapter& table, void* bound, const AdapterFacts& about)
        : table_(table), bound_(bound), about_(about) {}
    ~TableBound() override { table_.unbind(bound_); }
    TableBound(const TableBound&) = delete;
    TableBound& operator=(const TableBound&) = delete;

    const AdapterFacts& about() const override { return about_; }

    Called<Prepared> prepare(const CallView& call) const override {
        const PairArray headers(call.headers), query(call.query);
        wm_call in{};
        in.size = sizeof in;
        in.flags = call.stream ? WM_CALL_STREAM : 0;
        in.now_ms = static_cast<std::uint64_t>(call.now_ms);
        in.attempt = call.attempt;
        in.protocol = to_bytes(call.protocol);
        in.operation = to_bytes(call.operation);
        in.model = to_bytes(call.model);
        in.handle = to_bytes(call.handle);
        in.exchange = to_bytes(call.exchange);
        in.headers = headers.get();
        in.query = query.get();
        in.body = to_bytes(call.body);
        PreparedSink sink(about_, call.body.size());
        sink.prepared.framing = about_.framing(call.protocol, call.operation);
        wm_error error = fresh_error();
        const wm_status status = table_.prepare(bound_, &in, sink.raw(), &error);
        if (sink.fault()) return Failure{misbehaved(sink.fault(), who("prepare"))};
        if (status != WM_OK) return Failure{failed(status, error, who("prepare"))};
        if (const char* missing = sink.missing()) return Failure{misbehaved(missing, who("prepare"))};
        return std::move(sink.prepared);
    }

    Called<RateLimits> observe(const ReplyView& reply) const override {
        if (!WM_HAS(&table_, wm_adapter, observe))
            return read_rate_limit_headers(about_.rate_limit_family, reply.headers, reply.now_ms);
        std::vector<PairView> shown; // a plugin sees no credential
        shown.reserve(reply.headers.size());
        for (const auto& field : reply.headers)
            if (!is_credential_field(field.name)) shown.push_back(field);
        const PairArray headers(shown);
        wm_reply in{};
        in.size = sizeof in;
        in.http_status = static_cast<std::uint32_t>(reply.http_status);
        in.now_ms = static_cast<std::uint64_t>(reply.now_ms);
        in.headers = headers.get();
        LimitsSink sink;
        wm_error error = fresh_error();
        const wm_status status = table_.observe(bound_, &in, sink.raw(), &error);
        if (sink.fault()) return Failure{misbehaved(sink.fault(), who("observe"))};
        if (status != WM_OK) return Failure{failed(status, error, who("observe"))};
        return std::move(sink.limits);
    }

    bool unframes() const override { return WM_HAS(&table_, wm_adapter, unframe); }

    Called<std::vector<OutFrame>> unframe(std::string_view name, std::string_view data, framing::FrameKind kind,
                                          std::size_t most) const override {
        const wm_frame in{sizeof(wm_frame), to_kind(kind), to_bytes(name), to_bytes(data)};
        FrameSink sink(most);
        wm_error error = fresh_error();
        const wm_status status = table_.unframe(bound_, &in, sink.raw(), &error);
        if (sink.fault()) return Failure{misbehaved(sink.fault(), who("unframe"))};
        if (status != WM_OK) return Failure{failed(status, error, who("unframe"))};
        return std::move(sink.frames);
    }

  private:
    std::string who(const char* function) const { return "adapter " + about_.id + ": " + function; }

    const wm_adapter& table_;
    void* const bound_;
    const AdapterFacts& about_;
};

class TableAdapter final : public Adapter {
  public:
    TableAdapter(const wm_adapter& table, Self self, AdapterFacts facts)
        : table_(table), self_(self), about_(std::move(facts)) {}
    ~TableAdapter() override { self_.destroy(self_.at); }
    TableAdapter(const TableAdapter&) = delete;
    TableAdapter& operator=(const TableAdapter&) = delete;

    const AdapterFacts& about() const override { return about_; }

    std::unique_ptr<BoundAdapter> bind(std::span<const PairView> settings,
                                       std::vector<SettingProblem>& problems) const override {
        void* bound = plugin::bind(table_, self_.at, settings, problems, "adapter " + about_.id + ": bind");
        return bound ? std::make_unique<TableBound>(table_, bound, about_) : nullptr;
    }

  private:
    const wm_adapter& table_;
    const Self self_;
    const AdapterFacts about_;
};

} // namespace

std::unique_ptr<Adapter> make_adapter(const wm_adapter& table, Self self, AdapterFacts facts) {
    return std::make_unique<TableAdapter>(table, self, std::move(facts));
}

} // namespace wm::plugin
