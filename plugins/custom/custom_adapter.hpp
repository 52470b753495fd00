#pragma once
// An upstream that speaks a protocol as it is, at a URL of the operator's. What differs between the three adapters is
// in their Contract:
//
//     struct Contract {
//         static constexpr const char *id, *facts_json;
//         static constexpr std::string_view path;                    // joined to base_url
//         static constexpr std::string_view secret_header, secret_prefix;
//         Contract(const sdk::Settings&, sdk::Problems&);            // settings of its own
//         void add(const sdk::Call&, sdk::Sink&) const;              // headers and member edits of its own
//     };
#include <watermaster/adapter.hpp>
#include <watermaster/url.hpp>

#include <memory>
#include <string>
#include <utility>

namespace wm::custom {

template <class Contract>
class CustomAdapter {
  public:
    static constexpr const char* id = Contract::id;
    static constexpr const char* facts_json = Contract::facts_json;

    static std::unique_ptr<CustomAdapter> bind(const sdk::Settings& settings, sdk::Problems& problems) {
        const std::string_view endpoint = settings.get("endpoint"), base = settings.get("base_url");
        if (endpoint.empty() == base.empty())
            problems.add("base_url", endpoint.empty() ? "missing; set base_url, or endpoint for a complete URL"
                                                      : "set together with endpoint; remove one of them");
        if (const std::string_view problem = sdk::url_problem(endpoint, false); !endpoint.empty() && !problem.empty())
            problems.add("endpoint", problem);
        if (const std::string_view problem = sdk::url_problem(base, true); !base.empty() && !problem.empty())
            problems.add("base_url", problem);
        Contract contract(settings, problems);
        if (problems.any()) return nullptr;
        return std::make_unique<CustomAdapter>(contract, base.empty() ? std::string(endpoint)
                                                                      : sdk::join_url(base, Contract::path));
    }

    CustomAdapter(const Contract& contract, std::string url) : contract_(contract), url_(std::move(url)) {}

    sdk::Status prepare(const sdk::Call& call, sdk::Sink& out) const {
        if (call.operation != "create") return sdk::unsupported("operation", "this adapter has only `create`");
        out.put(WM_OUT_METHOD, {}, "POST");
        out.put(WM_OUT_URL, {}, with_query(url_, call.query));
        out.put(WM_OUT_HEADER, "content-type", "application/json");
        for (const sdk::Pair header : call.headers)
            if (!sdk::same_ascii_caseless(header.name, "content-type") &&
                !sdk::same_ascii_caseless(header.name, Contract::secret_header))
                out.put(WM_OUT_HEADER, header.name, header.value);
        contract_.add(call, out);
        out.put(WM_OUT_SECRET, Contract::secret_header, Contract::secret_prefix);
        out.put(WM_OUT_FRAMING, {}, call.stream ? WM_FRAMING_SSE : WM_FRAMING_DOCUMENT);
        return out.status();
    }

  private:
    // The client's query goes along as it came; a member without a value has none here either.
    static std::string with_query(std::string url, const sdk::Pairs& query) {
        char separator = url.find('?') == url.npos ? '?' : '&';
        for (const sdk::Pair member : query) {
            url += separator;
            url += member.name;
            if (member.value.data()) url.append("=").append(member.value);
            separator = '&';
        }
        return url;
    }

    Contract contract_;
    std::string url_;
};

} // namespace wm::custom
