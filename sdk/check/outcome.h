#pragma once
// Is this a status that input can bring about?
#include "finding.h"

#include <watermaster/testing/values.hpp>

namespace wm::check {

// Never WM_INTERNAL, and WM_REFUSED only from a sink that refused.
inline void check_status(Trial& trial, const sdk::testing::Outcome& outcome) {
    if (outcome.status == WM_OK || outcome.status == WM_BAD_INPUT || outcome.status == WM_UNSUPPORTED ||
        outcome.status == WM_LIMIT)
        return;
    trial.find("WM_OK, WM_BAD_INPUT, WM_UNSUPPORTED or WM_LIMIT",
               "status " + std::to_string(outcome.status) + " " + outcome.message,
               "no input is an internal failure: say what is wrong with it");
}

} // namespace wm::check
