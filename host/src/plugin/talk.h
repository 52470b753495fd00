#pragma once
// Reading and writing one side of a translation. Canonical events (watermaster/words.h) pass as the SDK's struct: they
// go from one plugin to another without being copied.
//
// Threads: one call at a time, on whatever thread. Views live for the call.
#include "plugin/calls.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

struct wm_event;

namespace wm::plugin {

enum class TalkRole : unsigned char { client, upstream };
enum class TalkMode : unsigned char { document, stream };

// Takes what a talk puts. May be called only during the call it was given to.
class EventTaker {
  public:
    virtual bool take(const wm_event& event) = 0; // false: stop; the call then fails with `refused`

  protected:
    ~EventTaker() = default;
};

// What a call failed with; nothing: it went well.
using Fault = std::optional<PluginError>;
constexpr std::int32_t refused = -1, bad_input = -2, unsupported = -3; // of PluginError.status

class Talk {
  public:
    virtual ~Talk() = default;

    // One frame of an answer. A client talk reads its request, a document, as often as asked.
    virtual Fault read(std::string_view name, std::string_view data, framing::FrameKind kind, EventTaker& out) = 0;
    virtual Fault read_end(EventTaker& out) = 0; // `bad_input`: the answer was cut
    virtual Fault write_begin(TalkMode mode) = 0;
    virtual Fault write(const wm_event& event, EventTaker& out) = 0;
    virtual Fault write_end(EventTaker& out) = 0;
};

} // namespace wm::plugin
