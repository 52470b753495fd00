#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace wm {

// A name and a value that somebody else owns: a header field, a setting, a query member.
struct PairView {
    std::string_view name, value;
};

struct Pair {
    std::string name, value;
};

} // namespace wm
