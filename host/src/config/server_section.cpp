#include "base/text.h"
#include "config/address.h"
#include "config/pem.h"
#include "config/reading.h"
#include "config/transcode_keys.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace wm::config {
namespace {

constexpr std::array<std::string_view, 8> log_levels{"fatal",  "critical",    "error", "warning",
                                                     "notice", "information", "debug", "trace"};

Value<std::string> parse_log(std::string_view text) { return parse_choice(text, log_levels); }

bool is_folder(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

// The folder from the command line, the file, or where the packages put it.
void read_folder(SectionReader& in, std::string_view key, const std::filesystem::path& folder,
                 const std::optional<std::filesystem::path>& from_command, const char* packaged,
                 std::filesystem::path& out) {
    const auto* entry = in.path(key, out, folder);
    const Complaint missing{"no such folder", "the folder of the " + std::string(key)};
    if (from_command) {
        out = std::filesystem::absolute(*from_command).lexically_normal();
        if (!is_folder(out))
            in.report().add_outside("command line: --" + std::string(key), missing, from_command->string());
    } else if (entry) {
        if (!is_folder(out)) in.bad(*entry, missing);
    } else if (out.empty() && is_folder(packaged)) {
        out = packaged;
    } else if (in.all(key).empty()) {
        in.bad(key, {"missing", "the folder of the " + std::string(key) + ", as " + packaged + " is not there"});
    }
}

Value<std::string> parse_access_log(std::string_view text, const std::filesystem::path& folder) {
    if (text.empty() || text == "-") return std::string(text);
    constexpr std::array<std::string_view, 6> off{"none", "off", "no", "false", "null", "disabled"};
    if (std::find(off.begin(), off.end(), lowered(text)) != off.end())
        return Failure{Complaint{"a word in place of a file", "nothing after the = for no access log, - for standard "
                                                              "output, or a path; ./" +
                                                                  std::string(text) + " for a file of this name"}};
    const auto file = (folder / text).lexically_normal();
    if (is_folder(file) || !file.has_filename())
        return Failure{Complaint{"a folder", "a file, which is made if it is not there"}};
    if (!is_folder(file.parent_path()))
        return Failure{Complaint{"in no folder that is there", "a file in one that is"}};
    return file.string();
}

void read_listen(SectionReader& in, const Overrides& overrides, Server& server) {
    const auto parse = [](std::string_view text) -> Value<std::string> {
        auto address = parse_listen(text);
        if (!address) return Failure{address.error()};
        return std::string(text);
    };
    in.read("listen", server.listen, parse);
    if (!overrides.listen) return;
    auto value = parse(*overrides.listen);
    if (value)
        server.listen = *value;
    else
        in.report().add_outside("command line: --listen", value.error(), *overrides.listen);
}

} // namespace

void read_places(SectionReader& in, const std::filesystem::path& folder, const Overrides& overrides, Server& server) {
    read_folder(in, "plugins", folder, overrides.plugins, "/usr/lib/watermaster/plugins", server.plugins);
    read_folder(in, "policies", folder, overrides.policies, "/usr/share/watermaster/policies", server.policies);
    in.read("log", server.log, parse_log);
    if (const char* level = std::getenv("WATERMASTER_LOG")) {
        auto value = parse_log(level);
        if (value)
            server.log = *value;
        else
            in.report().add_outside("environment: WATERMASTER_LOG", value.error(), level);
    }
}

std::optional<TlsIdentity> read_tls_identity(SectionReader& in, const std::filesystem::path& folder) {
    TlsIdentity identity;
    const auto* certificate = in.path("tls_certificate", identity.certificate, folder);
    const auto* key = in.path("tls_key", identity.key, folder);
    if (!certificate && !key) return std::nullopt;
    if (!certificate || !key) {
        in.bad(certificate ? "tls_key" : "tls_certificate",
               {"missing", std::string("a file, as ") + (certificate ? "tls_certificate" : "tls_key") + " is given"});
        return std::nullopt;
    }
    if (const auto complaint = judge_certificates(identity.certificate)) in.bad(*certificate, *complaint);
    if (const auto complaint = judge_key(identity.key, identity.certificate)) in.bad(*key, *complaint);
    return identity;
}

void read_ca_file(SectionReader& in, const std::filesystem::path& folder, std::filesystem::path& out) {
    if (const auto* entry = in.path("tls_ca_file", out, folder))
        if (const auto complaint = judge_certificates(out)) in.bad(*entry, *complaint);
}

void read_timeouts(SectionReader& in, Timeouts& timeouts) {
    const auto* connect = in.duration("upstream_connect", timeouts.connect);
    const auto* read = in.duration("upstream_read", timeouts.read);
    const auto* stream_read = in.duration("upstream_stream_read", timeouts.stream_read);
    const auto* total = in.duration("upstream_total", timeouts.total);
    in.duration("downstream_sse_heartbeat", timeouts.heartbeat);

    struct Part {
        const IniEntry* entry;
        std::string name;
        Millis value;
    };
    for (const auto& part :
         {Part{connect, "upstream_connect", timeouts.connect}, Part{read, "upstream_read", timeouts.read},
          Part{stream_read, "upstream_stream_read", timeouts.stream_read}}) {
        if (timeouts.total >= part.value) continue;
        if (total)
            in.bad(*total,
                   {"shorter than " + part.name, "at least " + to_text(part.value) + ", or a shorter " + part.name});
        else if (part.entry)
            in.bad(*part.entry, {"longer than upstream_total",
                                 "at most " + to_text(timeouts.total) + ", or a longer upstream_total"});
    }
}

void read_server(SectionReader& in, const std::filesystem::path& folder, const Overrides& overrides, Server& server) {
    read_places(in, folder, overrides, server);
    read_listen(in, overrides, server);
    server.tls = read_tls_identity(in, folder);
    in.number("loops", server.loops, 0, 256);
    in.number("workers", server.workers, 1, 256);
    in.size("max_inference_body", server.max_inference_body, 1u << 10, 1u << 30);
    in.size("max_body_memory", server.max_body_memory, 1u << 20, std::uint64_t(1) << 40);
    in.size("max_head", server.max_head, 1u << 10, 1u << 20);
    in.number("max_fields", server.max_fields, 10, 10'000);
    in.number("max_connections", server.max_connections, 1, 1'000'000);
    in.duration("idle_timeout", server.idle_timeout);
    in.duration("head_timeout", server.head_timeout);
    in.duration("body_timeout", server.body_timeout);
    in.duration("body_total", server.body_total);
    in.duration("write_timeout", server.write_timeout);
    in.duration("route_probe_wait", server.route_probe_wait, Millis(0));
    in.duration("drain_timeout", server.drain_timeout, Millis(0));
    in.number("max_pins", server.max_pins, 0, 10'000'000);
    in.duration("pin_age", server.pin_age);
    in.read("access_log", server.access_log, [&](std::string_view text) { return parse_access_log(text, folder); });
    in.flag("allow_anonymous", server.allow_anonymous);
    in.flag("health_endpoints", server.health_endpoints);
    in.flag("priority_header", server.priority_header);
    in.flag("prio_prefix", server.prio_prefix);
    in.path("data_dir", server.data_dir, folder);
    if (const char* dir = std::getenv("WATERMASTER_DATA_DIR"); dir && *dir)
        server.data_dir = std::filesystem::absolute(dir).lexically_normal();
    read_timeouts(in, server.timeouts);
    read_transcode_bounds(in, server.transcode);
}

} // namespace wm::config
