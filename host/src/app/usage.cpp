#include "app/usage.h"

#include "config/suggest.h"

#include <algorithm>
#include <array>

namespace wm::app {
namespace {

struct Command {
    std::string_view name;
    std::size_t least, most; // arguments after it
    std::string_view takes;
};

constexpr std::size_t any = 1'000'000;
constexpr std::array<Command, 5> commands{{
    {"serve", 0, 0, "no argument but options"},
    {"check", 0, 0, "no argument but options"},
    {"version", 0, 0, "no argument"},
    {"explain", 1, 1, "one REQUEST.json, or - for standard input"},
    {"policy", 0, any, ""}, // says itself what it takes
}};

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

bool is_file_of_settings(std::string_view text) { return text.ends_with(".ini") || text.ends_with(".conf"); }

// "--confg", "-c" and "/c" are all an option to Poco; as it was written, without a value.
std::string as_written(const std::string& name, std::span<const std::string> arguments) {
    for (const auto& argument : arguments) {
        const auto begin = argument.find_first_not_of('-');
        if (begin == 0 || begin == argument.npos) continue;
        const auto written = argument.substr(0, argument.find_first_of("=:"));
        if (!name.empty() && written.substr(begin).starts_with(name)) return written;
    }
    return "--" + name;
}

} // namespace

std::string bad_option(const Poco::Util::OptionException& refusal, const Poco::Util::OptionSet& options,
                       std::span<const std::string> arguments) {
    const auto said = refusal.message(); // begins with the option's name
    const auto name = said.substr(0, said.find_first_of("=: "));
    const auto written = as_written(name, arguments);
    if (dynamic_cast<const Poco::Util::MissingArgumentException*>(&refusal))
        return written + " without its value; expected " + written + " VALUE";
    if (!dynamic_cast<const Poco::Util::UnknownOptionException*>(&refusal))
        return written + ": " + refusal.displayText();
    std::vector<std::string> all;
    for (const auto& option : options) all.push_back("--" + option.fullName());
    const std::vector<std::string_view> known(all.begin(), all.end());
    const auto begins = [&](std::string_view option) { return name.size() == 1 && option.substr(2).starts_with(name); };
    const auto first = std::find_if(known.begin(), known.end(), begins);
    const auto suggestion =
        first == known.end() ? config::did_you_mean(written, known) : "; did you mean " + std::string(*first) + "?";
    return "unknown option " + written + suggestion + "; expected of " + config::joined(known);
}

std::string bad_command(std::span<const std::string> arguments) {
    if (arguments.empty()) return {};
    const auto& name = arguments.front();
    const auto command =
        std::find_if(commands.begin(), commands.end(), [&](const Command& one) { return one.name == name; });
    if (command == commands.end()) {
        std::vector<std::string_view> known;
        for (const auto& one : commands) known.push_back(one.name);
        const auto suggestion =
            is_file_of_settings(name) ? "; did you mean --config " + name + "?" : config::did_you_mean(name, known);
        return "unknown command " + quoted(name) + suggestion + "; expected one of " + config::joined(known);
    }
    const auto rest = arguments.subspan(1);
    if (rest.size() < command->least) return name + " without its argument; expected " + std::string(command->takes);
    if (rest.size() <= command->most) return {};
    const auto& extra = rest[command->most];
    return name + ": unexpected " + quoted(extra) +
           (is_file_of_settings(extra) ? "; did you mean --config " + extra + "?" : "") + "; expected " +
           std::string(command->takes);
}

} // namespace wm::app
