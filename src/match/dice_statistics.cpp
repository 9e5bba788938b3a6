#include "match/dice_statistics.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.hpp"

namespace tessera {

void DiceStatistics::count(std::span<const Draw> draws) {
  for (const Draw& draw : draws) {
    auto die = std::find_if(faces_.begin(), faces_.end(), [&](const auto& faces) { return faces.size() == draw.n; });
    if (die == faces_.end()) die = faces_.emplace(faces_.end(), draw.n, 0U);
    ++(*die)[draw.value];
  }
}

std::string DiceStatistics::json() const {
  std::vector<std::string> dice;
  for (const auto& faces : faces_) {
    const double rolls = std::accumulate(faces.begin(), faces.end(), 0.0);
    const double expected = rolls / static_cast<double>(faces.size());
    double chi_square = 0;
    for (const std::uint32_t times : faces) chi_square += (times - expected) * (times - expected) / expected;
    const double p = chi_square_tail(chi_square, static_cast<int>(faces.size()) - 1);
    dice.push_back(fmt::format(R"({{"sides":{},"faces":[{}],"chi2":{:.4g},"p":{:.4g}}})", faces.size(),
                               fmt::join(faces, ","), chi_square, p));
  }
  return '[' + join(dice, ",") + ']';
}

/// It is Q(a, x), the regularised upper incomplete gamma function, with a half the degrees and x half of chi-square.
/// Q(1/2, x) = erfc(√x), Q(1, x) = exp(-x), and Q(a + 1, x) = Q(a, x) + x^a exp(-x) / Γ(a + 1).
double chi_square_tail(double chi_square, int degrees_of_freedom) {
  if (degrees_of_freedom <= 0) return 1;
  const double x = chi_square / 2;
  const bool odd = degrees_of_freedom % 2 != 0;
  double a = odd ? 0.5 : 1;
  double tail = odd ? std::erfc(std::sqrt(x)) : std::exp(-x);
  double term = odd ? std::sqrt(x / std::acos(-1.0)) * 2 * std::exp(-x) : x * std::exp(-x);  // x^a exp(-x) / Γ(a + 1)
  for (; 2 * a < degrees_of_freedom; a += 1) {
    tail += term;
    term *= x / (a + 1);
  }
  return std::min(tail, 1.0);
}

}  // namespace tessera
