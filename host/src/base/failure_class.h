#pragma once
// What a failure means, in the vocabulary's words. Circuit, refund, records and metrics all read this one value.
#include <array>
#include <optional>
#include <string_view>

namespace wm {

enum class FailureClass : unsigned char {
    client_request,
    client_cancelled,
    provider_transient,
    provider_capacity,
    provider_quota,
    provider_auth,
    provider_billing,
    provider_configuration,
    provider_unknown_4xx,
    ambiguous,
    transport,
    stream_failure,
    local,
};

inline constexpr std::array<std::string_view, 13> failure_class_names{"client_request",
                                                                      "client_cancelled",
                                                                      "provider_transient",
                                                                      "provider_capacity",
                                                                      "provider_quota",
                                                                      "provider_auth",
                                                                      "provider_billing",
                                                                      "provider_configuration",
                                                                      "provider_unknown_4xx",
                                                                      "ambiguous",
                                                                      "transport",
                                                                      "stream_failure",
                                                                      "local"};

constexpr std::string_view to_string(FailureClass c) { return failure_class_names[static_cast<unsigned char>(c)]; }

constexpr std::optional<FailureClass> failure_class(std::string_view name) {
    for (std::size_t i = 0; i < failure_class_names.size(); ++i)
        if (failure_class_names[i] == name) return static_cast<FailureClass>(i);
    return std::nullopt;
}

} // namespace wm
