// An adapter: how one provider's API is spoken. This one speaks Chat Completions at the operator's base_url.
#include <watermaster/plugin.hpp>
#include <watermaster/url.hpp>

namespace {

namespace sdk = wm::sdk;

struct Acme {
    static constexpr const char* id = "acme";
    static constexpr const char* facts_json = R"({
  "id": "acme",
  "endpoint": "base",
  "protocols": [
    {"id": "openai-chat", "operations": [
      {"id": "create", "method": "POST", "path": "/v1/chat/completions", "framing": "sse"}
    ]}
  ],
  "models": "open",
  "auth": ["header"],
  "failure_policy": "generic",
  "rate_limit_family": "openai",
  "settings": []
})";

    std::string url;

    static std::unique_ptr<Acme> bind(const sdk::Settings& settings, sdk::Problems& problems) {
        const std::string_view base = settings.get("base_url");
        if (const std::string_view problem = sdk::url_problem(base, true); !problem.empty())
            problems.add("base_url", problem);
        return std::make_unique<Acme>(Acme{sdk::join_url(base, "/v1/chat/completions")});
    }

    sdk::Status prepare(const sdk::Call& call, sdk::Sink& out) const {
        if (call.operation != "create") return sdk::unsupported("operation", "this adapter has only `create`");
        out.put(WM_OUT_METHOD, {}, "POST");
        out.put(WM_OUT_URL, {}, url);
        out.put(WM_OUT_HEADER, "content-type", "application/json");
        out.put(WM_OUT_SECRET, "authorization", "Bearer ");
        out.put(WM_OUT_FRAMING, {}, call.stream ? WM_FRAMING_SSE : WM_FRAMING_DOCUMENT);
        return out.status();
    }
};

} // namespace

WM_PLUGIN("0.1.0", wm::sdk::adapter<Acme>)
