#include "app/application.h"

#include "app/gateway.h"
#include "app/policy_command.h"
#include "app/reloader.h"
#include "app/signals.h"
#include "app/usage.h"
#include "config/read_file.h"
#include "explain/show.h"

#include <Poco/AsyncChannel.h>
#include <Poco/AutoPtr.h>
#include <Poco/ConsoleChannel.h>
#include <Poco/FormattingChannel.h>
#include <Poco/Logger.h>
#include <Poco/PatternFormatter.h>
#include <Poco/Util/HelpFormatter.h>
#include <Poco/Util/OptionCallback.h>

#include <algorithm>
#include <iostream>

namespace wm::app {

namespace {

constexpr const char* version = WM_VERSION;

constexpr const char* explain_help = R"(usage: watermaster explain REQUEST.json [--json] [--config FILE] ...
How this request would be served and why: who asks, model, layers, the targets in the order in which they would be tried.
No provider is asked. Offline all circuits are closed and all gates are free; to ask a running gateway, POST the same
document to /explain of its admin listener ([server] admin_listen).

REQUEST.json, or - for standard input, is a JSON object:
  method   POST if left out
  path     the path and query, as in "/v1/chat/completions"
  headers  an object of names, each with a value or a list of values; a client's key goes here
  client   the name of a configured client, in place of its key
  body     the JSON that would be sent, as it stands; or a string that holds the body's text
Nothing of a key, of other headers or of the body's content appears in the answer.
)";

void log_to_standard_error(const std::string& level) {
    Poco::AutoPtr<Poco::PatternFormatter> format(new Poco::PatternFormatter("%Y-%m-%dT%H:%M:%S.%iZ %p %s: %t"));
    Poco::AutoPtr<Poco::ConsoleChannel> console(new Poco::ConsoleChannel(std::cerr));
    Poco::AutoPtr<Poco::FormattingChannel> channel(new Poco::FormattingChannel(format, console));
    // Whoever reads standard error may be slow; a loop must not wait for them.
    Poco::AutoPtr<Poco::AsyncChannel> behind(new Poco::AsyncChannel(channel));
    behind->setProperty("queueSize", "8192"); // then lines are dropped
    Poco::Logger::setChannel("", behind);
    Poco::Logger::setLevel("", Poco::Logger::parseLevel(level));
}

void say_problems(const config::Problems& problems) {
    for (const auto& problem : problems) std::cerr << problem << '\n';
    std::cerr << "watermaster: not started: " << problems.size() << (problems.size() == 1 ? " problem" : " problems")
              << '\n';
}

constexpr int wrong_usage_status = 2;

int wrong_usage(const std::string& what) {
    std::cerr << "watermaster: " << what << "\n(watermaster --help says what there is)\n";
    return wrong_usage_status;
}

// What is no mistake, and yet must not go unnoticed.
std::vector<std::string> remarks(const config::Settings& settings) {
    std::vector<std::string> out;
    if (settings.models.empty() && settings.mounts.empty())
        out.emplace_back("neither a model nor a mount is configured, so nothing is served; expected a [model \"name\"] "
                         "with its [layer], or a [mount \"name\"]");
    const auto open = std::count_if(settings.mounts.begin(), settings.mounts.end(),
                                    [](const config::Mount& mount) { return !mount.auth.strips; });
    if (open > 0) // whoever can connect can use what such a mount gives access to
        out.push_back(std::to_string(open) + " of " + std::to_string(settings.mounts.size()) +
                      " mounts configured without upstream authentication: requests are forwarded as they are");
    return out;
}

} // namespace

void Application::defineOptions(Poco::Util::OptionSet& options) {
    using Poco::Util::Option;
    const auto add = [&](const char* name, const char* help, const char* argument) {
        Option one(name, "", help);
        if (argument) one.argument(argument);
        options.addOption(one.callback(Poco::Util::OptionCallback<Application>(this, &Application::option)));
    };
    add("config", "the configuration file", "FILE");
    add("plugins", "the folder of plugins, instead of [server] plugins", "DIR");
    add("policies", "the folder of policies, instead of [server] policies", "DIR");
    add("listen", "the address to listen on, instead of [server] listen", "HOST:PORT");
    add("json", "explain: the answer as JSON", nullptr);
    add("version", "print the version", nullptr);
    add("help", "this text", nullptr);
}

void Application::option(const std::string& name, const std::string& value) {
    if (name == "config") config_ = value;
    if (name == "plugins") plugins_ = value;
    if (name == "policies") policies_ = value;
    if (name == "listen") listen_ = value;
    if (name == "json") json_ = true;
    if (name == "version") version_ = true;
    if (name == "help") help_ = true;
}

int Application::launch(int argc, char** argv) {
    try {
        init(argc, argv);
    } catch (const Poco::Util::OptionException& refusal) {
        return wrong_usage(bad_option(refusal, options(), std::vector<std::string>(argv + 1, argv + argc)));
    }
    return run();
}

int Application::main(const std::vector<std::string>& arguments) {
    const auto command = arguments.empty() ? std::string("serve") : arguments.front();
    if (version_ || (command == "version" && !help_)) return std::cout << "watermaster " << version << '\n', EXIT_OK;
    if (help_) return command == "explain" ? std::cout << explain_help, EXIT_OK : help();
    if (const auto wrong = bad_command(arguments); !wrong.empty()) return wrong_usage(wrong);
    if (command == "policy") return policy_command({arguments.begin() + 1, arguments.end()}, policies_folder());
    const auto file = configuration_file(config_);
    if (!file) return wrong_usage(file.error());
    if (command == "check") return check(*file);
    if (command == "explain") return explain(*file, arguments[1]);
    return serve(*file);
}

int Application::help() const {
    Poco::Util::HelpFormatter help(options());
    help.setUnixStyle(true);
    help.setCommand("watermaster");
    help.setUsage("serve|check|explain REQUEST.json|policy|version [--config FILE] ...");
    help.setHeader("serve: run the gateway (the default). check: judge the configuration and stop. version: print it. "
                   "explain: how a request would be served, and why (explain --help). "
                   "policy test|check|bench [FILE...]: run case tables, judge scripts, measure them.");
    help.format(std::cout);
    return EXIT_OK;
}

config::Overrides Application::overrides() const {
    config::Overrides overrides;
    if (!plugins_.empty()) overrides.plugins = plugins_;
    if (!policies_.empty()) overrides.policies = policies_;
    if (!listen_.empty()) overrides.listen = listen_;
    return overrides;
}

// Those of --policies, else of the configuration if there is one, else of the working directory.
std::filesystem::path Application::policies_folder() const {
    if (!policies_.empty()) return std::filesystem::absolute(policies_).lexically_normal();
    if (const auto file = configuration_file(config_))
        if (const auto preamble = config::load_preamble(*file, overrides())) return preamble->policies;
    return std::filesystem::absolute("policies");
}

int Application::check(const std::filesystem::path& file) {
    plugin::Registry registry;
    log_to_standard_error("warning");
    const auto overrides = this->overrides();
    const auto assembly = assemble(file, overrides, registry);
    if (!assembly) return say_problems(assembly.error()), 1;
    for (const auto& remark : remarks(*assembly->settings)) std::cerr << file.string() << ": note: " << remark << '\n';
    std::cout << file.string() << ": valid\n";
    return EXIT_OK;
}

int Application::explain(const std::filesystem::path& file, const std::string& request) {
    constexpr std::size_t longest = 64u << 20;
    plugin::Registry registry;
    const SystemClock clock;
    log_to_standard_error("warning");
    const auto assembly = assemble(file, overrides(), registry);
    if (!assembly) return say_problems(assembly.error()), 1;
    const auto document = config::read_file(request == "-" ? "/dev/stdin" : request, longest);
    if (!document) return std::cerr << request << ": cannot be read: " << document.error() << '\n', 1;
    const auto question = explain::read_question(document->text);
    if (!question) return std::cerr << request << ": " << question.error() << '\n', 1;

    routing::MemoryCircuitStore store;
    policy::Counters counters;
    const exchange::Generation generation(assembly->settings, assembly->library, registry, store, clock);
    policy::Policies policies(assembly->library, counters, clock);
    const routing::Pins pins(clock); // nothing was answered yet
    const auto explanation =
        explain::explain(generation, pins, policies, Random(random_seed()), clock, false, *question);
    std::cout << (json_ ? to_json(explanation, *assembly->settings) + "\n" : to_text(explanation, *assembly->settings));
    return EXIT_OK;
}

int Application::serve(const std::filesystem::path& file) {
    const Signals signals;
    static plugin::Registry registry; // plugins are never unloaded, not even at exit
    const SystemClock clock;
    const auto overrides = this->overrides();
    log_to_standard_error("information");
    auto assembly = assemble(file, overrides, registry);
    if (!assembly) return say_problems(assembly.error()), 1;
    Poco::Logger::setLevel("", Poco::Logger::parseLevel(assembly->settings->server.log));
    for (const auto& note : registry.notes()) Poco::Logger::get("plugins").information(note);
    for (const auto& remark : remarks(*assembly->settings)) Poco::Logger::get("configuration").notice(remark);
    try {
        Gateway gateway(std::move(*assembly), registry, clock);
        gateway.start();
        auto listening = std::string("watermaster ") + version + ": listening on " + gateway.url();
        if (!gateway.admin_url().empty()) listening += ", admin on " + gateway.admin_url();
        if (!gateway.metrics_url().empty()) listening += ", metrics on " + gateway.metrics_url() + "/metrics";
        std::cerr << listening + '\n'; // in one piece: loops may be logging already
        Reloader reloader(gateway, registry, file, overrides);
        for (bool ending = false; !ending;) {
            const auto signal = signals.wait(Millis(100));
            if (!signal)
                reloader.look();
            else if (*signal == SIGHUP)
                reloader.reload();
            else
                ending = true;
        }
        std::cerr << "watermaster: draining" << std::endl;
        gateway.drain();
    } catch (const std::runtime_error& error) {
        std::cerr << "watermaster: not started: " << error.what() << '\n';
        return 1;
    }
    return EXIT_OK;
}

} // namespace wm::app
