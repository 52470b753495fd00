/* A transcoder that does nothing, well-formed unless a definition makes one thing wrong. */
#include <string.h>
#include <watermaster/plugin.h>

#ifndef ENTRY_SIZE
#define ENTRY_SIZE sizeof(wm_plugin_entry)
#endif
#ifndef ABI_MAJOR
#define ABI_MAJOR 1
#endif
#ifndef STRIDE
#define STRIDE sizeof(wm_component)
#endif
#ifndef VERSION
#define VERSION "1.0"
#endif
#ifndef COMPONENTS
#define COMPONENTS components
#endif
#ifndef COUNT
#define COUNT 1
#endif
#ifndef COMPONENT_SIZE
#define COMPONENT_SIZE sizeof(wm_component)
#endif
#ifndef INTERFACE
#define INTERFACE WM_TRANSCODER_1
#endif
#ifndef ID
#define ID "bad"
#endif
#define OPERATIONS "\"operations\":[{\"id\":\"create\",\"path\":\"/v1/bad\"}]}"
#define FACTS_NO_JSON "{id: bad}"
#define FACTS_NO_ID "{" OPERATIONS
#define FACTS_NO_OPERATIONS "{\"id\":\"bad\",\"operations\":[]}"
#define FACTS_OTHER_ID "{\"id\":\"worse\"," OPERATIONS
#ifndef FACTS
#define FACTS "{\"id\":\"bad\"," OPERATIONS
#endif
#ifndef CREATE
#define CREATE create
#endif
#ifndef DESTROY
#define DESTROY destroy
#endif
#ifndef TABLE
#define TABLE &table
#endif
#ifndef TABLE_SIZE
#define TABLE_SIZE sizeof(wm_transcoder)
#endif
#ifndef TAP_END
#define TAP_END tap_end
#endif
#ifndef BIND
#define BIND NULL
#endif
#ifndef OPEN
#define OPEN NULL
#endif

#define UNUSED __attribute__((unused))

static char self;

UNUSED static void say(wm_error* error, const char* text) {
    if (error) strncpy(error->message, text, sizeof error->message - 1);
}
UNUSED static void* create(const wm_host* host, wm_error* error) {
    (void)error;
    const wm_bytes hello = {"hello\n", 6};
    host->log(host->ctx, WM_LOG_INFO, hello);
    return &self;
}
UNUSED static void* failing_create(const wm_host* host, wm_error* error) {
    (void)host;
    say(error, "the moon is full");
    return NULL;
}
UNUSED static void destroy(void* at) { (void)at; }

static wm_status facts(void* at, const wm_request* r, uint32_t want, const wm_sink* s, wm_error* e) {
    (void)at, (void)r, (void)want, (void)s, (void)e;
    return WM_UNSUPPORTED;
}
static wm_status rewrite(void* at, const wm_request* r, const wm_rename* n, const wm_sink* s, wm_error* e) {
    (void)at, (void)r, (void)n, (void)s, (void)e;
    return WM_UNSUPPORTED;
}
static wm_status write_error(void* at, const wm_events* error, const wm_sink* s, wm_error* e) {
    (void)at, (void)error, (void)s, (void)e;
    return WM_UNSUPPORTED;
}
#ifdef UNDEFINED
extern int a_function_nobody_has(void);
#endif
static wm_tap* tap_open(void* at, const wm_params* p, wm_error* e) {
    (void)at, (void)p, (void)e;
#ifdef UNDEFINED
    a_function_nobody_has();
#endif
    return NULL;
}
static wm_status tap(wm_tap* t, const wm_frame* f, const wm_sink* s, wm_error* e) {
    (void)t, (void)f, (void)s, (void)e;
    return WM_UNSUPPORTED;
}
UNUSED static wm_status tap_end(wm_tap* t, const wm_events* error, const wm_sink* s, wm_error* e) {
    (void)t, (void)error, (void)s, (void)e;
    return WM_UNSUPPORTED;
}
static void tap_close(wm_tap* t) { (void)t; }
UNUSED static wm_talk* talk_open(void* at, const wm_params* p, wm_error* e) {
    (void)at, (void)p, (void)e;
    return NULL;
}
UNUSED static void* bind_options(void* at, const wm_pairs* options, const wm_sink* problems, wm_error* e) {
    (void)options, (void)problems, (void)e;
    return at;
}

UNUSED static const wm_transcoder table = {.size = TABLE_SIZE,
                                           .bind = BIND,
                                           .facts = facts,
                                           .rewrite = rewrite,
                                           .write_error = write_error,
                                           .tap_open = tap_open,
                                           .tap = tap,
                                           .tap_end = TAP_END,
                                           .tap_close = tap_close,
                                           .open = OPEN};

UNUSED static const wm_component components[] = {{COMPONENT_SIZE, 0, INTERFACE, ID, FACTS, CREATE, DESTROY, TABLE}};

const wm_plugin_entry wm_plugin_entry_v1 = {ENTRY_SIZE, ABI_MAJOR, 0, VERSION, COMPONENTS, COUNT, STRIDE};
