#pragma once

#include <algorithm>
#include <vector>

#include "search/evaluation.hpp"
#include "search/thought.hpp"

namespace tessera {

struct ExpectimaxParameters {
  /// Chance events that are looked through. 0: all that the seat decides until the next one, so "one move ahead", in
  /// Cyclone the rest of the turn.
  int depth = 0;
  /// Moves looked at in each decision below the first, the best of those that the evaluation thinks of; 0: all.
  std::size_t beam = 0;
  /// Positions remembered: two to the power of this.
  int table_bits = 14;
};

/// Exact expectation over dice and the best of each decision, to a depth at which the evaluation judges. Every seat is
/// taken to do what is best for itself. docs/search.md derives it.
template <Game G, Evaluation<G> E>
class Expectimax {
 public:
  using State = typename G::State;

  Expectimax(const G& game, const E& evaluation, ExpectimaxParameters parameters)
      : game_(&game),
        evaluation_(&evaluation),
        parameters_(parameters),
        table_(std::size_t{1} << parameters.table_bits) {}

  /// `state` waits for a decision.
  Thought think(const State& state) {
    judged_ = 0;
    const int seat = game_->turn(state).seat;
    MoveList<G> moves;
    game_->legal(state, moves);
    std::vector<MoveChance> found;
    std::size_t best = 0;
    for (const Move move : moves) {
      State next = state;
      game_->play(next, move);
      found.push_back({move, value(next, parameters_.depth)[seat]});
      if (found.back().chance > found[best].chance) best = found.size() - 1;
    }
    return conclude(std::move(found), best, judged_);
  }

  /// Every seat's chance of winning, looking through `depth` chance events.
  Chances value(const State& state, int depth) {
    switch (game_->turn(state).phase) {
      case Phase::over: return chances_of(*game_, game_->result(state));
      case Phase::chance:
        // Deals are too many to list: they are judged as they are.
        if (depth == 0 || game_->outcome_total(state) == 0) {
          ++judged_;
          return evaluation_->chances(state);
        }
        return remembered(state, depth, [&] { return expectation(state, depth - 1); });
      case Phase::decision: return remembered(state, depth, [&] { return best_of(state, depth); });
    }
    return {};
  }

 private:
  /// Small, so that the table stays in a processor's cache: a position is known by its key alone.
  struct Entry {
    std::uint64_t key = 0;
    Chances chances{};
  };

  template <class Find>
  Chances remembered(const State& state, int depth, Find&& find) {
    const std::uint64_t key = mixed(evaluation_->key(state) + static_cast<std::uint64_t>(depth)) | 1;
    Entry& entry = table_[key >> (64 - parameters_.table_bits)];
    if (entry.key == key) return entry.chances;
    const Chances found = find();
    table_[key >> (64 - parameters_.table_bits)] = {key, found};
    return found;
  }

  Chances expectation(const State& state, int depth) {
    Chances sum{};
    game_->each_outcome(state, [&](const auto& outcome, std::uint64_t weight) {
      State next = state;
      game_->apply(next, outcome);
      const Chances chances = value(next, depth);
      for (int seat = 0; seat < max_seats; ++seat) sum[seat] += static_cast<double>(weight) * chances[seat];
    });
    const auto total = static_cast<double>(game_->outcome_total(state));
    for (double& chance : sum) chance /= total;
    return sum;
  }

  Chances best_of(const State& state, int depth) {
    const int seat = game_->turn(state).seat;
    MoveList<G> moves;
    game_->legal(state, moves);
    // 1. The best moves at first sight, when not all are to be looked at.
    if (parameters_.beam != 0 && moves.size() > parameters_.beam) {
      std::vector<MoveChance> ordered;
      ordered.reserve(moves.size());
      for (const Move move : moves) {
        State next = state;
        game_->play(next, move);
        ++judged_;
        ordered.push_back({move, judge(*game_, *evaluation_, next)[seat]});
      }
      std::sort(ordered.begin(), ordered.end());
      moves.clear();
      for (std::size_t i = 0; i < parameters_.beam; ++i) moves.push_back(ordered[i].move);
    }
    // 2. The best of them at a closer look.
    Chances best{};
    bool first = true;
    for (const Move move : moves) {
      State next = state;
      game_->play(next, move);
      const Chances chances = value(next, depth);
      if (first || chances[seat] > best[seat]) best = chances;
      first = false;
    }
    return best;
  }

  const G* game_;
  const E* evaluation_;
  ExpectimaxParameters parameters_;
  std::vector<Entry> table_;
  std::uint64_t judged_ = 0;
};

}  // namespace tessera
