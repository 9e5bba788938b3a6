#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>

#include "rules/game.hpp"

namespace tessera {

/// Text in a seat's colour where the style has colours. Seats are also told apart by what is written, never by colour
/// alone.
inline std::string paint_seat(PictureStyle style, int seat, std::string_view text) {
  constexpr std::array codes{"1;31", "1;34", "1;32", "1;33", "1;35", "1;36"};
  if (!style.colour) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(seat)], text);
}

/// Text that stands back: empty spaces, rulers.
inline std::string paint_faint(PictureStyle style, std::string_view text) {
  return style.colour ? fmt::format("\x1b[2m{}\x1b[0m", text) : std::string(text);
}

/// Text in any ANSI colour ("1;31", "48;5;22").
inline std::string paint(PictureStyle style, std::string_view code, std::string_view text) {
  return style.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

}  // namespace tessera
