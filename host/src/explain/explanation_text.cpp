#include "explain/show.h"
#include "explain/words.h"

namespace wm::explain {

namespace {

std::string in_seconds(std::int64_t ms) {
    return ms < 1000 ? std::to_string(std::max<std::int64_t>(ms, 0)) + " ms" : std::to_string((ms + 999) / 1000) + " s";
}

class Text {
  public:
    Text(const Explanation& e, const config::Settings& settings) : e_(e), settings_(settings) {}

    std::string run() {
        line("decision", decision());
        if (e_.endpoint)
            line("endpoint", e_.endpoint->method + " " + e_.endpoint->path + " (" +
                                 std::string(to_string(e_.endpoint->kind)) + ", " + e_.protocol + ")");
        if (e_.identified)
            line("principal", std::string(e_.principal.name) + ", tenant " + std::string(e_.principal.tenant) +
                                  ", priority " + std::string(to_string(e_.principal.priority)));
        if (e_.model) {
            const bool alias = e_.requested_model != e_.model->name;
            line("model", (alias ? e_.requested_model + ", an alias of " : "") + e_.model->name +
                              (e_.stream ? ", streamed" : ""));
        }
        if (e_.pinned) line("pinned", "only targets are tried that hold what the request continues");
        if (e_.mount) mount();
        for (std::size_t i = 0; i < e_.layers.size(); ++i) layer(i);
        return std::move(out_);
    }

  private:
    void line(std::string_view name, const std::string& text) {
        out_.append(name).append(name.size() < 10 ? std::string(10 - name.size(), ' ') : " ").append(text).append("\n");
    }

    std::string name_of(const TargetView& view) const { return view.target->name; }
    std::string chosen() const {
        return name_of(e_.layers[e_.layer].targets[e_.target]) + ", in layer " + e_.layers[e_.layer].layer->name;
    }

    std::string decision() const {
        switch (e_.decision) {
        case Decision::attempt: return "try " + chosen();
        case Decision::wait_at_gate:
            return "wait for a permit of " + (e_.mount ? "mount " + e_.mount->settings.name : chosen());
        case Decision::wait_for_probe:
            return "wait, at most " + in_seconds(settings_.server.route_probe_wait.count()) +
                   ", for another request's probe of a target";
        case Decision::forward: return "forward to the upstream of mount " + e_.mount->settings.name;
        case Decision::local: return "answer without asking a provider";
        case Decision::refuse: break;
        }
        const auto& refusal = *e_.refusal;
        auto text = "refuse with " + std::to_string(status_of(refusal)) + " " +
                    std::string(exchange::about(refusal.code).name) + ": " + refusal.message;
        if (!refusal.param.empty()) text += " ('" + refusal.param + "')";
        if (refusal.retry_after_s > 0) text += "; Retry-After " + std::to_string(refusal.retry_after_s);
        return text;
    }

    void mount() {
        line("mount", e_.mount->settings.name + (e_.route.empty() ? "" : ", limited as " + std::string(e_.route)));
        if (e_.transcode)
            line("asked",
                 "in " + e_.transcode->upstream->about().id + " at " + e_.transcode->upstream_path + told(e_.losses));
        for (const auto& limiter : e_.limiters) line("limiter", limiter.name + ": " + standing_of(limiter));
        if (!e_.breaker || e_.breaker->mode == mount::Breaker::Mode::closed) return;
        line("circuit",
             std::string(to_string(e_.breaker->mode)) + " after " + std::to_string(e_.breaker->failures_in_a_row) +
                 " failures in a row, " +
                 (e_.breaker->until_probe > Millis(0) ? "to be probed in " + in_seconds(e_.breaker->until_probe.count())
                                                      : "due for a probe"));
    }

    static std::string standing_of(const gate::Gate::State& gate) {
        auto text = std::to_string(gate.in_flight) + " of " + std::to_string(gate.limit) + " permits in use";
        if (gate.held > 0) text += ", " + std::to_string(gate.held) + " held";
        if (gate.waiting > 0) text += ", " + std::to_string(gate.waiting) + " waiting";
        return text;
    }

    void layer(std::size_t index) {
        const auto& view = e_.layers[index];
        if (view.targets.empty()) return; // none is that
        line("layer", view.layer->name + ": ordered by " + view.layer->strategy + ", reason " + view.reason +
                          (view.from_policy ? "" : " (the policy failed; the order is the configured one)"));
        for (std::size_t i = 0; i < view.targets.size(); ++i)
            out_ += "  " + std::to_string(i + 1) + ". " + name_of(view.targets[i]) + ": " +
                    standing_of(view.targets[i]) + "\n";
    }

    static std::string told(const std::vector<translate::Loss>& losses) {
        std::string out;
        for (const auto& loss : losses)
            if (!loss.note)
                out += (out.empty() ? ", losing " : " ") + loss.key + (loss.path.empty() ? "" : "=" + loss.path);
        return out;
    }

    static std::string translation_of(const TargetView& view) {
        if (view.native) return "native";
        if (view.cannot)
            return "cannot be asked in " + view.protocol + (view.cannot->empty() ? "" : ": " + *view.cannot);
        return "translated into " + view.protocol + told(view.losses);
    }

    std::string standing_of(const TargetView& view) const {
        auto text = translation_of(view);
        if (view.circuit.mode != routing::CircuitMode::closed) {
            const auto& circuit = view.circuit;
            const auto level = circuit.levels[static_cast<unsigned char>(circuit.reason)];
            text += ", circuit " + std::string(to_string(circuit.mode)) + " for " +
                    std::string(to_string(circuit.reason)) + " at level " + std::to_string(level);
            if (!view.blocked)
                text += ", due for a probe";
            else
                text += view.blocked->probing
                            ? ", being probed"
                            : ", to be probed in " + in_seconds(view.blocked->next_probe_at_ms - e_.at_ms);
        }
        for (const auto& limiter : view.limiters) text += ", " + limiter.name + ": " + standing_of(limiter);
        if (view.queue_full) text += " (no more may wait)";
        if (view.earlier) text += ", tried in an earlier layer";
        return text;
    }

    const Explanation& e_;
    const config::Settings& settings_;
    std::string out_;
};

} // namespace

std::string to_text(const Explanation& explanation, const config::Settings& settings) {
    return Text(explanation, settings).run();
}

} // namespace wm::explain
