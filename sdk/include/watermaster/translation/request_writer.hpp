#pragma once
// What writers of requests share: the events of a request sorted into calls. A protocol overrides what it can carry.
#include "../json_write.hpp"
#include "collector.hpp"
#include "losses.hpp"
#include "lost_params.hpp"
#include "tool_choice.hpp"

#include <string>
#include <string_view>

namespace wm::sdk {

class RequestWriterBase {
  public:
    virtual ~RequestWriterBase() = default;

    Status write(const Event& event, Sink& out) {
        out_ = &out;
        take(event);
        return result();
    }
    Status end(Sink& out) {
        out_ = &out;
        if (!ended_) return {WM_INTERNAL, {}, "the request has no end"};
        if (!choice_.settle()) loss(WM_LOSS_TOOL_CHOICE, "tool_choice");
        finish();
        return result();
    }

  protected:
    virtual void param(std::string_view word, std::string_view raw) = 0;
    virtual void stop(std::string_view sequence) = 0;
    virtual void meta(std::string_view key, std::string_view text) = 0;
    virtual void reason(std::string_view what, std::string_view token) = 0;
    virtual void extra(std::string_view member, std::string_view raw) = 0;
    virtual void format(Format&) = 0;
    virtual void tool(Tool&) = 0;
    virtual void turn(Turn&) = 0;
    virtual void cache(std::string_view ttl) = 0;
    virtual void resume(std::string_view what, std::string_view) {
        const bool response = what == WM_RESUME_PREVIOUS_RESPONSE;
        loss(WM_LOSS_CONTINUATION, response ? "previous_response_id" : what == WM_RESUME_ITEM ? "input" : what);
    }
    virtual void finish() = 0; // puts BODY

    void loss(std::string_view key, std::string_view path) { losses_.loss(*out_, key, path); }
    void note(std::string_view key, std::string_view path) { losses_.note(*out_, key, path); }
    // A parameter that the protocol has no member for.
    void lose_param(std::string_view word, std::string_view raw) {
        const LostParam lost = lost_param(word);
        if (lost.harmless.empty() || raw != lost.harmless) loss(lost.key, word);
    }
    void fail(const Status& status) {
        if (status_.ok()) status_ = status;
    }
    void member(std::string_view name, std::string_view raw) { // of the request itself
        members_ += ',';
        json::append_quoted(members_, name);
        members_.append(":").append(raw);
    }
    std::string_view members() const { return members_; } // `,"name":value` each
    ToolChoice& choice() { return choice_; }              // is told which tools are sent, and settled before finish()
    Sink& out() { return *out_; }
    std::string_view origin() const { return origin_; }

  private:
    Status result() const { return status_.ok() ? out_->status() : status_; }

    void take(const Event& e) {
        if (ended_ || !status_.ok()) return;
        if (collector_.owns(e) || e.tag == WM_EV_TURN || e.tag == WM_EV_TOOL || e.tag == WM_EV_FORMAT)
            return collected(collector_.take(e));
        switch (e.tag) {
        case WM_EV_REQUEST:
            request_ = e.node;
            origin_ = e.name;
            return;
        case WM_EV_PARAM: return param(e.name, e.value);
        case WM_EV_CHOOSE: return choice_.take(e.name, e.value);
        case WM_EV_STOP: return stop(e.value);
        case WM_EV_META: return meta(e.name, e.value);
        case WM_EV_REASON: return reason(e.name, e.value);
        case WM_EV_EXTRA: return extra(e.name, e.value);
        case WM_EV_CACHE: return cache(e.value);
        case WM_EV_RESUME: return resume(e.name, e.value);
        case WM_EV_LOSS: return out_->put(WM_EV_LOSS, e.name, e.value);
        case WM_EV_END: ended_ = e.node == request_; return;
        default:
            if (!e.advisory()) loss(WM_LOSS_UNKNOWN_EVENT, {});
        }
    }

    void collected(Collector::Done done) {
        switch (done) {
        case Collector::Done::turn: return turn(collector_.turn);
        case Collector::Done::tool: return tool(collector_.tool);
        case Collector::Done::format: return format(collector_.format);
        case Collector::Done::unknown: return loss(WM_LOSS_UNKNOWN_EVENT, {});
        default: return;
        }
    }

    Collector collector_;
    Losses losses_;
    ToolChoice choice_;
    std::string members_;
    Sink* out_ = nullptr; // of the call under way
    Status status_;
    std::string origin_;
    std::uint32_t request_ = 0;
    bool ended_ = false;
};

} // namespace wm::sdk
