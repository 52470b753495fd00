#pragma once
// The ordered table of what the data listener serves. Immutable once made; any thread.
#include "base/path_template.h"
#include "plugin/calls.h"

#include <string>
#include <string_view>
#include <vector>

namespace wm::exchange {

enum class EndpointKind : unsigned char { inference, count_tokens, models, health, ready };

struct Endpoint {
    EndpointKind kind;
    std::string method, path;                     // as the operation has it
    PathTemplate pattern;                         // what it matches
    const plugin::Transcoder* protocol = nullptr; // null where an endpoint belongs to none
    const plugin::Operation* operation = nullptr;
};

// The operation by which a protocol is asked for answers.
inline const plugin::Operation& inference_of(const plugin::Transcoder& protocol) {
    const auto& all = protocol.about().operations;
    for (const auto& one : all)
        if (one.kind == "inference") return one;
    return all.front();
}

class Endpoints {
  public:
    // `models`: whether any is served; without one, the protocols' operations are not.
    Endpoints(const std::vector<const plugin::Transcoder*>& protocols, bool models, bool health_endpoints);

    struct Found {
        const Endpoint* endpoint = nullptr;  // null: none for this path and method
        std::string allow;                   // methods of the path, if only the method is wrong
        const Endpoint* same_path = nullptr; // an endpoint of the path, whatever its method
        std::string handle;                  // what the path captured, decoded
    };
    // A path that is served as it stands goes before one with a name in it.
    Found find(std::string_view method, std::string_view path) const;

    // The transcoder that serves a protocol here; null: none does.
    const plugin::Transcoder* transcoder(std::string_view protocol) const;

    // Whose error shape a path gets that is not served here: the protocol with an operation below which it lies, or
    // whose path, less its first segment, it ends with; else the first.
    const plugin::Transcoder* nearest(std::string_view path) const;

    // The path that was probably meant by one that is not served: the same but for a slash at its end, or for what is
    // before it or missing there, which a base URL added or left out. Empty: none.
    std::string_view meant(std::string_view path) const;

  private:
    void add(EndpointKind kind, std::string_view method, std::string_view path, const plugin::Transcoder* protocol,
             const plugin::Operation* operation);
    Found find(std::string_view method, std::string_view path, bool captured) const;

    std::vector<Endpoint> table_;
    std::vector<std::pair<PathTemplate, const plugin::Transcoder*>> shapes_; // by the path of an inference operation
    const plugin::Transcoder* first_ = nullptr;
};

} // namespace wm::exchange
