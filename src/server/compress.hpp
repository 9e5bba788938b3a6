#pragma once

#include <cstddef>
#include <string>

namespace tessera::server {

/// What is shorter is sent as it is.
constexpr std::size_t compress_from = 1024;

/// In the format that HTTP calls "deflate", and browsers' DecompressionStream too.
std::string compressed(const std::string& text);

}  // namespace tessera::server
