#pragma once
// The keys of a [mount] that say which of its requests are bounded, and who waits how.
#include "config/limit_pattern.h"
#include "config/section_reader.h"

namespace wm::config {

void read_mount_limits(SectionReader& in, MountLimits& limits);

} // namespace wm::config
