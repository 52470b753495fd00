#pragma once
// What the gateway answers by itself: the model list, health, and the token estimate.
#include "exchange/context.h"
#include "exchange/refusal.h"

#include <string>

namespace wm::exchange {

runtime::Task<std::optional<Refusal>> answer_locally(Context& x);

std::string models_document(const config::Settings& settings);
std::string health_document(const Context& x);

// Bytes of all string values, by four, rounded up, plus eight: no provider is asked. Nothing: not a JSON object.
std::optional<std::uint64_t> estimate_tokens(std::string_view body);

} // namespace wm::exchange
