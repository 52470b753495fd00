#include "request.hpp"

#include <watermaster/json_write.hpp>
#include <watermaster/protocol/body_edits.hpp>
#include <watermaster/protocol/handles.hpp>
#include <watermaster/protocol/request_facts.hpp>

namespace wm::openai_chat {

using sdk::json::Kind;
using sdk::json::Name;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

// What messages hold: media, and what was uploaded or said before.
struct Parts {
    struct Part {
        Value file_id, audio_id;
        void take(const Name& name, Scan& scan) {
            if (name.is("file"))
                id_in(scan, "file_id", file_id);
            else if (name.is("audio"))
                id_in(scan, "id", audio_id);
        }
        static void id_in(Scan& scan, std::string_view member, Value& id) {
            sdk::walk_object(scan, [&](const Name& name) {
                if (name.is(member)) id = scan.value();
            });
        }
    };
    bool end(std::string_view type, const Part& part, bool) {
        if (type == "file") files.keep(part.file_id);
        audio.keep(part.audio_id);
        return type == "image_url" || type == "input_audio" || type == "file" || type == "video_url" ||
               type == "audio_url";
    }
    void put_pins(sdk::Sink& out) const {
        files.put(out, WM_PIN_FILE);
        audio.put(out, WM_PIN_AUDIO);
    }
    sdk::NewestHandles files, audio;
};

// Puts a member in as the first one of the object `raw`, which starts with its brace.
void put_first(sdk::BodyEdits& edits, std::string_view raw, std::string member, bool others) {
    if (others) member.push_back(',');
    edits.replace(raw.substr(1, 0), std::move(member));
}

// Nothing where the client's stream_options are malformed: the provider is to say so.
void ask_for_usage(sdk::BodyEdits& edits, std::string_view object, const Value& options) {
    static constexpr const char* wanted = R"({"include_usage":true})";
    if (!options.there()) return put_first(edits, object, std::string(R"("stream_options":)") + wanted, true);
    if (options.null()) return edits.replace(options.raw, wanted);
    if (options.kind != Kind::object) return;

    Value asked;
    unsigned times = 0;
    Scan scan(options.raw);
    scan.members([&](const Name& name) {
        if (!name.folds_to("include_usage")) return;
        ++times;
        asked = scan.value();
    });
    if (times > 1 || scan.failed()) return;
    if (times == 0) return put_first(edits, options.raw, R"("include_usage":true)", !options.empty());
    if (asked.null() || (asked.kind == Kind::boolean && !asked.is_true())) edits.replace(asked.raw, "true");
}

} // namespace

sdk::Status facts(const sdk::Request& request, std::uint32_t want, sdk::Sink& out) {
    sdk::RoutingMembers routing;
    sdk::Media media;
    Parts parts;
    Value messages, tools, max_output, choices, options, cache_key;
    const sdk::Status status = sdk::walk_request(request.body, routing, [&](const Name& name, Scan& scan) {
        if (name.is("messages"))
            messages = sdk::take_parts(scan, request.body, parts, media);
        else if (name.is("max_completion_tokens") || name.is("max_tokens"))
            sdk::keep_largest(max_output, scan.value());
        else if (name.is("n"))
            sdk::keep_largest(choices, scan.value());
        else if (name.is("tools") || name.is("functions"))
            tools = scan.value();
        else if (name.is("stream_options"))
            options = scan.value();
        else if (name.is("prompt_cache_key"))
            cache_key = scan.value();
    });
    if (!status.ok()) return status;

    sdk::put_common_facts(out, routing, request.body.size(), media, max_output, tools);
    out.fact(WM_FACT_CHOICES, choices.there() ? choices.raw : std::string_view("1"));
    const Value asked = options.kind == Kind::object ? sdk::json::member(options.raw, "include_usage") : Value{};
    out.fact(WM_FACT_USAGE, !routing.stream() || asked.is_true());
    sdk::put_session(out, request.headers, cache_key);
    parts.put_pins(out);
    if (want & WM_WANT_PROMPT) sdk::put_prompt(out, tools, {}, messages);
    return out.status();
}

sdk::Status rewrite(const sdk::Request& request, const sdk::Rename& rename, sdk::Sink& out) {
    sdk::RoutingMembers routing;
    Value options;
    bool options_twice = false;
    const sdk::Status status = sdk::walk_request(request.body, routing, [&](const Name& name, Scan& scan) {
        if (!name.folds_to("stream_options")) return;
        options_twice = options.there();
        options = scan.value();
    });
    if (!status.ok()) return status;

    sdk::BodyEdits edits;
    edits.replace(routing.model().raw, sdk::json::quote(rename.model));
    if (rename.ask_usage && routing.stream() && !options_twice)
        ask_for_usage(edits, request.body.substr(request.body.find('{')), options);
    edits.put(out);
    return out.status();
}

} // namespace wm::openai_chat
