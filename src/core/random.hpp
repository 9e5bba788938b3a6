#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <pcg_random.hpp>
#include <string>
#include <string_view>

/// Randomness, specified to the bit in docs/randomness.md: the same seed gives the same game on every compiler.
namespace tessera {

/// Anything that answers `uniform(n)` with a number from 0 to n-1. Dice and shuffles are asked for in no other way.
template <class U>
concept Uniform = requires(U& uniform, std::uint32_t n) {
  { uniform(n) } -> std::convertible_to<std::uint32_t>;
};

/// Maps random 32-bit words to a number from 0 to n-1, all equally likely (Lemire's multiplication with rejection).
/// `next_word` is asked again with probability below n / 2^32.
template <class NextWord>
constexpr std::uint32_t uniform_from_words(NextWord&& next_word, std::uint32_t n) {
  std::uint64_t product = std::uint64_t{next_word()} * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t refused = (0U - n) % n;  // 2^32 mod n
    while (static_cast<std::uint32_t>(product) < refused) product = std::uint64_t{next_word()} * n;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

/// One uniform draw that a chance event consists of: `value` of the numbers from 0 to n-1.
struct Draw {
  std::uint32_t n;
  std::uint32_t value;

  friend bool operator==(const Draw&, const Draw&) = default;
};

/// Which stream of random words a chance event takes from, so that a seat has the same luck whatever the others do.
struct Stream {
  enum class Kind : std::uint8_t {
    dice,    ///< a seat's dice; index: the seat
    bag,     ///< a round's bag of pieces; index: the round, from 0
    choice,  ///< the choices of a seat that plays at random; index: the seat
  };
  Kind kind;
  std::uint8_t index;

  static constexpr int max_index = 15;

  friend bool operator==(const Stream&, const Stream&) = default;
};

/// "dice 0", "bag 2", "choice 1".
std::string stream_name(Stream stream);

/// Pseudo-random uniform numbers for simulation (tables use the words of fair dice instead).
class Random {
 public:
  Random(std::uint64_t seed, std::string_view stream);
  Random(std::uint64_t seed, Stream stream) : Random(seed, std::string_view(stream_name(stream))) {}

  std::uint32_t operator()(std::uint32_t n) { return uniform_from_words(words_, n); }

 private:
  pcg32 words_;
};

/// All streams of one seeded game, each made when it is first used.
class Streams {
 public:
  explicit Streams(std::uint64_t seed) : seed_(seed) {}

  Random& operator[](Stream stream);

 private:
  std::uint64_t seed_;
  std::array<std::array<std::optional<Random>, Stream::max_index + 1>, 3> made_;
};

/// FNV-1a over bytes, 64 bits: names of streams and bench signatures.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace tessera
