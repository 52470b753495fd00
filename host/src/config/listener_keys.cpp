// The keys of the listeners beside the clients'.
#include "config/address.h"
#include "config/reading.h"

namespace wm::config {
namespace {

const IniEntry* read_address(SectionReader& in, std::string_view key, std::string& text,
                             std::optional<ListenAddress>& address) {
    return in.read(key, text, [&](std::string_view value) -> Value<std::string> {
        auto parsed = parse_listen(value);
        if (!parsed) return Failure{parsed.error()};
        address = *parsed;
        return std::string(value);
    });
}

// `other`: what the key `of` has.
void check_differs(SectionReader& in, const IniEntry& entry, const ListenAddress& address, const std::string& other,
                   std::string_view of) {
    const auto taken = parse_listen(other);
    if (taken && taken->port != 0 && taken->port == address.port && taken->host == address.host)
        in.bad(entry, {"the same address as " + std::string(of), "a port of its own"});
}

} // namespace

void read_admin(SectionReader& in, const Reading& reading, Server& server) {
    const auto* key = in.one("admin_key");
    if (key) {
        const auto secret = parse_secret(key->value, reading.secrets());
        if (secret)
            server.admin_key_digest = digest_of_key(secret->reveal());
        else
            in.bad(*key, secret.error());
    }
    std::optional<ListenAddress> address;
    const auto* listen = read_address(in, "admin_listen", server.admin_listen, address);
    if (!listen) {
        if (key && in.all("admin_listen").empty())
            in.bad(*key, {"no effect without admin_listen", "admin_listen in this section", false});
        return;
    }
    if (!address->loopback && !key)
        in.bad(*listen,
               {"reachable from other machines without a key", "admin_key in this section, or a loopback address"});
    check_differs(in, *listen, *address, server.listen, "listen");
}

void read_metrics(SectionReader& in, Server& server) {
    std::optional<ListenAddress> address;
    const auto* listen = read_address(in, "metrics_listen", server.metrics_listen, address);
    if (!listen) return;
    check_differs(in, *listen, *address, server.listen, "listen");
    check_differs(in, *listen, *address, server.admin_listen, "admin_listen");
}

} // namespace wm::config
