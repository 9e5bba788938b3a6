#pragma once

#include <string>
#include <string_view>

namespace tessera::server {

/// A WebSocket message as a server sends it: in one frame, without a mask (RFC 6455, 5.2). Header and message are one
/// piece, which the kernel takes for less than two.
inline std::string frame_of(std::string_view message, bool binary) {
  constexpr std::size_t longest_header = 10;
  std::string frame;
  frame.reserve(longest_header + message.size());
  frame += static_cast<char>(0x80 | (binary ? 2 : 1));
  const auto add_size = [&](int bytes) {
    for (int i = bytes - 1; i >= 0; --i) frame += static_cast<char>(message.size() >> (8 * i) & 0xff);
  };
  if (message.size() < 126) {
    add_size(1);
  } else if (message.size() <= 0xffff) {
    frame += static_cast<char>(126);
    add_size(2);
  } else {
    frame += static_cast<char>(127);
    add_size(8);
  }
  return frame += message;
}

}  // namespace tessera::server
