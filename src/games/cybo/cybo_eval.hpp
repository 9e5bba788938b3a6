#pragma once

#include <vector>

#include "games/cybo/cybo.hpp"
#include "rules/chances.hpp"

namespace tessera {

/// CYBO solved: chances of winning by dynamic programming over the turns that are left. docs/cybo-solved.md derives it.
///
/// Two seats: exact at beginner, advanced and master level, for both sides playing as well as can be. More seats: each
/// seat's chance if it plays as well as can be from here on while the others take what scores most on average, whatever
/// the totals; their totals' distributions are exact. Grand master level: later turns are taken to be like those of a
/// seat that qualifies no more, or has its signature already, as now. `turn_limit` is taken to be out of reach.
class CyboEval {
 public:
  explicit CyboEval(const Cybo& game);

  /// Nothing is left to search: the best move is the one with the higher chance.
  static constexpr bool exact = true;

  Chances chances(const Cybo::State& state) const;
  std::uint64_t key(const Cybo::State& state) const;

 private:
  static constexpr int most_points = 16;

  /// How a turn goes on from some node of its tree, by points: with what probability it ends with so many, or comes to
  /// the decision between so many and the roll for the Quad.
  struct Odds {
    std::array<double, most_points + 1> ends{};
    std::array<double, most_points + 1> choices{};
  };
  using Values = std::vector<double>;  ///< by a total or a difference of totals

  void add_odds(const Cybo::State& state, cybo::TurnTree::Id node, double probability, Odds& odds) const;
  Odds odds_of(const Cybo::State& state, cybo::TurnTree::Id node) const;
  /// The turns that are left of the game as it is now, the one under way included.
  int turns_left(const Cybo::State& state) const;

  Chances chances_of_two(const Cybo::State& state) const;
  Values differences(std::span<const int> seats, std::span<const Odds> odds, Values values) const;
  double tied(std::span<const Odds> of_seat) const;
  Chances chances_of_many(const Cybo::State& state) const;

  const Cybo* game_;
  const cybo::TurnTree* tree_;
  Odds whole_turn_;  ///< from the first roll on, not grand master
};

}  // namespace tessera
