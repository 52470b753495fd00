#include "plugin/registry.h"

#include "plugin/loader.h"
#include "plugin/refusal.h"
#include "plugin/views.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <sys/stat.h>

namespace wm::plugin {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_notes = 1000; // a plugin that logs in a loop must not fill the memory

template <class Component>
const Component* find(const std::vector<std::unique_ptr<Component>>& all, std::string_view id) {
    for (const auto& one : all)
        if (one->about().id == id) return one.get();
    return nullptr;
}

template <class Component>
std::vector<const Component*> views(const std::vector<std::unique_ptr<Component>>& all) {
    std::vector<const Component*> out;
    for (const auto& one : all) out.push_back(one.get());
    return out;
}

// Subfolders in the order of their names, so that a start is repeatable; the error is a message.
Result<std::vector<fs::path>, std::string> plugin_folders(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> out;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        if (fs::is_directory(at->path(), ignored) && looks_like_plugin(at->path())) out.push_back(at->path());
    }
    if (error)
        return Failure{refusal(folder.string(), "the plugins folder", error.message(),
                               "create it or correct where plugins are looked for")};
    std::sort(out.begin(), out.end());
    return out;
}

// Names, inodes, sizes and times of the files of a plugin: enough to see that others took their place.
using Files = std::map<std::string, std::array<std::int64_t, 3>>;
Files files_of(const fs::path& folder) {
    Files files;
    std::error_code ignored;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
        struct stat info {};
        const bool part = at->path().filename() == "plugin.ini" || at->path().extension() == ".so";
        if (part && stat(at->path().c_str(), &info) == 0)
            files[at->path().filename()] = {std::int64_t(info.st_ino), info.st_size,
                                            info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
    }
    return files;
}

} // namespace

struct Registry::State {
    State() {
        host.size = sizeof host;
        host.abi_minor = WM_ABI_MINOR;
        host.ctx = this;
        host.log = [](void* ctx, std::uint32_t, wm_bytes text) noexcept {
            static_cast<State*>(ctx)->note("plugin says: " + printable(to_view(text), 400));
        };
        host.extension = [](void*, wm_bytes) noexcept -> const void* { return nullptr; };
    }
    void note(std::string text) {
        const std::lock_guard lock(mutex); // [load] is a rule that a plugin may break
        if (notes.size() < max_notes) notes.push_back(std::move(text));
    }
    std::optional<std::string> accept(const fs::path& folder, Components fresh);
    std::optional<std::string> load(const fs::path& folder, std::vector<std::string>& said);

    wm_host host{};   // outlives the components
    std::mutex mutex; // notes, plugins: they are asked for at any time
    std::vector<std::string> notes;
    std::vector<PluginInfo> plugins;
    std::vector<std::unique_ptr<Adapter>> adapters;
    std::vector<std::unique_ptr<Transcoder>> transcoders;
    std::map<fs::path, Files> loaded; // by folder, as they were then
};

std::optional<std::string> Registry::State::accept(const fs::path& folder, Components fresh) {
    const auto duplicate = [&](const char* kind, const std::string& id) {
        return refusal(folder.string(), std::string("one ") + kind + " " + ticked(id), "another plugin's of this id",
                       "remove one of the two plugins");
    };
    // All are looked at before any is taken: half a plugin would be in its own way when it is tried again.
    for (const auto& one : fresh.adapters)
        if (find(adapters, one->about().id)) return duplicate("adapter", one->about().id);
    for (const auto& one : fresh.transcoders)
        if (find(transcoders, one->about().id)) return duplicate("transcoder", one->about().id);
    for (auto& one : fresh.adapters) adapters.push_back(std::move(one));
    for (auto& one : fresh.transcoders) transcoders.push_back(std::move(one));
    const std::lock_guard lock(mutex);
    plugins.push_back(std::move(fresh.about));
    return std::nullopt;
}

// Null: it is loaded.
std::optional<std::string> Registry::State::load(const fs::path& folder, std::vector<std::string>& said) {
    const auto files = files_of(folder);
    std::vector<std::string> from_loader;
    auto components = load_plugin(folder, host, from_loader);
    for (auto& one : from_loader) said.push_back(std::move(one));
    if (!components) return components.error();
    if (auto refused = accept(folder, std::move(*components))) return refused;
    loaded.emplace(folder, files);
    return std::nullopt;
}

Registry::Registry() : state_(std::make_unique<State>()) {}
Registry::~Registry() = default;

std::vector<std::string> Registry::load(const fs::path& folder) {
    std::error_code error;
    const fs::path absolute = fs::absolute(folder, error);
    const auto folders = plugin_folders(absolute);
    if (!folders) return {folders.error()};
    std::vector<std::string> refusals, said;
    for (const auto& one : *folders)
        if (auto refused = state_->load(one, said)) refusals.push_back(std::move(*refused));
    for (auto& note : said) state_->note(std::move(note));
    return refusals;
}

Registry::Renewal Registry::renew(const fs::path& folder) {
    std::error_code error;
    const auto folders = plugin_folders(fs::absolute(folder, error));
    Renewal renewal;
    if (!folders) {
        renewal.refused.push_back(folders.error());
        return renewal;
    }
    for (const auto& one : *folders) {
        const auto known = state_->loaded.find(one);
        if (known == state_->loaded.end()) {
            if (auto refused = state_->load(one, renewal.notes))
                renewal.refused.push_back(std::move(*refused));
            else
                renewal.notes.push_back("plugin " + one.string() + ": loaded");
        } else if (known->second != files_of(one)) {
            renewal.notes.push_back(
                "plugin " + one.string() +
                ": its files were replaced; the loaded version goes on, the new one takes a restart");
        }
    }
    for (const auto& [one, files] : state_->loaded)
        if (!std::binary_search(folders->begin(), folders->end(), one))
            renewal.notes.push_back("plugin " + one.string() + ": its files are gone; it goes on until a restart");
    return renewal;
}

void Registry::add(std::unique_ptr<Adapter> adapter) { state_->adapters.push_back(std::move(adapter)); }
void Registry::add(std::unique_ptr<Transcoder> transcoder) { state_->transcoders.push_back(std::move(transcoder)); }

std::vector<std::string> Registry::notes() const {
    const std::lock_guard lock(state_->mutex);
    return state_->notes;
}

std::vector<PluginInfo> Registry::plugins() const {
    const std::lock_guard lock(state_->mutex);
    return state_->plugins;
}

const Adapter* Registry::adapter(std::string_view id) const { return find(state_->adapters, id); }
const Transcoder* Registry::transcoder(std::string_view id) const { return find(state_->transcoders, id); }
std::vector<const Adapter*> Registry::adapters() const { return views(state_->adapters); }
std::vector<const Transcoder*> Registry::transcoders() const { return views(state_->transcoders); }

} // namespace wm::plugin
