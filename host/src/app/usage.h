#pragma once
// What is wrong with a command line, and what was probably meant.
#include <Poco/Util/OptionException.h>
#include <Poco/Util/OptionSet.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wm::app {

// An option that Poco refused; `arguments`: the whole command line, without the program's name.
std::string bad_option(const Poco::Util::OptionException& refusal, const Poco::Util::OptionSet& options,
                       std::span<const std::string> arguments);

// Empty: `arguments`, a command and what follows it, can be run.
std::string bad_command(std::span<const std::string> arguments);

} // namespace wm::app
