#pragma once
// The keys of a [mount] that say how its upstream learns who asks, and which fields cross.
#include "config/mount_settings.h"
#include "config/section_reader.h"

namespace wm::config {

void read_mount_auth(SectionReader& in, const SecretSource& secrets, Mount& mount); // after upstream

// The field that a mode attaches a credential in: auto, bearer, x-api-key, api-key, header:NAME, or none of them.
std::optional<Complaint> take_auth_mode(std::string_view mode, std::string_view upstream, MountAuth& auth);
// The mode as one text, of the key for it, or of the one that names a field of the operator's own.
std::string auth_mode_of(SectionReader& in, std::string_view mode_key, std::string_view header_key);
Value<Secret> parse_auth_source(std::string_view text, const SecretSource& secrets); // env:NAME, file:PATH, none
Value<std::string> parse_anthropic_version(std::string_view text);
bool is_field_name(std::string_view name);

void read_mount_fields(SectionReader& in, Mount& mount); // after read_mount_auth

} // namespace wm::config
