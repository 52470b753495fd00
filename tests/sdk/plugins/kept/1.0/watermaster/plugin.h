/*
 * Watermaster plugin ABI, 1.0. This header alone is the boundary between the host and a plugin; everything else
 * in this folder is comfort compiled into a plugin. C11 or C++20, gcc or clang, no padding anywhere.
 *
 * Threads, by the tag of each function:
 *   [load]    one thread at a time; the host is starting, checking or reloading
 *   [any]     any thread, concurrently, on one immutable object
 *   [stream]  one call at a time per handle, on whatever thread
 *
 * Memory: nothing returned is ever freed by the other side. Every view given to a function lives until it returns,
 * every handle is ended by the table that made it, results leave through a sink, which copies before it returns.
 * Nulls: pointers are never null unless a comment says "or null". A view of size 0 may have null data.
 * Failure: a status drives behaviour; texts are for people. After a failure of a [stream] function only its close may
 * follow, and for a tap before that tap_end with an error. Nothing throws across. The caller may pass a null wm_error
 * when it wants no text.
 *
 * Growth: every table starts with its own size and only grows at its end; a field exists if it lies inside that size
 * and is not null (WM_HAS). wm_bytes, wm_pair, wm_pairs, wm_event and wm_events are frozen. A released table, id or
 * number never changes its meaning; new behaviour gets a new interface id.
 */
#ifndef WM_PLUGIN_H
#define WM_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#include "words.h"

#ifdef __cplusplus
extern "C" {
#define WM_NOEXCEPT noexcept
#else
#define WM_NOEXCEPT
#endif

#define WM_ABI_MAJOR 1
#define WM_ABI_MINOR 0

/* Does the table behind `p`, of type T, have the field `f`? */
#define WM_HAS(p, T, f) ((p) && (p)->size >= offsetof(T, f) + sizeof((p)->f) && (p)->f)

/* ---- status ---------------------------------------------------------------------------------------------------- */

typedef int32_t wm_status;
#define WM_OK 0
#define WM_REFUSED (-1)     /* the sink said stop, or a loss was not approved: return it unchanged */
#define WM_BAD_INPUT (-2)   /* bytes violate the protocol; error.where names the member */
#define WM_UNSUPPORTED (-3) /* valid, but cannot be done */
#define WM_LIMIT (-4)       /* more would have to be held or nested than is allowed */
#define WM_INTERNAL (-5)    /* the callee failed: out of memory, a bug */

/* ---- values ---------------------------------------------------------------------------------------------------- */

typedef struct wm_bytes { /* frozen; not terminated; not owned */
    const char* data;
    size_t size;
} wm_bytes;

typedef struct wm_pair { /* frozen */
    wm_bytes name, value;
} wm_pair;

typedef struct wm_pairs { /* frozen; `at` may be null when count is 0 */
    const wm_pair* at;
    uint32_t count, reserved;
} wm_pairs;

typedef struct wm_event { /* frozen; an event (words.h: WM_EV_) or a result (WM_OUT_) */
    uint32_t tag;         /* WM_EV_ or WM_OUT_ */
    uint32_t node;        /* the container a leaf belongs to, or a container opens; 0 where there is none */
    uint32_t parent;      /* of a container: the container it is opened in, 0 for none */
    uint32_t flags;       /* WM_FLAG_ for FRAME and VERDICT; else 0 */
    wm_bytes name, value; /* meaning by tag */
} wm_event;

typedef struct wm_events { /* frozen; a whole tree in order, `at` may be null when count is 0 */
    const wm_event* at;
    uint32_t count, reserved;
} wm_events;

typedef struct wm_error { /* the caller owns and zeroes it; the callee fills, truncates and terminates the texts */
    uint32_t size, reserved;
    uint64_t offset;   /* byte of the input where it was noticed, or 0 */
    char where[128];   /* member path, ASCII, no values: may reach the client */
    char message[368]; /* log only; never bytes of a request or an answer */
} wm_error;

/* Takes results. `put` copies what it is given, never blocks, and may be called only during the call it was given to.
 * Anything but WM_OK means stop: return that status unchanged. */
typedef struct wm_sink {
    uint32_t size, reserved;
    void* ctx;
    wm_status (*put)(void* ctx, const wm_event* e) WM_NOEXCEPT;
} wm_sink;

/* The host as a plugin sees it; lives until destroy returned. */
typedef struct wm_host {
    uint32_t size, abi_minor;
    void* ctx;
    void (*log)(void* ctx, uint32_t level, wm_bytes text) WM_NOEXCEPT; /* [load] level: WM_LOG_ */
    const void* (*extension)(void* ctx, wm_bytes id)WM_NOEXCEPT;       /* [load] null: the host has no such extension */
} wm_host;
#define WM_LOG_ERROR 1
#define WM_LOG_WARNING 2
#define WM_LOG_INFO 3

/* ---- arguments ------------------------------------------------------------------------------------------------- */

typedef struct wm_request {       /* a client's request, decoded, never with credentials */
    uint32_t size, flags;         /* flags: 0 */
    uint64_t now_ms;              /* unix time */
    wm_bytes method, path, query; /* path and query as they came */
    wm_pairs headers;             /* those that may be passed on */
    wm_bytes operation;           /* id of the operation in the transcoder's facts */
    wm_bytes handle;              /* what the `{name}` of its path captured, percent-decoded, or empty */
    wm_bytes body;
} wm_request;

#define WM_FRAME_MESSAGE 1  /* one event of a stream; its name may be empty */
#define WM_FRAME_DOCUMENT 2 /* a whole body */
#define WM_FRAME_RAW 3      /* bytes cut anywhere: `tap` and `read`, which keep state, frame; `unframe` gets none */
typedef struct wm_frame {
    uint32_t size, kind;
    wm_bytes name, data;
} wm_frame;

#define WM_CALL_STREAM 1
typedef struct wm_call { /* one attempt on one backend */
    uint32_t size, flags;
    uint64_t now_ms;
    uint32_t attempt, reserved; /* attempt: 1 is the first */
    /* protocol: the upstream is asked in, operation: its; model: the upstream's; handle: of the client's request, empty
     * after a translation; exchange: id */
    wm_bytes protocol, operation, model, handle, exchange;
    wm_pairs headers, query; /* the client's that may be passed on */
    wm_bytes body;           /* after translation or rewrite */
} wm_call;

typedef struct wm_reply { /* an answer's head */
    uint32_t size, http_status;
    uint64_t now_ms;
    wm_pairs headers;
} wm_reply;

#define WM_RENAME_ASK_USAGE 1
typedef struct wm_rename {
    uint32_t size, flags;
    wm_bytes model; /* the upstream's */
} wm_rename;

#define WM_ROLE_CLIENT 1
#define WM_ROLE_UPSTREAM 2
#define WM_PARAMS_STREAM 1
#define WM_PARAMS_USAGE_BY_GATEWAY 2 /* usage in the stream was asked by the gateway alone: withhold it */
#define WM_PARAMS_ASK_USAGE 4        /* of an upstream talk: its request asks for usage in the stream */
typedef struct wm_params {
    uint32_t size, role;
    uint64_t now_ms, max_held;           /* max_held: bytes the handle may hold, 0 for no bound */
    wm_bytes exchange, operation, model; /* model: of a client talk as the client asked, else the upstream's */
    uint32_t flags, attempt;
} wm_params;

/* ---- adapter: one provider's API contract ---------------------------------------------------------------------- */

#define WM_ADAPTER_1 "wm.adapter/1"
typedef struct wm_adapter {
    uint32_t size, reserved;
    /* [load] An immutable instance for one backend. Puts a PROBLEM per bad setting and then returns null.
     * `settings` are the declared ones that were configured, with `endpoint` or `base_url`. */
    void* (*bind)(void* self, const wm_pairs* settings, const wm_sink* problems, wm_error*)WM_NOEXCEPT;
    /* [load] After the last exchange that used it. */
    void (*unbind)(void* bound) WM_NOEXCEPT;
    /* [any] Puts METHOD URL HEADER SECRET AUTH MEMBER FRAMING, anew for each attempt. FRAMING is that of a streamed
     * answer; without it, it is that of the operation in the facts. An answer that was not to be streamed is a
     * document. */
    wm_status (*prepare)(void* bound, const wm_call*, const wm_sink*, wm_error*) WM_NOEXCEPT;
    /* [any] or null. What the provider wraps its answer into is taken off here: turns one frame of a 2xx answer into
     * the FRAMEs (flags 0) it holds, which `tap` or `read` then get in its place; keeps nothing. A MESSAGE may hold any
     * number, a DOCUMENT holds one. BAD_INPUT: a malformed answer. Not asked for `raw`, whose bytes are no frames yet.
     */
    wm_status (*unframe)(void* bound, const wm_frame*, const wm_sink*, wm_error*) WM_NOEXCEPT;
    /* [any] or null: the host reads the rate-limit headers of the family the facts name. Puts LIMIT. */
    wm_status (*observe)(void* bound, const wm_reply*, const wm_sink*, wm_error*) WM_NOEXCEPT;
} wm_adapter;

/* ---- transcoder: one protocol ---------------------------------------------------------------------------------- */

typedef struct wm_tap wm_tap;   /* watches one native answer */
typedef struct wm_talk wm_talk; /* reads and writes one side of a translation */

#define WM_WANT_PROMPT 1 /* also PROMPT views */

#define WM_MODE_DOCUMENT 1
#define WM_MODE_STREAM 2

#define WM_TRANSCODER_1 "wm.transcoder/1"
typedef struct wm_transcoder {
    uint32_t size;
    uint32_t vocabulary; /* newest ABI minor whose events `write` understands */
    /* [load] An immutable instance for one target or mapping, for `open`. Problems as for an adapter. Null, with
     * unbind, when there is no translation. */
    void* (*bind)(void* self, const wm_pairs* options, const wm_sink* problems, wm_error*)WM_NOEXCEPT;
    void (*unbind)(void* bound) WM_NOEXCEPT; /* [load] */
    /* [any] Puts FACT and PIN, with WM_WANT_PROMPT also PROMPT. BAD_INPUT: answer 400 naming error.where. */
    wm_status (*facts)(void* self, const wm_request*, uint32_t want, const wm_sink*, wm_error*) WM_NOEXCEPT;
    /* [any] Puts SPLICEs in the order of the body: names are views into request.body. At least one, unless the request
     * has a handle: then the model may stand in the path, which the adapter writes. */
    wm_status (*rewrite)(void* self, const wm_request*, const wm_rename*, const wm_sink*, wm_error*) WM_NOEXCEPT;
    /* [any] `error`: one ERROR tree. Puts a BODY, a document in the protocol's error shape. */
    wm_status (*write_error)(void* self, const wm_events* error, const wm_sink*, wm_error*) WM_NOEXCEPT;
    /* [any] Null on failure. */
    wm_tap* (*tap_open)(void* self, const wm_params*, wm_error*)WM_NOEXCEPT;
    /* [stream] Puts one VERDICT, and USAGE, ERROR trees, PIN. */
    wm_status (*tap)(wm_tap*, const wm_frame*, const wm_sink*, wm_error*) WM_NOEXCEPT;
    /* [stream] `error` or null. With it: puts the FRAMEs that close the client's stream legally; the host may ask for
     * that once, also after a tap that failed and after a tap_end(null) that said error; of a `raw` stream their data
     * is what is sent. Without: the upstream ended by itself; puts a VERDICT, terminal for a complete answer, error for
     * one that was cut. */
    wm_status (*tap_end)(wm_tap*, const wm_events* error, const wm_sink*, wm_error*) WM_NOEXCEPT;
    void (*tap_close)(wm_tap*) WM_NOEXCEPT; /* [stream] the last call on it */

    /* Translation: null together, or set together. A client talk reads the request (one DOCUMENT; reading it again puts
     * the same events) and then writes the answer; an upstream talk writes the request and then reads the answer.
     * read: BAD_INPUT is a client's 400 naming error.where, or an upstream failure. read_end: the input is over; puts
     * what closes the tree, or BAD_INPUT for an answer that was cut. write_begin: starts over, legal until commitment.
     * write, write_end: an ERROR tree closes a stream at once, and nothing but END follows it. */
    wm_talk* (*open)(void* bound, const wm_params*, wm_error*)WM_NOEXCEPT;               /* [any] null on failure */
    wm_status (*read)(wm_talk*, const wm_frame*, const wm_sink*, wm_error*) WM_NOEXCEPT; /* [stream] puts events */
    wm_status (*read_end)(wm_talk*, const wm_sink*, wm_error*) WM_NOEXCEPT;              /* [stream] puts events */
    wm_status (*write_begin)(wm_talk*, uint32_t mode, wm_error*) WM_NOEXCEPT;            /* [stream] starts over */
    wm_status (*write)(wm_talk*, const wm_event*, const wm_sink*,
                       wm_error*) WM_NOEXCEPT;                               /* [stream] FRAME, BODY, ... */
    wm_status (*write_end)(wm_talk*, const wm_sink*, wm_error*) WM_NOEXCEPT; /* [stream] */
    void (*close)(wm_talk*) WM_NOEXCEPT;                                     /* [stream] the last call */
} wm_transcoder;

/* ---- what a plugin exports: one data symbol, judged before anything in the plugin is called -----------------------
 */

typedef struct wm_component { /* constant; lives as long as the plugin */
    uint32_t size, reserved;
    const char *interface_id, *id, *facts_json;
    void* (*create)(const wm_host*, wm_error*)WM_NOEXCEPT; /* [load] null on failure */
    void (*destroy)(void* self) WM_NOEXCEPT;               /* [load] after the last unbind and close */
    const void* table;                                     /* wm_adapter or wm_transcoder, by interface_id */
} wm_component;

typedef struct wm_plugin_entry {
    uint32_t size;
    uint16_t abi_major, abi_minor; /* what it was built against */
    const char* version;           /* the plugin's own */
    const wm_component* components;
    uint32_t count, stride; /* stride: bytes from one component to the next */
} wm_plugin_entry;

#define WM_PLUGIN_ENTRY_SYMBOL "wm_plugin_entry_v1"
extern __attribute__((visibility("default"))) const wm_plugin_entry wm_plugin_entry_v1;

#ifdef __cplusplus
}
#endif
#endif
