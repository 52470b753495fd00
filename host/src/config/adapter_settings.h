#pragma once
// The keys of [backend] that its adapter declares, and where it is reached.
#include "config/section_reader.h"
#include "plugin/calls.h"

namespace wm::config {

// Null: something was wrong and is reported. What the adapter gets: endpoint or base_url as written, and each declared
// setting that is given or has a default: bool as "true" or "false", duration in milliseconds, size in bytes.
std::shared_ptr<const plugin::BoundAdapter> bind_adapter(SectionReader& in, const plugin::Adapter& adapter);

} // namespace wm::config
