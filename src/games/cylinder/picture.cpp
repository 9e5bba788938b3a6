#include <fmt/format.h>

#include "core/text.hpp"
#include "games/cylinder/cylinder.hpp"
#include "rules/paint.hpp"

namespace tessera {
namespace {

constexpr std::size_t label_width = 9;  ///< "12 green "

}  // namespace

/// The homes on one side of the board, each beside its playboard.
std::string Cylinder::picture_homes(const State& state, int first_seat, PictureStyle style) const {
  std::string text(label_width, ' ');
  for (int seat = first_seat; seat < options_.seats; seat += 2) {
    const bool to_move = state.step != Step::over && seat == state.seat;
    const std::string home = fmt::format("{}seat {} home: {}", to_move ? '>' : ' ', seat, state.home[seat]);
    const std::size_t width = 2 * static_cast<std::size_t>(options_.columns);
    const std::size_t left = (width - home.size()) / 2;
    const std::size_t right = seat + 2 < options_.seats ? width - home.size() - left : 0;
    text += std::string(left, ' ') + paint_seat(style, seat, home) + std::string(right, ' ');
  }
  return text + '\n';
}

/// What the game waits for.
std::string Cylinder::picture_turn(const State& state) const {
  switch (state.step) {
    case Step::roll: return fmt::format("Seat {} rolls{}.", state.seat, state.bonus ? " once more after its 3" : "");
    case Step::use: return fmt::format("Seat {} has rolled a {}.", state.seat, state.roll);
    case Step::rest:
      return fmt::format("Seat {} has {} of its 6 left; the marble on {} does not go back to {}.", state.seat,
                         state.steps, hole_name(state.split_to), hole_name(state.split_from));
    case Step::flank: return fmt::format("Seat {} may flank.", state.seat);
    case Step::over: break;
  }
  std::vector<std::string> winners;
  for (int seat = 0; seat < options_.seats; ++seat) {
    if ((state.winners >> seat & 1) != 0) winners.push_back(fmt::format("seat {}", seat));
  }
  return winners.empty() ? "The game ended without a winner."
                         : fmt::format("The game is won by {}.", join(winners, " and "));
}

/// Rows and columns as the notation counts them. Empty holes are drawn by zone: `.` green, `+` red (no diagonals), `_`
/// goal; marbles as their seat's number. A bar stands before the first column of each playboard.
std::string Cylinder::picture(const State& state, Viewer, PictureStyle style) const {
  const int columns = board_.columns();
  std::string text = picture_homes(state, 0, style);
  for (const int digit : {10, 1}) {
    if (columns <= digit) continue;
    std::string ruler(label_width, ' ');
    for (int column = 0; column < columns; ++column) {
      const bool shown = digit == 1 || column >= 10;
      ruler += fmt::format(" {}", shown ? std::to_string(column / digit % 10) : " ");
    }
    text += paint_faint(style, ruler) + '\n';
  }
  for (int row = 0; row < board_.rows(); ++row) {
    const bool goal = row == board_.goal_row();
    const bool red = row == board_.upper_red() || row == board_.lower_red();
    const std::string_view zone = goal ? "goal" : red ? "red" : "green";
    const std::string_view empty = goal ? "_" : red ? "+" : ".";
    const std::string_view colour = goal ? "35" : red ? "31" : "32";
    text += fmt::format("{:>2} ", row) + paint(style, colour, fmt::format("{:<6}", zone));
    for (int column = 0; column < columns; ++column) {
      text += column % options_.columns == 0 ? paint_faint(style, "|") : " ";
      const int seat = holder(state, board_.hole(row, column));
      text += seat >= 0 ? paint_seat(style, seat, std::to_string(seat)) : paint(style, colour, empty);
    }
    text += paint_faint(style, "|") + '\n';
  }
  text += picture_homes(state, 1, style);
  if (options_.teams != Teams::none) {
    text += fmt::format("Even seats play against odd ones: {}.\n", options_.teams == Teams::all_four
                                                                       ? "all of a team need four in a row at once"
                                                                       : "one of a team needs seven in a row");
  }
  return text + picture_turn(state) + '\n';
}

}  // namespace tessera
