#include <fmt/format.h>

#include "games/marbles/marbles.hpp"
#include "rules/paint.hpp"

namespace tessera {

/// A row a sector, beginning with the one of the seat that looks (or is to move), so that its marbles run from the top
/// row to the bottom one and home. Marbles are drawn as their seat's number.
std::string Marbles::picture(const State& state, Viewer viewer, PictureStyle style) const {
  const int looking = viewer.seat_or(state.seat);
  std::string ring(static_cast<std::size_t>(ring_), '.');
  for (int seat = 0; seat < options_.seats; ++seat) {
    for (int place = 0; place < ring_; ++place) {
      if ((state.track[seat] & bit(place)) != 0) ring[ring_space(seat, place)] = static_cast<char>('0' + seat);
    }
  }
  std::string text = fmt::format("Places as seat {} counts them\n", looking);
  for (int row = 0; row < options_.sectors; ++row) {
    const int first_place = row * options_.spaces;
    const int first_space = ring_space(looking, first_place);
    std::string label = fmt::format("p{}-p{}", first_place, first_place + options_.spaces - 1);
    text += fmt::format("{:>8} ", label);
    for (int i = 0; i < options_.spaces; ++i) {
      const char c = ring[first_space + i];
      text += ' ';
      text += c == '.' ? paint_faint(style, ".") : paint_seat(style, c - '0', std::string(1, c));
    }
    for (int seat = 0; seat < options_.seats; ++seat) {
      if (first_space_[seat] != first_space) continue;
      text += fmt::format("   {} base ", paint_seat(style, seat, fmt::format("seat {}", seat)));
      for (int i = 0; i < 4; ++i) {
        text += i < state.base[seat] ? paint_seat(style, seat, std::to_string(seat)) : paint_faint(style, ".");
      }
      text += "  home ";
      for (int i = 0; i < 4; ++i) {
        const bool held = (state.track[seat] & bit(ring_ + i)) != 0;
        text += held ? paint_seat(style, seat, std::to_string(seat)) : paint_faint(style, ".");
      }
      if (teams_ != 0) text += fmt::format("  team {}", side(seat));
    }
    text += '\n';
  }
  return text;
}

}  // namespace tessera
