/* A transcoder and an adapter that do the least a host can use, and put results it may not know: they are to load, and
 * to work, whichever version of the SDK's header they were built with. The protocol: a request is its model's name. */
#include <stdlib.h>
#include <string.h>
#include <watermaster/plugin.h>

#pragma GCC diagnostic ignored "-Wunused-function" /* who includes this may put another in its place */

static char self;

static void* create(const wm_host* host, wm_error* error) {
    (void)error;
    const wm_bytes wanted = {"wm.telepathy/1", 14};
    return host->extension(host->ctx, wanted) ? NULL : &self; /* does without */
}
static void destroy(void* at) { (void)at; }

static wm_status put(const wm_sink* sink, uint32_t tag, uint32_t flags, const char* name, wm_bytes value) {
    const wm_event event = {tag, 0, 0, flags, {name, strlen(name)}, value};
    return sink->put(sink->ctx, &event);
}
static wm_bytes text(const char* s) {
    const wm_bytes out = {s, strlen(s)};
    return out;
}

static wm_status bad_input(wm_error* e, const char* where) {
    if (e) strncpy(e->where, where, sizeof e->where - 1);
    return WM_BAD_INPUT;
}

static wm_status facts(void* at, const wm_request* r, uint32_t want, const wm_sink* sink, wm_error* e) {
    (void)at, (void)want;
    if (!r->body.size) return bad_input(e, "body");
    wm_status status = put(sink, 0x00FF, 0, "result of a later minor", text("7"));
    if (status == WM_OK) status = put(sink, WM_OUT_FACT, 0, "mood", text("fine"));
    return status == WM_OK ? put(sink, WM_OUT_FACT, 0, WM_FACT_MODEL, r->body) : status;
}
static wm_status rewrite(void* at, const wm_request* r, const wm_rename* n, const wm_sink* sink, wm_error* e) {
    (void)at;
    if (!r->body.size) return bad_input(e, "body");
    const wm_event all = {WM_OUT_SPLICE, 0, 0, 0, r->body, n->model};
    return sink->put(sink->ctx, &all);
}
static wm_status write_error(void* at, const wm_events* error, const wm_sink* sink, wm_error* e) {
    (void)at, (void)error, (void)e;
    return put(sink, WM_OUT_BODY, 0, "", text("\"error\""));
}
static wm_tap* tap_open(void* at, const wm_params* p, wm_error* e) {
    (void)p, (void)e;
    return (wm_tap*)at;
}
static wm_status tap(wm_tap* t, const wm_frame* f, const wm_sink* sink, wm_error* e) {
    (void)t, (void)f, (void)e;
    const wm_status status = put(sink, WM_EV_USAGE, 0, "thoughts", text("3"));
    return status == WM_OK ? put(sink, WM_OUT_VERDICT, WM_FLAG_SEMANTIC | 1024u, "", text("")) : status;
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
    wm_status status = put(sink, WM_OUT_METHOD, 0, "", text("POST"));
    if (status == WM_OK) status = put(sink, 0x00FE, 0, "later", text(""));
    return status == WM_OK ? put(sink, WM_OUT_URL, 0, "", text("https://provider.example/v9")) : status;
}

static wm_status unframe(void* at, const wm_frame* f, const wm_sink* sink, wm_error* e) { /* wraps nothing */
    (void)at, (void)e;
    return put(sink, WM_OUT_FRAME, 0, "", f->data);
}
static wm_status observe(void* at, const wm_reply* reply, const wm_sink* sink, wm_error* e) {
    (void)at, (void)e;
    return reply->headers.count ? put(sink, WM_OUT_LIMIT, 0, "tokens/remaining", text("7")) : WM_OK;
}

/* A translation whose events are one text each. */
struct wm_talk {
    int reads;
};
static wm_talk* talk_open(void* bound, const wm_params* p, wm_error* e) {
    (void)bound, (void)p, (void)e;
    return calloc(1, sizeof(wm_talk));
}
static wm_status talk_read(wm_talk* t, const wm_frame* f, const wm_sink* sink, wm_error* e) {
    (void)t;
    return f->data.size ? put(sink, WM_EV_TEXT, 0, "", f->data) : bad_input(e, "body");
}
static wm_status talk_read_end(wm_talk* t, const wm_sink* sink, wm_error* e) {
    (void)t, (void)sink, (void)e;
    return WM_OK;
}
static wm_status talk_begin(wm_talk* t, uint32_t mode, wm_error* e) {
    (void)t, (void)mode, (void)e;
    return WM_OK;
}
static wm_status talk_write(wm_talk* t, const wm_event* event, const wm_sink* sink, wm_error* e) {
    (void)t, (void)e;
    return put(sink, WM_OUT_BODY, 0, "", event->value);
}
static void talk_close(wm_talk* t) { free(t); }

#define TRANSLATION(READ, WRITE)                                                                                       \
    .bind = bind_backend, .unbind = unbind, .open = talk_open, .read = READ, .read_end = talk_read_end,                \
    .write_begin = talk_begin, .write = WRITE, .write_end = talk_read_end, .close = talk_close
#define WORKING_TRANSCODER                                                                                             \
    .vocabulary = 0, .facts = facts, .rewrite = rewrite, .write_error = write_error, .tap_open = tap_open, .tap = tap, \
    .tap_end = tap_end, .tap_close = tap_close, TRANSLATION(talk_read, talk_write)
#define WORKING_ADAPTER                                                                                                \
    .bind = bind_backend, .unbind = unbind, .prepare = prepare, .unframe = unframe, .observe = observe
#define PROTOCOL_FACTS                                                                                                 \
    "{\"id\":\"old-and-new\",\"operations\":[{\"id\":\"create\",\"path\":\"/v9\",\"later\":1}],\"later\":{}}"
#define PROVIDER_FACTS                                                                                                 \
    "{\"id\":\"provider\",\"endpoint\":\"own\",\"hosts\":[\"provider.example\"],\"models\":\"open\","                  \
    "\"protocols\":[{\"id\":\"old-and-new\",\"operations\":[{\"id\":\"create\",\"path\":\"/v9\"}]}]}"
