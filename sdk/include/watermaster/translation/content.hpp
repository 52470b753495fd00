#pragma once
// Turns, blocks and tools as values, for writers that lay out a whole document. Streams are written from events.
#include "../words.h"
#include "carrier.hpp"
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
    std::vector<Named> summaries;      // SUMMARY, by index
    std::string args;                  // ARGS: the JSON text of a call's arguments
    std::string media_type, data, url; // DATA, URL
    std::string file_origin, file;     // FILE
    std::string signature_format, signature, opaque_format, opaque;
    std::string call, tool;             // CALL, TOOLNAME
    std::string item;                   // ITEM
    std::string logprobs;               // LOGPROBS: entries, with commas between
    std::string raw_origin, raw;        // RAW
    std::vector<Named> attributes;      // raw JSON
    std::vector<Named> extras;          // raw JSON
    std::vector<std::string> citations; // raw JSON, of `raw_origin`
    std::optional<std::string> cache;   // a breakpoint after it: its ttl, or empty
    std::list<Block> children;          // a list: blocks may be open side by side, and must not move

    // Reasoning that another protocol's upstream said unsigned, marked for the client (carrier.hpp).
    bool synthetic() const { return signature_format == carrier_none; }
    bool is(std::string_view a_kind) const { return kind == a_kind; }
    // A text, or a document that is nothing else, or made of such parts.
    bool only_text() const {
        return is(WM_BLOCK_TEXT) || (is(WM_BLOCK_DOCUMENT) && data.empty() && url.empty() && file.empty());
    }
    // Some providers sign calls; the shipped protocols have a place for signatures of reasoning only.
    bool signed_elsewhere() const { return !signature.empty() && kind != WM_BLOCK_REASONING; }
    std::string_view attribute(std::string_view word) const {
        const auto* found = find(attributes, word);
        return found ? std::string_view(*found) : std::string_view();
    }
    bool titled() const { return !attribute(WM_ATTR_TITLE).empty() || !attribute(WM_ATTR_FILENAME).empty(); }
};

// The kinds that every protocol shows in some way; a tool's result is a client's to say.
inline bool is_common(std::string_view kind) {
    return kind == WM_BLOCK_TEXT || kind == WM_BLOCK_REFUSAL || kind == WM_BLOCK_REASONING ||
           kind == WM_BLOCK_TOOL_CALL;
}

// What is lost with a block of a kind that a protocol has no place for.
inline std::string_view lost_with(std::string_view kind) {
    if (kind == WM_BLOCK_COMPACTION) return WM_LOSS_CONTINUATION; // it stands for turns that are not there
    if (kind == WM_BLOCK_SERVER_CALL || kind == WM_BLOCK_SERVER_RESULT || kind == WM_BLOCK_APPROVAL)
        return WM_LOSS_BUILTIN_TOOLS;
    return kind == WM_BLOCK_RAW ? WM_LOSS_EXTENSION_MEMBERS : WM_LOSS_MEDIA;
}

// What is there of an image or document, as one URL.
inline std::string url_of(const Block& block) {
    return block.data.empty() ? block.url : "data:" + block.media_type + ";base64," + block.data;
}

// What the text of a tool's result begins with, where a protocol cannot say otherwise that the tool failed.
inline constexpr std::string_view failed_tool_mark = "[tool_result_error] ";

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
};

} // namespace wm::sdk
