#pragma once
// What the request side of every protocol needs: the guard on routing members, and the count of media.
#include "../json_scan.hpp"
#include "../sink.hpp"
#include "../status.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace wm::sdk {

inline Status bad_json(const json::Scan& scan) {
    return scan.fault() == json::Fault::depth ? bad_input("body", "nested deeper than 128", scan.offset())
                                              : bad_input("body", "not valid JSON", scan.offset());
}

// The top-level members a request is routed by. Parsers disagree on which of two equal names counts and on whether case
// matters, so a name that any of them could take for a routing member may stand once, spelled exactly.
class RoutingMembers {
  public:
    // True: the member is a routing member and has been taken.
    bool take(const json::Name& name, json::Scan& scan) {
        return take(name, scan, "model", model_) || take(name, scan, "stream", stream_);
    }

    Status check() const {
        if (!status_.ok()) return status_;
        if (!model_.there()) return bad_input("model", "missing");
        if (!model_.is_string()) return bad_input("model", "not a string");
        if (model_.empty()) return bad_input("model", "empty");
        if (stream_.there() && stream_.kind != json::Kind::boolean && !stream_.null())
            return bad_input("stream", "not a boolean");
        return {};
    }
    const json::Value& model() const { return model_; } // a string, after check()
    bool stream() const { return stream_.is_true(); }

  private:
    bool take(const json::Name& name, json::Scan& scan, std::string_view member, json::Value& value) {
        if (!name.folds_to(member)) return false;
        if (!status_.ok()) return true; // the first problem is told
        if (value.there()) {
            status_ = bad_input(member, "stands more than once");
        } else if (!name.is(member)) {
            status_ = bad_input(member, "is not spelled in lower case");
        } else {
            value = scan.value();
        }
        return true;
    }

    json::Value model_, stream_;
    Status status_;
};

// Walks the top level of a request: each(name, scan) for the members it is not routed by. Not OK: not a request.
template <class F>
Status walk_request(std::string_view body, RoutingMembers& routing, F&& each) {
    json::Scan scan(body);
    if (scan.kind() != json::Kind::object) return bad_input("body", "not a JSON object");
    scan.members([&](const json::Name& name) {
        if (!routing.take(name, scan)) each(name, scan);
    });
    return scan.finish() ? routing.check() : bad_json(scan);
}

// Media among content parts: how many, and how many bytes of the body they are.
struct Media {
    std::uint64_t parts = 0, bytes = 0;
};

// Walks an array of messages, items or parts; lists in `content` and `output` nest, as tool results do. A protocol says
// what it looks for:
//     struct Parts {
//         struct Part { void take(const json::Name&, json::Scan&); }; // takes or leaves a member of one object
//         bool end(std::string_view type, const Part&, bool nested);  // is the object media? `type` without quotes
//     };
// True: there was one.
template <class Parts>
bool walk_parts(json::Scan& scan, Parts& parts, Media& media, unsigned nesting = 0) {
    constexpr unsigned deepest = 4; // message, tool result, part, and one to spare
    if (scan.kind() != json::Kind::array || nesting == deepest) return false;
    bool any = false;
    scan.elements([&] {
        any = true;
        if (scan.kind() != json::Kind::object) return;
        const std::size_t start = scan.offset();
        const Media before = media;
        typename Parts::Part part;
        json::Value type;
        bool nested = false;
        scan.members([&](const json::Name& name) {
            if (name.is("type"))
                type = scan.value();
            else if (name.is("content") || name.is("output"))
                nested |= walk_parts(scan, parts, media, nesting + 1);
            else
                part.take(name, scan);
        });
        if (parts.end(type.is_string() ? type.body() : std::string_view(), part, nested)) {
            media.parts = before.parts + 1;
            media.bytes = before.bytes + (scan.offset() - start);
        }
    });
    return any;
}

// A header by which agents name their session.
inline std::string_view session_header(const Pairs& headers) {
    for (const std::string_view name : {"x-session-id", "session_id", "session-id", "x-claude-code-session-id"})
        if (const std::string_view value = header(headers, name); !value.empty()) return value;
    return {};
}

// The session hint: a header, or what the body says; nothing when neither does.
inline void put_session(Sink& out, const Pairs& headers, const json::Value& in_body) {
    if (const std::string_view named = session_header(headers); !named.empty())
        out.fact(WM_FACT_SESSION, named);
    else if (in_body.is_string() && !in_body.empty())
        out.fact(WM_FACT_SESSION, std::string_view(json::text(in_body.body())));
}

// PROMPT views in the provider's cache order. `turns` is an array, or anything else as one turn.
inline void put_prompt(Sink& out, const json::Value& tools, const json::Value& system, const json::Value& turns) {
    if (!tools.empty()) out.put(WM_OUT_PROMPT, "tools", tools.raw);
    if (!system.empty()) out.put(WM_OUT_PROMPT, "system", system.raw);
    if (turns.kind != json::Kind::array) {
        if (!turns.empty()) out.put(WM_OUT_PROMPT, "turn", turns.raw);
        return;
    }
    json::Scan scan(turns.raw);
    scan.elements([&] { out.put(WM_OUT_PROMPT, "turn", scan.value().raw); });
}

// The facts every protocol has. To be called when the body has been walked and checked.
inline void put_common_facts(Sink& out, const RoutingMembers& routing, std::size_t body_bytes, const Media& media,
                             const json::Value& max_output, const json::Value& tools) {
    out.fact(WM_FACT_MODEL, std::string_view(json::text(routing.model().body())));
    out.fact(WM_FACT_STREAM, routing.stream());
    if (max_output.there()) out.fact(WM_FACT_MAX_OUTPUT, max_output.raw);
    out.fact(WM_FACT_TEXT_BYTES, static_cast<std::uint64_t>(body_bytes - media.bytes));
    out.fact(WM_FACT_MEDIA, media.parts);
    out.fact(WM_FACT_TOOLS, !tools.empty());
}

// Walks into the value that comes next, if it is an array, and returns all of it. `walk` passes the array.
template <class Walk>
json::Value take_walked(json::Scan& scan, std::string_view body, Walk&& walk) {
    const json::Kind kind = scan.kind();
    if (kind != json::Kind::array) return scan.value();
    const std::size_t start = scan.offset();
    walk();
    if (scan.failed()) return {};
    return {body.substr(start, scan.offset() - start), kind};
}

// The messages, items or parts that come next.
template <class Parts>
json::Value take_parts(json::Scan& scan, std::string_view body, Parts& parts, Media& media) {
    return take_walked(scan, body, [&] { walk_parts(scan, parts, media); });
}

// Passes the next value; of an object the members `each` takes.
template <class F>
void walk_object(json::Scan& scan, F&& each) {
    if (scan.kind() == json::Kind::object) scan.members(each);
}

// The larger of two numbers a client gave for one limit; a parser may take either.
inline void keep_largest(json::Value& kept, const json::Value& found) {
    const auto n = found.count();
    if (n && (!kept.there() || *n > *kept.count())) kept = found;
}

} // namespace wm::sdk
