#pragma once
// The members of a JSON object that a reader knows, and those it does not or has not asked for. Values are views into
// the text.
#include "../json_scan.hpp"

#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace wm::sdk {

template <std::size_t N>
class Object {
  public:
    using Names = std::array<std::string_view, N>;

    // `raw` is text whose grammar has been checked; anything but an object has no members.
    Object(std::string_view raw, const Names& names) : names_(names) {
        json::Scan scan(raw);
        if (scan.kind() != json::Kind::object) return;
        scan.members([&](const json::Name& name) {
            const std::size_t at = find(name);
            const json::Value value = scan.value();
            if (at == N)
                others_.emplace_back(name, value);
            else if (values_[at].there())
                twice_ = names_[at];
            else
                values_[at] = value;
        });
    }

    // None where the member is absent or null: no protocol tells the two apart.
    json::Value operator[](std::string_view name) const {
        const std::size_t at = find({name});
        if (at != N) read_[at] = true;
        return value(at);
    }
    json::Value peek(std::string_view name) const { return value(find({name})); } // without asking for it
    // Members that say nothing which is not known already.
    void ignore(std::initializer_list<std::string_view> names) const {
        for (const std::string_view name : names) (void)(*this)[name];
    }
    // one(body of the name, value) for those that are not known, and for the known ones that say something and were not
    // asked for.
    template <class F>
    void each_other(F&& one) const {
        for (std::size_t i = 0; i < N; ++i)
            if (!read_[i] && !values_[i].empty()) one(names_[i], values_[i]);
        for (const auto& [name, value] : others_) one(name.body, value);
    }
    std::string_view twice() const { return twice_; } // a known name that stands more than once

  private:
    json::Value value(std::size_t at) const { return at == N || values_[at].null() ? json::Value{} : values_[at]; }
    std::size_t find(const json::Name& name) const {
        std::size_t i = 0;
        while (i < N && !name.is(names_[i])) ++i;
        return i;
    }

    const Names& names_;
    std::array<json::Value, N> values_{};
    mutable std::array<bool, N> read_{};
    std::vector<std::pair<json::Name, json::Value>> others_;
    std::string_view twice_;
};

template <class... Names>
constexpr std::array<std::string_view, sizeof...(Names)> member_names(const Names&... names) {
    return {std::string_view(names)...};
}

// The text of a JSON string. A view into it where nothing is escaped and all is ASCII, else into `scratch`.
inline std::string_view text_of(const json::Value& value, std::string& scratch) {
    if (!value.is_string()) return {};
    const std::string_view body = value.body();
    if (json::detail::string_stop<true>(body.data(), body.data() + body.size()) == body.data() + body.size())
        return body;
    scratch.clear();
    json::append_text(scratch, body);
    return scratch;
}

} // namespace wm::sdk
