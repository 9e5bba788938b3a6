#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"

/// How often each face of a match's dice fell, and how likely that is.
namespace tessera {

class DiceStatistics {
 public:
  void count(std::span<const Draw> draws);

  /// [{"sides":6,"faces":[3,1,…],"chi2":4.21,"p":0.52}]: `p` is how often fair dice fall at least as unevenly.
  std::string json() const;

  friend bool operator==(const DiceStatistics&, const DiceStatistics&) = default;

 private:
  std::vector<std::vector<std::uint32_t>> faces_;  ///< a list a kind of die, as long as the die has sides
};

/// The upper tail of the chi-square distribution.
double chi_square_tail(double chi_square, int degrees_of_freedom);

}  // namespace tessera
