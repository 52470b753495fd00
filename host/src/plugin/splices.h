#pragma once
// Edits of a body as a transcoder puts them: views of what to replace, and the new bytes. Private to this folder.
#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wm::plugin {

class Splices {
  public:
    explicit Splices(std::string_view body) : body_(body) {} // the body outlives this

    // Null, or what is wrong. `where` must lie inside the body; an empty one inserts. `bytes` are copied.
    const char* add(std::string_view where, std::string_view bytes);
    bool empty() const { return edits_.empty(); }

    // The edited body, or what is wrong: two edits overlap.
    Result<std::string, const char*> apply();

  private:
    struct Edit {
        std::size_t at, length, begin, count; // begin, count: of bytes_
    };
    std::string_view body_;
    std::vector<Edit> edits_;
    std::string bytes_;
};

} // namespace wm::plugin
