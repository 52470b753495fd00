#pragma once
// Translation functions of a transcoder, made of its parts. A transcoder class translates when it has
//
// clang-format off
//     struct Translation {
//         struct Options { Options(const Settings&, Problems&); };   // of a target or mapping; immutable
//         struct Asked {};            // what a client talk remembers of the request it has read
//         struct Sent {};             // what an upstream talk remembers of the request it has written
//         class RequestReader { RequestReader(const TalkOf<Options>&, Asked&, Sink&);
//                               Status read(std::string_view body); };
//         class RequestWriter { RequestWriter(const TalkOf<Options>&, Sent&);
//                               Status write(const Event&, Sink&);   Status end(Sink&); };
//         class AnswerReader  { AnswerReader(const TalkOf<Options>&, const Sent&);
//                               Status frame(const Frame&, Sink&);   Status end(Sink&); };
//         class DocumentWriter, StreamWriter { (const TalkOf<Options>&, const Asked&);
//                               Status write(const Event&, Sink&);   Status end(Sink&); };
//     };
// clang-format on
//
// A client talk reads requests and writes answers, an upstream talk writes requests and reads answers. `read` of the
// same request repeats the same events, and `write_begin` starts over, so that a request can go to another target.
// Calls of one talk come one at a time, but on whatever thread.
#include "../adapter.hpp"
#include "../transcoder.hpp"
#include "event.hpp"

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

namespace wm::sdk {

// What a talk knows from its opening, with copies of its own.
template <class Options>
struct TalkOf {
    TalkOf(const Options& the_options, const Params& params)
        : options(the_options), exchange(params.exchange), operation(params.operation), model(params.model),
          now_ms(params.now_ms), max_held(params.max_held), attempt(params.attempt), stream(params.stream),
          ask_usage(params.ask_usage) {}

    // May this many bytes be held?
    bool fits(std::size_t bytes) const { return max_held == 0 || bytes <= max_held; }

    const Options& options;
    const std::string exchange, operation, model;
    const std::uint64_t now_ms, max_held;
    const std::uint32_t attempt;
    const bool stream, ask_usage;
};

namespace detail {

template <class T>
class Talk {
    using Parts = typename T::Translation;
    using Options = typename Parts::Options;

  public:
    Talk(const Options& options, const wm_params& params) : of_(options, Params(params)), role_(params.role) {}

    Status read(const Frame& frame, Sink& out) {
        if (role_ == WM_ROLE_CLIENT) {
            if (frame.kind != WM_FRAME_DOCUMENT) return unsupported("frame", "a request is one document");
            asked_ = {};
            return request_.emplace(of_, asked_, out).read(frame.data); // kept: a status may name a member it holds
        }
        if (!reader_) reader_.emplace(of_, sent_);
        return reader_->frame(frame, out);
    }

    Status read_end(Sink& out) {
        if (role_ == WM_ROLE_CLIENT) return {};
        if (!reader_) reader_.emplace(of_, sent_);
        return reader_->end(out);
    }

    Status write_begin(std::uint32_t mode) {
        if (role_ == WM_ROLE_UPSTREAM) {
            sent_ = {};
            writer_.template emplace<typename Parts::RequestWriter>(of_, sent_);
        } else if (mode == WM_MODE_STREAM) {
            writer_.template emplace<typename Parts::StreamWriter>(of_, asked_);
        } else if (mode == WM_MODE_DOCUMENT) {
            writer_.template emplace<typename Parts::DocumentWriter>(of_, asked_);
        } else {
            return unsupported("mode", "neither document nor stream");
        }
        return {};
    }

    Status write(const Event& event, Sink& out) {
        return with_writer([&](auto& writer) { return writer.write(event, out); });
    }
    Status write_end(Sink& out) {
        return with_writer([&](auto& writer) { return writer.end(out); });
    }

  private:
    template <class F>
    Status with_writer(F&& f) {
        return std::visit(
            [&](auto& writer) -> Status {
                if constexpr (std::is_same_v<std::decay_t<decltype(writer)>, std::monostate>)
                    return {WM_INTERNAL, {}, "nothing was begun"};
                else
                    return f(writer);
            },
            writer_);
    }

    const TalkOf<Options> of_;
    const std::uint32_t role_;
    typename Parts::Asked asked_{};
    typename Parts::Sent sent_{};
    std::optional<typename Parts::RequestReader> request_;
    std::optional<typename Parts::AnswerReader> reader_;
    std::variant<std::monostate, typename Parts::RequestWriter, typename Parts::DocumentWriter,
                 typename Parts::StreamWriter>
        writer_;
};

template <class T>
struct TranslationTable {
    using Options = typename T::Translation::Options;

    static Talk<T>* of(wm_talk* handle) { return reinterpret_cast<Talk<T>*>(handle); }

    static void* bind(void*, const wm_pairs* options, const wm_sink* problems, wm_error* error) noexcept {
        return guarded_handle<Options>(error, [&] {
            Problems put(problems);
            auto bound = std::make_unique<Options>(Settings(*options), put);
            return put.any() ? nullptr : bound.release();
        });
    }
    static void unbind(void* bound) noexcept { delete static_cast<Options*>(bound); }
    static wm_talk* open(void* bound, const wm_params* params, wm_error* error) noexcept {
        return reinterpret_cast<wm_talk*>(
            guarded_handle<Talk<T>>(error, [&] { return new Talk<T>(*static_cast<const Options*>(bound), *params); }));
    }
    static wm_status read(wm_talk* handle, const wm_frame* frame, const wm_sink* sink, wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return of(handle)->read(Frame(*frame), out);
        });
    }
    static wm_status read_end(wm_talk* handle, const wm_sink* sink, wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return of(handle)->read_end(out);
        });
    }
    static wm_status write_begin(wm_talk* handle, std::uint32_t mode, wm_error* error) noexcept {
        return guarded(error, [&] { return of(handle)->write_begin(mode); });
    }
    static wm_status write(wm_talk* handle, const wm_event* event, const wm_sink* sink, wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return of(handle)->write(Event(*event), out);
        });
    }
    static wm_status write_end(wm_talk* handle, const wm_sink* sink, wm_error* error) noexcept {
        return guarded(error, [&] {
            Sink out(sink);
            return of(handle)->write_end(out);
        });
    }
    static void close(wm_talk* handle) noexcept { delete of(handle); }

    static constexpr void add_to(wm_transcoder& table) {
        table.bind = bind;
        table.unbind = unbind;
        table.open = open;
        table.read = read;
        table.read_end = read_end;
        table.write_begin = write_begin;
        table.write = write;
        table.write_end = write_end;
        table.close = close;
    }
};

} // namespace detail
} // namespace wm::sdk
