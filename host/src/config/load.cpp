#include "config/load.h"

#include "config/address.h"
#include "config/reading.h"
#include "plugin/registry.h"

#include <algorithm>

namespace wm::config {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& file) {
    return std::filesystem::absolute(file).lexically_normal().parent_path();
}

// The section, or `none` if the file has no such one.
const IniSection& server_section(const Sections& sections, const IniSection& none) {
    const auto& all = sections.fine;
    const auto found = std::find_if(all.begin(), all.end(), [](const IniSection* s) { return s->kind == "server"; });
    return found == all.end() ? none : **found;
}

Problems unreadable(const std::filesystem::path& file, const std::string& why) {
    return {file.string() + ": cannot be read: " + why + "; expected a configuration file"};
}

void report_syntax(const IniDocument& document, Report& report) {
    for (const auto& problem : document.problems) report.add(problem.line, problem.text);
}

// A file that has no [server].
const IniSection no_server{"server", {}, 1, {}};

void read_all(Reading& reading, const IniSection& server, const Overrides& overrides) {
    SectionReader in(server, reading.report);
    read_server(in, reading.folder, overrides, reading.settings.server);
    read_admin(in, reading, reading.settings.server);
    read_metrics(in, reading.settings.server);
    in.finish();
    reading.policies.add("failure/generic", server, "policies");
    reading.policies.add(std::string(schedules_script), server, "policies");
    read_backends(reading);
    read_models(reading);
    read_mounts(reading, !in.all("health_endpoints").empty());
    read_clients(reading);
}

// The keys of every kind of section and of every adapter: those that the readers ask a made-up file for.
Keys all_keys(const plugin::Registry& plugins) {
    std::string text = "[server]\n[credential \"x\" \"x\"]\n[upstream-model \"x\" \"x\"]\n[model \"x\"]\n"
                       "[layer \"x\" \"x\"]\n[mount \"x\"]\n[client \"x\"]\n";
    for (const auto* adapter : plugins.adapters()) { // with addresses that are wrong for each, so that none is bound
        const auto& id = adapter->about().id;
        text += "[backend \"" + id + "\"]\nadapter = " + id + "\nbase_url =\nendpoint =\n";
    }
    const auto document = parse_ini(text);
    Report report("");
    Settings settings;
    Reading reading{judge_sections(document, report), {}, false, plugins, report, settings, {}};
    read_all(reading, server_section(reading.sections, no_server), {});
    return report.learned();
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
    Report of_keys(file), of_sections(file);
    const auto sections = judge_sections(*document, of_sections);
    SectionReader in(server_section(sections, no_server), of_keys);
    Server server;
    read_places(in, folder_of(file), overrides, server);
    if (of_keys.empty()) return Preamble{server.plugins, server.policies, server.log};
    auto& report = sections.lost("server") ? of_sections : of_keys; // then the keys only seem to be missing
    report_syntax(*document, report);
    return Failure{report.take()};
}

Result<std::shared_ptr<const Settings>, Problems> load(const std::filesystem::path& file,
                                                       const plugin::Registry& plugins, const Overrides& overrides) {
    const auto document = read_ini(file);
    if (!document) return Failure{unreadable(file, document.error())};
    Report report(file, [&] { return all_keys(plugins); });
    report_syntax(*document, report);

    auto settings = std::make_shared<Settings>();
    settings->file = std::filesystem::absolute(file).lexically_normal();
    Reading reading{judge_sections(*document, report),
                    folder_of(file),
                    document->readable_by_others,
                    plugins,
                    report,
                    *settings,
                    {}};
    const auto& server = server_section(reading.sections, no_server);
    read_all(reading, server, overrides);
    if (!reading.lost("client")) check_anonymous(server, overrides.listen.has_value(), *settings, report);
    std::error_code ignored;
    if (std::filesystem::is_directory(settings->server.policies, ignored))
        reading.policies.check(settings->server.policies, report);

    if (!report.empty()) return Failure{report.take()};
    settings->policy_names = reading.policies.names();
    return std::shared_ptr<const Settings>(std::move(settings));
}

} // namespace wm::config
