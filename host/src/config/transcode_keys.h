#pragma once
// Keys of translation that several kinds of sections have.
#include "config/section_reader.h"
#include "config/transcode_settings.h"
#include "plugin/registry.h"

namespace wm::config {

enum class CapabilityDefaults : unsigned char { of_served_models, of_mounts, none };

// NAME or !NAME, of all that translating transcoders declare; the others have the defaults. A name may belong to
// several.
void read_capabilities(SectionReader& in, std::string_view key, const plugin::Registry& plugins,
                       CapabilityDefaults defaults, Capabilities& out);

void read_transcode_bounds(SectionReader& in, TranscodeBounds& bounds);

} // namespace wm::config
