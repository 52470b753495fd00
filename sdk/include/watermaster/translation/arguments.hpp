#pragma once
// Arguments of a call, as protocols that want a JSON object have to be given them.
#include "../json_scan.hpp"
#include "../json_write.hpp"

#include <string>
#include <string_view>

namespace wm::sdk {

// `args` as it is if it is a JSON object, `{}` if there is nothing; else, as a truncated or free text, wrapped: nothing
// of it is lost, and `wrapped` says so.
inline std::string object_of(std::string_view args, bool& wrapped) {
    json::Scan scan(args);
    if (scan.kind() == json::Kind::object) {
        scan.value();
        if (scan.finish()) return std::string(args);
    } else if (scan.kind() == json::Kind::none && scan.offset() == args.size()) {
        return "{}";
    }
    wrapped = true;
    std::string out;
    json::Writer(out).text("arguments", args);
    return out;
}

} // namespace wm::sdk
