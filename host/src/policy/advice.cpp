#include "policy/advice.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace wm::policy {
namespace {

struct Absent {
    std::string_view name; // as Lua's messages have it: of a global, a field or a method
    std::string_view instead;
};

constexpr std::string_view finding = "contains(text, needle, ...), or string.find, which takes plain text",
                           catching =
                               "what may be absent tested first; a call that fails costs its request the policy alone",
                           deciding = "the answer's reason, which records and metadata show",
                           drawing = "candidate.random, which is drawn for each request",
                           timing = "the times among the arguments", alone = "the code in this script",
                           plainly = "plain tables and functions";

constexpr std::array<Absent, 34> absent{{
    {"print", deciding},
    {"warn", deciding},
    {"io", deciding},
    {"pcall", catching},
    {"xpcall", catching},
    {"match", finding},
    {"gmatch", finding},
    {"gsub", finding},
    {"random", drawing},
    {"randomseed", drawing},
    {"os", timing},
    {"require", alone},
    {"dofile", alone},
    {"load", alone},
    {"loadstring", alone},
    {"loadfile", alone},
    {"package", alone},
    {"setmetatable", plainly},
    {"getmetatable", plainly},
    {"rawget", plainly},
    {"rawset", plainly},
    {"coroutine", plainly},
    {"debug", plainly},
    {"collectgarbage", plainly},
    {"_G", plainly},
    {"dump", plainly},
    {"pack", plainly},
    {"packsize", plainly},
    {"move", plainly},
    {"utf8", plainly},
    {"date", timing},
    {"time", timing},
    {"clock", timing},
    {"getenv", "a policy of its own for each configuration"},
}};

} // namespace

std::string advice(std::string_view message) {
    if (message.find("a nil value (") == message.npos) return {};
    for (const std::string_view kind : {"global '", "field '", "method '"}) {
        const auto at = message.find(kind);
        if (at == message.npos) continue;
        auto name = message.substr(at + kind.size());
        name = name.substr(0, name.find('\''));
        const auto found =
            std::find_if(absent.begin(), absent.end(), [&](const Absent& one) { return one.name == name; });
        if (found == absent.end()) return {};
        return "; " + std::string(name) + " is not available in a policy: use " + std::string(found->instead);
    }
    return {};
}

} // namespace wm::policy
