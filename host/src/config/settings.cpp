#include "config/settings.h"

#include <algorithm>

namespace wm::config {

const ServedModel* Settings::find_model(std::string_view name_or_alias) const {
    for (const auto& model : models)
        if (model.name == name_or_alias ||
            std::find(model.aliases.begin(), model.aliases.end(), name_or_alias) != model.aliases.end())
            return &model;
    return nullptr;
}

std::vector<const Target*> Settings::targets() const {
    std::vector<const Target*> all(target_count);
    for (const auto& model : models)
        for (const auto& layer : model.layers)
            for (const auto& target : layer.targets) all[target.id] = &target;
    std::erase(all, nullptr);
    return all;
}

} // namespace wm::config
