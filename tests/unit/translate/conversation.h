#pragma once
// A client of one protocol and an upstream of another, joined by the real plugins, as text.
#include "translate/translation.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wm::test {

const plugin::Transcoder& transcoder(std::string_view protocol);

class Conversation {
  public:
    Conversation(std::string_view client, std::string_view upstream);

    // The upstream's request, or "[where] why".
    std::string request(std::string_view body, bool stream = false);
    // What the client is sent for a whole answer, and for a stream that comes in these pieces.
    std::string document(std::string_view answer);
    std::string stream(const std::vector<std::string_view>& pieces);

    // One line for each loss and note, the usage, and how it ended.
    std::string remarks() const;
    std::string losses() const { return translation_->losses().text(); }
    const plugin::Usage& usage() const { return usage_; }
    translate::Translation& translation() { return *translation_; }

  private:
    bool take(plugin::Called<translate::Progress> progress);
    void close(const translate::Translation::Give& give);

    const plugin::Transcoder& upstream_;
    std::unique_ptr<translate::Translation> translation_;
    plugin::Usage usage_;
    std::uint32_t flags_ = 0;
    std::string failure_;
};

// The events of a stream that comes in these pieces, one a line.
std::string frames(const std::vector<std::string_view>& pieces);

std::string read_file(const std::string& path);

} // namespace wm::test
