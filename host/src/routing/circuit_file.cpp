#include "routing/circuit_file.h"

#include "base/json_writer.h"
#include "base/random.h"
#include "base/text.h"

#include <Poco/Logger.h>
#include <rapidjson/document.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace wm::routing {

namespace {

constexpr std::int64_t format = 1;
constexpr std::int64_t forgotten_after_ms = 7 * 86'400'000ll; // since a request might have tried it
constexpr std::chrono::milliseconds gathering{500};

Poco::Logger& log() { return Poco::Logger::get("circuits"); }

std::string hex(const std::array<std::uint64_t, 2>& words) {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(words[0]),
                  static_cast<unsigned long long>(words[1]));
    return text;
}

std::optional<std::array<std::uint64_t, 2>> from_hex(std::string_view text) {
    if (text.size() != 32) return std::nullopt;
    const auto first = parse_number<std::uint64_t>(text.substr(0, 16), 16);
    const auto second = parse_number<std::uint64_t>(text.substr(16), 16);
    if (!first || !second) return std::nullopt;
    return std::array{*first, *second};
}

using Value = rapidjson::Value;

std::string_view text(const Value& object, const char* name) {
    const auto at = object.FindMember(name);
    if (at == object.MemberEnd() || !at->value.IsString()) return {};
    return {at->value.GetString(), at->value.GetStringLength()};
}

std::int64_t number(const Value& object, const char* name) {
    const auto at = object.FindMember(name);
    return at != object.MemberEnd() && at->value.IsInt64() ? at->value.GetInt64() : 0;
}

std::optional<CircuitMode> mode(std::string_view word) {
    using enum CircuitMode;
    for (const auto mode : {closed, open, half_open, suspended})
        if (to_string(mode) == word) return mode;
    return std::nullopt;
}

std::optional<CircuitSnapshot> snapshot_in(const Value& entry) {
    CircuitSnapshot out;
    const auto now = mode(text(entry, "state")), before = mode(text(entry, "before_probe"));
    const auto reason = failure_class(text(entry, "reason"));
    const auto levels = entry.FindMember("levels");
    if (!now || !before || !reason || levels == entry.MemberEnd() || !levels->value.IsObject()) return std::nullopt;
    out.mode = *now;
    out.before_probe = *before;
    out.reason = *reason;
    out.opened_at_ms = number(entry, "opened_at_ms");
    out.next_probe_at_ms = number(entry, "next_probe_at_ms");
    out.probe_deadline_at_ms = number(entry, "probe_deadline_at_ms");
    out.consecutive_failures = std::uint32_t(number(entry, "failures"));
    for (std::size_t i = 0; i < out.levels.size(); ++i)
        out.levels[i] = std::uint8_t(number(levels->value, failure_class_names[i].data()));
    return out;
}

void write_snapshot(JsonWriter& w, const Digest& digest, const CircuitSnapshot& c) {
    w.open('{').key("circuit").text(hex({digest.low, digest.high})).key("state").text(to_string(c.mode));
    w.key("before_probe").text(to_string(c.before_probe)).key("reason").text(to_string(c.reason));
    w.key("opened_at_ms").number(c.opened_at_ms).key("next_probe_at_ms").number(c.next_probe_at_ms);
    w.key("probe_deadline_at_ms").number(c.probe_deadline_at_ms).key("failures").number(c.consecutive_failures);
    w.key("levels").open('{');
    for (std::size_t i = 0; i < c.levels.size(); ++i)
        if (c.levels[i] > 0) w.key(failure_class_names[i]).number(c.levels[i]);
    w.close('}').close('}');
}

std::filesystem::path prepared(const std::filesystem::path& folder) {
    std::error_code error;
    if (std::filesystem::create_directories(folder, error))
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
    if (error || !std::filesystem::is_directory(folder, error))
        throw std::runtime_error("[server] data_dir: " + folder.string() +
                                 ": expected a folder, or a place where one can be made; " +
                                 (error ? error.message() : "it is something else"));
    return folder / "circuits.json";
}

} // namespace

CircuitFile::CircuitFile(const std::filesystem::path& folder, const Clock& clock)
    : file_(prepared(folder)), clock_(clock), salt_{random_seed(), random_seed()} {
    read();
    writer_ = std::thread([this] { write_all(); });
}

CircuitFile::~CircuitFile() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_one();
    writer_.join();
}

std::optional<CircuitSnapshot> CircuitFile::find(const std::string& circuit) const {
    const std::lock_guard lock(mutex_);
    const auto found = saved_.find(digest(circuit));
    return found == saved_.end() ? std::nullopt : std::optional(found->second);
}

void CircuitFile::save(const std::string& circuit, const CircuitSnapshot& snapshot) noexcept {
    const auto key = digest(circuit);
    const std::lock_guard lock(mutex_);
    auto& kept = saved_[key];
    if (snapshot.generation < kept.generation) return;
    kept = snapshot;
    dirty_ = true;
    changed_.notify_one();
}

void CircuitFile::read() {
    std::ifstream in(file_, std::ios::binary);
    if (!in) return; // the first start
    std::ostringstream content;
    content << in.rdbuf();
    const auto json = std::move(content).str();
    rapidjson::Document parsed;
    parsed.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
    const Value& document = parsed;
    const bool whole = !parsed.HasParseError() && document.IsObject() && number(document, "format") == format;
    const auto salt = whole ? from_hex(text(document, "salt")) : std::nullopt;
    const auto list = whole ? document.FindMember("circuits") : Value::ConstMemberIterator();
    if (!salt || list == document.MemberEnd() || !list->value.IsArray()) {
        log().warning(file_.string() + ": expected a document of format " + std::to_string(format) +
                      ", found something else; all circuits begin closed, and it is written anew");
        return;
    }
    salt_ = *salt;
    const auto forgotten = clock_.wall_ms() - forgotten_after_ms;
    for (const auto& entry : list->value.GetArray()) {
        if (!entry.IsObject()) continue;
        const auto key = from_hex(text(entry, "circuit"));
        const auto snapshot = snapshot_in(entry);
        if (key && snapshot && snapshot->next_probe_at_ms > forgotten)
            saved_.emplace(Digest{(*key)[0], (*key)[1]}, *snapshot);
    }
}

void CircuitFile::write_all() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopping_ || dirty_; });
        if (!dirty_) return;
        // A provider that fails changes many circuits, each some times.
        changed_.wait_for(lock, gathering, [this] { return stopping_; });
        dirty_ = false;
        const auto copy = saved_;
        lock.unlock();
        std::string document;
        JsonWriter w(document);
        w.open('{').key("format").number(format).key("salt").text(hex(salt_)).key("circuits").open('[');
        for (const auto& [key, snapshot] : copy)
            if (snapshot.mode != CircuitMode::closed) write_snapshot(w, key, snapshot);
        w.close(']').close('}');
        write(document + '\n');
        lock.lock();
    }
}

// Whole or not at all, also where the power fails.
void CircuitFile::write(const std::string& document) {
    const auto draft = file_.string() + ".new";
    const auto written = [&] {
        const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0) return false;
        const bool all =
            ::write(file, document.data(), document.size()) == ssize_t(document.size()) && ::fsync(file) == 0;
        return ::close(file) == 0 && all && ::rename(draft.c_str(), file_.c_str()) == 0;
    };
    const bool failed = !written();
    if (failed && !told_)
        log().error(file_.string() + ": cannot be written: " + std::strerror(errno) +
                    "; circuits end with this process");
    told_ = failed;
}

} // namespace wm::routing
