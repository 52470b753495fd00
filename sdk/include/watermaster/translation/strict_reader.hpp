#pragma once
// What readers of clients' requests share: a walk that knows where it is, refuses what the protocol does not allow by
// naming the member, and puts members it does not know as EXTRA.
#include "../json_scan.hpp"
#include "../protocol/request_facts.hpp"
#include "event.hpp"
#include "object.hpp"
#include "path.hpp"

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace wm::sdk {

inline constexpr std::string_view a_number = "not a number", a_boolean = "not a boolean", a_string = "not a string";

struct PlainParam { // a member of a request whose value is that of a PARAM as it stands
    std::string_view member, word;
    json::Kind kind;
    std::string_view expected;
};

class StrictReader {
  protected:
    explicit StrictReader(Sink& out) : events_(out, nodes_) {}

    // The whole text: one JSON object and nothing else.
    bool checked(std::string_view body) {
        json::Scan scan(body);
        if (scan.kind() != json::Kind::object) {
            status_ = bad_input("body", "not a JSON object");
            return false;
        }
        scan.value();
        if (!scan.finish()) status_ = bad_json(scan);
        return status_.ok();
    }

    bool stopped() const { return !status_.ok() || events_.refused(); }
    Status result() const { return status_.ok() ? events_.status() : status_; }

    // The first one counts. `what` is a literal.
    void refuse(std::string_view what) {
        if (!status_.ok()) return;
        where_ = path_.view();
        status_ = bad_input(where_, what);
    }
    void refuse(std::string_view member, std::string_view what) {
        const auto at = path_.member(member);
        refuse(what);
    }

    // Is the value there, and of that kind? A wrong kind is refused.
    bool has(const json::Value& value, json::Kind kind, std::string_view member, std::string_view expected) {
        if (!value.there()) return false;
        if (value.kind != kind) refuse(member, expected);
        return value.kind == kind;
    }
    bool has_text(const json::Value& value, std::string_view member) {
        return has(value, json::Kind::string, member, a_string);
    }
    bool has_list(const json::Value& value, std::string_view member) {
        return has(value, json::Kind::array, member, "not an array");
    }
    bool has_object(const json::Value& value, std::string_view member) {
        return has(value, json::Kind::object, member, "not an object");
    }

    // A view that lives until the next call.
    std::string_view text(const json::Value& value) { return text_of(value, scratch_); }

    void leaf_text(std::uint32_t node, std::uint32_t tag, std::string_view name, const json::Value& value) {
        events_.leaf(node, tag, name, text(value));
    }

    void text_block(std::uint32_t parent, std::string_view kind, const json::Value& value) {
        const std::uint32_t block = events_.open(WM_EV_BLOCK, parent, kind);
        leaf_text(block, WM_EV_TEXT, {}, value);
        events_.close(block);
    }

    // A URL, or what a data URL holds.
    void url(std::uint32_t node, std::string_view url) {
        constexpr std::string_view scheme = "data:", coding = ";base64,";
        const std::size_t comma = url.substr(0, 256).find(coding);
        if (!url.starts_with(scheme) || comma == url.npos) return events_.leaf(node, WM_EV_URL, {}, url);
        events_.leaf(node, WM_EV_DATA, url.substr(scheme.size(), comma - scheme.size()),
                     url.substr(comma + coding.size()));
    }

    // A tool that the client runs; its end is the caller's. 0: it has no name, which is refused.
    template <std::size_t N>
    std::uint32_t open_tool(std::uint32_t request, std::string_view kind, const Object<N>& tool) {
        if (!has_text(tool["name"], "name")) {
            refuse("name", "missing");
            return 0;
        }
        const std::uint32_t node = events_.open(WM_EV_TOOL, request, kind, text(tool["name"]));
        if (has_text(tool["description"], "description")) leaf_text(node, WM_EV_DESCRIPTION, {}, tool["description"]);
        return node;
    }
    // What it takes, where that is an object.
    template <std::size_t N>
    void tool_input(std::uint32_t node, const Object<N>& tool, std::string_view schema) {
        if (has_object(tool[schema], schema)) events_.leaf(node, WM_EV_SCHEMA, "input", tool[schema].raw);
        if (has(tool["strict"], json::Kind::boolean, "strict", a_boolean))
            events_.leaf(node, WM_EV_STRICT, {}, tool["strict"].raw);
    }

    // What the provider runs: its definition is all there is to say.
    void provider_tool(std::uint32_t request, std::string_view kind, std::string_view name, std::string_view protocol,
                       const json::Value& definition) {
        const std::uint32_t node = events_.open(WM_EV_TOOL, request, kind, name);
        events_.leaf(node, WM_EV_CONFIG, protocol, definition.raw);
        events_.close(node);
    }

    template <std::size_t N, std::size_t M>
    void params(std::uint32_t request, const Object<N>& object, const std::array<PlainParam, M>& known) {
        for (const PlainParam& param : known)
            if (const json::Value value = object[param.member]; has(value, param.kind, param.member, param.expected))
                events_.leaf(request, WM_EV_PARAM, param.word, value.raw);
    }

    // Of several names for one thing the first that says something counts; another one is left for others() if it says
    // something else.
    template <std::size_t N>
    std::pair<std::string_view, json::Value> one_of(const Object<N>& object,
                                                    std::initializer_list<std::string_view> names) {
        std::pair<std::string_view, json::Value> found;
        for (const std::string_view name : names)
            if (const json::Value value = object.peek(name); value.there() && found.second.empty())
                found = {name, value};
        for (const std::string_view name : names)
            if (object.peek(name).raw == found.second.raw) object.ignore({name});
        return found;
    }

    // Members that are not known, or that nobody has asked for: to be called when all that is wanted has been read, for
    // every object that is not carried as it stands. `inside`: of which member of what `node` stands for, with its dot.
    template <std::size_t N>
    void others(const Object<N>& object, std::uint32_t node, std::string_view inside = {}) {
        if (!object.twice().empty()) refuse(object.twice(), "stands more than once");
        object.each_other([&](std::string_view name, const json::Value& value) {
            events_.leaf(node, WM_EV_EXTRA, std::string(inside) + json::text(name), value.raw);
        });
    }

    // The same of an object that has only these members, which say nothing else.
    template <std::size_t N>
    void only(const json::Value& value, const std::array<std::string_view, N>& names, std::uint32_t node,
              std::string_view inside) {
        const Object object(value.raw, names);
        for (const std::string_view name : names) object.ignore({name});
        others(object, node, inside);
    }

    // each(value) for the elements of an array, until something is wrong.
    template <class F>
    void each(const json::Value& list, F&& one) {
        json::Scan scan(list.raw);
        std::size_t index = 0;
        scan.elements([&] {
            const json::Value value = scan.value();
            const auto at = path_.element(index++);
            if (!stopped()) one(value);
        });
    }

    // The same for a member that may be left out.
    template <class F>
    void each_of(const json::Value& list, std::string_view member, F&& one) {
        if (!has_list(list, member)) return;
        const auto at = path_.member(member);
        each(list, one);
    }

    // A request's "metadata": texts by name, each a META.
    void metadata(std::uint32_t request, const json::Value& metadata) {
        if (!has_object(metadata, "metadata")) return;
        const auto at = path_.member("metadata");
        json::Scan scan(metadata.raw);
        scan.members([&](const json::Name& name) {
            const json::Value value = scan.value();
            if (value.is_string())
                leaf_text(request, WM_EV_META, json::text(name.body), value);
            else
                refuse("holds a value that is not a string");
        });
    }

    // A list of texts, each a STOP.
    void stop_list(std::uint32_t request, const json::Value& list) {
        each(list, [&](const json::Value& one) {
            if (one.is_string())
                leaf_text(request, WM_EV_STOP, {}, one);
            else
                refuse(a_string);
        });
    }

    std::uint32_t nodes_ = 0;
    Emitter events_;
    Path path_;
    Status status_;

  private:
    std::string scratch_, where_;
};

} // namespace wm::sdk
