#pragma once
// Builds turns, tools, formats and choices from their events. Open blocks may interleave; ids bind, not nesting order.
#include "content.hpp"

#include <algorithm>
#include <variant>

namespace wm::sdk {

class Collector {
  public:
    enum class Done : unsigned char {
        nothing, // the event was part of something that goes on, or is nobody's here
        turn,
        tool,
        format,
        choice,
        unknown, // a container or leaf this layer has no place for, inside something it collects
    };

    // What the event completed; the value stands in the member of that name until the next call.
    Done take(const Event& event) {
        if (event.opens()) return open(event);
        const auto at = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& o) { return o.node == event.node; });
        if (at == open_.rend()) return Done::nothing;
        if (event.tag == WM_EV_END) {
            const Done done = at->completes;
            open_.erase(std::next(at).base());
            return done;
        }
        return std::visit([&](auto* into) { return leaf(*into, event); }, at->into) ? Done::nothing : Done::unknown;
    }

    // Does an event of that node belong to something being collected?
    bool owns(const Event& event) const {
        const std::uint32_t node = event.opens() ? event.parent : event.node;
        return std::any_of(open_.begin(), open_.end(), [&](const Open& o) { return o.node == node; });
    }

    Turn turn;
    Tool tool;
    Format format;
    Choice choice;

  private:
    static constexpr std::size_t deepest = 8; // a block in a document in a result in a turn, and some to spare
    struct Skipped {};
    struct Citation {
        Block* of;
    };
    using Into = std::variant<Turn*, Tool*, Format*, Choice*, Block*, Citation*, Skipped*>;
    struct Open {
        std::uint32_t node;
        Into into;
        Done completes;
    };

    Done open(const Event& e) {
        switch (e.tag) {
        case WM_EV_TURN: turn = {std::string(e.name), std::string(e.value), {}, {}}; return push(e, &turn, Done::turn);
        case WM_EV_TOOL:
            tool = {};
            tool.type = e.name;
            tool.name = e.value;
            return push(e, &tool, Done::tool);
        case WM_EV_FORMAT:
            format = {};
            format.type = e.name;
            format.name = e.value;
            return push(e, &format, Done::format);
        case WM_EV_CHOICE:
            choice = {};
            if (!e.value.empty()) choice.index = e.value;
            return push(e, &choice, Done::choice);
        default: break;
        }
        const auto parent =
            std::find_if(open_.rbegin(), open_.rend(), [&](const Open& o) { return o.node == e.parent; });
        if (parent == open_.rend()) return Done::nothing;
        std::list<Block>* blocks = nullptr;
        if (auto* const* in_turn = std::get_if<Turn*>(&parent->into))
            blocks = &(*in_turn)->blocks;
        else if (auto* const* in_choice = std::get_if<Choice*>(&parent->into))
            blocks = &(*in_choice)->blocks;
        else if (auto* const* in_block = std::get_if<Block*>(&parent->into))
            blocks = &(*in_block)->children;
        if (e.tag == WM_EV_BLOCK && blocks && open_.size() < deepest) {
            Block& block = blocks->emplace_back();
            block.kind = e.name;
            return push(e, &block, Done::nothing);
        }
        if (e.tag == WM_EV_CITATION && std::holds_alternative<Block*>(parent->into)) {
            citation_.of = std::get<Block*>(parent->into);
            return push(e, &citation_, Done::nothing);
        }
        push(e, &skipped_, Done::nothing);
        return e.advisory() ? Done::nothing : Done::unknown;
    }

    Done push(const Event& e, Into into, Done completes) {
        open_.push_back({e.node, into, completes});
        return Done::nothing;
    }

    static bool leaf(Skipped&, const Event&) { return true; }
    static bool leaf(Citation& citation, const Event& e) {
        if (e.tag != WM_EV_RAW) return false;
        citation.of->raw_origin = e.name;
        citation.of->citations.emplace_back(e.value);
        return true;
    }
    static bool leaf(Turn& turn, const Event& e) {
        if (e.tag == WM_EV_EXTRA) turn.extras.push_back({std::string(e.name), std::string(e.value)});
        return e.tag == WM_EV_EXTRA || e.tag == WM_EV_ITEM || e.advisory();
    }
    static bool leaf(Choice& choice, const Event& e) {
        if (e.tag == WM_EV_FINISH) {
            choice.finish.word = e.name;
            choice.finish.native = e.value;
        } else if (e.tag == WM_EV_MATCHED) {
            choice.finish.matched = e.value;
        } else {
            return e.advisory();
        }
        return true;
    }
    static bool leaf(Tool& tool, const Event& e) {
        switch (e.tag) {
        case WM_EV_DESCRIPTION: tool.description = e.value; return true;
        case WM_EV_SCHEMA: tool.schema = e.value; return true;
        case WM_EV_STRICT: tool.strict = e.value; return true;
        case WM_EV_CONFIG: tool.config = e.value; return true;
        case WM_EV_GRAMMAR: tool.grammars.push_back({std::string(e.name), std::string(e.value)}); return true;
        case WM_EV_EXTRA: tool.extras.push_back({std::string(e.name), std::string(e.value)}); return true;
        case WM_EV_CACHE: tool.cache = std::string(e.value); return true;
        default: return e.advisory();
        }
    }
    static bool leaf(Format& format, const Event& e) {
        switch (e.tag) {
        case WM_EV_DESCRIPTION: format.description = e.value; return true;
        case WM_EV_SCHEMA: format.schema = e.value; return true;
        case WM_EV_STRICT: format.strict = e.value; return true;
        default: return e.advisory();
        }
    }
    static bool leaf(Block& block, const Event& e) {
        switch (e.tag) {
        case WM_EV_TEXT: block.text += e.value; return true;
        case WM_EV_SUMMARY:
            if (block.summaries.empty() || block.summaries.back().name != e.name)
                block.summaries.push_back({std::string(e.name), {}});
            block.summaries.back().value += e.value;
            return true;
        case WM_EV_LOGPROBS: block.logprobs.append(block.logprobs.empty() ? "" : ",").append(e.value); return true;
        case WM_EV_ARGS: block.args += e.value; return true;
        case WM_EV_DATA:
            if (!e.name.empty()) block.media_type = e.name;
            block.data += e.value;
            return true;
        case WM_EV_URL:
            block.media_type = e.name;
            block.url = e.value;
            return true;
        case WM_EV_FILE:
            block.file_origin = e.name;
            block.file = e.value;
            return true;
        case WM_EV_SIGNATURE:
            block.signature_format = e.name;
            block.signature += e.value;
            return true;
        case WM_EV_OPAQUE:
            block.opaque_format = e.name;
            block.opaque += e.value;
            return true;
        case WM_EV_CALL: block.call = e.value; return true;
        case WM_EV_TOOLNAME: block.tool = e.value; return true;
        case WM_EV_RAW:
            block.raw_origin = e.name;
            block.raw = e.value;
            return true;
        case WM_EV_ATTR: block.attributes.push_back({std::string(e.name), std::string(e.value)}); return true;
        case WM_EV_EXTRA: block.extras.push_back({std::string(e.name), std::string(e.value)}); return true;
        case WM_EV_CACHE: block.cache = std::string(e.value); return true;
        case WM_EV_ITEM: block.item = e.value; return true;
        default: return e.advisory();
        }
    }

    std::vector<Open> open_;
    Citation citation_{nullptr};
    Skipped skipped_;
};

} // namespace wm::sdk
