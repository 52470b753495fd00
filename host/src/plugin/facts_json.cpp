#include "plugin/facts_json.h"

#include "base/path_template.h"
#include "base/text.h"
#include "plugin/facts_reader.h"

namespace wm::plugin {

namespace {

using Value = FactsReader::Value;

using framing::Framing;

// Whose operations: what an adapter's upstream sends, the host cuts; what a transcoder's clients get, the host writes.
enum class Side : unsigned char { upstream, client };

Framing read_framing(FactsReader& in, const Value& operation, const std::string& at, Side side) {
    const auto word = in.text_or(operation, at, "framing", "sse");
    const auto framing = framing::framing_of(word);
    const bool written = framing == Framing::sse || framing == Framing::document;
    if (side == Side::client && !written)
        in.expect(at + "framing", "a framing this host writes, `sse` or `document`", "`" + word + "`");
    else if (!framing)
        in.expect(at + "framing", "a framing this host has, " + framing::all_framings(), "`" + word + "`");
    return framing.value_or(Framing::sse);
}

std::vector<Operation> read_operations(FactsReader& in, const Value& object, const std::string& path, Side side) {
    std::vector<Operation> out;
    in.each(object, path, "operations", true, [&](const Value& value, const std::string& at) {
        Operation one;
        one.id = in.text(value, at, "id");
        one.method = in.text_or(value, at, "method", "POST");
        one.path = in.text(value, at, "path");
        one.kind = in.text_or(value, at, "kind", "inference");
        one.framing = read_framing(in, value, at, side);
        if (side == Side::client && !PathTemplate::parse(one.path))
            in.expect(at + "path", "a path with at most one `{name}`", "`" + one.path + "`");
        out.push_back(std::move(one));
    });
    return out;
}

SettingFact read_setting(FactsReader& in, const Value& value, const std::string& at) {
    SettingFact one;
    one.name = in.text(value, at, "name");
    one.type = in.word(value, at, "type", {"string", "bool", "int", "duration", "size", "url"});
    one.fallback = in.text_or(value, at, "default", "");
    one.help = in.text_or(value, at, "help", "");
    one.required = in.boolean(value, at, "required", false);
    return one;
}

// "open", or the whole catalogue; a list beside `models_open: true` only says what is known of some models.
void read_models(FactsReader& in, const Value& root, AdapterFacts& out) {
    const bool listed = in.has_list(root, "models");
    if (!listed) {
        if (in.text_or(root, "", "models", "open") != "open") in.expect("models", "`open` or an array", "another word");
        return;
    }
    out.models_open = in.boolean(root, "", "models_open", false);
    in.each(root, "", "models", true, [&](const Value& value, const std::string& at) {
        out.models.push_back(
            {in.text(value, at, "name"), in.texts(value, at, "protocols"), in.number(value, at, "max_output")});
    });
}

// An unknown scheme would leave requests without a credential, so it refuses the start.
void check_auth(FactsReader& in, const std::vector<std::string>& auth) {
    for (const auto& scheme : auth)
        if (scheme != "none" && scheme != "header" && scheme != "query")
            in.expect("auth", "schemes this host has, `none`, `header`, `query`", "`" + scheme + "`");
}

} // namespace

Result<AdapterFacts, std::string> parse_adapter_facts(std::string_view json) {
    FactsReader in;
    const Value* root = in.parse(json);
    if (!root) return Failure{in.problem()};
    AdapterFacts out;
    out.id = in.text(*root, "", "id");
    out.endpoint = in.word(*root, "", "endpoint", {"own", "base", "url"});
    out.hosts = in.texts(*root, "", "hosts");
    if (out.endpoint == "own" && out.hosts.empty())
        in.expect("hosts", "the authorities an adapter with its own endpoint may address", "nothing");
    in.each(*root, "", "protocols", true, [&](const Value& value, const std::string& at) {
        out.protocols.push_back({in.text(value, at, "id"), read_operations(in, value, at, Side::upstream)});
    });
    read_models(in, *root, out);
    out.auth = in.texts(*root, "", "auth");
    check_auth(in, out.auth);
    for (const auto& member : in.texts(*root, "", "guarded_members")) out.guarded_members.push_back(lowered(member));
    out.ask_usage = in.boolean(*root, "", "ask_usage", true);
    out.failure_policy = in.text_or(*root, "", "failure_policy", "generic");
    out.rate_limit_family = in.text_or(*root, "", "rate_limit_family", "");
    in.each(*root, "", "settings", false,
            [&](const Value& value, const std::string& at) { out.settings.push_back(read_setting(in, value, at)); });
    if (!in.problem().empty()) return Failure{in.problem()};
    return out;
}

Result<TranscoderFacts, std::string> parse_transcoder_facts(std::string_view json) {
    FactsReader in;
    const Value* root = in.parse(json);
    if (!root) return Failure{in.problem()};
    TranscoderFacts out;
    out.id = in.text(*root, "", "id");
    in.text_or(*root, "", "dialect", ""); // like the routing members a word for people: judged, and not kept
    out.operations = read_operations(in, *root, "", Side::client);
    in.texts(*root, "", "routing_members");
    out.needs = in.texts(*root, "", "needs");
    in.each(*root, "", "capabilities", false, [&](const Value& value, const std::string& at) {
        out.capabilities.push_back({in.text(value, at, "name"), in.text_or(value, at, "help", ""),
                                    in.boolean(value, at, "default", false), in.boolean(value, at, "mounts", false)});
    });
    in.each(*root, "", "spellings", false, [&](const Value& value, const std::string& at) {
        out.spellings.push_back({in.text(value, at, "word"), in.text(value, at, "member")});
    });
    if (!in.problem().empty()) return Failure{in.problem()};
    return out;
}

} // namespace wm::plugin
