#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/text.hpp"
#include "games/cylinder/cylinder.hpp"
#include "rules/notation.hpp"

namespace tessera::cylinder_test {

using Teams = Cylinder::Teams;
using Texts = std::set<std::string>;

/// A position set up by hand. With the defaults: rows 0–2 green, 3 red, 4 goal, 5 red, 6–8 green.
struct Table {
  explicit Table(int seats = 2, Teams teams = Teams::none) : Table(with_teams(seats, teams)) {}
  explicit Table(const Cylinder::Options& options) : game(options), state(game.start()) {}

  static Cylinder::Options with_teams(int seats, Teams teams) {
    Cylinder::Options options(seats);
    options.teams = teams;
    return options;
  }

  int hole(std::string_view text) const {
    const std::size_t comma = text.find(',');
    return game.board().hole(*parse_int(text.substr(0, comma)), *parse_int(text.substr(comma + 1)));
  }
  void put(int seat, std::string_view holes) {
    for (const std::string_view text : split(holes, ' ')) {
      state.marbles[seat].add(hole(text));
      --state.home[seat];
    }
  }
  void take(int seat, std::string_view text) {
    state.marbles[seat].remove(hole(text));
    ++state.home[seat];
  }
  bool has(int seat, std::string_view text) const { return state.marbles[seat].has(hole(text)); }
  int home(int seat) const { return state.home[seat]; }

  void roll(int value) {
    ASSERT_EQ(game.turn(state).phase, Phase::chance);
    game.apply(state, {static_cast<std::uint8_t>(value)});
  }
  Texts legal() const {
    const auto texts = legal_texts(game, state);
    return {texts.begin(), texts.end()};
  }
  bool allows(const std::string& text) const { return legal().contains(text); }
  /// Where the marble can go with the whole roll (or what is left of it).
  Texts ends(const std::string& from) const {
    Texts found;
    for (const std::string& text : legal()) {
      if (text.starts_with(from + ">") && text.find(':') == std::string::npos)
        found.insert(text.substr(from.size() + 1));
    }
    return found;
  }
  void play(const std::string& text) {
    const auto move = game.parse_move(state, text);
    ASSERT_TRUE(move) << move.error().sentence;
    game.play(state, *move);
  }
  std::string refusal(const std::string& text) const {
    const auto move = game.parse_move(state, text);
    return move ? "" : move.error().sentence;
  }
  bool waits_for_roll_of(int seat) const {
    return game.turn(state) == Turn{Phase::chance, static_cast<std::int8_t>(seat)};
  }
  bool waits_for_decision_of(int seat) const {
    return game.turn(state) == Turn{Phase::decision, static_cast<std::int8_t>(seat)};
  }
  bool over() const { return game.turn(state).phase == Phase::over; }

  Cylinder game;
  Cylinder::State state;
};

}  // namespace tessera::cylinder_test
