#pragma once
// A pin: what only the credential that issued it can use (a stored response, a file, sealed reasoning). Kept as a
// digest of its kind and its handle, by the process's key; the handle is kept nowhere.
#include "base/digest.h"

#include <string_view>
#include <vector>

namespace wm::plugin {

constexpr std::size_t most_pins = 32;  // of one request: the last
constexpr std::size_t most_made = 256; // of one frame or document: the first

using PinList = std::vector<Digest>; // empty where there are none, without an allocation

// The same of a handle that comes in pieces.
class PinDigester {
  public:
    explicit PinDigester(std::string_view kind) : digester_(process_key()) {
        digester_.add(kind).add(std::string_view("\0", 1));
    }
    void add(std::string_view piece) { digester_.add(piece); }
    Digest finish() { return digester_.finish(); }

  private:
    Digester digester_;
};

inline Digest pin_of(std::string_view kind, std::string_view handle) { return digest_of({kind, handle}); }

} // namespace wm::plugin
