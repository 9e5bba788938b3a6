#include "arena/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {

Interval win_rate(std::span<const double> samples) {
  constexpr double z = 1.959963984540054;  // of 95 %
  const auto n = static_cast<double>(samples.size());
  if (samples.empty()) return {0, 0, 1};
  double sum = 0;
  for (const double sample : samples) sum += sample;
  const double mean = sum / n;
  // 1. The variance in units of a coin's with this mean, as if one coin had been among the samples: a few samples that
  //    happen to agree prove little.
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  const double coin = mean * (1 - mean);
  const double ratio = coin > 0 ? (squares / coin + 1) / n : 1;
  // 2. Wilson's interval of n / ratio throws of a coin.
  const double throws = n / std::min(ratio, 1.0);
  const double middle = (mean + z * z / (2 * throws)) / (1 + z * z / throws);
  const double half = z * std::sqrt(coin / throws + z * z / (4 * throws * throws)) / (1 + z * z / throws);
  // At the ends rounding must not put the truth out of reach.
  return {mean, mean == 0 ? 0 : middle - half, mean == 1 ? 1 : middle + half};
}

double elo(double win_rate, int players) { return 400 * std::log10(win_rate * (players - 1) / (1 - win_rate)); }

SequentialTest::SequentialTest(int players, double confidence)
    : even_(1.0 / players), rich_(players / (1 - confidence)), capital_(static_cast<std::size_t>(players)) {
  for (const double share : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
    bets_.push_back(share / even_);         // that the player is better: all is lost by a score of 0
    bets_.push_back(-share / (1 - even_));  // worse: by a score of 1
  }
  for (auto& capital : capital_) capital.assign(bets_.size(), 1);
}

void SequentialTest::add(std::span<const double> scores) {
  for (std::size_t player = 0; player < capital_.size(); ++player) {
    double sum = 0;
    for (std::size_t i = 0; i < bets_.size(); ++i) {
      capital_[player][i] *= 1 + bets_[i] * (scores[player] - even_);
      sum += capital_[player][i];
    }
    if (sum / static_cast<double>(bets_.size()) >= rich_) sure_ = true;
  }
}

}  // namespace tessera
