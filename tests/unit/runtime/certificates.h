#pragma once
// A throw-away certificate authority, and certificates it signed, as PEM files in a directory of their own.
#include <filesystem>
#include <string>

namespace wm::runtime {

class Certificates {
  public:
    Certificates();
    ~Certificates();
    Certificates(const Certificates&) = delete;

    struct Files {
        std::string certificate, key;
    };
    const std::string& ca() const { return ca_.certificate; }
    Files issue(const std::string& alt_names) const; // as OpenSSL writes them: "DNS:a.example,IP:127.0.0.1"
    std::string write(const std::string& name, const std::string& text) const;

  private:
    std::filesystem::path folder_;
    Files ca_;
};

} // namespace wm::runtime
