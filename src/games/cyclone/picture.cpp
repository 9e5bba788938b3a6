#include <fmt/format.h>
#include <algorithm>

#include "games/cyclone/cyclone.hpp"
#include "rules/paint.hpp"

namespace tessera {
namespace {

/// Text that may hold colours, and how wide it is without them.
struct Cell {
  std::string text;
  std::size_t width = 0;

  void add(std::string_view plain) {
    text += plain;
    width += plain.size();
  }
  void add_cube(PictureStyle style, int seat) {
    text += paint_seat(style, seat, std::to_string(seat));
    ++width;
  }
  std::string padded(std::size_t to) const { return text + std::string(to - std::min(to, width), ' '); }
};

Cell stack_cell(PictureStyle style, Stack stack) {
  Cell cell;
  if (stack.empty()) return {paint_faint(style, "."), 1};
  const bool tower = stack.height() > 1;
  if (tower) cell.add("[");
  for (int level = 0; level < stack.height(); ++level) cell.add_cube(style, stack.cube(level));
  if (tower) cell.add("]");
  return cell;
}

}  // namespace

/// A row an arm, from what has finished in its base on the left to its innermost space on the right, where all arms
/// meet. Cubes are drawn as their seat's number, a stack in brackets from bottom to top. The arm of the seat that looks
/// comes first.
std::string Cyclone::picture(const State& state, Viewer viewer, PictureStyle style) const {
  constexpr std::size_t finished_column = 0;
  constexpr std::size_t base_column = 1;  // then the spaces, from 1 on
  const std::size_t columns = base_column + static_cast<std::size_t>(options_.arm) + 1;
  // 1. The cells, and how wide each column has to be.
  std::vector<std::vector<Cell>> rows(1);
  rows[0].push_back({"finished", 8});
  rows[0].push_back({"base", 4});
  for (int space = 1; space <= options_.arm; ++space) {
    const std::string number = std::to_string(space);
    rows[0].push_back({paint_faint(style, number), number.size()});
  }
  for (int arm = 0; arm < options_.seats; ++arm) {
    std::vector<Cell>& row = rows.emplace_back(2);
    for (int seat = 0; seat < options_.seats; ++seat) {
      Cell& cell = row[seat == arm ? base_column : finished_column];
      for (int i = 0; i < state.in_base[seat][arm]; ++i) cell.add_cube(style, seat);
    }
    for (int space = 1; space <= options_.arm; ++space) {
      row.push_back(stack_cell(style, stack_at(state, place_of(arm, space))));
    }
  }
  std::vector<std::size_t> widths(columns, 2);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], row[i].width);
  }
  // 2. The rows, first the ruler.
  const auto line = [&](const std::vector<Cell>& row) {
    std::string text = row[finished_column].padded(widths[finished_column]) + "  ";
    text += row[base_column].padded(widths[base_column]) + ' ';
    for (std::size_t i = base_column + 1; i < columns; ++i) text += ' ' + row[i].padded(widths[i]);
    return text;
  };
  const int looking = viewer.seat_or(0);
  std::string text = "             " + line(rows[0]);
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
  for (int i = 0; i < options_.seats; ++i) {
    const int arm = (looking + i) % options_.seats;
    text += state.phase != Phase::over && state.seat == arm ? "> " : "  ";
    text += paint_seat(style, arm, fmt::format("{}  seat {}", static_cast<char>('a' + arm), arm)) + "  ";
    text += line(rows[static_cast<std::size_t>(arm) + 1]);
    text += i == 0 ? " -+ middle\n" : " -+\n";
  }
  // 3. What is going on.
  if (state.phase == Phase::decision) {
    text += fmt::format("seat {} rolled {}, {} action{} left\n", state.seat, state.roll, state.left,
                        state.left == 1 ? "" : "s");
  } else if (state.phase == Phase::chance) {
    text += fmt::format("seat {} is to roll\n", state.seat);
  }
  return text;
}

}  // namespace tessera
