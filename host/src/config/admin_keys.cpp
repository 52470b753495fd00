#include "config/address.h"
#include "config/reading.h"

namespace wm::config {

void read_admin(SectionReader& in, const Reading& reading, Server& server) {
    const auto* key = in.one("admin_key");
    if (key) {
        const auto secret = parse_secret(key->value, reading.secrets());
        if (secret)
            server.admin_key_digest = sha256(secret->reveal());
        else
            in.bad(*key, secret.error());
    }
    std::optional<ListenAddress> address;
    const auto* listen = in.read("admin_listen", server.admin_listen, [&](std::string_view text) -> Value<std::string> {
        auto parsed = parse_listen(text);
        if (!parsed) return Failure{parsed.error()};
        address = *parsed;
        return std::string(text);
    });
    if (!listen) {
        if (key && in.all("admin_listen").empty())
            in.bad(*key, {"no effect without admin_listen", "admin_listen in this section", false});
        return;
    }
    if (!address->loopback && !key)
        in.bad(*listen,
               {"reachable from other machines without a key", "admin_key in this section, or a loopback address"});
    const auto data = parse_listen(server.listen);
    if (data && data->port != 0 && data->port == address->port && data->host == address->host)
        in.bad(*listen, {"the same address as listen", "a port of its own"});
}

} // namespace wm::config
