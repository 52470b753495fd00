#include "metrics/exposition.h"

#include "base/utf8.h"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <vector>

namespace wm::metrics {

namespace {

prometheus::MetricType type_of(Kind kind) {
    switch (kind) {
    case Kind::counter: return prometheus::MetricType::Counter;
    case Kind::gauge: return prometheus::MetricType::Gauge;
    case Kind::histogram: break;
    }
    return prometheus::MetricType::Histogram;
}

} // namespace

struct Exposition::Families {
    std::vector<prometheus::MetricFamily> all;

    // Null: a label is not UTF-8.
    prometheus::ClientMetric* add(Labels labels) {
        if (!std::all_of(labels.begin(), labels.end(), [](const Label& label) { return is_utf8(label.second); }))
            return nullptr;
        auto& metric = all.back().metric.emplace_back();
        for (const auto& [name, value] : labels) metric.label.push_back({std::string(name), std::string(value)});
        return &metric;
    }
};

Exposition::Exposition() : families_(std::make_unique<Families>()) {}
Exposition::~Exposition() = default;

void Exposition::family(std::string_view name, Kind kind, std::string_view help) {
    families_->all.push_back({std::string(name), std::string(help), type_of(kind), {}});
}

void Exposition::sample(Labels labels, double value) {
    auto* metric = families_->add(labels);
    if (!metric) return;
    metric->counter.value = value; // one of the two is written, by the family's kind
    metric->gauge.value = value;
}

void Exposition::sample(Labels labels, const HistogramValue& value) {
    auto* metric = families_->add(labels);
    if (!metric) return;
    auto& histogram = metric->histogram;
    for (std::size_t i = 0; i < value.in_bucket.size(); ++i) {
        histogram.sample_count += std::uint64_t(value.in_bucket[i]);
        if (i < bucket_bounds_ms.size()) // the serializer adds the one without a bound
            histogram.bucket.push_back({histogram.sample_count, double(bucket_bounds_ms[i]) / 1000});
    }
    histogram.sample_sum = double(value.sum_ms) / 1000;
}

std::string Exposition::text() const {
    auto written = families_->all;
    std::erase_if(written, [](const prometheus::MetricFamily& family) { return family.metric.empty(); });
    return prometheus::TextSerializer().Serialize(written);
}

} // namespace wm::metrics
