/* A plugin built against ABI 1.9, which does not exist yet: every growing table is longer than this host knows. */
#include <string.h>
#include <watermaster/plugin.h>

typedef struct { wm_transcoder known; void (*later)(void); uint64_t more[4]; } future_transcoder;
typedef struct { wm_adapter known; void (*later)(void); } future_adapter;
typedef struct { wm_component known; const char* later; uint64_t more; } future_component;

static char self;

static void* create(const wm_host* host, wm_error* error) {
    (void)error;
    const wm_bytes wanted = {"wm.telepathy/1", 14};
    return host->extension(host->ctx, wanted) ? NULL : &self; /* does without */
}
static void destroy(void* at) { (void)at; }
static void later(void) {}

static wm_status put(const wm_sink* sink, uint32_t tag, uint32_t flags, const char* name, wm_bytes value) {
    const wm_event event = {tag, 0, 0, flags, {name, strlen(name)}, value};
    return sink->put(sink->ctx, &event);
}
static wm_bytes text(const char* s) {
    const wm_bytes out = {s, strlen(s)};
    return out;
}

static wm_status facts(void* at, const wm_request* r, uint32_t want, const wm_sink* sink, wm_error* e) {
    (void)at, (void)r, (void)want, (void)e;
    put(sink, 0x00FF, 0, "result of a later minor", text("7"));
    put(sink, WM_OUT_FACT, 0, "mood", text("fine"));
    return put(sink, WM_OUT_FACT, 0, WM_FACT_MODEL, text("m"));
}
static wm_status rewrite(void* at, const wm_request* r, const wm_rename* n, const wm_sink* sink, wm_error* e) {
    (void)at, (void)e;
    const wm_event all = {WM_OUT_SPLICE, 0, 0, 0, r->body, n->model};
    return sink->put(sink->ctx, &all);
}
static wm_status write_error(void* at, const wm_events* error, const wm_sink* sink, wm_error* e) {
    (void)at, (void)e;
    return put(sink, WM_OUT_BODY, 0, "", error->at[0].name);
}
static wm_tap* tap_open(void* at, const wm_params* p, wm_error* e) {
    (void)p, (void)e;
    return (wm_tap*)at;
}
static wm_status tap(wm_tap* t, const wm_frame* f, const wm_sink* sink, wm_error* e) {
    (void)t, (void)f, (void)e;
    put(sink, WM_EV_USAGE, 0, "thoughts", text("3"));
    return put(sink, WM_OUT_VERDICT, WM_FLAG_SEMANTIC | 1024u, "", text(""));
}
static wm_status tap_end(wm_tap* t, const wm_events* error, const wm_sink* sink, wm_error* e) {
    (void)t, (void)error, (void)e;
    return put(sink, WM_OUT_VERDICT, WM_FLAG_TERMINAL, "", text(""));
}
static void tap_close(wm_tap* t) { (void)t; }

static void* bind_backend(void* at, const wm_pairs* settings, const wm_sink* problems, wm_error* e) {
    (void)settings, (void)problems, (void)e;
    return at;
}
static void unbind(void* at) { (void)at; }
static wm_status prepare(void* at, const wm_call* call, const wm_sink* sink, wm_error* e) {
    (void)at, (void)call, (void)e;
    put(sink, WM_OUT_METHOD, 0, "", text("POST"));
    put(sink, 0x00FE, 0, "later", text(""));
    return put(sink, WM_OUT_URL, 0, "", text("https://future.example/v9"));
}

static const future_transcoder transcoder = {
    .known = {.size = sizeof transcoder, .vocabulary = 9, .facts = facts, .rewrite = rewrite,
              .write_error = write_error, .tap_open = tap_open, .tap = tap, .tap_end = tap_end, .tap_close = tap_close},
    .later = later};
static const future_adapter adapter = {
    .known = {.size = sizeof adapter, .bind = bind_backend, .unbind = unbind, .prepare = prepare}, .later = later};
static const uint64_t oracle[1] = {8};

#define SIZE sizeof(future_component), 0
static const future_component components[] = {
    {{SIZE, WM_TRANSCODER_1, "future-protocol",
      "{\"id\":\"future-protocol\",\"operations\":[{\"id\":\"create\",\"path\":\"/v9\",\"later\":1}],\"later\":{}}",
      create, destroy, &transcoder}, "later", 1},
    {{SIZE, "wm.oracle/3", "future-oracle", "{}", create, destroy, oracle}, "later", 2},
    {{SIZE, WM_ADAPTER_1, "future-provider",
      "{\"id\":\"future-provider\",\"endpoint\":\"own\",\"hosts\":[\"future.example\"],\"models\":\"open\","
      "\"protocols\":[{\"id\":\"future-protocol\",\"operations\":[{\"id\":\"create\",\"path\":\"/v9\"}]}]}",
      create, destroy, &adapter}, "later", 3},
};

/* The entry is longer, too: the declared type is only its beginning. */
typedef struct { wm_plugin_entry known; const char* later; } future_entry;
#define wm_plugin_entry_v1 wm_plugin_entry_v1_as_declared
extern __attribute__((visibility("default"))) const future_entry entry __asm__("wm_plugin_entry_v1");
const future_entry entry = {{sizeof(future_entry), 1, 9, "9.0", &components[0].known, 3, sizeof(future_component)},
                            "later"};
