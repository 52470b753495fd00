#pragma once
// What is shared under a key for as long as anybody has it. One thread at a time; whoever has it may be on any.
#include <map>
#include <memory>

namespace wm {

template <class Key, class T>
class WeakMap {
  public:
    std::shared_ptr<T> find(const Key& key) const { // null: nobody has it any more
        const auto found = entries_.find(key);
        return found == entries_.end() ? nullptr : found->second.lock();
    }
    void put(const Key& key, const std::shared_ptr<T>& value) {
        std::erase_if(entries_, [](const auto& entry) { return entry.second.expired(); });
        entries_[key] = value;
    }

  private:
    std::map<Key, std::weak_ptr<T>> entries_;
};

} // namespace wm
