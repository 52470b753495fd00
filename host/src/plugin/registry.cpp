#include "plugin/registry.h"

#include "plugin/loader.h"
#include "plugin/refusal.h"
#include "plugin/views.h"

#include <algorithm>
#include <mutex>

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
        const std::lock_guard lock(notes_mutex); // [load] is a rule that a plugin may break
        if (notes.size() < max_notes) notes.push_back(std::move(text));
    }
    std::optional<std::string> accept(const fs::path& folder, Components loaded);

    wm_host host{}; // outlives the components
    std::mutex notes_mutex;
    std::vector<std::string> notes;
    std::vector<std::unique_ptr<Adapter>> adapters;
    std::vector<std::unique_ptr<Transcoder>> transcoders;
};

std::optional<std::string> Registry::State::accept(const fs::path& folder, Components loaded) {
    const auto duplicate = [&](const char* kind, const std::string& id) {
        return refusal(folder.string(), std::string("one ") + kind + " " + ticked(id), "another plugin's of this id",
                       "remove one of the two plugins");
    };
    for (auto& one : loaded.adapters) {
        if (find(adapters, one->about().id)) return duplicate("adapter", one->about().id);
        adapters.push_back(std::move(one));
    }
    for (auto& one : loaded.transcoders) {
        if (find(transcoders, one->about().id)) return duplicate("transcoder", one->about().id);
        transcoders.push_back(std::move(one));
    }
    return std::nullopt;
}

Registry::Registry() : state_(std::make_unique<State>()) {}
Registry::~Registry() = default;

std::vector<std::string> Registry::load(const fs::path& folder) {
    std::error_code error;
    const fs::path absolute = fs::absolute(folder, error);
    const auto folders = plugin_folders(absolute);
    if (!folders) return {folders.error()};
    std::vector<std::string> refusals;
    for (const auto& one : *folders) {
        std::vector<std::string> notes;
        auto loaded = load_plugin(one, state_->host, notes);
        for (auto& note : notes) state_->note(std::move(note));
        if (!loaded) refusals.push_back(loaded.error());
        else if (auto refused = state_->accept(one, std::move(*loaded))) refusals.push_back(std::move(*refused));
    }
    return refusals;
}

void Registry::add(std::unique_ptr<Adapter> adapter) { state_->adapters.push_back(std::move(adapter)); }
void Registry::add(std::unique_ptr<Transcoder> transcoder) { state_->transcoders.push_back(std::move(transcoder)); }

std::vector<std::string> Registry::notes() const {
    const std::lock_guard lock(state_->notes_mutex);
    return state_->notes;
}

const Adapter* Registry::adapter(std::string_view id) const { return find(state_->adapters, id); }
const Transcoder* Registry::transcoder(std::string_view id) const { return find(state_->transcoders, id); }
std::vector<const Adapter*> Registry::adapters() const { return views(state_->adapters); }
std::vector<const Transcoder*> Registry::transcoders() const { return views(state_->transcoders); }

} // namespace wm::plugin
