// A transcoder of bad.c's shape whose functions throw, against the contract: THROW_IN_CREATE, or in facts.
#include <stdexcept>
#include <watermaster/plugin.hpp>

namespace {

[[noreturn]] void boom() { throw std::runtime_error("boom"); }

struct Bad {
    static constexpr const char* id = "bad";
    static constexpr const char* facts_json = R"({"id":"bad","operations":[{"id":"create","path":"/v1/bad"}]})";
    static wm::sdk::Status facts(const wm::sdk::Request&, std::uint32_t, wm::sdk::Sink&) { boom(); }
    static wm::sdk::Status rewrite(const wm::sdk::Request&, const wm::sdk::Rename&, wm::sdk::Sink&) { boom(); }
    static wm::sdk::Status write_error(const wm_events&, wm::sdk::Sink&) { boom(); }
    struct Tap {
        explicit Tap(const wm::sdk::Params&) {}
        wm::sdk::Status frame(const wm::sdk::Frame&, wm::sdk::Sink&) { boom(); }
        wm::sdk::Status end(const wm_events*, wm::sdk::Sink&) { boom(); }
    };
};

#ifdef THROW_IN_CREATE // past the SDK's barrier, as a table written by hand could
void* create(const wm_host*, wm_error*) noexcept { boom(); }
constexpr wm_component component = [] {
    wm_component made = wm::sdk::transcoder<Bad>;
    made.create = create;
    return made;
}();
#else
constexpr wm_component component = wm::sdk::transcoder<Bad>;
#endif

} // namespace

WM_PLUGIN("1.0", component)
