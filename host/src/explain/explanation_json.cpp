#include "explain/show.h"
#include "explain/state_json.h"
#include "explain/words.h"

namespace wm::explain {

namespace {

void write_refusal(JsonWriter& w, const exchange::Refusal& refusal) {
    w.open('{').key("code").text(exchange::about(refusal.code).name).key("status").number(status_of(refusal));
    w.key("message").text(refusal.message);
    if (!refusal.param.empty()) w.key("param").text(refusal.param);
    if (refusal.retry_after_s > 0) w.key("retry_after_s").number(refusal.retry_after_s);
    w.close('}');
}

void write_names(JsonWriter& w, const config::Target& target, const config::Settings& settings) {
    const auto& backend = settings.backends[target.backend];
    w.key("backend").text(backend.name).key("credential").text(backend.credentials[target.credential].name);
    w.key("upstream_model").text(backend.models[target.model].name);
}

// Those that are told of, as X-Relay-Loss spells them.
void write_losses(JsonWriter& w, const std::vector<translate::Loss>& losses) {
    w.key("losses").open('[');
    for (const auto& loss : losses)
        if (!loss.note) w.text(loss.path.empty() ? loss.key : loss.key + "=" + loss.path);
    w.close(']');
}

void write_target(JsonWriter& w, const TargetView& view, const config::Settings& settings) {
    w.open('{');
    write_names(w, *view.target, settings);
    w.key("standing")
        .text(standing(view))
        .key("protocol")
        .text(view.native   ? "native"
              : view.cannot ? "cannot"
                            : "translated");
    if (!view.native) w.key("asked_in").text(view.protocol);
    write_losses(w, view.losses);
    w.key("circuit");
    write_circuit(w, view.circuit);
    w.key("limiters");
    write_limiters(w, view.limiters);
    w.close('}');
}

void write_layer(JsonWriter& w, const LayerView& view, const config::Settings& settings) {
    w.open('{').key("layer").text(view.layer->name).key("strategy").text(view.layer->strategy);
    w.key("reason").text(view.reason).key("from_policy").boolean(view.from_policy).key("targets").open('[');
    for (const auto& target : view.targets) write_target(w, target, settings);
    w.close(']').close('}');
}

} // namespace

std::string to_json(const Explanation& e, const config::Settings& settings) {
    std::string json;
    JsonWriter w(json);
    w.open('{').key("at_ms").number(e.at_ms).key("generation").number(std::int64_t(e.generation));
    w.key("decision").text(to_string(e.decision));
    if (!e.mount && (e.decision == Decision::attempt || e.decision == Decision::wait_at_gate)) {
        w.key("target").open('{').key("layer").text(e.layers[e.layer].layer->name);
        write_names(w, *e.layers[e.layer].targets[e.target].target, settings);
        w.close('}');
    }
    if (e.refusal) {
        w.key("refusal");
        write_refusal(w, *e.refusal);
    }
    if (e.endpoint) {
        w.key("endpoint").open('{').key("method").text(e.endpoint->method).key("path").text(e.endpoint->path);
        w.key("kind").text(to_string(e.endpoint->kind)).close('}');
        w.key("protocol").text(e.protocol);
    }
    if (e.mount) {
        w.key("mount").text(e.mount->settings.name).key("route").text(e.route).key("limiters");
        write_limiters(w, e.limiters);
        w.key("circuit");
        write_breaker(w, e.breaker);
        if (e.transcode) {
            w.key("asked_in").text(e.transcode->upstream->about().id).key("asked_at").text(e.transcode->upstream_path);
            write_losses(w, e.losses);
        }
    }
    if (e.identified) {
        w.key("principal").open('{').key("name").text(e.principal.name).key("tenant").text(e.principal.tenant);
        w.key("priority").text(to_string(e.principal.priority)).close('}');
    }
    if (e.model) {
        w.key("model").open('{').key("requested").text(e.requested_model).key("served").text(e.model->name);
        w.key("alias").boolean(e.requested_model != e.model->name).close('}');
        w.key("stream").boolean(e.stream).key("pinned").boolean(e.pinned);
    }
    w.key("layers").open('[');
    for (const auto& layer : e.layers) write_layer(w, layer, settings);
    w.close(']').close('}');
    return json;
}

} // namespace wm::explain
