#include <fmt/format.h>
#include <algorithm>

#include "core/text.hpp"
#include "games/cybo/cybo.hpp"
#include "rules/paint.hpp"

namespace tessera {
namespace {

using cybo::TurnTree;

std::string numbers_text(std::span<const std::uint8_t> numbers, std::string_view between) {
  std::vector<std::string> texts;
  for (const std::uint8_t number : numbers) {
    if (number != 0) texts.push_back(std::to_string(number));
  }
  return join(texts, between);
}

/// Rolls that bring the turn on: to another roll, a Trinity or the Quad.
bool helps(const TurnTree& tree, TurnTree::Id node, int number) {
  const TurnTree::Id next = tree.after_roll(node, number);
  return !tree.is_over(next) || tree[next].points > tree[node].points;
}

int quad_number(const TurnTree& tree, TurnTree::Id trying) {
  int number = 1;
  while (!helps(tree, trying, number)) ++number;
  return number;
}

constexpr unsigned all_lines = (1U << cybo::lines.size()) - 1;

/// The lines whose numbers are all among these, a bit a line.
unsigned lines_in(std::span<const std::uint8_t> numbers) {
  unsigned made = 0;
  for (std::size_t line = 0; line < cybo::lines.size(); ++line) {
    const auto has = [&](std::uint8_t number) {
      return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
    };
    if (std::all_of(cybo::lines[line].begin(), cybo::lines[line].end(), has)) made |= 1U << line;
  }
  return made;
}

/// The lines that the turn can still come to.
unsigned open_lines(const TurnTree& tree, TurnTree::Id node) {
  if (node == 0) return all_lines;
  if (tree[node].points != 0) return lines_in(tree[node].rolled);
  unsigned open = 0;
  for (int number = 1; number <= cybo::sides && tree.is_rolling(node) && open != all_lines; ++number) {
    open |= open_lines(tree, tree.after_roll(node, number));
  }
  return open;
}

/// "5 6 7", and "5 6 7+8" with a roll for the Quad.
std::string turn_text(const cybo::Rolled& rolled) {
  const std::span<const std::uint8_t> all(rolled.begin(), std::find(rolled.begin(), rolled.end(), 0));
  if (all.empty() || lines_in(all.first(all.size() - 1)) == 0) return numbers_text(all, " ");
  return fmt::format("{}+{}", numbers_text(all.first(all.size() - 1), " "), all.back());
}

std::string feat_text(int feat) {
  const cybo::Three three = cybo::trinity_numbers(cybo::feat_trinity(feat));
  const std::string text = numbers_text(three, "-");
  return feat < cybo::trinities ? text : fmt::format("{}-{}", text, cybo::fourth_number(three));
}

}  // namespace

/// What has happened and what is awaited, the grid with the numbers of the turn, and the score card.
std::string Cybo::picture(const State& state, Viewer, PictureStyle style) const {
  std::string text = heading(state, style) + '\n';
  if (state.phase != Phase::over) text += '\n' + grid(state, style);
  return text + '\n' + score_card(state, style);
}

std::string Cybo::heading(const State& state, PictureStyle style) const {
  const auto seat_name = [&](int seat) { return paint_seat(style, seat, fmt::format("seat {}", seat)); };
  // 1. The end.
  if (state.phase == Phase::over) {
    std::vector<std::string> winners;
    for (int seat = 0; seat < options_.seats; ++seat) {
      if ((state.winners >> seat & 1) != 0) winners.push_back(seat_name(seat));
    }
    if (winners.empty()) return "The game has reached its turn limit: nobody wins.";
    return fmt::format("The game is over: {} {}.", join(winners), winners.size() == 1 ? "wins" : "share the win");
  }
  // 2. The round and the seat.
  const int round = state.turns / options_.seats;
  std::string text = round < rounds ? fmt::format("Round {} of {}", round + 1, rounds)
                                    : fmt::format("Extra round {}", round - rounds + 1);
  text += fmt::format(": {} ", seat_name(state.seat));
  // 3. The turn.
  const TurnTree& tree = *tree_;
  const std::string rolled = numbers_text(tree[state.node].rolled, ", ");
  if (tree.is_choosing(state.node)) {
    return text +
           fmt::format("has rolled {}, a Trinity.\n'stop' keeps {} points. 'quad' rolls for the {}: 16 points, else 3.",
                       rolled, tree[state.node].points, quad_number(tree, tree.after_quad(state.node)));
  }
  if (tree.is_trying(state.node)) {
    return text +
           fmt::format("has rolled {} and rolls for the {}: 16 points, else 3.", rolled, quad_number(tree, state.node));
  }
  if (rolled.empty()) return text + "begins to roll.";
  const auto made =
      std::count_if(tree[state.node].rolled.begin(), tree[state.node].rolled.end(), [](int n) { return n != 0; });
  const auto left = (options_.level == Level::beginner ? 4 : 3) - made;
  return text +
         fmt::format("has rolled {} and has {} left.", rolled, left == 1 ? "one roll" : fmt::format("{} rolls", left));
}

/// The grid: [5] has been rolled, (6) would help; beside it the lines that are open.
std::string Cybo::grid(const State& state, PictureStyle style) const {
  constexpr int rows = 4;
  const TurnTree& tree = *tree_;
  const cybo::Rolled& rolled = tree[state.node].rolled;
  const bool made = tree.is_choosing(state.node) || tree.is_trying(state.node);
  const TurnTree::Id awaited = tree.is_choosing(state.node) ? tree.after_quad(state.node) : state.node;

  std::array<std::string, rows> beside;
  const unsigned open = made ? 0 : open_lines(tree, state.node);
  int shown = 0;
  for (std::size_t line = 0; line < cybo::lines.size(); ++line) {
    if ((open >> line & 1) == 0) continue;
    std::string& row = beside[static_cast<std::size_t>(shown++ % rows)];
    row += fmt::format("   {:<8}", numbers_text(cybo::lines[line], "-"));
  }

  std::string text = made ? "" : fmt::format("{:24}Open lines\n", "");
  for (int row = 0; row < rows; ++row) {
    text += "  ";
    for (int number = row + 1; number <= cybo::sides; number += rows) {
      const bool has_fallen = std::find(rolled.begin(), rolled.end(), number) != rolled.end();
      if (has_fallen) {
        text += paint_seat(style, state.seat, fmt::format("{:>6}", fmt::format("[{}]", number)));
      } else if (state.node != 0 && helps(tree, awaited, number)) {
        text += paint(style, "1", fmt::format("{:>6}", fmt::format("({})", number)));
      } else {
        text += paint_faint(style, fmt::format("{:>5} ", number));
      }
    }
    const std::string& lines_here = beside[static_cast<std::size_t>(row)];
    text += ' ' + lines_here;
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  if (state.node == 0) return text;
  return text + paint_faint(style, made ? "  [ ] rolled   ( ) makes the Quad" : "  [ ] rolled   ( ) helps") + '\n';
}

/// A row a round, a column a seat: what was rolled and what it was worth.
std::string Cybo::score_card(const State& state, PictureStyle style) const {
  const TurnTree& tree = *tree_;
  struct Cell {
    std::string left;
    std::string right;
  };
  struct Row {
    std::string label;
    std::vector<Cell> cells;
  };
  std::vector<Row> table;
  const auto add_row = [&](std::string label, auto&& cell_of) {
    table.push_back({std::move(label), {}});
    for (int seat = 0; seat < options_.seats; ++seat) table.back().cells.push_back(cell_of(seat));
  };

  // 1. What stands in the cells.
  add_row("", [&](int seat) {
    const bool to_move = state.phase != Phase::over && seat == state.seat;
    return Cell{fmt::format("{}seat {}", to_move ? "> " : "", seat), ""};
  });
  const int extra_turns = state.turns - rounds * options_.seats;
  const bool extra = extra_turns > 0 || (extra_turns == 0 && state.phase != Phase::over);
  for (int round = 0; round < (extra ? rounds + 1 : rounds); ++round) {
    add_row(round < rounds ? std::to_string(round + 1) : "extra", [&](int seat) {
      const TurnTree::Id end = state.card[round][seat];
      const bool now = state.phase != Phase::over && round == state.row && seat == state.seat;
      Cell cell{turn_text(tree[now ? state.node : end].rolled), ""};
      if (round == rounds) {
        int before = 0;
        for (int i = 0; i < rounds; ++i) before += tree[state.card[i][seat]].points;
        cell.right = std::to_string(state.total[seat] - before);
      } else if (end != 0) {
        cell.right = std::to_string(tree[end].points);
      }
      return cell;
    });
  }
  if (grand_master()) {
    add_row("signature",
            [&](int seat) { return Cell{state.signature[seat] == 0 ? "" : feat_text(state.signature[seat] - 1), ""}; });
  }
  add_row("total", [&](int seat) { return Cell{"", std::to_string(state.total[seat])}; });

  // 2. Columns as wide as they need.
  std::size_t width = 11;
  std::size_t label = 5;
  for (const Row& row : table) {
    label = std::max(label, row.label.size());
    for (const Cell& cell : row.cells) width = std::max(width, cell.left.size() + 1 + cell.right.size());
  }
  std::string text;
  for (const Row& row : table) {
    text += paint_faint(style, fmt::format("{:>{}}", row.label, label));
    std::size_t spaces = 0;  // before what is put next, so that no line ends with them
    const auto put = [&](std::size_t seat, std::string_view part) {
      if (part.empty()) return;
      text += std::string(spaces, ' ') + paint_seat(style, static_cast<int>(seat), part);
      spaces = 0;
    };
    for (std::size_t seat = 0; seat < row.cells.size(); ++seat) {
      const Cell& cell = row.cells[seat];
      spaces += 2;
      put(seat, cell.left);
      spaces += width - cell.left.size() - cell.right.size();
      put(seat, cell.right);
    }
    text += '\n';
  }
  return text;
}

}  // namespace tessera
