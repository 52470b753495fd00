#pragma once
#include "loop_fixture.h"

namespace wm::runtime {

struct StreamTest : LoopTest {
    Pair pair = connected_pair();
    Poco::Net::StreamSocket& peer = pair.there;
    std::optional<Stream> stream;
    std::optional<Filled> filled;
    std::optional<Io> written;

    void open() { stream.emplace(loop, abort, std::move(pair.here), Stream::Start::accepted); }
    void fill(Millis timeout = 1h) {
        into([=, this] { return stream->fill(timeout); }, filled);
    }
    void write(std::string_view data, Millis timeout = 1h) {
        into([=, this] { return stream->write(data, timeout); }, written);
    }
    // What the peer gets until the write is over and nothing comes any more.
    std::string read_all(std::size_t size) {
        std::string all;
        EXPECT_TRUE(until([&] {
            all += drain_now(peer);
            return all.size() >= size;
        })) << all.size()
            << " of " << size;
        return all;
    }
};

inline std::string pattern(std::size_t size) {
    std::string s(size, '\0');
    for (std::size_t i = 0; i < size; ++i) s[i] = char('a' + (i * 7 + i / 256) % 26);
    return s;
}

} // namespace wm::runtime
