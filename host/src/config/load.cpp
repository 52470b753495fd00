#include "config/load.h"

#include "config/address.h"
#include "config/reading.h"

#include <algorithm>

namespace wm::config {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& file) {
    return std::filesystem::absolute(file).lexically_normal().parent_path();
}

// The section, or `none` if the file has no such one.
const IniSection& server_section(const std::vector<const IniSection*>& sections, const IniSection& none) {
    const auto found =
        std::find_if(sections.begin(), sections.end(), [](const IniSection* s) { return s->kind == "server"; });
    return found == sections.end() ? none : **found;
}

Problems unreadable(const std::filesystem::path& file, const std::string& why) {
    return {file.string() + ": cannot be read: " + why + "; expected a configuration file"};
}

void report_syntax(const IniDocument& document, Report& report) {
    for (const auto& problem : document.problems) report.add(problem.line, problem.text);
}

void check_anonymous(const IniSection& server, bool from_command, const Settings& settings, Report& report) {
    if (!exposed(settings)) return;
    const Complaint complaint{"reachable from other machines while no client is configured",
                              "a [client \"name\"] section, a loopback address, or allow_anonymous = yes"};
    if (from_command)
        report.add_outside("command line: --listen", complaint, settings.server.listen);
    else
        SectionReader(server, report).bad("listen", complaint);
}

} // namespace

bool exposed(const Settings& settings) {
    const auto address = parse_listen(settings.server.listen);
    return address && !address->loopback && settings.clients.empty() && !settings.server.allow_anonymous;
}

Result<Preamble, Problems> load_preamble(const std::filesystem::path& file, const Overrides& overrides) {
    const auto document = read_ini(file);
    if (!document) return Failure{unreadable(file, document.error())};
    Report report(file);
    Report elsewhere(file); // sections are `load`'s to judge
    const IniSection none{"server", {}, 1, {}};
    SectionReader in(server_section(judge_sections(*document, elsewhere), none), report);
    Server server;
    read_places(in, folder_of(file), overrides, server);
    if (report.empty()) return Preamble{server.plugins, server.policies, server.log};
    report_syntax(*document, report); // it may be why
    return Failure{report.take()};
}

Result<std::shared_ptr<const Settings>, Problems> load(const std::filesystem::path& file,
                                                       const plugin::Registry& plugins, const Overrides& overrides) {
    const auto document = read_ini(file);
    if (!document) return Failure{unreadable(file, document.error())};
    Report report(file);
    report_syntax(*document, report);
    if (document->header_lost) return Failure{report.take()}; // what a lost section held would only seem missing

    auto settings = std::make_shared<Settings>();
    settings->file = std::filesystem::absolute(file).lexically_normal();
    Reading reading{judge_sections(*document, report),
                    folder_of(file),
                    document->readable_by_others,
                    plugins,
                    report,
                    *settings,
                    {}};
    const IniSection none{"server", {}, 1, {}};
    const auto& server = server_section(reading.sections, none);
    SectionReader in(server, report);
    read_server(in, reading.folder, overrides, settings->server);
    read_admin(in, reading, settings->server);
    read_metrics(in, settings->server);
    in.finish();
    reading.policies.add("failure/generic", server, "policies");
    reading.policies.add("failure/schedules", server, "policies");
    read_backends(reading);
    read_models(reading);
    read_mounts(reading, !in.all("health_endpoints").empty());
    read_clients(reading);
    check_anonymous(server, overrides.listen.has_value(), *settings, report);
    std::error_code ignored;
    if (std::filesystem::is_directory(settings->server.policies, ignored))
        reading.policies.check(settings->server.policies, report);

    if (!report.empty()) return Failure{report.take()};
    settings->policy_names = reading.policies.names();
    return std::shared_ptr<const Settings>(std::move(settings));
}

} // namespace wm::config
