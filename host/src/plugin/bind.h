#pragma once
// Settings turned into a plugin's bound instance. Private to this folder.
#include "plugin/sink.h"

#include <string>

namespace wm::plugin {

class ProblemSink : public Sink<ProblemSink> {
  public:
    explicit ProblemSink(std::vector<SettingProblem>& problems) : Sink(64 << 10), problems_(problems) {}
    const char* take(const wm_event& event) {
        if (event.tag == WM_OUT_PROBLEM)
            problems_.push_back({printable(to_view(event.name), 64), printable(to_view(event.value), 400)});
        return nullptr;
    }

  private:
    std::vector<SettingProblem>& problems_;
};

// Null with at least one problem. An instance that was made in spite of its problems is given back.
template <class Table>
void* bind(const Table& table, void* self, std::span<const PairView> settings, std::vector<SettingProblem>& problems,
           const std::string& who) {
    const auto before = problems.size();
    const PairArray pairs(settings);
    const wm_pairs in = pairs.get();
    ProblemSink sink(problems);
    wm_error error = fresh_error();
    void* bound = table.bind(self, &in, sink.raw(), &error);
    if (sink.fault()) problems.push_back({"", misbehaved(sink.fault(), who).message});
    if (!bound && problems.size() == before) problems.push_back({"", failed(WM_INTERNAL, error, who).message});
    if (bound && problems.size() == before) return bound;
    if (bound) table.unbind(bound);
    return nullptr;
}

} // namespace wm::plugin
