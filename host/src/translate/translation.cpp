#include "translate/translation.h"

#include "plugin/error_events.h"
#include "plugin/usage_event.h"
#include "plugin/views.h"
#include "translate/spelling.h"

#include <algorithm>

namespace wm::translate {

using plugin::Fault;
using plugin::to_bytes;
using plugin::to_view;

namespace {

bool is_loss(const wm_event& event) { return event.tag == WM_EV_LOSS || event.tag == WM_EV_NOTE; }

std::string not_approved(const Loss& loss) { return "loss of " + loss.key + " is not approved"; }

} // namespace

// From the client's reader to the upstream's writer.
class Translation::RequestJoin final : public plugin::EventTaker {
  public:
    RequestJoin(Translation& of, std::optional<std::uint64_t> max_output)
        : of_(of), max_output_(max_output), written_(*this) {}

    bool take(const wm_event& event) override {
        if (is_loss(event)) return lose(event, to_view(event.value)); // the reader's own words
        if (!pass(event)) return false;
        if (event.tag != WM_EV_REQUEST || !max_output_) return true;
        const auto limit = std::to_string(*max_output_);
        of_.losses_.add("max_output_tokens", spelled(of_.protocol_, {}, WM_PARAM_MAX_OUTPUT_TOKENS), true);
        return pass({WM_EV_PARAM, event.node, 0, 0, to_bytes(WM_PARAM_MAX_OUTPUT_TOKENS), to_bytes(limit)});
    }

    Fault finish() { return of_.upstream_->write_end(written_); }
    std::string& body() { return body_; }
    const Fault& writer_fault() const { return fault_; }
    const std::optional<Loss>& unapproved() const { return unapproved_; }

  private:
    struct Written final : plugin::EventTaker {
        explicit Written(RequestJoin& join) : join_(join) {}
        bool take(const wm_event& event) override {
            if (event.tag == WM_OUT_BODY) join_.body_ += to_view(event.value);
            return !is_loss(event) ||
                   join_.lose(event, spelled(join_.of_.protocol_, to_view(event.name), to_view(event.value)));
        }
        RequestJoin& join_;
    };

    bool pass(const wm_event& event) {
        if (auto fault = of_.upstream_->write(event, written_)) fault_ = std::move(fault);
        return !fault_;
    }

    bool lose(const wm_event& event, std::string_view path) {
        const auto key = to_view(event.name);
        const bool note = event.tag == WM_EV_NOTE;
        of_.losses_.add(key, path, note);
        if (note || of_.approvals_.request_may_lose(key)) return true;
        unapproved_ = Loss{std::string(key), std::string(path), false};
        return false;
    }

    Translation& of_;
    const std::optional<std::uint64_t> max_output_;
    Written written_;
    std::string body_;
    Fault fault_;
    std::optional<Loss> unapproved_;
};

// From the upstream's reader to the client's writer.
class Translation::AnswerJoin final : public plugin::EventTaker {
  public:
    AnswerJoin(Translation& of, const Give& give) : of_(of), written_(*this, give) {}

    bool take(const wm_event& event) override {
        if (error_.take(event, progress.error)) return true; // the host decides what becomes of it
        if (is_loss(event)) return lose(event);
        if (event.tag == WM_EV_USAGE) plugin::take_usage(event, progress.usage);
        if (event.tag == WM_EV_FINISH) of_.finished_ = true;
        if (event.tag == WM_EV_OPAQUE) of_.seal(event);
        if (event.tag == WM_EV_END && !of_.sealed_.empty()) of_.end_seal(event.node, progress.pins);
        if (auto fault = of_.client_->write(event, written_)) fault_ = std::move(fault);
        return !fault_;
    }

    Fault finish() {
        auto fault = of_.client_->write_end(written_);
        written_.give_body();
        return fault;
    }
    Fault& writer_fault() { return fault_; }
    const std::optional<Loss>& unapproved() const { return unapproved_; }
    Progress progress;

  private:
    struct Written final : plugin::EventTaker {
        Written(AnswerJoin& join, const Give& give) : join_(join), give_(give) {}
        bool take(const wm_event& event) override {
            if (event.tag == WM_OUT_FRAME) {
                join_.progress.verdict |= event.flags;
                give_(to_view(event.name), to_view(event.value));
            } else if (event.tag == WM_OUT_BODY) {
                body_ += to_view(event.value);
            }
            return !is_loss(event) || join_.lose(event);
        }
        void give_body() {
            if (!body_.empty()) give_({}, body_);
        }
        AnswerJoin& join_;
        const Give& give_;
        std::string body_;
    };

    bool lose(const wm_event& event) {
        const auto key = to_view(event.name), path = to_view(event.value);
        const bool note = event.tag == WM_EV_NOTE;
        of_.losses_.add(key, path, note);
        if (note || of_.approvals_.answer_may_lose(key)) return true;
        unapproved_ = Loss{std::string(key), std::string(path), false};
        return false;
    }

    Translation& of_;
    Written written_;
    plugin::ErrorReader error_;
    Fault fault_;
    std::optional<Loss> unapproved_;
};

plugin::Called<std::unique_ptr<Translation>> Translation::open(Speaker client, const plugin::TalkParams& params,
                                                               const Approvals& approvals) {
    auto talk = client.protocol.open_talk(plugin::TalkRole::client, params, client.options);
    if (!talk) return Failure{std::move(talk.error())};
    return std::unique_ptr<Translation>(new Translation(client.protocol.about(), std::move(*talk), approvals));
}

Result<std::string, Untranslated> Translation::request(std::string_view body, Speaker upstream,
                                                       const plugin::TalkParams& params,
                                                       std::optional<std::uint64_t> max_output) {
    losses_.clear();
    finished_ = false;
    auto talk = upstream.protocol.open_talk(plugin::TalkRole::upstream, params, upstream.options);
    if (!talk) return Failure{Untranslated{false, {}, std::move(talk.error().message)}};
    upstream_ = std::move(*talk);
    auto fault = upstream_->write_begin(plugin::TalkMode::document);
    RequestJoin join(*this, max_output);
    bool reading = false;
    if (!fault) {
        fault = client_->read({}, body, framing::FrameKind::document, join);
        reading = fault.has_value();
    }
    if (!fault) fault = join.finish();
    if (join.unapproved())
        return Failure{Untranslated{true, join.unapproved()->path, not_approved(*join.unapproved())}};
    if (join.writer_fault()) fault = join.writer_fault(), reading = false;
    if (!fault) return std::move(join.body());
    const bool client_fault = fault->status == plugin::bad_input || fault->status == plugin::unsupported;
    auto where = reading ? std::move(fault->where) : spelled(protocol_, {}, fault->where);
    return Failure{Untranslated{client_fault, std::move(where), std::move(fault->message)}};
}

// What a provider has sealed travels to clients of other protocols too, and comes back from them.
void Translation::seal(const wm_event& piece) {
    auto of = std::find_if(sealed_.begin(), sealed_.end(), [&](const auto& one) { return one.first == piece.node; });
    if (of == sealed_.end()) {
        if (sealed_.size() >= plugin::most_made) return;
        of = sealed_.emplace(of, piece.node, plugin::PinDigester(WM_PIN_CARRIED));
    }
    of->second.add(to_view(piece.value));
}

void Translation::end_seal(std::uint32_t node, plugin::PinList& pins) {
    std::erase_if(sealed_, [&](auto& one) {
        if (one.first != node) return false;
        if (pins.size() < plugin::most_made) pins.push_back(one.second.finish());
        return true;
    });
}

Fault Translation::begin_answer(plugin::TalkMode mode) {
    finished_ = false;
    sealed_.clear();
    return client_->write_begin(mode);
}

template <class Read>
plugin::Called<Progress> Translation::pump(const Give& give, Read&& read) {
    AnswerJoin join(*this, give);
    auto fault = read(join);
    if (const auto& loss = join.unapproved())
        return Failure{plugin::PluginError{plugin::refused, loss->path, not_approved(*loss)}};
    if (join.writer_fault()) fault = std::move(join.writer_fault());
    if (fault) return Failure{std::move(*fault)};
    return std::move(join.progress);
}

plugin::Called<Progress> Translation::answer(std::string_view name, std::string_view data, framing::FrameKind kind,
                                             const Give& give) {
    return pump(give, [&](AnswerJoin& join) { return upstream_->read(name, data, kind, join); });
}

plugin::Called<Progress> Translation::end(const Give& give) {
    return pump(give, [&](AnswerJoin& join) {
        auto fault = upstream_->read_end(join);
        return fault || join.progress.error ? fault : join.finish();
    });
}

Fault Translation::close(const plugin::ErrorReport& error, const Give& give) {
    const plugin::ErrorEvents events(error);
    struct Out final : plugin::EventTaker {
        explicit Out(const Give& the_give) : give_(the_give) {}
        bool take(const wm_event& event) override {
            if (event.tag == WM_OUT_FRAME) give_(to_view(event.name), to_view(event.value));
            return true;
        }
        const Give& give_;
    } out(give);
    for (std::uint32_t i = 0; i < events.get()->count; ++i)
        if (auto fault = client_->write(events.get()->at[i], out)) return fault;
    return std::nullopt;
}

} // namespace wm::translate
