#include "core/random.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace tessera {
namespace {

/// The documented mapping with words that are handed in.
std::uint32_t from_words(std::vector<std::uint32_t> words, std::uint32_t n) {
  std::size_t next = 0;
  return uniform_from_words([&] { return words.at(next++); }, n);
}

TEST(Random, MapsWordsAsDocumented) {
  EXPECT_EQ(from_words({0xffffffff}, 6), 5U);
  EXPECT_EQ(from_words({0x80000001}, 6), 3U);
  EXPECT_EQ(from_words({0x12345678}, 1), 0U);
  // 2^32 mod 6 is 4: words whose product ends below 4 are refused. 0·6 = 0; 0xaaaaaaab·6 ends in 2.
  EXPECT_EQ(from_words({0, 0xaaaaaaab, 0xffffffff}, 6), 5U);
  EXPECT_EQ(from_words({1}, 6), 0U) << "6 is not below 4";
  EXPECT_EQ(from_words({0}, 8), 0U) << "a power of two refuses nothing";
}

TEST(Random, EveryNumberFallsOnEquallyManyWords) {
  // Over all words w with 16 random bits the mapping is as even as it can be; checked by counting a whole cycle of n
  // = 3.
  std::vector<std::uint64_t> counts(3, 0);
  constexpr std::uint64_t step = 65537;  // odd, so that residues are spread
  for (std::uint64_t word = 0; word < (std::uint64_t{1} << 32); word += step) {
    bool refused = false;
    const std::uint32_t value = uniform_from_words(
        [&, first = true]() mutable -> std::uint32_t {
          if (!first) refused = true;
          first = false;
          return refused ? 0x80000000 : static_cast<std::uint32_t>(word);
        },
        3);
    if (!refused) ++counts[value];
  }
  for (const std::uint64_t count : counts) EXPECT_NEAR(static_cast<double>(count), 65535.0 / 3, 1);
}

/// The stream that docs/randomness.md describes, written again from that page alone.
class Described {
 public:
  Described(std::uint64_t seed, const std::string& name) {
    std::uint64_t x = seed + 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    x ^= x >> 31;
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const unsigned char byte : name) {
      hash ^= byte;
      hash *= 0x100000001b3;
    }
    increment_ = hash << 1 | 1;
    state_ = (x + increment_) * multiplier + increment_;
  }
  std::uint32_t word() {
    const std::uint64_t old = state_;
    state_ = old * multiplier + increment_;
    const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto turn = static_cast<std::uint32_t>(old >> 59);
    return shifted >> turn | shifted << (-turn & 31);
  }

 private:
  static constexpr std::uint64_t multiplier = 6364136223846793005;
  std::uint64_t state_;
  std::uint64_t increment_;
};

TEST(Random, StreamsAreAsDocumented) {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xffffffffffffffff}}) {
    for (const Stream stream : {Stream{Stream::Kind::dice, 0}, Stream{Stream::Kind::bag, 3}}) {
      Described described(seed, stream_name(stream));
      Random random(seed, stream);
      for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(random(0x80000000), described.word() >> 1);
      }
    }
  }
}

TEST(Random, TheFirstDiceOfSeedOne) {
  Random dice(1, Stream{Stream::Kind::dice, 0});
  std::vector<std::uint32_t> rolls;
  for (int i = 0; i < 12; ++i) rolls.push_back(dice(6) + 1);
  EXPECT_EQ(rolls, (std::vector<std::uint32_t>{4, 6, 6, 4, 5, 6, 5, 3, 4, 2, 3, 4}));
}

TEST(Random, StreamsDoNotDependOnEachOther) {
  Streams one(7);
  Streams other(7);
  other[{Stream::Kind::dice, 1}](6);
  other[{Stream::Kind::bag, 0}](65);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ((one[{Stream::Kind::dice, 0}](1000)), (other[{Stream::Kind::dice, 0}](1000)));
  }
}

}  // namespace
}  // namespace tessera
