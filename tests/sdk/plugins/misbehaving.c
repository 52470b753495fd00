/* works.h with one function that breaks the contract, by definition of its name: FACTS=facts_that_count and so on. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "works.h"

#ifndef CREATE
#define CREATE create
#endif
#ifndef DESTROY
#define DESTROY destroy
#endif
#ifndef FACTS
#define FACTS facts
#endif
#ifndef REWRITE
#define REWRITE rewrite
#endif
#ifndef WRITE_ERROR
#define WRITE_ERROR write_error
#endif
#ifndef TAP
#define TAP tap
#endif
#ifndef TAP_END
#define TAP_END tap_end
#endif
#ifndef READ
#define READ talk_read
#endif
#ifndef WRITE
#define WRITE talk_write
#endif
#ifndef BIND
#define BIND bind_backend
#endif
#ifndef PREPARE
#define PREPARE prepare
#endif

#ifndef OBSERVE
#define OBSERVE observe
#endif
#ifndef UNFRAME
#define UNFRAME unframe
#endif

#ifdef CRASHING_CONSTRUCTOR
__attribute__((constructor)) static void crash(void) { abort(); }
#endif
#ifdef EXITING_CONSTRUCTOR
__attribute__((constructor)) static void leave(void) { exit(0); }
#endif
#ifdef CRASHING_DESTRUCTOR
__attribute__((destructor)) static void crash(void) { abort(); }
#endif
#ifdef SECOND_SYMBOL
__attribute__((visibility("default"))) int a_second_symbol;
#endif

static const wm_host* the_host;
static void* create_that_keeps_the_host(const wm_host* host, wm_error* e) {
    the_host = host;
    return create(host, e);
}
static void destroy_that_crashes(void* at) {
    (void)at;
    abort();
}

#define FACTS_FUNCTION(name)                                                                                           \
    static wm_status name(void* at, const wm_request* r, uint32_t want, const wm_sink* sink, wm_error* e)

FACTS_FUNCTION(facts_that_hang) {
    for (volatile int always = 1; always;) usleep(1000);
    return facts(at, r, want, sink, e);
}
FACTS_FUNCTION(facts_that_exit) {
    fputs("out of patience\n", stderr);
    exit(3);
    return facts(at, r, want, sink, e);
}
FACTS_FUNCTION(facts_that_read_too_far) {
    if (r->body.size && ((const volatile char*)r->body.data)[r->body.size] == 'x') return WM_LIMIT;
    return facts(at, r, want, sink, e);
}
FACTS_FUNCTION(facts_that_need_an_error) {
    e->offset = 0;
    return facts(at, r, want, sink, e);
}
FACTS_FUNCTION(facts_that_count) {
    static char count = 'a';
    count = (char)(count == 'z' ? 'a' : count + 1);
    const wm_bytes value = {&count, 1};
    const wm_status status = put(sink, WM_OUT_FACT, 0, WM_FACT_SESSION, value);
    return status == WM_OK ? facts(at, r, want, sink, e) : status;
}
FACTS_FUNCTION(facts_that_look_around) {
    const char* zone = getenv("TZ");
    const wm_status status = put(sink, WM_OUT_FACT, 0, WM_FACT_SESSION, text(zone ? zone : "none"));
    return status == WM_OK ? facts(at, r, want, sink, e) : status;
}
FACTS_FUNCTION(facts_that_share) {
    static char shared[64];
    const wm_bytes value = {shared, sizeof shared};
    memset(shared, 0, sizeof shared);
    memcpy(shared, r->body.data, r->body.size < sizeof shared ? r->body.size : sizeof shared);
    for (int i = 0; i < 20; ++i) sched_yield();
    const wm_status status = put(sink, WM_OUT_FACT, 0, WM_FACT_SESSION, value);
    return status == WM_OK ? facts(at, r, want, sink, e) : status;
}
FACTS_FUNCTION(facts_that_go_on) {
    put(sink, WM_OUT_FACT, 0, "mood", text("stubborn"));
    put(sink, WM_OUT_FACT, 0, "mood", text("deaf"));
    facts(at, r, want, sink, e);
    return r->body.size ? WM_OK : WM_BAD_INPUT;
}
FACTS_FUNCTION(facts_without_reason) { return r->body.size == 7 ? WM_INTERNAL : facts(at, r, want, sink, e); }
FACTS_FUNCTION(facts_that_tell) {
    if (!r->body.size || r->body.data[0] == '{') return facts(at, r, want, sink, e);
    if (e) memcpy(e->message, r->body.data, r->body.size < 100 ? r->body.size : 100);
    return WM_BAD_INPUT;
}
FACTS_FUNCTION(facts_that_log) {
    the_host->log(the_host->ctx, WM_LOG_INFO, text("a request!"));
    return facts(at, r, want, sink, e);
}
static wm_status rewrite_of_nothing(void* at, const wm_request* r, const wm_rename* n, const wm_sink* s, wm_error* e) {
    (void)at, (void)n, (void)s;
    return r->body.size ? WM_OK : bad_input(e, "body");
}
static wm_status write_error_of_no_json(void* at, const wm_events* error, const wm_sink* sink, wm_error* e) {
    (void)at, (void)error, (void)e;
    return put(sink, WM_OUT_BODY, 0, "", text("{error}"));
}
static wm_status tap_without_verdict(wm_tap* t, const wm_frame* f, const wm_sink* sink, wm_error* e) {
    (void)t, (void)f, (void)sink, (void)e;
    return WM_OK;
}
static __thread wm_bytes last;
static wm_status tap_end_that_forgets(wm_tap* t, const wm_events* error, const wm_sink* sink, wm_error* e) {
    last.size = 0;
    return tap_end(t, error, sink, e);
}
static wm_status tap_that_keeps_a_view(wm_tap* t, const wm_frame* f, const wm_sink* sink, wm_error* e) {
    const wm_bytes before = last;
    last = f->data;
    const wm_status status = before.size ? put(sink, WM_OUT_PIN, 0, WM_PIN_RESPONSE, before) : WM_OK;
    return status == WM_OK ? tap(t, f, sink, e) : status;
}
static wm_status tap_end_without_verdict(wm_tap* t, const wm_events* error, const wm_sink* sink, wm_error* e) {
    (void)t, (void)error, (void)sink, (void)e;
    return WM_OK;
}
static void* bind_nothing(void* at, const wm_pairs* settings, const wm_sink* problems, wm_error* e) {
    (void)at, (void)settings, (void)e;
    put(problems, WM_OUT_PROBLEM, 0, "base_url", text("never good enough"));
    return NULL;
}
static wm_status observe_in_words(void* at, const wm_reply* reply, const wm_sink* sink, wm_error* e) {
    (void)at, (void)reply, (void)e;
    return put(sink, WM_OUT_LIMIT, 0, "tokens/remaining", text("a few"));
}
static wm_status prepare_by_pasting(void* at, const wm_call* call, const wm_sink* sink, wm_error* e) {
    (void)at, (void)e;
    char url[512];
    const int n = snprintf(url, sizeof url, "https://provider.example%.*s", (int)(call->model.size % 100),
                           call->model.size ? call->model.data : "");
    for (char* c = url; *c; ++c)
        if (*c <= ' ' || *c > '~') *c = '_';
    const wm_bytes value = {url, (size_t)n};
    const wm_status status = put(sink, WM_OUT_METHOD, 0, "", text("POST"));
    return status == WM_OK ? put(sink, WM_OUT_URL, 0, "", value) : status;
}
static wm_status prepare_a_broken_head(void* at, const wm_call* call, const wm_sink* sink, wm_error* e) {
    const wm_status status = prepare(at, call, sink, e);
    return status == WM_OK ? put(sink, WM_OUT_HEADER, 0, "x-note", text("one\r\nx-two: two")) : status;
}

static wm_status talk_read_that_counts(wm_talk* t, const wm_frame* f, const wm_sink* sink, wm_error* e) {
    return t->reads++ ? put(sink, WM_EV_PING, 0, "", text("")) : talk_read(t, f, sink, e);
}
static wm_status talk_write_without_reason(wm_talk* t, const wm_event* event, const wm_sink* sink, wm_error* e) {
    return event->value.size > 3 && event->value.size < 8 ? WM_INTERNAL : talk_write(t, event, sink, e);
}
static const wm_transcoder transcoder = {.size = sizeof transcoder,
                                         TRANSLATION(READ, WRITE),
                                         .facts = FACTS,
                                         .rewrite = REWRITE,
                                         .write_error = WRITE_ERROR,
                                         .tap_open = tap_open,
                                         .tap = TAP,
                                         .tap_end = TAP_END,
                                         .tap_close = tap_close};
#define UNFRAME_FUNCTION(name) static wm_status name(void* at, const wm_frame* f, const wm_sink* sink, wm_error* e)

UNFRAME_FUNCTION(unframe_that_remembers) { /* that the frame before was cut */
    static __thread int cut;
    const int again = cut;
    cut = f->data.size && f->data.data[f->data.size - 1] != '}';
    if (again && put(sink, WM_OUT_FRAME, 0, "again", f->data) != WM_OK) return WM_REFUSED;
    return unframe(at, f, sink, e);
}
UNFRAME_FUNCTION(unframe_that_needs_an_error) {
    e->offset = 0;
    return unframe(at, f, sink, e);
}
UNFRAME_FUNCTION(unframe_that_reads_too_far) {
    if (f->data.size && ((const volatile char*)f->data.data)[f->data.size] == 'x') return WM_LIMIT;
    return unframe(at, f, sink, e);
}
UNFRAME_FUNCTION(unframe_that_goes_on) {
    put(sink, WM_OUT_FRAME, 0, "", f->data);
    put(sink, WM_OUT_FRAME, 0, "", f->data);
    unframe(at, f, sink, e);
    return WM_OK;
}
UNFRAME_FUNCTION(unframe_into_nothing) {
    (void)at, (void)f, (void)sink, (void)e;
    return WM_OK;
}

static const wm_adapter adapter = {
    .size = sizeof adapter, .bind = BIND, .unbind = unbind, .prepare = PREPARE, .unframe = UNFRAME, .observe = OBSERVE};

static const wm_component components[] = {
    {sizeof(wm_component), 0, WM_TRANSCODER_1, "old-and-new", PROTOCOL_FACTS, CREATE, DESTROY, &transcoder},
    {sizeof(wm_component), 0, WM_ADAPTER_1, "provider", PROVIDER_FACTS, CREATE, DESTROY, &adapter},
};

const wm_plugin_entry wm_plugin_entry_v1 = {sizeof(wm_plugin_entry), WM_ABI_MAJOR, WM_ABI_MINOR, "0.9", components, 2,
                                            sizeof(wm_component)};
