#pragma once
// Whether a script that loads also does its work: the cases of its own table, then calls like those requests make.
#include "policy/library.h"

#include <memory>

namespace wm::policy {

// `library` holds `script`, and what it falls back to.
std::optional<Refusal> self_test(std::shared_ptr<const Library> library, const Script& script);

} // namespace wm::policy
