#pragma once
#include "config/load.h"

#include <Poco/Util/ServerApplication.h>

#include <string>

namespace wm::app {

// `watermaster serve|check|explain|policy|version`. Exit status: 0, 1 for a bad configuration, a failed start or faults
// found in policies, 2 for wrong usage.
class Application final : public Poco::Util::ServerApplication {
  public:
    // From the command line to the exit status.
    int launch(int argc, char** argv);

  protected:
    void defineOptions(Poco::Util::OptionSet& options) override;
    int main(const std::vector<std::string>& arguments) override;

  private:
    int help() const;
    void option(const std::string& name, const std::string& value);
    config::Overrides overrides() const;
    std::filesystem::path policies_folder() const;
    int serve(const std::filesystem::path& file);
    int check(const std::filesystem::path& file);
    int explain(const std::filesystem::path& file, const std::string& request);

    std::string config_, plugins_, policies_, listen_;
    bool help_ = false, json_ = false, version_ = false;
};

} // namespace wm::app
