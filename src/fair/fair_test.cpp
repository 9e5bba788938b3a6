#include "fair/fair.hpp"

#include <gtest/gtest.h>
#include <map>
#include <vector>

/// With a hash that writes down what it is asked, so that the texts are seen. The real hash is src/crypto's.
namespace tessera::fair {
namespace {

std::vector<std::string> asked;

Bytes32 counting_bytes(std::uint8_t first) {
  Bytes32 bytes;
  for (std::uint8_t& byte : bytes) byte = first++;
  return bytes;
}

const Hash noting{.sha256 =
                      [](std::string_view bytes) {
                        asked.emplace_back(bytes);
                        return counting_bytes(0x80);
                      },
                  .hmac_sha256 =
                      [](const Bytes32& key, std::string_view bytes) {
                        asked.push_back(hex(key).substr(0, 4) + " " + std::string(bytes));
                        return counting_bytes(static_cast<std::uint8_t>(16 * asked.size()));
                      }};

class Fair : public testing::Test {
 protected:
  Fair() { asked.clear(); }
};

constexpr Stream dice_of(std::uint8_t seat) { return {.kind = Stream::Kind::dice, .index = seat}; }

TEST_F(Fair, HexIsReadInExactlyOneForm) {
  const Bytes32 bytes = counting_bytes(0xf0);
  const std::string digits = hex(bytes);
  EXPECT_EQ(digits, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f");
  EXPECT_EQ(from_hex(digits), bytes);
  EXPECT_FALSE(from_hex(""));
  EXPECT_FALSE(from_hex(digits.substr(1)));
  EXPECT_FALSE(from_hex(digits + "0"));
  EXPECT_FALSE(from_hex("F" + digits.substr(1)));
  for (const char wrong : {'g', '/', ':', '`', ' ', '\0'}) {
    std::string changed = digits;
    changed[63] = wrong;
    EXPECT_FALSE(from_hex(changed)) << wrong;
  }
}

TEST_F(Fair, CommitmentsNameMatchDrawAndSeat) {
  const Bytes32 bytes = counting_bytes(0);
  const std::string digits = hex(bytes);
  EXPECT_EQ(secret_hash(noting, {.match = "m", .number = 3}, bytes), counting_bytes(0x80));
  contribution_hash(noting, {.match = "m", .number = 12}, 4, bytes);
  EXPECT_EQ(asked, (std::vector<std::string>{"tessera/1\nm\n3\nsecret\n" + digits, "tessera/1\nm\n12\n4\n" + digits}));
}

TEST_F(Fair, TheKeyHoldsEveryContributionInOrder) {
  const std::vector<std::optional<Bytes32>> contributions{counting_bytes(1), std::nullopt, counting_bytes(2)};
  dice_key(noting, {.match = "m", .number = 1}, counting_bytes(0xab), contributions);
  EXPECT_EQ(asked.at(0), "abac tessera/1\nm\n1\n" + hex(counting_bytes(1)) + "\n-\n" + hex(counting_bytes(2)) + "\n");
}

TEST_F(Fair, ABlockIsEightBigEndianWordsAndEachStreamHasItsOwn) {
  Dice dice(noting, counting_bytes(0xcd));
  constexpr std::uint32_t n = 1U << 16;  // the number is the upper half of the word
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(dice.uniform(dice_of(0), n), (0x10 + 4 * i) << 8 | (0x11 + 4 * i));
  }
  EXPECT_EQ(asked, (std::vector<std::string>{"cdce dice 0\n0"}));
  EXPECT_EQ(dice.uniform(dice_of(0), n), 0x2021);
  EXPECT_EQ(dice.uniform(dice_of(1), n), 0x3031);
  EXPECT_EQ(dice.uniform(dice_of(0), n), 0x2425);
  EXPECT_EQ(dice.uniform({.kind = Stream::Kind::bag, .index = 15}, n), 0x4041);
  EXPECT_EQ(dice.first_seat(n), 0x5051);
  EXPECT_EQ(asked, (std::vector<std::string>{"cdce dice 0\n0", "cdce dice 0\n1", "cdce dice 1\n0", "cdce bag 15\n0",
                                             "cdce first\n0"}));
}

/// A die that does not depend on what other streams were asked in between, however blocks are kept.
TEST_F(Fair, StreamsDoNotDisturbEachOther) {
  const Hash by_text{.sha256 = noting.sha256, .hmac_sha256 = [](const Bytes32&, std::string_view bytes) {
                       Bytes32 result{};
                       for (std::size_t i = 0; i < result.size(); ++i) {
                         result[i] = static_cast<std::uint8_t>(fnv1a(bytes, fnv1a(std::to_string(i))) >> 56);
                       }
                       return result;
                     }};
  const auto stream_of = [](std::uint32_t i) {
    return Stream{.kind = static_cast<Stream::Kind>(i / 16), .index = static_cast<std::uint8_t>(i % 16)};
  };
  std::vector<std::vector<std::uint32_t>> alone(48);
  for (std::uint32_t i = 0; i < alone.size(); ++i) {
    Dice dice(by_text, {});
    for (int roll = 0; roll < 200; ++roll) alone[i].push_back(dice.uniform(stream_of(i), 1000));
  }
  Random random(1, "order");
  Dice dice(by_text, {});
  std::map<std::uint32_t, std::size_t> used;
  for (int roll = 0; roll < 2000; ++roll) {
    const std::uint32_t i = random(48);
    ASSERT_EQ(dice.uniform(stream_of(i), 1000), alone[i].at(used[i]++));
  }
}

TEST_F(Fair, EqualDiceHaveTheSameKeyAndPositions) {
  Dice a(noting, counting_bytes(1));
  Dice b(noting, counting_bytes(1));
  EXPECT_EQ(a, b);
  EXPECT_NE(a, Dice(noting, counting_bytes(2)));
  a.uniform(dice_of(3), 6);
  EXPECT_NE(a, b);
  b.uniform(dice_of(3), 12);
  EXPECT_EQ(a, b);
  a.first_seat(2);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace tessera::fair
