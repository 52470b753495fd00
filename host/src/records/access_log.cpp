#include "records/access_log.h"

#include "base/json_writer.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

namespace wm::records {

namespace {

constexpr std::chrono::milliseconds gathering{50};

template <std::size_t size>
void text(JsonWriter& w, const char (&key)[size], std::string_view value) {
    if (!value.empty()) w.key(key).text(value);
}

template <std::size_t size, class Number>
void number(JsonWriter& w, const char (&key)[size], const std::optional<Number>& value) {
    if (value) w.key(key).number(std::int64_t(*value));
}

void write_usage(JsonWriter& w, const UsageRecord& u) {
    if (!u.input && !u.output) return;
    w.key("usage").open('{');
    number(w, "input", u.input);
    number(w, "input_cached", u.input_cached);
    number(w, "input_cache_write", u.input_cache_write);
    number(w, "output", u.output);
    number(w, "output_reasoning", u.output_reasoning);
    w.close('}');
}

void write_attempt(JsonWriter& w, const AttemptRecord& a) {
    w.open('{').key("sequence").number(a.sequence);
    text(w, "backend", a.backend);
    text(w, "credential", a.credential);
    text(w, "upstream_model", a.upstream_model);
    text(w, "egress_protocol", a.protocol);
    text(w, "route_layer", a.layer);
    w.key("route_layer_index").number(a.layer_index).key("started_at_ms").number(a.started_at_ms);
    w.key("total_ms").number(a.total_ms).key("status").number(a.status);
    if (a.failure) w.key("error_class").text(to_string(*a.failure));
    number(w, "first_byte_ms", a.first_byte_ms);
    number(w, "retry_after_ms", a.retry_after_ms);
    w.key("probe").boolean(a.probe).key("committed").boolean(a.committed).close('}');
}

} // namespace

void append_json(std::string& line, const ExchangeRecord& r) {
    JsonWriter w(line);
    w.open('{').key("id").text(r.id).key("started_at_ms").number(r.started_at_ms);
    w.key("completed_at_ms").number(r.completed_at_ms);
    text(w, "method", r.method);
    text(w, "path", r.path);
    text(w, "mount", r.mount);
    text(w, "protocol", r.protocol);
    text(w, "principal", r.principal);
    text(w, "tenant", r.tenant);
    text(w, "requested_model", r.requested_model);
    text(w, "served_model", r.served_model);
    w.key("generation").number(std::int64_t(r.generation));
    w.key("streaming").boolean(r.streaming).key("status").number(r.status);
    text(w, "error", r.error);
    if (r.failure) w.key("error_class").text(to_string(*r.failure));
    text(w, "selection_reason", r.selection_reason);
    if (r.fallback) w.key("fallback").boolean(*r.fallback);
    w.key("fallback_exhausted").boolean(r.fallback_exhausted).key("committed").boolean(r.committed);
    w.key("aborted").boolean(r.aborted);
    w.key("request_bytes")
        .number(std::int64_t(r.request_bytes))
        .key("response_bytes")
        .number(std::int64_t(r.response_bytes));
    number(w, "first_byte_ms", r.first_byte_ms);
    w.key("total_ms").number(r.total_ms).key("waited_ms").number(r.waited_ms);
    write_usage(w, r.usage);
    text(w, "losses", r.losses);
    if (!r.attempts.empty()) {
        w.key("attempts").open('[');
        for (const auto& a : r.attempts) write_attempt(w, a);
        w.close(']');
    }
    w.close('}');
    line += '\n';
}

Result<AccessLog::File, std::string> AccessLog::open(const std::string& name) {
    if (name.empty()) return File();
    if (name == "-") return File(stdout);
    File file(std::fopen(name.c_str(), "ae"));
    if (!file)
        return Failure{"[server] access_log: " + name + " cannot be opened for appending: " + std::strerror(errno)};
    return file;
}

AccessLog::AccessLog(File file, std::size_t max_queued_bytes)
    : max_queued_(max_queued_bytes), file_(std::move(file)), wanted_(file_ != nullptr),
      writer_([this] { write_all(); }) {}

AccessLog::~AccessLog() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    more_.notify_one();
    writer_.join();
}

void AccessLog::go_on_in(File file) {
    const std::lock_guard lock(mutex_);
    wanted_ = file != nullptr;
    next_ = std::move(file);
    more_.notify_one();
}

void AccessLog::settled(const ExchangeRecord& record) noexcept {
    if (!wanted_) return;
    try {
        thread_local std::string line; // kept for its memory
        line.clear();
        append_json(line, record);
        const std::lock_guard lock(mutex_);
        if (queued_.size() + line.size() > max_queued_) {
            ++dropped_;
            return;
        }
        const bool first = queued_.empty(), little = queued_.size() <= max_queued_ / 2;
        queued_ += line;
        if (first || (little && queued_.size() > max_queued_ / 2)) more_.notify_one();
    } catch (const std::bad_alloc&) {
        ++dropped_;
    }
}

void AccessLog::write_all() {
    std::string batch;
    std::unique_lock lock(mutex_);
    for (;;) {
        more_.wait(lock, [this] { return stopping_ || next_ || !queued_.empty(); });
        // Lines come faster than it is worth waking up for: what follows within a moment goes out with the first.
        if (!queued_.empty())
            more_.wait_for(lock, gathering, [this] { return stopping_ || next_ || queued_.size() > max_queued_ / 2; });
        if (next_) file_ = std::move(*std::exchange(next_, std::nullopt));
        if (queued_.empty() && stopping_) return;
        batch.swap(queued_);
        lock.unlock();
        write(batch);
        batch.clear();
        lock.lock();
    }
}

// A full disk costs lines, never an exchange.
void AccessLog::write(std::string_view batch) {
    if (batch.empty() || !file_) return; // nothing is wanted any more
    if (std::fwrite(batch.data(), 1, batch.size(), file_.get()) == batch.size() && std::fflush(file_.get()) == 0)
        return;
    std::clearerr(file_.get());
    dropped_ += std::uint64_t(std::count(batch.begin(), batch.end(), '\n'));
}

} // namespace wm::records
