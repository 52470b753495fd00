#pragma once
// A folder of policies written by a test, removed with it.
#include "manual_clock.h"
#include "policy/policies.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace wm::policy::test {

class Scripts {
  public:
    Scripts() {
        std::string pattern = (std::filesystem::temp_directory_path() / "wm-policy-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~Scripts() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Scripts(const Scripts&) = delete;

    void put(const std::string& name, std::string_view source) {
        const auto file = folder_ / (name + ".lua");
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << source;
        names_.push_back(name);
    }
    std::shared_ptr<const Library> load() const { return Library::load(std::vector{folder_}, names_); }
    std::string refusal() const { // what load says, or nothing
        try {
            load();
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return {};
    }
    const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
    std::vector<std::string> names_;
};

inline std::uint64_t failed_calls(const Counters& c) { return c.errors + c.instructions + c.memory + c.nonsense; }

// One allocation policy whose `order` runs `code` for a streaming request and is sound for any other.
struct Patient {
    explicit Patient(const std::string& code, const std::string& before = {}) {
        scripts.put("allocation/patient", before + "\nfunction order(request, candidates)\nif request.stream then " +
                                              code + "\nend\nreturn { 2, 1 }, 'sound'\nend\n");
        scripts.put("allocation/other", "function order() return { 1, 2 }, 'other' end");
        policies.emplace(scripts.load(), counters, clock);
    }
    Ordering sick() { return policies->order("allocation/patient", {.stream = true}, candidates); }
    Ordering sound() { return policies->order("allocation/patient", {.stream = false}, candidates); }
    Ordering other() { return policies->order("allocation/other", {}, candidates); }

    Scripts scripts;
    Counters counters;
    ManualClock clock;
    std::vector<Candidate> candidates{{"a", "key", "model", 0.1}, {"b", "key", "model", 0.2}};
    std::optional<Policies> policies;
};

// The code fails, for `cause` alone, costs exactly one call its policy, and hurts no other.
inline void expect_one_lost_call(const std::string& code, std::atomic<std::uint64_t> Counters::*cause,
                                 const std::string& before = {}) {
    SCOPED_TRACE(code);
    Patient p(code, before);
    EXPECT_EQ(p.sound().reason, "sound");
    const auto lost = p.sick();
    EXPECT_FALSE(lost.from_policy);
    EXPECT_EQ(lost.reason, "configured");
    EXPECT_EQ(lost.order, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ((p.counters.*cause).load(), 1u) << p.policies->last_problem();
    EXPECT_EQ(failed_calls(p.counters), 1u);
    EXPECT_EQ(p.other().reason, "other");
    EXPECT_EQ(p.sound().reason, "sound");
    EXPECT_EQ(failed_calls(p.counters), 1u);
}

// What `expression` gives inside a policy, as text.
inline std::string value_of(const std::string& expression) {
    Patient p("local value = " + expression + "; error(tostring(value))");
    p.sick();
    const auto& problem = p.policies->last_problem();
    const auto at = problem.find(": ");
    return at == problem.npos ? problem : problem.substr(at + 2);
}

} // namespace wm::policy::test
