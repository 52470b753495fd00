#pragma once
// What is written down of an attempt: begun before it is made, ended with its outcome.
#include "exchange/context.h"

namespace wm::exchange {

void begin_record(Context& x, const Chosen& chosen, const plugin::Transcoder& egress);
void end_record(Context& x, const Outcome& outcome);

// A person has to act: whoever reads the log is told what to look at.
void note_suspended(const config::Target& target, FailureClass what, std::int64_t delay_ms);

} // namespace wm::exchange
