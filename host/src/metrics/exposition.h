#pragma once
// Families of samples, and their text for Prometheus. A label value that is not UTF-8 would make a reader refuse the
// whole text, and repairing it could make two series one: such a sample is left out.
#include "metrics/cell.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace wm::metrics {

enum class Kind : unsigned char { counter, gauge, histogram };

using Label = std::pair<std::string_view, std::string_view>;
using Labels = std::initializer_list<Label>;

class Exposition {
  public:
    Exposition();
    ~Exposition();

    // What follows are its samples. Each family once; one without a sample is not written.
    void family(std::string_view name, Kind kind, std::string_view help);
    void sample(Labels labels, double value); // each set of labels once
    void sample(Labels labels, const HistogramValue& value);

    std::string text() const; // version 0.0.4 of the format

  private:
    struct Families;
    std::unique_ptr<Families> families_;
};

} // namespace wm::metrics
