#include "records/access_log.h"

#include "base/json_writer.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

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

AccessLog::AccessLog(const std::string& file, std::size_t max_queued_bytes)
    : file_(file == "-" ? stdout : std::fopen(file.c_str(), "ae")), max_queued_(max_queued_bytes) {
    if (!file_)
        throw std::runtime_error("access log " + file + ": cannot be opened for appending: " + std::strerror(errno));
    writer_ = std::thread([this] { write_all(); });
}

AccessLog::~AccessLog() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    more_.notify_one();
    writer_.join();
}

void AccessLog::settled(const ExchangeRecord& record) noexcept {
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
        more_.wait(lock, [this] { return stopping_ || !queued_.empty(); });
        if (queued_.empty()) return;
        // Lines come faster than it is worth waking up for: what follows within a moment goes out with the first.
        more_.wait_for(lock, gathering, [this] { return stopping_ || queued_.size() > max_queued_ / 2; });
        batch.swap(queued_);
        lock.unlock();
        std::fwrite(batch.data(), 1, batch.size(), file_.get());
        std::fflush(file_.get());
        batch.clear();
        lock.lock();
    }
}

} // namespace wm::records
