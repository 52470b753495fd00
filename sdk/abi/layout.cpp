#include <type_traits>
#include <watermaster/plugin.h>

#define WM_SIZE(T, n)                                                                                                  \
    static_assert(sizeof(T) == (n), "the size of " #T " is part of the ABI");                                          \
    static_assert(std::is_standard_layout_v<T> && std::is_trivial_v<T>);
#define WM_OFFSET(T, f, n) static_assert(offsetof(T, f) == (n), "the place of " #T "." #f " is part of the ABI");
#include "layout.inc"
