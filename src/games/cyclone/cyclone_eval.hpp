#pragma once

#include "games/cyclone/cyclone.hpp"
#include "rules/chances.hpp"

namespace tessera {

/// Judges Cyclone by how far the cubes have come, which are buried under others, and which have a tower in their way.
class CycloneEval {
 public:
  static constexpr std::size_t feature_count = 28;
  using Weights = std::array<double, feature_count>;

  explicit CycloneEval(const Cyclone& game);

  Chances chances(const Cyclone::State& state) const;
  std::uint64_t key(const Cyclone::State& state) const;

  std::array<Weights, max_seats> features(const Cyclone::State& state) const;
  Weights& weights() { return weights_; }
  const Weights& weights() const { return weights_; }

  /// How the strongest level searches with this evaluation.
  static void search(auto& parameters) {
    parameters.simulations = 20'000;
    parameters.exploration = 0.1;
  }

 private:
  int steps_done(int seat, int place) const;
  void look_ahead(const Cyclone::State& state, int seat, int place, double progress, Weights& found) const;

  const Cyclone* game_;
  int arm_;
  double whole_way_;  ///< steps from the own base into another
  Weights weights_;
};

}  // namespace tessera
