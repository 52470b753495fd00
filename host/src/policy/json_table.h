#pragma once
// Turns a JSON document into a Lua value.
#include <memory>
#include <string_view>

struct lua_State;

namespace wm::policy {

// Keeps its parser's memory between documents. Belongs to one thread.
class JsonTable {
  public:
    static constexpr std::size_t longest = 16u << 10, deepest = 32, most_values = 2048;

    JsonTable();
    ~JsonTable();

    // Pushes the document, or nil where it is no JSON or beyond a bound. null becomes an absent member or element.
    // May raise.
    void push(lua_State* lua, std::string_view document);

  private:
    struct Parser;
    std::unique_ptr<Parser> parser_;
};

} // namespace wm::policy
