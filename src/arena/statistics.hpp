#pragma once

#include <span>
#include <vector>

/// What the samples of an arena say. docs/arena.md derives it.
namespace tessera {

struct Interval {
  double mean;
  double low;  ///< 95 % of such intervals hold the truth
  double high;
};

/// The win rate behind `samples`, each from 0 to 1 and independent of the others: Wilson's interval, with the samples'
/// own variance in place of a coin's.
Interval win_rate(std::span<const double> samples);

/// How far a player with this win rate is ahead of the other `players` - 1, if those are equally strong; infinite at 0 and 1.
double elo(double win_rate, int players);

/// Tells when it is sure that players are not equally strong, however often it is asked: a gambler bets against the
/// equality of each, and is believed once rich.
class SequentialTest {
 public:
  /// `confidence` from 0 to 1: equal players are told apart by mistake in at most 1 - confidence of all contests.
  SequentialTest(int players, double confidence);

  void add(std::span<const double> scores);  ///< a sample: each player's score, together 1
  bool sure() const { return sure_; }

 private:
  double even_;
  double rich_;
  std::vector<double> bets_;                  ///< shares of what can be staked, for and against
  std::vector<std::vector<double>> capital_;  ///< by player and bet
  bool sure_ = false;
};

}  // namespace tessera
