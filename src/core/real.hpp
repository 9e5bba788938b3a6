#pragma once

#include <bit>
#include <cstdint>

/// Exponential and logarithm by sums, products and quotients alone, which every compiler rounds alike: the standard
/// library's may differ in the last bit, and a search that compares them would then choose other moves.
namespace tessera {

/// e to the power x, to 12 digits; x from -700 to 700, else as at these ends.
constexpr double portable_exp(double x) {
  constexpr double ln2 = 0.69314718055994530942;
  if (x > 700) x = 700;
  if (x < -700) x = -700;
  // 1. x = n · ln 2 + r with |r| at most half of ln 2.
  const double quotient = x / ln2;
  const auto n = static_cast<std::int64_t>(quotient < 0 ? quotient - 0.5 : quotient + 0.5);
  const double r = x - static_cast<double>(n) * ln2;
  // 2. The series of e^r, from its last term.
  double sum = 1;
  for (int k = 12; k > 0; --k) sum = 1 + sum * r / k;
  // 3. Times 2^n.
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// The natural logarithm of x > 0 (not of subnormal numbers), to 9 digits.
constexpr double portable_log(double x) {
  constexpr double ln2 = 0.69314718055994530942;
  // 1. x = 2^n · m with m from 1 to 2.
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto n = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
  const double m = std::bit_cast<double>((bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1023} << 52);
  // 2. ln m = 2 artanh s with s = (m - 1) / (m + 1), at most a third.
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 0;
  for (int k = 17; k > 0; k -= 2) sum = 1.0 / k + square * sum;
  return n * ln2 + 2 * s * sum;
}

/// The chance that a lead of x, in units that evaluations choose, wins: 1 / (1 + e^-x).
constexpr double logistic(double x) { return 1 / (1 + portable_exp(-x)); }

}  // namespace tessera
