#pragma once
// The keys of a [mount] that say when a request is sent again.
#include "config/retry_rules.h"
#include "config/section_reader.h"

namespace wm::config {

void read_mount_retry(SectionReader& in, RetryRules& rules);

} // namespace wm::config
