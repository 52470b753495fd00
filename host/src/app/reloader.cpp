#include "app/reloader.h"

#include "config/restart.h"

#include <Poco/Logger.h>

#include <stdexcept>

namespace wm::app {

namespace {

std::vector<std::filesystem::path> policy_folders(const config::Settings& settings) {
    return {settings.server.policies};
}

policy::Watch watch_of(const config::Settings& settings) {
    return policy::Watch(policy::files_of(policy_folders(settings), settings.policy_names));
}

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

} // namespace

Reloader::Reloader(Gateway& gateway, plugin::Registry& plugins, std::filesystem::path file, config::Overrides overrides)
    : gateway_(gateway), plugins_(plugins), file_(std::move(file)), overrides_(std::move(overrides)),
      watch_(watch_of(*gateway.generation()->settings)) {
    renew_policies(); // what was edited between the start's reading and the watch's first look
}

void Reloader::look() {
    if (!watch_.edited() || renew_policies()) return;
    Poco::Logger::get(logger).notice("policies were edited to what runs already");
}

bool Reloader::renew_policies() {
    const auto running = gateway_.generation();
    Outcome outcome;
    const auto library = read_policies(*running->settings, outcome);
    if (!outcome.notes.empty()) publish({running->settings, library}, nullptr, outcome);
    if (outcome.notes.empty() && outcome.problems.empty()) return false;
    finish(std::move(outcome));
    return true;
}

void Reloader::reload() {
    Outcome outcome;
    load_plugins(outcome);
    const auto settings = outcome.problems.empty() ? read_settings(outcome) : nullptr;
    Poco::Net::Context::Ptr tls;
    if (settings && settings->server.tls) {
        auto context = server_context(settings->server);
        if (context)
            tls = *context;
        else
            outcome.problems.push_back(context.error());
    }
    if (settings && outcome.problems.empty()) {
        auto watch = watch_of(*settings); // before the files are read, lest an edit in between is missed
        if (auto library = read_policies(*settings, outcome)) {
            publish({settings, std::move(library)}, tls, outcome);
            if (outcome.accepted) watch_ = std::move(watch);
        }
    }
    finish(std::move(outcome));
}

void Reloader::load_plugins(Outcome& outcome) {
    auto renewed = plugins_.renew(gateway_.generation()->settings->server.plugins);
    outcome.problems = std::move(renewed.refused);
    outcome.notes = std::move(renewed.notes);
}

std::shared_ptr<const config::Settings> Reloader::read_settings(Outcome& outcome) {
    auto read = config::load(file_, plugins_, overrides_);
    if (!read) {
        outcome.problems = std::move(read.error());
        return nullptr;
    }
    auto settings = std::make_shared<config::Settings>(**read);
    auto kept = config::keep_running(gateway_.generation()->settings->server, *settings);
    if (!kept) {
        outcome.problems.push_back(std::move(kept.error()));
        return nullptr;
    }
    outcome.notes.insert(outcome.notes.end(), kept->begin(), kept->end());
    return settings;
}

// An edit that does not hold is a problem, and its script goes on as it was; the library is null only where there is
// none that could.
std::shared_ptr<const policy::Library> Reloader::read_policies(const config::Settings& settings, Outcome& outcome) {
    const auto running = gateway_.generation();
    const auto renewal = policy::renew(policy_folders(settings), settings.policy_names, running->library.get());
    gateway_.site().reloads.policies.count(renewal);
    for (const auto& refused : renewal.refused)
        outcome.problems.push_back("policy " + refused.policy + " refused (" + std::string(to_string(refused.fault)) +
                                   "): " + refused.text +
                                   (running->library->find(refused.policy) ? "; its last good version goes on" : ""));
    if (!renewal.changed.empty()) outcome.notes.push_back("renewed: " + joined(renewal.changed));
    return renewal.library;
}

void Reloader::publish(Assembly assembly, Poco::Net::Context::Ptr tls, Outcome& outcome) {
    try {
        outcome.generation = gateway_.publish(std::move(assembly), std::move(tls))->number;
        outcome.accepted = true;
    } catch (const std::exception& error) {
        outcome.problems.emplace_back(error.what());
    }
}

void Reloader::finish(Outcome outcome) {
    auto& log = Poco::Logger::get(logger);
    outcome.at_ms = gateway_.site().clock.wall_ms();
    if (!outcome.accepted) outcome.generation = gateway_.generation()->number;
    for (const auto& problem : outcome.problems) log.error(problem);
    for (const auto& note : outcome.notes) log.notice(note);
    const auto number = std::to_string(outcome.generation);
    if (outcome.accepted)
        log.notice("generation " + number + " is in use");
    else
        log.error("nothing was reloaded; generation " + number + " goes on");
    gateway_.site().reloads.record(std::move(outcome));
}

} // namespace wm::app
