#pragma once
// Turns, blocks and tools as values, for writers that lay out a whole document. Streams are written from events.
#include "../words.h"
#include "event.hpp"

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wm::sdk {

struct Named { // what it means depends on where it stands
    std::string name, value;
};

inline const std::string* find(const std::vector<Named>& all, std::string_view name) {
    for (const Named& one : all)
        if (one.name == name) return &one.value;
    return nullptr;
}

struct Block {
    std::string kind;                  // WM_BLOCK_
    std::string text;                  // TEXT
    std::string summary;               // SUMMARY
    std::string args;                  // ARGS: the JSON text of a call's arguments
    std::string media_type, data, url; // DATA, URL
    std::string file_origin, file;     // FILE
    std::string signature_format, signature, opaque_format, opaque;
    std::string call, tool;             // CALL, TOOLNAME
    std::string raw_origin, raw;        // RAW
    std::vector<Named> attributes;      // raw JSON
    std::vector<Named> extras;          // raw JSON
    std::vector<std::string> citations; // raw JSON, of `raw_origin`
    std::optional<std::string> cache;   // a breakpoint after it: its ttl, or empty
    std::list<Block> children;          // a list: blocks may be open side by side, and must not move

    bool is(std::string_view a_kind) const { return kind == a_kind; }
    std::string_view attribute(std::string_view word) const {
        const auto* found = find(attributes, word);
        return found ? std::string_view(*found) : std::string_view();
    }
};

struct Turn {
    std::string role, author; // WM_TURN_
    std::list<Block> blocks;
    std::vector<Named> extras;
};

struct Tool {
    std::string type, name; // WM_TOOL_
    std::string description, schema, strict, config;
    std::vector<Named> grammars, extras;
    std::optional<std::string> cache;
};

struct Format {
    std::string type, name; // WM_FORMAT_
    std::string description, schema, strict;
};

struct Finish {
    std::string word, native, matched; // WM_FINISH_; raw JSON
};

struct Choice {
    std::string index = "0";
    std::list<Block> blocks;
    Finish finish;
    std::string logprobs;
};

} // namespace wm::sdk
