#include "crypto/crypto.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

namespace tessera::crypto {
namespace {

using fair::Bytes32;
using fair::hex;

/// A key that HMAC pads with zeros, as it does with every key shorter than its block.
Bytes32 key_of(std::string_view bytes) {
  Bytes32 key{};
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

// FIPS 180-4's examples.
TEST(Crypto, Sha256) {
  const auto sha256 = [](std::string_view bytes) { return hex(hash().sha256(bytes)); };
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 4231, test cases 1 to 4.
TEST(Crypto, HmacSha256) {
  const auto hmac = [](std::string_view key, std::string_view bytes) {
    return hex(hash().hmac_sha256(key_of(key), bytes));
  };
  EXPECT_EQ(hmac(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  std::string counted;
  for (char byte = 1; byte <= 25; ++byte) counted += byte;
  EXPECT_EQ(hmac(counted, std::string(50, '\xcd')), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
}

TEST(Crypto, RandomBytesAndNames) {
  EXPECT_NE(random_bytes(), random_bytes());
  std::set<char> letters;
  std::set<std::string> names;
  for (int i = 0; i < 200; ++i) {
    const std::string name = random_name(16);
    EXPECT_EQ(name.size(), 16);
    letters.insert(name.begin(), name.end());
    names.insert(name);
  }
  EXPECT_EQ(names.size(), 200);
  EXPECT_EQ(std::string(letters.begin(), letters.end()), "0123456789abcdefghjkmnpqrstvwxyz");
}

TEST(Crypto, SignaturesFitOneTextAndOneKey) {
  const Bytes32 key = key_of("key");
  const std::string signed_text = signature(key, "seat 0");
  EXPECT_EQ(signed_text.size(), 43);
  EXPECT_EQ(signed_text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
            std::string::npos);
  EXPECT_TRUE(signature_fits(key, "seat 0", signed_text));
  EXPECT_FALSE(signature_fits(key, "seat 1", signed_text));
  EXPECT_FALSE(signature_fits(key_of("another"), "seat 0", signed_text));
  EXPECT_FALSE(signature_fits(key, "seat 0", ""));
  EXPECT_FALSE(signature_fits(key, "seat 0", signed_text + "A"));
  for (std::size_t i = 0; i < signed_text.size(); ++i) {
    std::string changed = signed_text;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(signature_fits(key, "seat 0", changed)) << i;
  }
}

TEST(Crypto, WhatIsSealedIsForWhoeverHasTheKey) {
  const Bytes32 key = key_of("key");
  for (const std::string text : {"", "a move", "two\nlines"}) {
    const std::string box = sealed(key, text);
    EXPECT_EQ(unsealed(key, box), text);
    EXPECT_TRUE(text.empty() || box.find(text) == std::string::npos);
    EXPECT_NE(sealed(key, text), box) << "nobody sees that the same was said twice";
    EXPECT_FALSE(unsealed(key_of("another"), box));
    for (std::size_t i = 0; i < box.size(); ++i) {
      EXPECT_FALSE(unsealed(key, box.substr(0, i))) << i;
      std::string changed = box;
      changed[i] = static_cast<char>(changed[i] ^ 1);
      EXPECT_FALSE(unsealed(key, changed)) << i;
    }
  }
}

TEST(Crypto, PasswordsAreHashedWithArgon2id) {
  const auto hashed = password_hash("correct horse");
  ASSERT_TRUE(hashed);
  EXPECT_TRUE(hashed->starts_with("$argon2id$v=19$m=65536,")) << *hashed;
  EXPECT_NE(*hashed, *password_hash("correct horse")) << "each has its own salt";
  EXPECT_TRUE(password_fits(*hashed, "correct horse"));
  EXPECT_FALSE(password_fits(*hashed, "correct horsf"));
  EXPECT_FALSE(password_fits("", "correct horse"));
  EXPECT_FALSE(password_fits("nonsense", "correct horse"));
}

/// The lines of docs/fair-dice.md's example: a name, two or more spaces, a value.
std::map<std::string, std::string> worked_example() {
  std::ifstream page("docs/fair-dice.md");
  std::map<std::string, std::string> values;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```") inside = !inside;
    const std::size_t gap = line.find("  ");
    if (inside && gap != std::string::npos) values[line.substr(0, gap)] = line.substr(line.find_first_not_of(' ', gap));
  }
  return values;
}

TEST(FairDice, TheWorkedExampleOfThePage) {
  const auto page = worked_example();
  ASSERT_EQ(page.size(), 11);
  const auto bytes = [&](const char* name) { return *fair::from_hex(page.at(name)); };
  const fair::DrawId draw{.match = "lamo", .number = 1};
  EXPECT_EQ(hex(fair::secret_hash(hash(), draw, bytes("secret"))), page.at("secret hash"));
  EXPECT_EQ(hex(fair::contribution_hash(hash(), draw, 0, bytes("contribution 0"))), page.at("hash 0"));
  EXPECT_EQ(hex(fair::contribution_hash(hash(), draw, 2, bytes("contribution 2"))), page.at("hash 2"));
  const std::vector<std::optional<Bytes32>> contributions{bytes("contribution 0"), std::nullopt,
                                                          bytes("contribution 2")};
  const Bytes32 key = fair::dice_key(hash(), draw, bytes("secret"), contributions);
  EXPECT_EQ(hex(key), page.at("key"));
  EXPECT_EQ(hex(hash().hmac_sha256(key, "first\n0")), page.at("first block 0"));
  EXPECT_EQ(hex(hash().hmac_sha256(key, "dice 0\n0")), page.at("dice 0 block 0"));
  fair::Dice dice(hash(), key);
  EXPECT_EQ("seat " + std::to_string(dice.first_seat(3)), page.at("begins"));
  std::istringstream rolls(page.at("seat 0 rolls"));
  for (int i = 0; i < 8; ++i) {
    std::uint32_t roll = 0;
    rolls >> roll;
    EXPECT_EQ(dice.uniform({.kind = Stream::Kind::dice, .index = 0}, 6) + 1, roll) << i;
  }
}

/// Pearson's statistic for numbers that should all have come equally often.
double chi_square(const std::vector<int>& counts) {
  double total = 0;
  for (const int count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// The key is fixed, so the outcome is always the same. Bounds: a fair die stays between them 998 times in 1,000.
TEST(FairDice, AMillionRolls) {
  struct Die {
    std::uint32_t sides;
    double least, most;
  };
  for (const Die die : {Die{6, 0.21, 20.52}, Die{12, 1.59, 31.26}}) {
    fair::Dice dice(hash(), key_of("a million rolls"));
    std::vector<int> faces(die.sides);
    std::vector<int> pairs(die.sides * die.sides);
    std::uint32_t last = 0;
    for (int i = 0; i < 1'000'000; ++i) {
      const std::uint32_t face = dice.uniform({.kind = Stream::Kind::dice, .index = 1}, die.sides);
      ++faces.at(face);
      if (i % 2 == 1) ++pairs.at(last * die.sides + face);
      last = face;
    }
    EXPECT_GT(chi_square(faces), die.least);
    EXPECT_LT(chi_square(faces), die.most);
    const double pairs_most = die.sides == 6 ? 66.62 : 201.0;  // 35 and 143 degrees of freedom, 1 in 1,000
    EXPECT_LT(chi_square(pairs), pairs_most);
  }
}

}  // namespace
}  // namespace tessera::crypto
