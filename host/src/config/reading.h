#pragma once
// What the readers of the sections share while one file is read.
#include "config/load.h"
#include "config/section_reader.h"

#include <array>
#include <map>
#include <set>

namespace wm::config {

// Scripts that the gateway calls itself, in whatever section a policy can be chosen.
inline constexpr std::string_view queue_script = "allocation/queue", schedules_script = "failure/schedules";

// The scripts the settings name, each with the place that first named it.
class PolicyNeeds {
  public:
    // `name` as Library::load takes it; `key` need not be in the section.
    void add(std::string name, const IniSection& section, std::string_view key);
    std::vector<std::string> names() const;
    // Reports every script that `folder` lacks.
    void check(const std::filesystem::path& folder, Report& report) const;

  private:
    struct Need {
        std::string name, key;
        const IniSection* section;
    };
    std::vector<Need> needs_;
};

// The sections of a file whose kind and names make sense and that are not given twice.
struct Sections {
    std::vector<const IniSection*> fine; // in file order
    bool any_lost = false;               // the header of one could not be read
    std::set<std::string, std::less<>> lost_kinds;

    // One of this kind was refused, or may have been: what refers to it is no mistake of its own.
    bool lost(std::string_view kind) const { return any_lost || lost_kinds.contains(kind); }
};

struct Reading {
    Sections sections;
    std::filesystem::path folder;  // of the file
    bool literals_exposed = false; // group or others may read the file
    const plugin::Registry& plugins;
    Report& report;
    Settings& settings;
    PolicyNeeds policies;

    std::vector<const IniSection*> of_kind(std::string_view kind) const;
    bool lost(std::string_view kind) const { return sections.lost(kind); }
    std::string plugin_wanted(std::string_view which) const; // "WHICH in FOLDER, a folder with plugin.ini"
    SecretSource secrets() const { return {folder, literals_exposed}; }
};

Sections judge_sections(const IniDocument& document, Report& report); // reports those that it leaves out

// plugins, policies, log; then all the rest of [server]. `section` may be an empty one.
void read_places(SectionReader& in, const std::filesystem::path& folder, const Overrides& overrides, Server& server);
void read_server(SectionReader& in, const std::filesystem::path& folder, const Overrides& overrides, Server& server);
void read_timeouts(SectionReader& in, Timeouts& timeouts);

// queue_order, queue_promote_after; the entries that were given, else null.
std::array<const IniEntry*, 2> read_queue_order(SectionReader& in, QueueOrder& order);
// What the files hold is judged too.
std::optional<TlsIdentity> read_tls_identity(SectionReader& in, const std::filesystem::path& folder);
void read_ca_file(SectionReader& in, const std::filesystem::path& folder, std::filesystem::path& out); // tls_ca_file

void read_admin(SectionReader& in, const Reading& reading,
                Server& server);                       // admin_listen, admin_key; after read_server
void read_metrics(SectionReader& in, Server& server);  // metrics_listen; after read_admin
void read_backends(Reading& reading);                  // [backend], [credential], [upstream-model]
void read_models(Reading& reading);                    // [model], [layer]; after read_backends
void read_mounts(Reading& reading, bool health_given); // [mount]; after read_models
void read_clients(Reading& reading);                   // [client]

// The one name of this section is no other provider's: in logs and metrics there is nothing else to tell them apart.
void check_provider_name(const SectionReader& in, const std::vector<const IniSection*>& others);

// The position of the element called `name`, or the size.
template <class Named>
std::size_t index_of(const std::vector<Named>& all, std::string_view name) {
    std::size_t i = 0;
    while (i < all.size() && all[i].name != name) ++i;
    return i;
}

template <class Named>
std::vector<std::string_view> names_of(const std::vector<Named>& all) {
    std::vector<std::string_view> out;
    for (const auto& one : all) out.emplace_back(one.name);
    return out;
}

} // namespace wm::config
