#pragma once
// Views of the boundary as C++ views, and back. Nothing here copies.
#include "plugin.h"

#include <cstddef>
#include <iterator>
#include <string_view>

namespace wm::sdk {

inline std::string_view view(const wm_bytes& b) {
    return b.size ? std::string_view(b.data, b.size) : std::string_view();
}
inline wm_bytes bytes(std::string_view s) { return {s.data(), s.size()}; }

struct Pair {
    std::string_view name, value;
};

// Pairs as a range of views. Lifetime: that of the call they came with.
class Pairs {
  public:
    explicit Pairs(const wm_pairs& pairs) : at_(pairs.at), count_(pairs.count) {}

    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Pair;
        using difference_type = std::ptrdiff_t;
        using pointer = const Pair*;
        using reference = Pair;

        explicit Iterator(const wm_pair* at) : at_(at) {}
        Pair operator*() const { return {view(at_->name), view(at_->value)}; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

      private:
        const wm_pair* at_;
    };

    Iterator begin() const { return Iterator(at_); }
    Iterator end() const { return Iterator(at_ + count_); }
    std::size_t size() const { return count_; }

  private:
    const wm_pair* at_;
    std::uint32_t count_;
};

inline bool same_ascii_caseless(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    for (std::size_t i = 0; i < a.size(); ++i)
        if (lower(a[i]) != lower(b[i])) return false;
    return true;
}

// The first header of that name, a view as long as they live; empty: none.
inline std::string_view header(const Pairs& headers, std::string_view name) {
    for (const Pair p : headers)
        if (same_ascii_caseless(p.name, name)) return p.value;
    return {};
}

} // namespace wm::sdk
