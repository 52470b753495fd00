#include <watermaster/plugin.h>

#define WM_SIZE(T, n) _Static_assert(sizeof(T) == (n), "the size of " #T " is part of the ABI");
#define WM_OFFSET(T, f, n) _Static_assert(offsetof(T, f) == (n), "the place of " #T "." #f " is part of the ABI");
#include "layout.inc"
