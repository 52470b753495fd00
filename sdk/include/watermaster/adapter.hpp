#pragma once
// Makes a "wm.adapter/1" component of a class:
//
//     struct Acme {
//         static constexpr const char* id = "acme";
//         static constexpr const char* facts_json = R"({...})";
//         static std::unique_ptr<Acme> bind(const Settings&, Problems&);
//         Status prepare(const Call&, Sink&) const;
//         Status unframe(const Frame&, Sink&) const;                       // optional
//         Status observe(const Reply&, Sink&) const;                       // optional, puts LIMIT
//     };
//
// `bind` puts a problem for each bad setting, and what it returns then is dropped. Null without a problem refuses the
// backend as well, but tells its operator nothing.
//
// An object is one backend: immutable after bind, used by any thread. Arguments live for the call, and so do the views
// they give: what Settings::get() and header() return is copied to be kept. Without `observe` the host reads the
// headers of the facts' `rate_limit_family`, `openai` or `anthropic`.
#include "bytes.hpp"
#include "frame.hpp"
#include "sink.hpp"
#include "status.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace wm::sdk {

class Settings {
  public:
    explicit Settings(const wm_pairs& pairs) : pairs_(pairs) {}

    // A view for the call. Empty: not configured.
    std::string_view get(std::string_view name) const {
        for (const Pair p : pairs_)
            if (p.name == name) return p.value;
        return {};
    }
    Pairs::Iterator begin() const { return pairs_.begin(); }
    Pairs::Iterator end() const { return pairs_.end(); }

  private:
    Pairs pairs_;
};

class Problems {
  public:
    explicit Problems(const wm_sink* sink) : sink_(sink) {}

    void add(std::string_view setting, std::string_view problem) {
        sink_.problem(setting, problem);
        any_ = true;
    }
    bool any() const { return any_; }

  private:
    Sink sink_;
    bool any_ = false;
};

// A setting of type bool; the host writes it `true` or `false`.
inline bool flag(const Settings& settings, std::string_view name, bool fallback, Problems& problems) {
    const std::string_view value = settings.get(name);
    if (value.empty()) return fallback;
    if (value != "true" && value != "false") problems.add(name, "neither true nor false");
    return value == "true";
}

struct Call {
    explicit Call(const wm_call& c)
        : protocol(view(c.protocol)), operation(view(c.operation)), model(view(c.model)), handle(view(c.handle)),
          exchange(view(c.exchange)), body(view(c.body)), headers(c.headers), query(c.query), now_ms(c.now_ms),
          attempt(c.attempt), stream((c.flags & WM_CALL_STREAM) != 0) {}

    std::string_view protocol, operation, model, handle, exchange, body;
    Pairs headers, query; // the client's that may be passed on
    std::uint64_t now_ms;
    std::uint32_t attempt;
    bool stream;
};

struct Reply {
    explicit Reply(const wm_reply& r) : headers(r.headers), now_ms(r.now_ms), http_status(r.http_status) {}

    Pairs headers;
    std::uint64_t now_ms;
    std::uint32_t http_status;
};

namespace detail {

template <class A>
struct AdapterTable {
    static void* bind(void*, const wm_pairs* settings, const wm_sink* problems, wm_error* error) noexcept {
        return guarded_handle<A>(error, [&] {
            Problems put(problems);
            std::unique_ptr<A> bound = A::bind(Settings(*settings), put);
            return put.any() ? nullptr : bound.release();
        });
    }
    static void unbind(void* bound) noexcept { delete static_cast<A*>(bound); }
    static wm_status prepare(void* bound, const wm_call* call, const wm_sink* sink, wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return static_cast<const A*>(bound)->prepare(Call(*call), out);
        });
    }
    static wm_status unframe(void* bound, const wm_frame* frame, const wm_sink* sink, wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return static_cast<const A*>(bound)->unframe(Frame(*frame), out);
        });
    }
    static wm_status observe(void* bound, const wm_reply* reply, const wm_sink* sink, wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return static_cast<const A*>(bound)->observe(Reply(*reply), out);
        });
    }

    static constexpr wm_adapter make() {
        wm_adapter made{};
        made.size = sizeof(wm_adapter);
        made.bind = bind;
        made.unbind = unbind;
        made.prepare = prepare;
        if constexpr (requires(const A& a, const Frame& f, Sink& s) { a.unframe(f, s); }) made.unframe = unframe;
        if constexpr (requires(const A& a, const Reply& r, Sink& s) { a.observe(r, s); }) made.observe = observe;
        return made;
    }
    static constexpr wm_adapter table = make();
};

} // namespace detail
} // namespace wm::sdk
