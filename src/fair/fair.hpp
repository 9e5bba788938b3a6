#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/random.hpp"

/// Dice that players can verify. docs/fair-dice.md derives the construction; everything here is pure, and the hash is
/// handed in, so that no crypto library is needed.
namespace tessera::fair {

/// A secret, a contribution, a hash or a key.
using Bytes32 = std::array<std::uint8_t, 32>;

std::string hex(const Bytes32& bytes);                         ///< 64 lower-case digits
std::optional<Bytes32> from_hex(std::string_view hex_digits);  ///< of exactly that form

/// SHA-256 and HMAC-SHA-256, from whoever has them.
struct Hash {
  Bytes32 (*sha256)(std::string_view bytes);
  Bytes32 (*hmac_sha256)(const Bytes32& key, std::string_view bytes);
};

/// Which draw a commitment belongs to: a draw that is restarted has the next number, so that no hash fits two draws.
struct DrawId {
  std::string_view match;
  int number;  ///< from 1
};

/// What is published before anything is revealed: the server's hash of its secret, a seat's of its contribution.
Bytes32 secret_hash(const Hash& hash, DrawId draw, const Bytes32& secret);
Bytes32 contribution_hash(const Hash& hash, DrawId draw, int seat, const Bytes32& contribution);

/// The key that all dice derive from: HMAC of every seat's contribution (none: the seat is a bot's) under the secret.
Bytes32 dice_key(const Hash& hash, DrawId draw, const Bytes32& secret,
                 std::span<const std::optional<Bytes32>> contributions);

/// The words of a match's dice, stream by stream, and how far each stream has been used.
class Dice {
 public:
  Dice(const Hash& hash, const Bytes32& key) : hash_(&hash), key_(key) {}

  /// The next number from 0 to n-1 of a stream.
  std::uint32_t uniform(Stream stream, std::uint32_t n);
  /// As `uniform`, from a stream that no game has: who begins.
  std::uint32_t first_seat(std::uint32_t seats);

  /// Compares key and positions.
  friend bool operator==(const Dice& a, const Dice& b) { return a.key_ == b.key_ && a.used_ == b.used_; }

 private:
  static constexpr std::uint32_t streams_a_kind = Stream::max_index + 1;
  static constexpr std::uint32_t first_stream = 3 * streams_a_kind;  ///< after those of the three kinds
  static constexpr std::uint32_t words_a_block = 8;

  std::uint32_t next(std::uint32_t stream, std::uint32_t n);
  std::uint32_t word(std::uint32_t stream, std::uint32_t position);

  const Hash* hash_;
  Bytes32 key_;
  std::array<std::uint32_t, first_stream + 1> used_{};  ///< words taken from each stream
  /// The blocks that were computed last: eight words come from one, and the seats take turns.
  struct Block {
    std::uint32_t stream = first_stream + 1;  ///< at first none's
    std::uint32_t number = 0;
    Bytes32 bytes{};
  };
  std::array<Block, 8> blocks_{};
};

}  // namespace tessera::fair
