#include "config/restart.h"

#include "config/ini.h"
#include "config/load.h"

namespace wm::config {
namespace {

// Where the file says it; the section where a default or the environment does.
std::string place(const std::filesystem::path& file, std::string_view key) {
    unsigned line = 1;
    if (const auto document = read_ini(file))
        for (const auto& section : document->sections) {
            if (section.kind != "server") continue;
            line = section.line;
            for (const auto& entry : section.entries)
                if (entry.key == key) line = entry.line;
        }
    return file.string() + ":" + std::to_string(line) + ": [server] " + std::string(key);
}

std::string shown(const std::string& value) { return value.empty() ? "none" : value; }
std::string shown(const std::filesystem::path& value) { return shown(value.string()); }
std::string shown(unsigned value) { return std::to_string(value); }
std::string shown(const std::optional<TlsIdentity>& value) { return value ? value->certificate.string() : "none"; }

} // namespace

Result<std::vector<std::string>, std::string> keep_running(const Server& running, Settings& wanted) {
    std::vector<std::string> notes;
    const auto keep = [&](std::string_view key, const auto& now, auto& asked) {
        if (asked == now) return;
        notes.push_back(place(wanted.file, key) + ": takes effect after a restart; running " + shown(now) +
                        "; in the file " + shown(asked));
        asked = now;
    };
    auto& server = wanted.server;
    keep("listen", running.listen, server.listen);
    keep("admin_listen", running.admin_listen, server.admin_listen);
    keep("metrics_listen", running.metrics_listen, server.metrics_listen);
    keep("loops", running.loops, server.loops);
    keep("workers", running.workers, server.workers);
    keep("plugins", running.plugins, server.plugins);
    keep("log", running.log, server.log);
    keep("data_dir", running.data_dir, server.data_dir);
    if (server.tls.has_value() != running.tls.has_value()) { // other files for it need none
        notes.push_back(place(wanted.file, "tls_certificate") + ": takes effect after a restart; running " +
                        shown(running.tls) + "; in the file " + shown(server.tls));
        server.tls = running.tls;
    }
    if (server.admin_key_digest != running.admin_key_digest) {
        notes.push_back(place(wanted.file, "admin_key") + ": takes effect after a restart");
        server.admin_key_digest = running.admin_key_digest;
    }
    if (exposed(wanted))
        return Failure{place(wanted.file, "listen") + ": reachable from other machines until the restart, while no " +
                       "client is configured; expected a [client \"name\"] section, or allow_anonymous = yes; got " +
                       running.listen};
    return notes;
}

} // namespace wm::config
