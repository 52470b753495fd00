/* A plugin built against ABI 1.9, which does not exist yet: every growing table is longer than this host knows. */
#include "works.h"

typedef struct {
    wm_transcoder known;
    void (*later)(void);
    uint64_t more[4];
} future_transcoder;
typedef struct {
    wm_adapter known;
    void (*later)(void);
} future_adapter;
typedef struct {
    wm_component known;
    const char* later;
    uint64_t more;
} future_component;

static void later(void) {}

static const future_transcoder transcoder = {.known = {.size = sizeof transcoder, WORKING_TRANSCODER}, .later = later};
static const future_adapter adapter = {.known = {.size = sizeof adapter, WORKING_ADAPTER}, .later = later};
static const uint64_t oracle[1] = {8};

#define SIZE sizeof(future_component), 0
static const future_component components[] = {
    {{SIZE, WM_TRANSCODER_1, "old-and-new", PROTOCOL_FACTS, create, destroy, &transcoder}, "later", 1},
    {{SIZE, "wm.oracle/3", "future-oracle", "{}", create, destroy, oracle}, "later", 2},
    {{SIZE, WM_ADAPTER_1, "provider", PROVIDER_FACTS, create, destroy, &adapter}, "later", 3},
};

/* The entry is longer, too: the declared type is only its beginning. */
typedef struct {
    wm_plugin_entry known;
    const char* later;
} future_entry;
#define wm_plugin_entry_v1 wm_plugin_entry_v1_as_declared
extern __attribute__((visibility("default"))) const future_entry entry __asm__("wm_plugin_entry_v1");
const future_entry entry = {{sizeof(future_entry), 1, 9, "9.0", &components[0].known, 3, sizeof(future_component)},
                            "later"};
