#include "base/path_prefix.h"
#include "config/address.h"
#include "config/mount_auth.h"
#include "config/mount_limits.h"
#include "config/mount_retry.h"
#include "config/mount_transcode.h"
#include "config/read_protection.h"
#include "config/reading.h"
#include "config/served_paths.h"
#include "plugin/registry.h"

#include <algorithm>

namespace wm::config {
namespace {

std::string shown(const std::string& prefix) { return prefix.empty() ? "/" : prefix; }

Value<std::string> parse_prefix(std::string_view text) {
    if (text == "/") return std::string();
    const Complaint complaint{"not a path prefix",
                              "as in /anthropic or /team/openai: segments of letters, digits and -._~"};
    if (!text.starts_with('/') || text.ends_with('/')) return Failure{complaint};
    for (auto rest = text; !rest.empty();) {
        rest.remove_prefix(1);
        const auto segment = rest.substr(0, rest.find('/'));
        rest.remove_prefix(segment.size());
        const auto fits = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) ||
                   std::string_view("-._~").find(c) != std::string_view::npos;
        };
        if (segment.empty() || segment == "." || segment == ".." || !std::all_of(segment.begin(), segment.end(), fits))
            return Failure{complaint};
    }
    return std::string(text);
}

Value<std::string> parse_upstream(std::string_view text) {
    auto url = parse_url(text, UrlUse::base);
    while (url && url->ends_with('/')) url->pop_back();
    return url;
}

class Mounts {
  public:
    Mounts(Reading& reading, bool health_given)
        : reading_(reading), health_given_(health_given), sections_(reading.of_kind("mount")) {}

    void run() {
        for (const auto* section : sections_) read(*section);
        auto& server = reading_.settings.server;
        const bool root =
            std::any_of(mounts().begin(), mounts().end(), [](const Mount& m) { return m.prefix.empty(); });
        if (root && !health_given_) server.health_endpoints = false; // every path is the upstream's
        for (std::size_t i = 0; i < mounts().size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                if (prefixes_overlap(mounts()[i].prefix, mounts()[j].prefix)) report_overlap(i, j);
            check_served(i);
        }
    }

  private:
    std::vector<Mount>& mounts() const { return reading_.settings.mounts; }

    void read(const IniSection& section) {
        SectionReader in(section, reading_.report);
        Mount mount;
        mount.name = section.names[0];
        check_provider_name(in, reading_.of_kind("backend"));
        if (in.all("upstream").empty())
            in.bad("upstream", {"missing", "the upstream's URL, as in https://api.example.com"});
        in.read("upstream", mount.upstream, parse_upstream);
        in.read("prefix", mount.prefix, parse_prefix);
        if (in.all("prefix").empty() && sections_.size() > 1)
            in.bad("prefix", {"missing", "a prefix for each mount, as there are several"});
        in.flag("tls_verify", mount.tls_verify);
        read_ca_file(in, reading_.folder, mount.tls_ca_file);
        const auto& times = reading_.settings.server.timeouts;
        mount.connect = times.connect;
        mount.total = times.total;
        in.duration("upstream_connect", mount.connect);
        in.duration("upstream_read", mount.silence);
        in.duration("upstream_total", mount.total);
        bool disabled = false;
        in.flag("upstream_disable_keep_alives", disabled);
        mount.keep_alives = !disabled;
        read_mount_auth(in, reading_.secrets(), mount);
        read_mount_fields(in, mount);
        read_mount_limits(in, mount.limits);
        read_holds(in, mount.holds);
        read_breaker(in, mount.breaker);
        read_mount_retry(in, mount.retry);
        mount.transcode.bounds = reading_.settings.server.transcode;
        read_mount_transcode(in, reading_.plugins, reading_.secrets(), mount);
        reading_.policies.add(std::string(queue_script), section, "concurrency");
        in.finish();
        mounts().push_back(std::move(mount));
    }

    void report_overlap(std::size_t i, std::size_t j) const {
        const auto given = [&](std::size_t k) {
            const auto& entries = sections_[k]->entries;
            return std::any_of(entries.begin(), entries.end(), [](const IniEntry& e) { return e.key == "prefix"; });
        };
        if (!given(i) || !given(j)) return; // the missing one is reported
        SectionReader(*sections_[i], reading_.report)
            .bad("prefix",
                 {"overlaps with " + shown(mounts()[j].prefix) + " of [mount \"" + mounts()[j].name + "\"]",
                  "prefixes of which none begins with all segments of another; the other section is on line " +
                      std::to_string(sections_[j]->line)});
    }

    // A root mount lies under what the gateway serves itself, which comes first; no other may touch it.
    void check_served(std::size_t i) const {
        const auto& prefix = mounts()[i].prefix;
        if (prefix.empty()) return check_routes(i);
        if (reading_.settings.server.prio_prefix && behind_prefix(prio_prefix, prefix))
            SectionReader(*sections_[i], reading_.report)
                .bad("prefix",
                     {"prio_prefix takes its first segment away before mounts are matched", "another prefix"});
        for (const auto& path : served())
            if (behind_prefix(prefix, path))
                return SectionReader(*sections_[i], reading_.report)
                    .bad("prefix", {"the gateway itself serves " + std::string(path), "another prefix"});
    }

    void check_routes(std::size_t i) const {
        const auto paths = served();
        for (const auto& route : mounts()[i].transcode.routes)
            if (std::find(paths.begin(), paths.end(), route.path) != paths.end())
                SectionReader(*sections_[i], reading_.report)
                    .bad({"the gateway itself serves " + route.path + ", which a route of this mount maps",
                          "a prefix for the mount, or another path for the route"});
    }

    std::vector<std::string_view> served() const {
        std::vector<std::string_view> paths;
        if (!reading_.settings.models.empty()) {
            paths.push_back(models_path);
            for (const auto* transcoder : reading_.plugins.transcoders())
                for (const auto& operation : transcoder->about().operations) paths.push_back(operation.path);
        }
        if (reading_.settings.server.health_endpoints) {
            paths.insert(paths.end(), health_paths.begin(), health_paths.end());
            paths.insert(paths.end(), ready_paths.begin(), ready_paths.end());
        }
        return paths;
    }

    Reading& reading_;
    const bool health_given_;
    const std::vector<const IniSection*> sections_;
};

} // namespace

void read_mounts(Reading& reading, bool health_given) { Mounts(reading, health_given).run(); }

} // namespace wm::config
