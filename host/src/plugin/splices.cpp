#include "plugin/splices.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace wm::plugin {

const char* Splices::add(std::string_view where, std::string_view bytes) {
    // As integers: comparing pointers into different objects means nothing.
    const auto begin = reinterpret_cast<std::uintptr_t>(body_.data());
    const auto at = reinterpret_cast<std::uintptr_t>(where.data());
    if (!where.data() || at < begin || at - begin > body_.size() || where.size() > body_.size() - (at - begin))
        return "a SPLICE outside the body";
    edits_.push_back({at - begin, where.size(), bytes_.size(), bytes.size()});
    bytes_ += bytes;
    return nullptr;
}

Result<std::string, const char*> Splices::apply() {
    // Insertions stand before what is replaced at the same place, in the order they were put.
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) {
        return std::make_tuple(a.at, a.length != 0) < std::make_tuple(b.at, b.length != 0);
    });
    std::string out;
    out.reserve(body_.size() + bytes_.size());
    std::size_t done = 0;
    for (const Edit& edit : edits_) {
        if (edit.at < done) return Failure{"two SPLICEs overlap"};
        out += body_.substr(done, edit.at - done);
        out.append(bytes_, edit.begin, edit.count);
        done = edit.at + edit.length;
    }
    out += body_.substr(done);
    return out;
}

} // namespace wm::plugin
