#include "config/reading.h"
#include "config/suggest.h"

#include <array>

namespace wm::config {
namespace {

Value<Priority> parse_priority(std::string_view text) {
    for (const auto priority : priorities)
        if (to_string(priority) == text) return priority;
    constexpr std::array words{to_string(priorities[0]), to_string(priorities[1]), to_string(priorities[2])};
    return Failure{Complaint{"not a priority" + did_you_mean(text, words), "low, medium or high"}};
}

class Clients {
  public:
    explicit Clients(Reading& reading) : reading_(reading) {}

    void read(const IniSection& section) {
        SectionReader in(section, reading_.report);
        Client client;
        client.name = section.names[0];
        client.tenant = "auth:" + client.name;
        in.read("tenant", client.tenant, [](std::string_view text) -> Value<std::string> {
            if (text.empty()) return Failure{Complaint{"empty", "a name"}};
            if (text.starts_with("auth:"))
                return Failure{Complaint{"a tenant with its prefix", std::string(text.substr(5))}};
            return "auth:" + std::string(text);
        });
        const auto* priority = in.read("priority", client.priority, parse_priority);
        const auto* most = in.read("max_priority", client.max_priority, parse_priority);
        if (client.priority > client.max_priority && (priority || most))
            in.bad(priority ? *priority : *most, {priority ? "above max_priority" : "below priority",
                                                  priority ? "at most " + std::string(to_string(client.max_priority))
                                                           : "at least " + std::string(to_string(client.priority))});
        read_keys(in, client);
        in.finish();
        reading_.settings.clients.push_back(std::move(client));
    }

  private:
    void read_keys(SectionReader& in, Client& client) {
        const auto entries = in.all("key");
        if (entries.empty()) in.bad("key", {"missing", "env:NAME, file:PATH or the key"});
        for (const auto* entry : entries) {
            auto secret = parse_secret(entry->value, reading_.secrets());
            if (!secret) {
                in.bad(*entry, secret.error());
                continue;
            }
            const auto digest = digest_of_key(secret->reveal());
            const auto [first, fresh] = lines_.emplace(digest, entry->line);
            if (fresh)
                client.key_digests.push_back(digest);
            else
                in.bad(*entry, {"the same key as on line " + std::to_string(first->second), "a key of its own", false});
        }
    }

    Reading& reading_;
    std::map<KeyDigest, unsigned> lines_; // of all clients: a key names one of them
};

} // namespace

void read_clients(Reading& reading) {
    Clients clients(reading);
    for (const auto* section : reading.of_kind("client")) clients.read(*section);
}

} // namespace wm::config
