#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "search/features.hpp"
#include "search/policy.hpp"

namespace tessera {

struct LearningParameters {
  /// How far a position's chances are drawn to the end of the game rather than to the next position's: λ of TD(λ).
  double lambda = 0.9;
  /// The first step; later ones are smaller the more a weight has moved (AdaGrad).
  double step = 0.3;
  /// Moves of the games that are played at random, so that unusual positions are learned too.
  std::uint32_t any_move_percent = 10;
};

/// Learns the weights of an evaluation by playing against itself, by temporal differences. docs/learning.md derives it.
template <Game G, LinearEvaluation<G> E>
class Learner {
 public:
  static constexpr std::size_t count = E::feature_count;
  using Weights = std::array<double, count>;

  /// Begins with the weights that the evaluation has.
  Learner(const G& game, LearningParameters parameters) : game_(&game), evaluation_(game), parameters_(parameters) {}

  /// The mean over the later games: single games push the weights to and fro.
  Weights weights() const {
    if (averaged_ == 0) return evaluation_.weights();
    Weights mean = sums_;
    for (double& weight : mean) weight /= averaged_;
    return mean;
  }
  void set_weights(std::span<const double> weights) {
    std::copy(weights.begin(), weights.end(), evaluation_.weights().begin());
    averaged_ = 0;
    sums_ = {};
  }

  /// All that it remembers, to go on from later; and going on. The number of values is `memory_size`.
  static constexpr std::size_t memory_size = 3 * count + 3;
  std::vector<double> memory() const {
    std::vector<double> all(evaluation_.weights().begin(), evaluation_.weights().end());
    all.insert(all.end(), squares_.begin(), squares_.end());
    all.insert(all.end(), sums_.begin(), sums_.end());
    all.insert(all.end(), {averaged_, static_cast<double>(games_), static_cast<double>(averages_from_)});
    return all;
  }
  void set_memory(std::span<const double> all) {
    std::copy_n(all.begin(), count, evaluation_.weights().begin());
    std::copy_n(all.begin() + count, count, squares_.begin());
    std::copy_n(all.begin() + 2 * count, count, sums_.begin());
    averaged_ = all[3 * count];
    games_ = static_cast<std::uint64_t>(all[3 * count + 1]);
    averages_from_ = static_cast<std::uint64_t>(all[3 * count + 2]);
  }

  /// Plays one game and learns from it.
  void learn(Random& random) {
    // 1. A game against itself; what every position after a decision looked like.
    std::vector<std::array<Weights, max_seats>> seen;
    typename G::State state = game_->start();
    const BestNow<E> policy{evaluation_, parameters_.any_move_percent};
    MoveList<G> moves;
    while (game_->turn(state).phase != Phase::over) {
      if (game_->turn(state).phase == Phase::chance) {
        game_->apply(state, game_->draw(state, random));
        continue;
      }
      moves.clear();
      game_->legal(state, moves);
      game_->play(state, policy(*game_, state, moves, random));
      if (game_->turn(state).phase != Phase::over) seen.push_back(evaluation_.features(state));
    }
    // 2. From the end back: each position's chances should have been between those of the next one and of the end.
    Chances target = chances_of(*game_, game_->result(state));
    Weights gradient{};
    for (std::size_t i = seen.size(); i-- > 0;) {
      const Chances now = judged(seen[i]);
      for (int seat = 0; seat < game_->options().seats; ++seat) {
        for (std::size_t k = 0; k < count; ++k) gradient[k] += (target[seat] - now[seat]) * seen[i][seat][k];
        target[seat] = parameters_.lambda * target[seat] + (1 - parameters_.lambda) * now[seat];
      }
    }
    // 3. A step along the gradient.
    for (std::size_t k = 0; k < count; ++k) {
      const double mean = gradient[k] / static_cast<double>(seen.size() + 1);
      squares_[k] += mean * mean;
      if (squares_[k] > 0) evaluation_.weights()[k] += parameters_.step * mean / std::sqrt(squares_[k]);
    }
    average();
  }

 private:
  Chances judged(const std::array<Weights, max_seats>& features) const {
    std::array<double, max_seats> scores{};
    for (int seat = 0; seat < game_->options().seats; ++seat) {
      for (std::size_t k = 0; k < count; ++k) scores[seat] += evaluation_.weights()[k] * features[seat][k];
    }
    return chances_from(*game_, scores);
  }

  /// Whenever the number of games has doubled, the mean begins anew: the first games know little.
  void average() {
    ++games_;
    if (games_ >= 2 * averages_from_) {
      averages_from_ = games_;
      averaged_ = 0;
      sums_ = {};
    }
    ++averaged_;
    for (std::size_t k = 0; k < count; ++k) sums_[k] += evaluation_.weights()[k];
  }

  const G* game_;
  E evaluation_;
  LearningParameters parameters_;
  Weights squares_{};
  Weights sums_{};
  double averaged_ = 0;
  std::uint64_t games_ = 0;
  std::uint64_t averages_from_ = 1;
};

}  // namespace tessera
