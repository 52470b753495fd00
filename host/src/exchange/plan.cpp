#include "exchange/plan.h"

#include "plugin/guard.h"

#include <algorithm>

namespace wm::exchange {

std::optional<Refusal> plan(Context& x) {
    x.model = x.settings().find_model(x.facts.model);
    if (!x.model)
        return Refusal{.code = Code::model_not_found,
                       .message = "the requested model is not served here; GET /v1/models lists those that are",
                       .param = "model"};
    const auto& protocol = x.protocol->about().id;
    const auto& served = x.model->protocols;
    if (std::find(served.begin(), served.end(), protocol) == served.end()) {
        std::string list;
        for (const auto& p : served) list += (list.empty() ? "" : ", ") + p;
        return Refusal{.code = Code::unsupported_protocol,
                       .message = "this model is not served in the protocol " + protocol + "; it is in " + list,
                       .param = "model"};
    }
    // A member by which some provider lets a request choose its own route must not pass, whichever target is taken.
    for (const auto& layer : x.model->layers)
        for (const auto& target : layer.targets) {
            const auto& members = x.settings().backends[target.backend].bound->about().guarded_members;
            if (members.empty()) continue;
            if (auto member = plugin::find_guarded(x.body, members))
                return Refusal{.code = Code::guarded_member,
                               .message = "this member would choose the provider's route, which is the gateway's to choose",
                               .param = std::move(*member)};
        }
    return std::nullopt;
}

} // namespace wm::exchange
