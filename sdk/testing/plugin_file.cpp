#include <watermaster/testing/plugin_file.hpp>

#include <dlfcn.h>

namespace wm::sdk::testing {

FakeHost::FakeHost() {
    raw_.size = sizeof raw_;
    raw_.abi_minor = WM_ABI_MINOR;
    raw_.ctx = this;
    raw_.log = [](void* ctx, std::uint32_t, wm_bytes text) noexcept {
        static_cast<FakeHost*>(ctx)->log.emplace_back(view(text));
    };
    raw_.extension = [](void*, wm_bytes) noexcept -> const void* { return nullptr; };
}

PluginFile::PluginFile(const std::string& path) : path_(path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw Broken(dlerror());
    entry_ = static_cast<const wm_plugin_entry*>(dlsym(library, WM_PLUGIN_ENTRY_SYMBOL));
    if (!entry_) throw Broken(path + ": expected the symbol " WM_PLUGIN_ENTRY_SYMBOL ", found none; see WM_PLUGIN");
}

const wm_component& PluginFile::component(std::string_view interface_id, std::string_view id) const {
    std::string found;
    for (std::uint32_t i = 0; i < entry_->count; ++i) {
        const auto* at = reinterpret_cast<const char*>(entry_->components) + std::size_t(i) * entry_->stride;
        const auto& one = *reinterpret_cast<const wm_component*>(at);
        if (one.interface_id == interface_id && (id.empty() || one.id == id)) return one;
        found.append(" ").append(one.interface_id).append(":").append(one.id);
    }
    throw Broken(path_ + ": expected a component " + std::string(interface_id) + ":" + std::string(id) + ", found" +
                 found);
}

Created::Created(const wm_component& component, const FakeHost& host) : component_(component) {
    Error error;
    self_ = component.create(host.raw(), error.raw());
    if (!self_) throw Broken(std::string(component.id) + ": create failed: " + error.outcome(WM_INTERNAL).message);
}

} // namespace wm::sdk::testing
