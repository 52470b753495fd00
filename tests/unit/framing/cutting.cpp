#include "cutting.h"

#include <gtest/gtest.h>

namespace wm::framing {

void PrintTo(const Cut& cut, std::ostream* out) {
    for (const auto& [name, data] : cut.frames) *out << '{' << name << '|' << data << '}';
    *out << " problem: " << cut.problem;
}

Cut cut(Framing framing, const std::vector<std::string_view>& pieces, std::size_t max_frame) {
    const auto framer = make_framer(framing, max_frame);
    Cut out;
    Frame frame;
    for (const auto piece : pieces) {
        framer->feed(piece);
        while (framer->next(frame)) out.frames.emplace_back(frame.name, frame.data);
        EXPECT_LE(framer->held(), max_frame + piece.size() + 16);
        if (!framer->problem().empty()) break;
    }
    if (framer->problem().empty() && framer->finish(frame)) out.frames.emplace_back(frame.name, frame.data);
    out.problem = framer->problem();
    EXPECT_FALSE(framer->next(frame));
    return out;
}

Cut cut_anyhow(Framing framing, std::string_view stream, std::size_t max_frame) {
    const auto whole = cut(framing, {stream}, max_frame);
    for (std::size_t i = 0; i <= stream.size(); ++i)
        for (std::size_t j = i; j <= stream.size(); ++j) {
            const auto split =
                cut(framing, {stream.substr(0, i), stream.substr(i, j - i), stream.substr(j)}, max_frame);
            if (!(split == whole)) ADD_FAILURE() << "split at " << i << " and " << j;
        }
    std::vector<std::string_view> single;
    for (std::size_t i = 0; i < stream.size(); ++i) single.push_back(stream.substr(i, 1));
    EXPECT_EQ(cut(framing, single, max_frame), whole);
    return whole;
}

std::vector<std::string> data_of(const Cut& cut) {
    std::vector<std::string> out;
    for (const auto& [name, data] : cut.frames) out.push_back(data);
    return out;
}

} // namespace wm::framing
