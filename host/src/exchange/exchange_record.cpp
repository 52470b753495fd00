#include "exchange/exchange_record.h"

#include "exchange/egress.h"
#include "exchange/reply.h"

namespace wm::exchange {

namespace {

constexpr std::size_t longest_name = 256;

bool is_aborted(const Context& x) {
    const bool cut = x.committed && !x.error_code.empty(); // by a drain's end
    return x.aborted || cut || x.failure == FailureClass::client_cancelled || x.failure == FailureClass::stream_failure;
}

} // namespace

records::ExchangeRecord record_of(Context& x) {
    const auto now = x.now();
    const auto since = [&](SteadyTime t) { return std::chrono::duration_cast<Millis>(t - x.started).count(); };
    records::ExchangeRecord record;
    record.id = std::move(x.id);
    record.completed_at_ms = x.wall_ms();
    record.total_ms = since(now);
    record.started_at_ms = record.completed_at_ms - record.total_ms;
    record.method = x.head.method();
    if (x.endpoint) record.path = x.endpoint->path; // an unknown path may hold anything
    if (x.mount) {
        record.mount = x.mount->settings.name;
        record.path = x.mount->settings.prefix + "/"; // and so may the rest of one
    }
    if (x.protocol) record.protocol = x.protocol->about().id;
    record.principal = x.principal.name;
    record.tenant = x.principal.tenant;
    if (x.model || x.transcode) record.requested_model = x.facts.model.substr(0, longest_name); // a mount has no list
    if (x.model) record.served_model = x.model->name;
    record.generation = x.generation().number;
    record.streaming = x.facts.stream;
    record.status = x.connection.status();
    record.error = x.error_code;
    record.failure = x.failure;
    record.selection_reason = x.selection_reason;
    if (!x.attempts.empty()) record.fallback = fell_back(x);
    record.fallback_exhausted = x.exhausted;
    record.committed = x.committed;
    record.limited = x.limited;
    record.aborted = is_aborted(x);
    record.request_bytes = x.connection.body_bytes_received();
    record.response_bytes = x.connection.body_bytes_sent();
    if (x.first_byte) record.first_byte_ms = since(*x.first_byte);
    record.waited_ms = x.waited.count();
    record.usage = {x.usage.input, x.usage.input_cached, x.usage.input_cache_write, x.usage.output,
                    x.usage.output_reasoning};
    record.losses = losses_of(x);
    record.attempts = std::move(x.attempts);
    return record;
}

} // namespace wm::exchange
