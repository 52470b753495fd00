#include "mount/breaker.h"

#include <algorithm>

namespace wm::mount {

Breaker::Pass& Breaker::Pass::operator=(Pass&& other) noexcept {
    if (this == &other) return *this;
    settle(Verdict::abandoned, std::nullopt);
    breaker_ = std::exchange(other.breaker_, nullptr);
    epoch_ = other.epoch_;
    probe_ = other.probe_;
    penalty_ = other.penalty_;
    return *this;
}

bool Breaker::Pass::renew(Verdict verdict, std::optional<Millis> retry_after) {
    if (!breaker_) return true; // it is turned off
    auto& breaker = *breaker_;
    const auto penalty = settle(verdict, retry_after);
    auto next = breaker.admit();
    auto* pass = std::get_if<Pass>(&next);
    if (pass) *this = std::move(*pass);
    penalty_ = penalty;
    return pass != nullptr;
}

Millis Breaker::Pass::settle(Verdict verdict, std::optional<Millis> retry_after) {
    if (!breaker_) return std::exchange(penalty_, Millis(0));
    auto& b = *std::exchange(breaker_, nullptr);
    std::lock_guard lock(b.mutex_);
    const bool late = epoch_ != b.epoch_;
    if (is_failure(verdict)) {
        const auto penalty = b.penalty(retry_after);
        if (!late) b.count_failure(probe_);
        return penalty;
    }
    if (late) return Millis(0);
    if (verdict == Verdict::success) {
        if (probe_) b.forget();
        b.in_a_row_ = 0;
        penalty_ = Millis(0);
    } else if (probe_) {
        b.enter(Mode::open, Millis(0)); // as it was before: a probe is due
    }
    return Millis(0);
}

void Breaker::configure(const config::Breaker& settings) {
    std::lock_guard lock(mutex_);
    settings_ = settings;
    if (!settings_.on) forget();
}

std::optional<Millis> Breaker::refusal() const {
    std::lock_guard lock(mutex_);
    return refusal_now();
}

std::variant<Breaker::Pass, Millis> Breaker::admit() {
    std::lock_guard lock(mutex_);
    if (!settings_.on) return Pass(nullptr, 0, false);
    if (const auto left = refusal_now()) return *left;
    const bool probe = mode_ != Mode::closed;
    if (probe) enter(Mode::half_open, open_time()); // a new epoch: a probe that took too long has nothing more to say
    return Pass(this, epoch_, probe);
}

std::optional<Breaker::State> Breaker::state() const {
    std::lock_guard lock(mutex_);
    if (!settings_.on) return std::nullopt;
    const auto recent = std::count_if(failures_.begin(), failures_.end(),
                                      [&](SteadyTime failure) { return failure > clock_.now() - settings_.window; });
    return State{mode_, std::size_t(recent), in_a_row_, refusal_now().value_or(Millis(0))};
}

// While a probe is out its result may come any moment; one that takes longer than the circuit was open is overdue.
std::optional<Millis> Breaker::refusal_now() const {
    if (!settings_.on || mode_ == Mode::closed) return std::nullopt;
    const auto left = std::chrono::ceil<Millis>(probe_at_ - clock_.now());
    if (left <= Millis(0)) return std::nullopt;
    return mode_ == Mode::half_open ? std::min(left, Millis(1'000)) : left;
}

Millis Breaker::open_time() const {
    auto time = settings_.open_timeout;
    for (unsigned i = 0; i < failed_probes_ && time < settings_.max_open_timeout; ++i) time *= 2;
    return std::min(time, settings_.max_open_timeout);
}

Millis Breaker::penalty(std::optional<Millis> retry_after) const {
    if (!settings_.on || settings_.penalty == Millis(0)) return Millis(0);
    const auto most = settings_.max_penalty;
    const auto steps = std::min<std::int64_t>(in_a_row_ + 1, most / settings_.penalty + 1);
    return std::min(std::max(settings_.penalty * steps, retry_after.value_or(Millis(0))), most);
}

void Breaker::enter(Mode mode, Millis until_probe) {
    mode_ = mode;
    probe_at_ = clock_.now() + until_probe;
    ++epoch_;
}

void Breaker::count_failure(bool probe) {
    ++in_a_row_;
    if (probe) {
        ++failed_probes_;
        return enter(Mode::open, open_time());
    }
    const auto now = clock_.now();
    while (!failures_.empty() && failures_.front() <= now - settings_.window) failures_.pop_front();
    failures_.push_back(now);
    if (failures_.size() < settings_.threshold) return;
    failures_.clear();
    enter(Mode::open, open_time());
}

void Breaker::forget() {
    failures_.clear();
    in_a_row_ = 0;
    failed_probes_ = 0;
    enter(Mode::closed, Millis(0));
}

} // namespace wm::mount
