#include "plugin/components.h"
#include "plugin/prepared_sink.h"

namespace wm::plugin {

namespace {

constexpr std::size_t problems_budget = 64 << 10;
constexpr std::size_t max_problem = 400;

class ProblemSink : public Sink<ProblemSink> {
  public:
    explicit ProblemSink(std::vector<SettingProblem>& problems) : Sink(problems_budget), problems_(problems) {}
    const char* take(const wm_event& event) {
        if (event.tag == WM_OUT_PROBLEM)
            problems_.push_back({printable(to_view(event.name), 64), printable(to_view(event.value), max_problem)});
        return nullptr;
    }

  private:
    std::vector<SettingProblem>& problems_;
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
        in.exchange = to_bytes(call.exchange);
        in.headers = headers.get();
        in.query = query.get();
        in.body = to_bytes(call.body);
        PreparedSink sink(about_, call.body.size());
        wm_error error = fresh_error();
        const wm_status status = table_.prepare(bound_, &in, sink.raw(), &error);
        const auto who = [&] { return "adapter " + about_.id + ": prepare"; };
        if (sink.fault()) return Failure{misbehaved(sink.fault(), who())};
        if (status != WM_OK) return Failure{failed(status, error, who())};
        if (const char* missing = sink.missing()) return Failure{misbehaved(missing, who())};
        return std::move(sink.prepared);
    }

  private:
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
        const auto before = problems.size();
        const PairArray pairs(settings);
        const wm_pairs in = pairs.get();
        ProblemSink sink(problems);
        wm_error error = fresh_error();
        void* bound = table_.bind(self_.at, &in, sink.raw(), &error);
        const std::string who = "adapter " + about_.id + ": bind";
        if (sink.fault()) problems.push_back({"", misbehaved(sink.fault(), who).message});
        if (!bound) {
            if (problems.size() == before) problems.push_back({"", failed(WM_INTERNAL, error, who).message});
            return nullptr;
        }
        auto out = std::make_unique<TableBound>(table_, bound, about_);
        return problems.size() == before ? std::move(out) : nullptr;
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
