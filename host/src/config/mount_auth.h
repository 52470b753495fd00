#pragma once
// The keys of a [mount] that say how its upstream learns who asks, and which fields cross.
#include "config/mount_settings.h"
#include "config/section_reader.h"

namespace wm::config {

void read_mount_auth(SectionReader& in, const SecretSource& secrets, Mount& mount); // after upstream
void read_mount_fields(SectionReader& in, Mount& mount);                            // after read_mount_auth

} // namespace wm::config
