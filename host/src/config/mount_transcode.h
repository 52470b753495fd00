#pragma once
// The keys of a [mount] that say which of its paths are asked for in another protocol, and how.
#include "config/mount_settings.h"
#include "config/section_reader.h"
#include "plugin/registry.h"

namespace wm::config {

// After upstream, authentication and limits.
void read_mount_transcode(SectionReader& in, const plugin::Registry& plugins, const SecretSource& secrets,
                          Mount& mount);

} // namespace wm::config
