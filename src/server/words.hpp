#pragma once

#include <string>
#include <string_view>

#include "core/expected.hpp"

/// What people write: names and chat. Both are shown to others, so nothing in them may break a page, a log or the
/// direction of somebody's text.
namespace tessera::server {

constexpr int longest_name = 24;  ///< characters
constexpr int longest_chat = 500;

/// Without spaces around it; the Error says what a name may be.
Expected<std::string> clean_name(std::string_view text);
Expected<std::string> clean_chat(std::string_view text);

/// Four syllables that can be said aloud, "lamo-kiru": one of 18 million.
std::string make_code();

}  // namespace tessera::server
