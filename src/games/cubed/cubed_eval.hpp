#pragma once

#include "games/cubed/cubed.hpp"
#include "rules/chances.hpp"

namespace tessera {

/// Judges Cubed by the points so far and those that the hands are likely to cost.
class CubedEval {
 public:
  static constexpr std::size_t feature_count = 13;
  using Weights = std::array<double, feature_count>;

  explicit CubedEval(const Cubed& game);

  Chances chances(const Cubed::State& state) const;
  std::uint64_t key(const Cubed::State& state) const;
  int urge(const Cubed::State& state, Move move) const;  ///< of a move in a playout: be rid of what costs most

  std::array<Weights, max_seats> features(const Cubed::State& state) const;
  Weights& weights() { return weights_; }
  const Weights& weights() const { return weights_; }

  /// How the strongest level searches with this evaluation.
  static void search(auto& parameters) {
    parameters.simulations = 5'000;
    parameters.exploration = 0.3;
  }

 private:
  Chances chances_alone(const Cubed::State& state) const;

  const Cubed* game_;
  Weights weights_;
};

}  // namespace tessera
