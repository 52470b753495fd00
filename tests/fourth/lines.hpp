#pragma once
// What a reader of raw bytes does: keeps a line until all of it is there.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace telegraph {

class Lines {
  public:
    std::vector<std::string> feed(std::string_view bytes) {
        std::vector<std::string> out;
        for (const char c : bytes)
            if (c == '\n')
                out.push_back(std::exchange(line_, {}));
            else
                line_ += c;
        return out;
    }

  private:
    std::string line_;
};

} // namespace telegraph
