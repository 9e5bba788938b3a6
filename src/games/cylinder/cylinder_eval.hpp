#pragma once

#include "games/cylinder/cylinder.hpp"
#include "rules/chances.hpp"

namespace tessera {

/// Judges Cylinder by how near the marbles are to a row of neighbours in the goal row, and what can be sent home.
class CylinderEval {
 public:
  static constexpr std::size_t feature_count = 26;
  using Weights = std::array<double, feature_count>;

  explicit CylinderEval(const Cylinder& game);

  Chances chances(const Cylinder::State& state) const;
  std::uint64_t key(const Cylinder::State& state) const;

  std::array<Weights, max_seats> features(const Cylinder::State& state) const;
  Weights& weights() { return weights_; }
  const Weights& weights() const { return weights_; }

  /// How the strongest level searches with this evaluation.
  static void search(auto& parameters) {
    parameters.simulations = 8'000;
    parameters.exploration = 0.1;
  }

 private:
  /// What stands in the goal row and on the red rows beside it, a bit a column.
  struct Middle {
    std::array<std::uint64_t, max_seats> goal{};
    std::array<std::uint64_t, max_seats> upper{};
    std::array<std::uint64_t, max_seats> lower{};
  };

  void marbles_of(const Cylinder::State& state, int seat, Middle& middle, Weights& found) const;
  void rows_of(const Cylinder::State& state, int seat, const Middle& middle, Weights& found) const;
  void dangers_of(const Cylinder::State& state, int seat, const Middle& middle, Weights& found) const;
  int rolls_that_fill(const Cylinder::State& state, int seat, int column) const;

  const Cylinder* game_;
  int columns_;
  int wanted_;  ///< neighbours that win
  Weights weights_;
};

}  // namespace tessera
