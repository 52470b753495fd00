#include "translate/losses.h"

#include <algorithm>

namespace wm::translate {

namespace {

constexpr std::size_t most = 64, longest = 128, longest_text = 1024;

// Names of members come from plugins and, where a member is unknown, from clients.
std::string fit(std::string_view text) {
    std::string out(text.substr(0, longest));
    for (char& c : out)
        if (c <= ' ' || c >= 0x7f || c == ',' || c == '=' || c == '"') c = '?';
    return out;
}

} // namespace

bool Losses::add(std::string_view key, std::string_view path, bool note) {
    Loss loss{fit(key), fit(path), note};
    const auto same = [&](const Loss& one) { return one.key == loss.key && one.path == loss.path && one.note == note; };
    if (std::any_of(all_.begin(), all_.end(), same)) return false;
    if (all_.size() == most) {
        ++more_;
        return false;
    }
    all_.push_back(std::move(loss));
    return true;
}

std::string Losses::text() const {
    std::string out;
    std::size_t left = more_;
    for (const auto& loss : all_) {
        if (loss.note) continue;
        std::string one = loss.path.empty() ? loss.key : loss.key + "=" + loss.path;
        if (out.size() + one.size() > longest_text)
            ++left;
        else
            out.append(out.empty() ? "" : ", ").append(one);
    }
    if (left) out += ", and " + std::to_string(left) + " more";
    return out;
}

} // namespace wm::translate
