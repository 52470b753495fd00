#pragma once
// Tables as a plugin would export them, with behaviour set by each test.
#include "plugin/components.h"
#include "plugin/views.h"

#include <functional>
#include <string>

namespace wm::plugin::test {

// Puts one event.
inline wm_status put(const wm_sink* sink, std::uint32_t tag, std::string_view name, std::string_view value,
                     std::uint32_t flags = 0, std::uint32_t node = 0) {
    const wm_event event{tag, node, 0, flags, to_bytes(name), to_bytes(value)};
    return sink->put(sink->ctx, &event);
}

inline void say(wm_error* error, std::string_view where, std::string_view message) {
    where.copy(error->where, sizeof error->where - 1);
    message.copy(error->message, sizeof error->message - 1);
}

// `self` of the transcoder below; a function that is not set puts nothing and succeeds.
struct FakeTranscoder {
    std::function<wm_status(const wm_request&, const wm_sink*, wm_error*)> facts;
    std::function<wm_status(const wm_request&, const wm_rename&, const wm_sink*, wm_error*)> rewrite;
    std::function<wm_status(const wm_events&, const wm_sink*, wm_error*)> write_error;
    std::function<wm_status(const wm_frame&, const wm_sink*, wm_error*)> tap;
    std::function<wm_status(const wm_events*, const wm_sink*, wm_error*)> tap_end;
    std::function<bool(const wm_params&, wm_error*)> tap_open;
    int taps_open = 0, taps = 0, destroyed = 0;
};

inline FakeTranscoder& fake(void* self) { return *static_cast<FakeTranscoder*>(self); }
inline FakeTranscoder& fake(wm_tap* tap) { return *reinterpret_cast<FakeTranscoder*>(tap); }

inline const wm_transcoder& transcoder_table() {
    static const wm_transcoder table = [] {
        wm_transcoder t{};
        t.size = sizeof t;
        t.facts = [](void* self, const wm_request* r, std::uint32_t, const wm_sink* s, wm_error* e) noexcept {
            return fake(self).facts ? fake(self).facts(*r, s, e) : WM_OK;
        };
        t.rewrite = [](void* self, const wm_request* r, const wm_rename* n, const wm_sink* s, wm_error* e) noexcept {
            return fake(self).rewrite ? fake(self).rewrite(*r, *n, s, e) : WM_OK;
        };
        t.write_error = [](void* self, const wm_events* events, const wm_sink* s, wm_error* e) noexcept {
            return fake(self).write_error ? fake(self).write_error(*events, s, e) : WM_OK;
        };
        t.tap_open = [](void* self, const wm_params* p, wm_error* e) noexcept -> wm_tap* {
            if (fake(self).tap_open && !fake(self).tap_open(*p, e)) return nullptr;
            ++fake(self).taps_open;
            return static_cast<wm_tap*>(self);
        };
        t.tap = [](wm_tap* tap, const wm_frame* f, const wm_sink* s, wm_error* e) noexcept {
            ++fake(tap).taps;
            return fake(tap).tap ? fake(tap).tap(*f, s, e) : WM_OK;
        };
        t.tap_end = [](wm_tap* tap, const wm_events* events, const wm_sink* s, wm_error* e) noexcept {
            return fake(tap).tap_end ? fake(tap).tap_end(events, s, e) : WM_OK;
        };
        t.tap_close = [](wm_tap* tap) noexcept { --fake(tap).taps_open; };
        return t;
    }();
    return table;
}

inline std::unique_ptr<Transcoder> make(FakeTranscoder& fake) {
    TranscoderFacts facts;
    facts.id = "fake";
    return make_transcoder(transcoder_table(),
                           {&fake, [](void* self) { ++static_cast<FakeTranscoder*>(self)->destroyed; }}, facts);
}

struct FakeAdapter {
    std::function<bool(const wm_pairs&, const wm_sink*, wm_error*)> bind;
    std::function<wm_status(const wm_call&, const wm_sink*, wm_error*)> prepare;
    std::function<wm_status(const wm_reply&, const wm_sink*, wm_error*)> observe; // only of observing_adapter_table()
    std::function<wm_status(const wm_frame&, const wm_sink*, wm_error*)> unframe;
    int bound = 0, destroyed = 0;
};

inline const wm_adapter& adapter_table() {
    static const wm_adapter table = [] {
        wm_adapter t{};
        t.size = sizeof t;
        t.bind = [](void* self, const wm_pairs* settings, const wm_sink* s, wm_error* e) noexcept -> void* {
            auto& fake = *static_cast<FakeAdapter*>(self);
            if (fake.bind && !fake.bind(*settings, s, e)) return nullptr;
            ++fake.bound;
            return self;
        };
        t.unbind = [](void* bound) noexcept { --static_cast<FakeAdapter*>(bound)->bound; };
        t.prepare = [](void* bound, const wm_call* c, const wm_sink* s, wm_error* e) noexcept {
            auto& fake = *static_cast<FakeAdapter*>(bound);
            return fake.prepare ? fake.prepare(*c, s, e) : WM_OK;
        };
        t.unframe = [](void* bound, const wm_frame* f, const wm_sink* s, wm_error* e) noexcept {
            auto& fake = *static_cast<FakeAdapter*>(bound);
            return fake.unframe ? fake.unframe(*f, s, e) : WM_OK;
        };
        return t;
    }();
    return table;
}

inline const wm_adapter& observing_adapter_table() {
    static const wm_adapter table = [] {
        wm_adapter t = adapter_table();
        t.observe = [](void* bound, const wm_reply* r, const wm_sink* s, wm_error* e) noexcept {
            return static_cast<FakeAdapter*>(bound)->observe(*r, s, e);
        };
        return t;
    }();
    return table;
}

inline std::unique_ptr<Adapter> make(FakeAdapter& fake) {
    AdapterFacts facts;
    facts.id = "fake";
    facts.auth = {"header"};
    facts.rate_limit_family = "openai";
    facts.protocols = {{"p", {{.id = "create", .method = "POST", .path = "/", .framing = framing::Framing::ndjson}}}};
    const auto& table = fake.observe ? observing_adapter_table() : adapter_table();
    return make_adapter(table, {&fake, [](void* self) { ++static_cast<FakeAdapter*>(self)->destroyed; }}, facts);
}

} // namespace wm::plugin::test
