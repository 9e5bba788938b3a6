#pragma once

#include "games/marbles/marbles.hpp"
#include "rules/chances.hpp"

namespace tessera {

/// Judges Marbles by where the marbles stand and which of them can be hit.
class MarblesEval {
 public:
  static constexpr std::size_t feature_count = 24;
  using Weights = std::array<double, feature_count>;

  explicit MarblesEval(const Marbles& game);

  Chances chances(const Marbles::State& state) const;
  std::uint64_t key(const Marbles::State& state) const;

  std::array<Weights, max_seats> features(const Marbles::State& state) const;
  Weights& weights() { return weights_; }
  const Weights& weights() const { return weights_; }

  /// How the strongest level searches with this evaluation.
  static void search(auto& parameters) {
    parameters.simulations = 20'000;
    parameters.exploration = 0.1;
  }

 private:
  void marbles_of(const Marbles::State& state, int seat, Weights& found) const;
  void dangers_of(const Marbles::State& state, int seat, Weights& found) const;

  const Marbles* game_;
  Weights weights_;
};

}  // namespace tessera
