#pragma once
// A canonical event as plugins see it, and the one way readers put them. Views live for the call.
#include "../bytes.hpp"
#include "../sink.hpp"

#include <cstdint>
#include <string_view>

namespace wm::sdk {

struct Event {
    explicit Event(const wm_event& e)
        : tag(e.tag), node(e.node), parent(e.parent), name(view(e.name)), value(view(e.value)) {}

    std::uint32_t tag, node, parent;
    std::string_view name, value;

    bool opens() const { return (tag & WM_EV_CONTAINER) != 0; }
    bool advisory() const { return (tag & WM_EV_ADVISORY) != 0; }
};

// Puts events of one tree and counts its nodes.
class Emitter {
  public:
    explicit Emitter(Sink& out, std::uint32_t& nodes) : out_(out), nodes_(nodes) {}

    // The node of the container that is open from here on.
    std::uint32_t open(std::uint32_t tag, std::uint32_t parent, std::string_view name, std::string_view value = {}) {
        out_.put(tag, name, value, 0, ++nodes_, parent);
        return nodes_;
    }
    void leaf(std::uint32_t node, std::uint32_t tag, std::string_view name, std::string_view value) {
        out_.put(tag, name, value, 0, node);
    }
    void close(std::uint32_t node) { out_.put(WM_EV_END, {}, {}, 0, node); }

    bool refused() const { return !out_.status().ok(); }
    Status status() const { return out_.status(); }
    Sink& sink() { return out_; }

  private:
    Sink& out_;
    std::uint32_t& nodes_;
};

} // namespace wm::sdk
