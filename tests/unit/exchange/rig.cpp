#include "rig.h"

#include <Poco/Net/SocketAddress.h>

using namespace wm;

std::shared_ptr<config::Settings> Rig::make_settings(Layers layers, std::vector<std::optional<unsigned>> concurrency) {
    auto settings = std::make_shared<config::Settings>();
    config::ServedModel model;
    model.name = "m";
    model.protocols = {"openai-chat"};
    for (const auto& ids : layers) {
        config::Layer layer{
            .name = "layer" + std::to_string(model.layers.size()), .strategy = "allocation/random", .targets = {}};
        for (const auto id : ids) {
            settings->target_count = std::max(settings->target_count, id + 1);
            layer.targets.push_back(
                {.backend = id, .credential = 0, .model = 0, .id = id, .name = "b" + std::to_string(id) + "/k m"});
        }
        model.layers.push_back(std::move(layer));
    }
    for (std::uint32_t id = 0; id < settings->target_count; ++id) {
        config::Backend backend;
        backend.name = "b" + std::to_string(id);
        backend.credentials.push_back({"k", Secret("x")});
        backend.models.push_back({"m", {"openai-chat"}});
        if (id < concurrency.size()) backend.concurrency = concurrency[id];
        backend.queue_timeout = Millis(2000);
        settings->backends.push_back(std::move(backend));
    }
    settings->models.push_back(std::move(model));
    return settings;
}

std::shared_ptr<const policy::Library> Rig::library() {
    static const std::filesystem::path folders[] = {WM_POLICIES};
    static const std::string names[] = {"allocation/random", "failure/generic", "failure/schedules"};
    return policy::Library::load(folders, names);
}

Poco::Net::StreamSocket Rig::connected() {
    accepting.bind(Poco::Net::SocketAddress("127.0.0.1", 0));
    accepting.listen(1);
    return Poco::Net::StreamSocket(accepting.address());
}
