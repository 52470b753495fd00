#pragma once
// A transcoder's translation as the host drives it.
#include "transcoder.hpp"

namespace wm::sdk::testing {

// A transcoder that translates, bound to options, as for one target. The transcoder must outlive it.
class Translator {
  public:
    explicit Translator(const Transcoder& transcoder, const TextPairs& options = {});
    ~Translator();
    Translator(const Translator&) = delete;
    Translator& operator=(const Translator&) = delete;

    bool bound() const { return bound_ != nullptr; }
    void* get() const { return bound_; }
    const wm_transcoder& table() const { return transcoder_.table(); }

    Capture problems; // what bind found wrong with the options

  private:
    const Transcoder& transcoder_;
    void* bound_;
};

// One side: WM_ROLE_CLIENT reads the request and writes the answer, WM_ROLE_UPSTREAM the other way round.
// The translator must outlive it.
class Talk {
  public:
    Talk(const Translator& of, std::uint32_t role, bool stream = false); // throws Broken when it cannot be opened
    ~Talk() { table_.close(talk_); }
    Talk(const Talk&) = delete;
    Talk& operator=(const Talk&) = delete;

    Outcome read(std::string_view name, std::string_view data, std::uint32_t kind, Capture& out);
    Outcome read_end(Capture& out);
    Outcome write_begin(std::uint32_t mode);
    Outcome write(const Event& event, Capture& out); // as another talk put it
    Outcome write_end(Capture& out);

  private:
    const wm_transcoder& table_;
    wm_talk* talk_;
};

} // namespace wm::sdk::testing
