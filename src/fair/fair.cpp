#include "fair/fair.hpp"

#include <fmt/format.h>
#include <cassert>

namespace tessera::fair {
namespace {

/// Every text that is hashed begins with this, so that no hash fits two draws, two matches or another program.
std::string opening(DrawId draw) { return fmt::format("tessera/1\n{}\n{}\n", draw.match, draw.number); }

int digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

std::string hex(const Bytes32& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::optional<Bytes32> from_hex(std::string_view hex_digits) {
  Bytes32 bytes;
  if (hex_digits.size() != 2 * bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = digit_value(hex_digits[2 * i]);
    const int low = digit_value(hex_digits[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return bytes;
}

Bytes32 secret_hash(const Hash& hash, DrawId draw, const Bytes32& secret) {
  return hash.sha256(opening(draw) + "secret\n" + hex(secret));
}

Bytes32 contribution_hash(const Hash& hash, DrawId draw, int seat, const Bytes32& contribution) {
  return hash.sha256(opening(draw) + std::to_string(seat) + "\n" + hex(contribution));
}

Bytes32 dice_key(const Hash& hash, DrawId draw, const Bytes32& secret,
                 std::span<const std::optional<Bytes32>> contributions) {
  std::string text = opening(draw);
  for (const auto& contribution : contributions) text += (contribution ? hex(*contribution) : "-") + "\n";
  return hash.hmac_sha256(secret, text);
}

std::uint32_t Dice::uniform(Stream stream, std::uint32_t n) {
  assert(stream.index <= Stream::max_index);
  return next(static_cast<std::uint32_t>(stream.kind) * streams_a_kind + stream.index, n);
}

std::uint32_t Dice::first_seat(std::uint32_t seats) { return next(first_stream, seats); }

std::uint32_t Dice::next(std::uint32_t stream, std::uint32_t n) {
  return uniform_from_words([&] { return word(stream, used_[stream]++); }, n);
}

std::uint32_t Dice::word(std::uint32_t stream, std::uint32_t position) {
  const std::uint32_t number = position / words_a_block;
  Block& block = blocks_[stream % blocks_.size()];
  if (block.stream != stream || block.number != number) {
    const std::string name = stream == first_stream
                                 ? "first"
                                 : stream_name({.kind = static_cast<Stream::Kind>(stream / streams_a_kind),
                                                .index = static_cast<std::uint8_t>(stream % streams_a_kind)});
    block = {
        .stream = stream, .number = number, .bytes = hash_->hmac_sha256(key_, name + "\n" + std::to_string(number))};
  }
  const std::uint8_t* const bytes = block.bytes.data() + position % words_a_block * 4;
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

}  // namespace tessera::fair
