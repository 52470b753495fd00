#pragma once
// Makes a "wm.transcoder/1" component of a class:
//
//     struct Acme {
//         static constexpr const char* id = "acme-chat";
//         static constexpr const char* facts_json = R"({...})";
//         static Status facts(const Request&, std::uint32_t want, Sink&);
//         static Status rewrite(const Request&, const Rename&, Sink&);
//         static Status write_error(const wm_events&, Sink&);
//         class Tap {                                              // one native answer
//             explicit Tap(const Params&);                         // copies what it keeps
//             Status frame(const Frame&, Sink&);
//             Status end(const wm_events* error, Sink&);           // null: the upstream ended by itself
//         };
//         struct Translation { ... };                              // optional: translation/talk.hpp
//     };
//
// The functions are static: a transcoder has no state but that of its taps. Arguments live for the call. The calls of
// one Tap come one at a time, but on whatever thread: it may keep nothing that belongs to a thread.
#include "bytes.hpp"
#include "frame.hpp"
#include "sink.hpp"
#include "status.hpp"

#include <string_view>

namespace wm::sdk {

struct Request {
    explicit Request(const wm_request& r)
        : method(view(r.method)), path(view(r.path)), query(view(r.query)), operation(view(r.operation)),
          handle(view(r.handle)), body(view(r.body)), headers(r.headers), now_ms(r.now_ms) {}

    std::string_view method, path, query, operation, handle, body;
    Pairs headers;
    std::uint64_t now_ms;
};

struct Rename {
    explicit Rename(const wm_rename& r) : model(view(r.model)), ask_usage((r.flags & WM_RENAME_ASK_USAGE) != 0) {}

    std::string_view model;
    bool ask_usage;
};

struct Params {
    explicit Params(const wm_params& p)
        : exchange(view(p.exchange)), operation(view(p.operation)), model(view(p.model)), now_ms(p.now_ms),
          max_held(p.max_held), attempt(p.attempt), stream((p.flags & WM_PARAMS_STREAM) != 0),
          usage_by_gateway((p.flags & WM_PARAMS_USAGE_BY_GATEWAY) != 0),
          ask_usage((p.flags & WM_PARAMS_ASK_USAGE) != 0) {}

    std::string_view exchange, operation, model;
    std::uint64_t now_ms, max_held;
    std::uint32_t attempt;
    bool stream, usage_by_gateway, ask_usage;
};

namespace detail {

template <class T>
struct TranslationTable; // translation/talk.hpp

template <class T>
struct TranscoderTable {
    static wm_status facts(void*, const wm_request* request, std::uint32_t want, const wm_sink* sink,
                           wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return T::facts(Request(*request), want, out);
        });
    }
    static wm_status rewrite(void*, const wm_request* request, const wm_rename* rename, const wm_sink* sink,
                             wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return T::rewrite(Request(*request), Rename(*rename), out);
        });
    }
    static wm_status write_error(void*, const wm_events* events, const wm_sink* sink, wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return T::write_error(*events, out);
        });
    }
    static wm_tap* tap_open(void*, const wm_params* params, wm_error* error) noexcept {
        return reinterpret_cast<wm_tap*>(
            guarded_handle<typename T::Tap>(error, [&] { return new typename T::Tap(Params(*params)); }));
    }
    static wm_status tap(wm_tap* handle, const wm_frame* frame, const wm_sink* sink, wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return reinterpret_cast<typename T::Tap*>(handle)->frame(Frame(*frame), out);
        });
    }
    static wm_status tap_end(wm_tap* handle, const wm_events* events, const wm_sink* sink, wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return reinterpret_cast<typename T::Tap*>(handle)->end(events, out);
        });
    }
    static void tap_close(wm_tap* handle) noexcept { delete reinterpret_cast<typename T::Tap*>(handle); }

    static constexpr wm_transcoder make() {
        wm_transcoder made{};
        made.size = sizeof(wm_transcoder);
        made.vocabulary = WM_ABI_MINOR;
        made.facts = facts;
        made.rewrite = rewrite;
        made.write_error = write_error;
        made.tap_open = tap_open;
        made.tap = tap;
        made.tap_end = tap_end;
        made.tap_close = tap_close;
        if constexpr (requires { typename T::Translation; }) TranslationTable<T>::add_to(made);
        return made;
    }
    static constexpr wm_transcoder table = make();
};

} // namespace detail
} // namespace wm::sdk
