#include "plugin/manifest.h"

#include "base/text.h"
#include "plugin/refusal.h"

#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace wm::plugin {

namespace {

constexpr std::size_t max_manifest = 64 << 10;

using Keys = std::map<std::string, std::string, std::less<>>;

Result<Keys, std::string> split_lines(const std::string& file, std::string_view text) {
    Keys keys;
    for (int number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        line = trim(line);
        if (line.empty() || line.front() == '#' || line.front() == ';') continue;
        const auto equals = line.find('=');
        const std::string where = file + ":" + std::to_string(number);
        if (equals == line.npos) return Failure{refusal(where, "a line `key = value`", ticked(line), "write it so")};
        const std::string key(trim(line.substr(0, equals)));
        if (!keys.emplace(key, trim(line.substr(equals + 1))).second)
            return Failure{refusal(where, "each key once", ticked(key) + " again", "remove one")};
    }
    return keys;
}

std::vector<std::string> list(std::string_view text) {
    std::vector<std::string> out;
    for_each_element(text, [&](std::string_view element) { out.emplace_back(element); });
    return out;
}

bool is_digest(std::string_view s) { return s.size() == 64 && s.find_first_not_of("0123456789abcdef") == s.npos; }

class Reader {
  public:
    Reader(const std::string& file, Keys keys) : file_(file), keys_(std::move(keys)) {}

    Result<Manifest, std::string> read() {
        out_.id = required("id", "the plugin's id");
        out_.components = list(optional("components"));
        if (out_.components.empty()) out_.components = {out_.id};
        read_kinds(required("kind", "`adapter`, `transcoder` or both, separated by a comma"));
        out_.version = required("version", "the plugin's version");
        read_abi(required("abi", "the ABI the plugin was built against, such as 1.0"));
        out_.licence = required("licence", "the plugin's licence");
        read_library(required("library", "the name of the library beside this file"));
        read_digest(optional("sha256"));
        for (const auto& [key, value] : keys_) out_.unknown.push_back(key);
        if (!problem_.empty()) return Failure{problem_};
        return std::move(out_);
    }

  private:
    std::string optional(std::string_view key) {
        const auto found = keys_.find(key);
        if (found == keys_.end()) return {};
        std::string value = std::move(found->second);
        keys_.erase(found);
        return value;
    }
    std::string required(const char* key, const char* meaning) {
        std::string value = optional(key);
        if (value.empty()) refuse(key, meaning, "nothing", "add the key");
        return value;
    }
    void refuse(const char* key, std::string_view expected, std::string_view found, std::string_view remedy) {
        if (problem_.empty()) problem_ = refusal(file_ + ": key `" + key + "`", expected, found, remedy);
    }
    void read_kinds(const std::string& text) {
        out_.kinds = list(text);
        for (const auto& kind : out_.kinds)
            if (kind != "adapter" && kind != "transcoder")
                refuse("kind", "`adapter` or `transcoder`", ticked(kind), "name what the library contains");
    }
    void read_abi(const std::string& text) {
        const auto dot = text.find('.');
        const auto major = parse_number<std::uint16_t>(std::string_view(text).substr(0, dot));
        const auto minor =
            dot == text.npos ? std::nullopt : parse_number<std::uint16_t>(std::string_view(text).substr(dot + 1));
        if (!major || !minor) refuse("abi", "major.minor, such as 1.0", ticked(text), "write the SDK's ABI version");
        out_.abi_major = major.value_or(0);
        out_.abi_minor = minor.value_or(0);
    }
    void read_library(const std::string& text) {
        if (text.find('/') != text.npos || text == "." || text == "..")
            refuse("library", "a file name without a folder", ticked(text), "put the library beside the manifest");
        out_.library = text;
    }
    void read_digest(const std::string& text) {
        out_.sha256 = lowered(text);
        if (!text.empty() && !is_digest(out_.sha256))
            refuse("sha256", "64 hexadecimal digits", ticked(text), "write what sha256sum prints, or remove the key");
    }

    const std::string& file_;
    Keys keys_;
    Manifest out_;
    std::string problem_; // the first one
};

} // namespace

Result<Manifest, std::string> parse_manifest(const std::string& file, std::string_view text) {
    auto keys = split_lines(file, text);
    if (!keys) return Failure{keys.error()};
    return Reader(file, std::move(*keys)).read();
}

Result<Manifest, std::string> read_manifest(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in)
        return Failure{refusal(file.string(), "a plugin's manifest", "no readable file",
                               "install the plugin.ini that belongs to the library, or remove the folder")};
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.size() > max_manifest)
        return Failure{refusal(file.string(), "at most 64 KiB", std::to_string(text.size()) + " bytes",
                               "install the plugin.ini that belongs to the library")};
    return parse_manifest(file.string(), text);
}

} // namespace wm::plugin
