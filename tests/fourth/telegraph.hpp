#pragma once
// The parts of the protocol that README.md describes.
#include "lines.hpp"

#include <watermaster/json_write.hpp>
#include <watermaster/protocol/frame_reader.hpp>
#include <watermaster/translation/document_writer.hpp>
#include <watermaster/translation/object.hpp>
#include <watermaster/translation/request_writer.hpp>
#include <watermaster/translation/strict_reader.hpp>
#include <watermaster/translation/talk.hpp>

#include <map>
#include <string>

namespace telegraph {

namespace sdk = wm::sdk;
using sdk::json::Value;
using sdk::json::Writer;

inline constexpr std::string_view protocol = "telegraph";
inline constexpr std::string_view by_path = "send"; // the operation whose path names the office

struct Options {
    Options(const sdk::Settings&, sdk::Problems&) {}
};
struct Asked {
    std::string model;
};
struct Sent {};
using Talk = sdk::TalkOf<Options>;

std::string fault(const sdk::ErrorReport& error);

class RequestReader : sdk::StrictReader {
  public:
    RequestReader(const Talk& talk, Asked& asked, sdk::Sink& out) : StrictReader(out), talk_(talk), asked_(asked) {}
    sdk::Status read(std::string_view body);

  private:
    void form(std::uint32_t request, const Value& form);
    void wire(std::uint32_t request, const Value& wire);
    void said(std::uint32_t request, const Value& by, const Value& text);
    void order(std::uint32_t request, const Value& order);
    void report(std::uint32_t request, const Value& report);

    const Talk& talk_;
    Asked& asked_;
};

class RequestWriter final : public sdk::RequestWriterBase {
  public:
    RequestWriter(const Talk& talk, Sent&) : talk_(talk) {}

  private:
    void param(std::string_view word, std::string_view raw) override;
    void stop(std::string_view) override { loss(WM_LOSS_STOP_SEQUENCES, "stop"); }
    void meta(std::string_view, std::string_view) override { loss(WM_LOSS_METADATA, "metadata"); }
    void reason(std::string_view, std::string_view) override { loss(WM_LOSS_REQUEST_REASONING, "reasoning"); }
    void extra(std::string_view name, std::string_view) override { loss(WM_LOSS_EXTENSION_MEMBERS, name); }
    void cache(std::string_view) override { loss(WM_LOSS_CACHE_MARKERS, "cache_control"); }
    void format(sdk::Format&) override { loss(WM_LOSS_OUTPUT_FORMAT, "format"); }
    void tool(sdk::Tool& tool) override;
    void turn(sdk::Turn& turn) override;
    void finish() override;

    void block(std::string_view from, const sdk::Block& block);
    Writer wire();

    const Talk& talk_;
    std::string forms_, wires_;
};

class AnswerReader : public sdk::FrameReader<AnswerReader> {
  public:
    AnswerReader(const Talk&, const Sent&) {}
    sdk::Status frame(const sdk::Frame& frame, sdk::Sink& out);
    sdk::Status event(const sdk::Frame& frame, sdk::Sink& out);
    sdk::Status document(std::string_view body, sdk::Sink& out);
    sdk::Status end(sdk::Sink& out);

  private:
    void piece(std::string_view json, sdk::Emitter& events);
    void begin(const Value& wire, const Value& by, sdk::Emitter& events);
    void text(const Value& text, sdk::Emitter& events);
    void order(const Value& order, sdk::Emitter& events);
    void stop(const Value& stop, const Value& spent, sdk::Emitter& events);

    std::uint32_t response_ = 0, choice_ = 0, text_ = 0;
    std::map<std::string, std::uint32_t> orders_; // id to node
    Lines lines_;
};

struct AnswerHead {
    std::string id, model;
    bool take(const sdk::Event& event);
};

class DocumentWriter final : public sdk::DocumentWriterBase<AnswerHead> {
  public:
    DocumentWriter(const Talk&, const Asked& asked) : asked_(asked) {}
    sdk::Status end(sdk::Sink& out);

  private:
    void choice(const sdk::Choice& choice, sdk::Sink& out) override;

    const Asked& asked_;
    std::string text_, orders_, stop_;
};

class StreamWriter {
  public:
    StreamWriter(const Talk&, const Asked& asked) : asked_(asked) {}
    sdk::Status write(const sdk::Event& event, sdk::Sink& out);
    sdk::Status end(sdk::Sink& out) const;

  private:
    struct Order {
        std::string id, form;
        bool told = false;
    };

    void leaf(const sdk::Event& event, sdk::Sink& out);
    void order(Order& order, std::string_view piece, sdk::Sink& out);

    const Asked& asked_;
    AnswerHead head_;
    sdk::UsageTally usage_;
    sdk::ErrorTree error_;
    sdk::Losses losses_;
    std::map<std::uint32_t, Order> orders_;
    std::map<std::uint32_t, bool> texts_; // nodes whose text is shown
    std::uint32_t response_ = 0;
    std::string stop_;
    bool closed_ = false;
};

} // namespace telegraph
