#pragma once
// What is tried on a plugin, in the order of the trials.
#include "subject.h"

#include <span>

namespace wm::check {

struct Case {
    const char* name;
    const char* promise; // what holds if there is no finding
    void (*run)(Trial&, const Subject&);
    bool decides = false; // with a finding here, later cases have nothing to run on
};

std::span<const Case> cases();

// load_cases.cpp
void check_manifest(Trial&, const Subject&);
void check_symbols(Trial&, const Subject&);
void check_load(Trial&, const Subject&);
void check_create(Trial&, const Subject&);

// result_cases.cpp: what is put, judged by the host's own sinks
void check_requests(Trial&, const Subject&);
void check_answers(Trial&, const Subject&);
void check_backends(Trial&, const Subject&);

// translation_cases.cpp
void check_translation(Trial&, const Subject&);

// input_cases.cpp: what no input may do
void check_nulls(Trial&, const Subject&);
void check_truncation(Trial&, const Subject&);
void check_hostile(Trial&, const Subject&);

// promise_cases.cpp: what no call may do
void check_refusal(Trial&, const Subject&);
void check_secrecy(Trial&, const Subject&);

// purity_cases.cpp: the same, however and whenever it is asked
void check_splits(Trial&, const Subject&);
void check_determinism(Trial&, const Subject&);
void check_concurrency(Trial&, const Subject&);

} // namespace wm::check
