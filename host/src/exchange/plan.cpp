#include "exchange/plan.h"

#include "plugin/guard.h"

#include <algorithm>

namespace wm::exchange {

std::optional<Refusal> plan(const config::Settings& settings, Asked& asked) {
    asked.model = settings.find_model(asked.facts.model);
    if (!asked.model)
        return Refusal{.code = Code::model_not_found,
                       .message = "the requested model is not served here; GET /v1/models lists those that are",
                       .param = "model"};
    const auto& protocol = asked.protocol->about().id;
    const auto& served = asked.model->protocols;
    if (std::find(served.begin(), served.end(), protocol) == served.end()) {
        std::string list;
        for (const auto& p : served) list += (list.empty() ? "" : ", ") + p;
        return Refusal{.code = Code::unsupported_protocol,
                       .message = "this model is not served in the protocol " + protocol + "; it is in " + list,
                       .param = "model"};
    }
    return std::nullopt;
}

std::optional<Refusal> guard(const Asked& asked) {
    auto member = plugin::find_guarded(asked.body, asked.model->guarded_members);
    if (!member) return std::nullopt;
    return Refusal{.code = Code::guarded_member,
                   .message = "this member would choose the provider's route, which is the gateway's to choose",
                   .param = std::move(*member)};
}

} // namespace wm::exchange
