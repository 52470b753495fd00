#include "metrics/counts.h"

#include <new>

namespace wm::metrics {

namespace {

std::string_view provider_of(const records::ExchangeRecord& record) {
    if (!record.mount.empty()) return record.mount;
    return record.attempts.empty() ? no_provider : std::string_view(record.attempts.back().backend);
}

// Health, readiness and lists of models are no work.
bool is_counted(const records::ExchangeRecord& record) {
    return !record.mount.empty() || !record.attempts.empty() || !record.error.empty() || record.aborted;
}

} // namespace

// Only this thread grows a map, so it may look without the lock.
template <class Map, class Key>
auto& Counts::grown(Map& map, const Key& key) {
    const auto known = map.find(key);
    if (known != map.end()) return known->second;
    const std::lock_guard lock(mutex_);
    return map.try_emplace(typename Map::key_type(key)).first->second;
}

Counts::Provider& Counts::provider(std::string_view name) { return grown(providers_, name); }

void Counts::count_attempt(const records::AttemptRecord& attempt) {
    auto& counts = provider(attempt.backend);
    counts.total_.observe(attempt.total_ms);
    if (attempt.first_byte_ms) counts.first_byte_.observe(*attempt.first_byte_ms);
    const auto outcome = attempt.failure ? to_string(*attempt.failure) : std::string_view("ok");
    grown(counts.attempts_, AttemptKey(attempt.credential, outcome)).add();
}

void Counts::count_tokens(Provider& provider, const records::UsageRecord& usage) {
    std::size_t kind = 0; // in the order of token_kinds
    for (const auto& count :
         {usage.input, usage.input_cached, usage.input_cache_write, usage.output, usage.output_reasoning})
        provider.tokens_[kind++].add(std::int64_t(count.value_or(0)));
}

void Counts::settled(const records::ExchangeRecord& record) noexcept {
    if (!is_counted(record)) return;
    try {
        for (const auto& attempt : record.attempts) count_attempt(attempt);
        auto& counts = provider(provider_of(record));
        if (record.status >= 100 && record.status < 600) counts.by_status_[std::size_t(record.status / 100 - 1)].add();
        if (record.fallback.value_or(false)) counts.fallbacks_.add();
        count_tokens(counts, record.usage);
        if (record.limited) counts.queue_wait_.observe(record.waited_ms);
        if (record.aborted)
            counts.aborted_.add();
        else if (!record.error.empty())
            grown(counts.refused_, record.error).add();
        else
            (record.limited ? counts.clean_proxied_ : counts.clean_passthrough_).add();
    } catch (const std::bad_alloc&) { // a count is lost, never an answer
    }
}

void Counts::add_to(std::map<std::string, Totals, std::less<>>& totals) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, counts] : providers_) {
        auto& out = totals[name];
        out.active += counts.active.value();
        out.retrying += counts.retrying.value();
        out.clean_proxied += counts.clean_proxied_.value();
        out.clean_passthrough += counts.clean_passthrough_.value();
        out.aborted += counts.aborted_.value();
        out.fallbacks += counts.fallbacks_.value();
        for (std::size_t i = 0; i < out.tokens.size(); ++i) out.tokens[i] += counts.tokens_[i].value();
        for (std::size_t i = 0; i < out.by_status.size(); ++i) out.by_status[i] += counts.by_status_[i].value();
        out.queue_wait += counts.queue_wait_.value();
        out.first_byte += counts.first_byte_.value();
        out.total += counts.total_.value();
        for (const auto& [code, cell] : counts.refused_) out.refused[code] += cell.value();
        for (const auto& [key, cell] : counts.attempts_) out.attempts[key] += cell.value();
    }
}

} // namespace wm::metrics
