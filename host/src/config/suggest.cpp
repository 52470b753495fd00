#include "config/suggest.h"

#include "base/text.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace wm::config {
namespace {

// Optimal string alignment: a swap of neighbours, the commonest slip, counts once.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = last;
        std::swap(last, row);
    }
    return last[b.size()];
}

// The one candidate that `word` is the beginning of, as in "info" or "meta"; none if there are several.
std::string_view completed(std::string_view word, std::span<const std::string_view> known) {
    constexpr std::size_t least = 3;
    std::string_view found;
    for (const auto candidate : known) {
        if (word.size() < least || !candidate.starts_with(word)) continue;
        if (!found.empty()) return {};
        found = candidate;
    }
    return found;
}

} // namespace

std::string_view nearest(std::string_view written, std::span<const std::string_view> known) {
    const auto word = lowered(written.substr(0, 64));
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const auto candidate : known) {
        const auto d = distance(word, lowered(candidate));
        if (d < best_distance) best = candidate, best_distance = d;
    }
    return best.empty() ? completed(word, known) : best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
    const auto best = nearest(word, known);
    return best.empty() ? std::string() : "; did you mean " + std::string(best) + "?";
}

std::string joined(std::span<const std::string_view> words) {
    std::string out;
    for (const auto word : words) out.append(out.empty() ? "" : ", ").append(word);
    return out.empty() ? "none" : out;
}

} // namespace wm::config
