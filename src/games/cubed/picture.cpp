#include <fmt/format.h>

#include "core/text.hpp"
#include "games/cubed/cubed.hpp"
#include "games/cubed/words.hpp"
#include "rules/paint.hpp"

namespace tessera {

using namespace cubed;

namespace {

/// The ANSI colour of a diamond.
std::string_view colour_code(char letter) {
  switch (letter) {
    case 'B': return "1;38;5;39";
    case 'C': return "1;38;5;209";
    case 'G': return "1;38;5;220";
    case 'P': return "1;38;5;141";
    case 'R': return "1;38;5;204";
    case white: return "1;97";
    case black: return "7";
    default: return "2";
  }
}

std::string paint_piece(PictureStyle style, int kind) {
  std::string text;
  for (const char letter : name_of(kind)) text += paint(style, colour_code(letter), std::string(1, letter));
  return text;
}

/// A drawing of hexagons, each five characters wide and two lines high, in rows shifted by half a hexagon.
class Canvas {
 public:
  /// Makes room for a cell. All cells must have room before anything is drawn.
  void reserve(Cell cell) {
    left_ = std::min(left_, column(cell));
    right_ = std::max(right_, column(cell));
    top_ = std::min(top_, 2 * cell.r);
    bottom_ = std::max(bottom_, 2 * cell.r);
  }

  /// `code` is the colour, or empty where each letter has its own.
  void draw(Cell cell, std::string_view upper, std::string_view lower, std::string_view code = "") {
    if (lines_.empty()) {
      const auto width = static_cast<std::size_t>(right_ - left_ + cell_width);
      lines_.resize(static_cast<std::size_t>(bottom_ - top_ + 2), std::vector<Mark>(width));
    }
    for (int line = 0; line < 2; ++line) {
      const std::string_view text = line == 0 ? upper : lower;
      for (std::size_t i = 0; i < text.size(); ++i) {
        lines_[static_cast<std::size_t>(2 * cell.r - top_ + line)][static_cast<std::size_t>(column(cell) - left_) + i] =
            {text[i], code.empty() ? colour_code(text[i]) : code};
      }
    }
  }

  std::string text(PictureStyle style) const {
    std::string text;
    for (const auto& line : lines_) {
      std::string spaces = "  ";
      for (const Mark& mark : line) {
        if (mark.letter == ' ') {
          spaces += ' ';
          continue;
        }
        text += spaces + paint(style, mark.code, std::string(1, mark.letter));
        spaces.clear();
      }
      text += '\n';
    }
    return text;
  }

 private:
  struct Mark {
    char letter = ' ';
    std::string_view code{};
  };

  static constexpr int cell_width = 6;
  static int column(Cell cell) { return cell_width * cell.q + cell_width / 2 * cell.r; }

  int left_ = 0;
  int right_ = 0;
  int top_ = 0;
  int bottom_ = 0;
  std::vector<std::vector<Mark>> lines_;
};

/// Pieces as Top over Left and Right; open places as their coordinates; cells that stay empty as #.
std::string draw_table(const Table& table, PictureStyle style) {
  if (table.laid() == 0) return "  The table is empty: the first piece goes to 0,0 with turn 0.\n";
  Canvas canvas;
  table.each_laid([&](Cell cell, int, int) { canvas.reserve(cell); });
  table.each_blocked([&](Cell cell) { canvas.reserve(cell); });
  for (const OpenPlace& place : table.open()) canvas.reserve(place.cell);

  table.each_laid([&](Cell cell, int kind, int turn) {
    const auto letter = [&](int diamond) { return name_of(kind)[static_cast<std::size_t>(letter_at(diamond, turn))]; };
    canvas.draw(cell, fmt::format(" /{}\\ ", letter(0)), fmt::format("\\{}|{}/", letter(2), letter(1)));
  });
  table.each_blocked([&](Cell cell) { canvas.draw(cell, "  #", " # #", "2"); });
  for (const OpenPlace& place : table.open()) {
    const std::string coordinates = cell_word(place.cell);
    if (coordinates.size() <= 5) {
      canvas.draw(place.cell, "", fmt::format("{:^5}", coordinates), "4");
    } else {
      canvas.draw(place.cell, fmt::format("{:^5}", fmt::format("{},", place.cell.q)),
                  fmt::format("{:^5}", place.cell.r), "4");
    }
  }
  return canvas.text(style) + '\n' +
         paint_faint(style,
                     "  BCG/0 has B on top, C right, G left; /1 and /2: thirds of a turn clockwise. # stays empty.") +
         '\n';
}

std::string number_of_pieces(int number) { return fmt::format("{} piece{}", number, number == 1 ? "" : "s"); }

/// A hand in rows of equal points.
std::string list_hand(const PieceSet& hand, PictureStyle style) {
  std::string text;
  for (const int points : {1, 2, 3, 5, 10}) {
    std::string row;
    hand.each([&](Kind kind) {
      if (points_of(kind) == points) row += ' ' + paint_piece(style, kind);
    });
    if (!row.empty()) text += fmt::format("  {:>2} point{} each {}\n", points, points == 1 ? " " : "s", row);
  }
  return text;
}

}  // namespace

std::string Cubed::picture(const State& state, Viewer viewer, PictureStyle style) const {
  // 1. The round and what is waited for.
  const std::string seat = alone() ? "You" : paint_seat(style, state.seat, fmt::format("Seat {}", state.seat));
  const auto doing = [&]() -> std::string {
    switch (state.step) {
      case Step::deal: return "The pieces are dealt.";
      case Step::start: return "The first piece is drawn.";
      case Step::begin:
        return seat + (alone() ? " must lay a piece." : state.bag.empty() ? " may lay or pass." : " may lay or draw.");
      case Step::draw: return fmt::format("{} draw{} a piece.", seat, alone() ? "" : "s");
      case Step::after_draw: return seat + " drew and may lay or pass.";
      case Step::take: return fmt::format("{} takes {} from the bag.", seat, number_of_pieces(state.draws));
      case Step::keep: return seat + " keeps one of the pieces taken.";
      case Step::bridge: return seat + " bridged a gap and may lay a second piece or pass.";
      case Step::fill: return seat + " filled a gap and may give a piece away or pass.";
      default: return "The game is over.";
    }
  };
  const int round = std::min(state.round + (state.round_over ? 0 : 1), options_.rounds);
  std::string text = alone() ? "" : fmt::format("Round {} of {}.  ", round, options_.rounds);
  text += fmt::format("{}  Bag: {}.\n", doing(), number_of_pieces(state.bag.size()));
  if (!state.out.empty()) text += fmt::format("Out of the game: {}\n", join(words(state.out), " "));
  // 2. The table.
  text += '\n' + draw_table(state.table, style) + '\n';
  // 3. The hands.
  for (int i = 0; i < options_.seats; ++i) {
    const PieceSet& hand = state.hands[i];
    const std::string who = alone() ? "Hand" : paint_seat(style, i, fmt::format("Seat {}", i));
    text += fmt::format("{}: {}", who, number_of_pieces(hand.size()));
    const bool seen = sees_in_hand(state, viewer, i);
    if (seen) text += fmt::format(", {} points", hand.points());
    if (!alone()) text += fmt::format("  (score {})", state.scores[i]);
    text += '\n';
    if (seen) text += list_hand(hand, style);
    if (state.step == Step::keep && i == state.seat) {
      text += fmt::format("  taken {}\n", join(words(state.drawn, seen), " "));
    }
  }
  return text;
}

}  // namespace tessera
