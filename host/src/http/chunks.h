#pragma once
// The writing half of the chunked coding, and the fields that may follow it.
#include "base/pair.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wm::http {

void append_chunk(std::string& out, std::string_view bytes); // none for no bytes: that would be the end
void append_last_chunk(std::string& out,
                       std::span<const PairView> trailers = {}); // trailers as trailer_fields gives them

// Fields of a trailer section as BodyDecoder kept it, without those that may not come after a body (RFC 9110, 6.5.1).
std::vector<PairView> trailer_fields(std::string_view section);

} // namespace wm::http
