#pragma once
// What the readers of the sections share while one file is read.
#include "config/load.h"
#include "config/section_reader.h"

#include <array>
#include <map>

namespace wm::config {

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

struct Reading {
    std::vector<const IniSection*> sections; // well-formed ones, in file order
    std::filesystem::path folder;            // of the file
    bool literals_exposed = false;           // group or others may read the file
    const plugin::Registry& plugins;
    Report& report;
    Settings& settings;
    PolicyNeeds policies;

    std::vector<const IniSection*> of_kind(std::string_view kind) const;
    SecretSource secrets() const { return {folder, literals_exposed}; }
};

// The sections whose kind and names make sense and that are not given twice; the others are reported.
std::vector<const IniSection*> judge_sections(const IniDocument& document, Report& report);

// plugins, policies, log; then all the rest of [server]. `section` may be an empty one.
void read_places(SectionReader& in, const std::filesystem::path& folder, const Overrides& overrides, Server& server);
void read_server(SectionReader& in, const std::filesystem::path& folder, const Overrides& overrides, Server& server);
void read_timeouts(SectionReader& in, Timeouts& timeouts);

// queue_order, queue_promote_after; the entries that were given, else null.
std::array<const IniEntry*, 2> read_queue_order(SectionReader& in, QueueOrder& order);
std::optional<TlsIdentity> read_tls_identity(SectionReader& in, const std::filesystem::path& folder); // judged too

void read_admin(SectionReader& in, const Reading& reading,
                Server& server);                       // admin_listen, admin_key; after read_server
void read_metrics(SectionReader& in, Server& server);  // metrics_listen; after read_admin
void read_backends(Reading& reading);                  // [backend], [credential], [upstream-model]
void read_models(Reading& reading);                    // [model], [layer]; after read_backends
void read_mounts(Reading& reading, bool health_given); // [mount]; after read_models
void read_clients(Reading& reading);                   // [client]

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
