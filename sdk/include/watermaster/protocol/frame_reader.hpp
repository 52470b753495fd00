#pragma once
// What readers of answers share, be it a tap or a talk: documents and events told apart, and errors put as trees.
#include "../frame.hpp"
#include "error_report.hpp"

namespace wm::sdk {

// Derived has `Status document(std::string_view body, Sink&)` and `Status event(const Frame&, Sink&)`.
template <class Derived>
class FrameReader {
  public:
    Status frame(const Frame& frame, Sink& out) {
        if (frame.kind == WM_FRAME_DOCUMENT) return static_cast<Derived*>(this)->document(frame.data, out);
        if (frame.kind == WM_FRAME_MESSAGE) return static_cast<Derived*>(this)->event(frame, out);
        return unsupported("frame", "kind is neither message nor document");
    }

  protected:
    Status fail(const ErrorReport& error, Sink& out) {
        failed_ = true;
        put_error(out, error, ++nodes_);
        return out.status();
    }

    std::uint32_t nodes_ = 0;
    bool done_ = false;   // the answer said that it is complete
    bool failed_ = false; // or that it failed
};

// Derived as above, with the events of a stream in `judge`: a tap says of each frame what it is.
template <class Derived>
class TapBase : public FrameReader<Derived> {
    using Base = FrameReader<Derived>;

  public:
    Status event(const Frame& frame, Sink& out) {
        return this->failed_ ? verdict(WM_FLAG_ERROR, out)
                             : static_cast<Derived*>(this)->judge(frame, out); // told once
    }

  protected:
    Status fail(const ErrorReport& error, Sink& out) {
        (void)Base::fail(error, out);
        return verdict(WM_FLAG_ERROR, out);
    }
    static Status verdict(std::uint32_t flags, Sink& out) {
        out.verdict(flags);
        return out.status();
    }
};

} // namespace wm::sdk
