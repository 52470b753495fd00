#pragma once
// The keys that spare an upstream which counts late, or fails.
#include "config/protection.h"
#include "config/section_reader.h"

namespace wm::config {

std::vector<const IniEntry*> read_holds(SectionReader& in, Holds& holds); // what was given, and null for the rest
void read_breaker(SectionReader& in, Breaker& breaker);

} // namespace wm::config
