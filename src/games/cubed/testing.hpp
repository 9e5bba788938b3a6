#pragma once

#include <string>
#include <vector>

#include "core/text.hpp"
#include "games/cubed/cubed.hpp"

/// What the tests of Cubed share.
namespace tessera {

/// Picks a move at random; `eager` to lay where that is possible, so that tables grow: to bridge or fill a gap, else to
/// touch few pieces, so that there are gaps.
inline Move pick(const Cubed& game, const Cubed::State& state, bool eager, Random& random) {
  MoveList<Cubed> moves;
  game.legal(state, moves);
  const Move any = moves[random(static_cast<std::uint32_t>(moves.size()))];
  if (!eager) return any;
  MoveList<Cubed> best;
  int most = -7;
  for (const Move move : moves) {
    const Choices choices = game.choices(state, move);
    if (choices.size() != 3 || choices[0] == "give") continue;
    const std::size_t comma = choices[1].find(',');
    const Cubed::Cell cell{static_cast<std::int8_t>(std::stoi(choices[1].substr(0, comma))),
                           static_cast<std::int8_t>(std::stoi(choices[1].substr(comma + 1)))};
    const unsigned touched = state.table.occupied_round(cell);
    const int runs = std::popcount(touched & ~(touched >> 1 | touched << 5) & 63U);
    const int liked = runs > 1 || touched == 63U ? 0 : -std::popcount(touched);
    if (liked > most) best.clear();
    most = std::max(most, liked);
    if (liked == most) best.push_back(move);
  }
  return best.empty() ? any : best[random(static_cast<std::uint32_t>(best.size()))];
}

/// A mixture of seats and options.
inline Cubed::Options some_options(int number) {
  Cubed::Options options(1 + number % 6);
  options.matching = number / 6 % 2 == 0 ? Cubed::Matching::all : Cubed::Matching::two;
  options.first = number % options.seats;
  if (options.seats == 1) return options;
  options.rounds = 1 + number % 2;
  options.bridge = number / 3 % 2 == 0;
  options.fill = number / 5 % 2 == 0;
  options.take = number / 7 % 3 == 0;
  options.turn_limit = number % 9 == 0 ? 20 : 10000;
  return options;
}

/// "BCG CXX" as pieces.
inline Cubed::PieceSet set_of(std::string_view names) {
  Cubed::PieceSet set;
  for (const std::string_view name : split(names, ' ')) {
    if (!name.empty()) set.add(*cubed::find_kind(name));
  }
  return set;
}

/// A round under way: these pieces on the table, in this order and with no regard to colours, these hands, this bag,
/// and seat 0 to begin its turn.
inline Cubed::State position(const Cubed& game, const std::vector<std::string>& table,
                             const std::vector<std::string>& hands, std::string_view bag) {
  Cubed::State state = game.start();
  for (const std::string& text : table) {
    const std::size_t comma = text.find(',');
    const Cubed::Cell cell{static_cast<std::int8_t>(std::stoi(text.substr(4, comma - 4))),
                           static_cast<std::int8_t>(std::stoi(text.substr(comma + 1)))};
    state.table.lay(*cubed::find_kind(text.substr(0, 3)), text.back() - '0', cell);
  }
  for (std::size_t seat = 0; seat < hands.size(); ++seat) state.hands[seat] = set_of(hands[seat]);
  state.bag = set_of(bag);
  state.step = Cubed::Step::begin;
  return state;
}

}  // namespace tessera
