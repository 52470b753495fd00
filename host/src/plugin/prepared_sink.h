#pragma once
// Collects what an adapter's `prepare` puts. Private to this folder.
#include "plugin/sink.h"

namespace wm::plugin {

class PreparedSink : public Sink<PreparedSink> {
  public:
    // `about` and `body_size` bound what may be said.
    PreparedSink(const AdapterFacts& about, std::size_t body_size);
    const char* take(const wm_event& event);
    // Null, or what an OK call left out.
    const char* missing() const;

    Prepared prepared;

  private:
    const char* take_auth(std::string_view name, std::string_view scheme);

    const AdapterFacts& about_;
};

} // namespace wm::plugin
