#pragma once
// Keeps a running gateway in step with its files. Everything is read and judged here, off the loops, and taken as a
// whole generation or not at all; requests in flight finish on the one they began with. What it came to is logged and
// kept in Site::reloads. Another thread asks for a reload by sending the process SIGHUP.
#include "app/gateway.h"
#include "policy/watch.h"

namespace wm::app {

// Belongs to the thread that loaded the plugins. Gateway and plugins outlive it.
class Reloader {
  public:
    Reloader(Gateway& gateway, plugin::Registry& plugins, std::filesystem::path file, config::Overrides overrides);

    // At the policies' files: takes those that were edited and hold. A look costs microseconds; ten a second make an
    // edit visible well within one.
    void look();

    // All of it: new plugins, the configuration, certificates, policies.
    void reload();

  private:
    using Outcome = exchange::Reloads::Outcome;
    static constexpr const char* logger = "reload";

    bool renew_policies(); // false: nothing was new
    std::shared_ptr<const config::Settings> read_settings(Outcome& outcome);
    std::shared_ptr<const policy::Library> read_policies(const config::Settings& settings, Outcome& outcome);
    void load_plugins(Outcome& outcome);
    void publish(Assembly assembly, Poco::Net::Context::Ptr tls, Outcome& outcome);
    void finish(Outcome outcome);

    Gateway& gateway_;
    plugin::Registry& plugins_;
    const std::filesystem::path file_;
    const config::Overrides overrides_;
    policy::Watch watch_;
};

} // namespace wm::app
