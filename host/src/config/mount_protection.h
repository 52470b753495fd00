#pragma once
// The keys of a [mount] that spare an upstream which counts late, or fails.
#include "config/protection.h"
#include "config/section_reader.h"

namespace wm::config {

void read_holds(SectionReader& in, Holds& holds);
void read_breaker(SectionReader& in, Breaker& breaker);

} // namespace wm::config
