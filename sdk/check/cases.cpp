#include "cases.h"

namespace wm::check {

std::span<const Case> cases() {
    static constexpr Case all[] = {
        {"manifest", "plugin.ini says what the library is", check_manifest, true},
        {"symbols", "the entry table is the only exported symbol", check_symbols},
        {"load", "the host accepts file, entry, tables and facts", check_load, true},
        {"create", "components come and go, in any order", check_create, true},
        {"requests", "requests are understood, and only what should change does", check_requests},
        {"answers", "every frame gets a verdict, and every stream an end", check_answers},
        {"backends", "requests go where they should, with a place for the credential", check_backends},
        {"translation", "requests and answers are read and written, whole or cut", check_translation},
        {"nulls", "empty views and no wm_error are no surprise", check_nulls},
        {"truncation", "input that ends anywhere gets a status", check_truncation},
        {"hostile", "nesting, odd text and mutations get a status", check_hostile},
        {"refusal", "a sink that says stop is obeyed", check_refusal},
        {"secrecy", "no byte of a request is in an error or a log", check_secrecy},
        {"splits", "however the network cuts a stream, the results are the same", check_splits},
        {"determinism", "results depend on the arguments alone", check_determinism},
        {"concurrency", "threads get what one thread gets", check_concurrency},
    };
    return all;
}

} // namespace wm::check
