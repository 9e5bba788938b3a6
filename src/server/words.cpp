#include "server/words.hpp"

#include <fmt/format.h>
#include <cstdint>
#include <optional>

#include "crypto/crypto.hpp"

namespace tessera::server {
namespace {

/// Takes one character off the front of UTF-8 text; nothing when it is not well formed.
std::optional<char32_t> take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                             : lead >= 0xE0                ? 3
                             : lead >= 0xC2                ? 2
                                                           : 0;
  if (length == 0 || lead >= 0xF5 || text.size() < length) return std::nullopt;
  char32_t character = length == 1 ? lead : lead & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return std::nullopt;
    character = character << 6 | (byte & 0x3F);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (character < least[length] || character > 0x10FFFF || (character >= 0xD800 && character < 0xE000)) {
    return std::nullopt;
  }
  text.remove_prefix(length);
  return character;
}

/// Control characters, those that turn the direction of text, invisible ones, and ends of lines.
bool forbidden(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x034F || c == 0x061C || c == 0x115F || c == 0x1160 ||
         c == 0x17B4 || c == 0x17B5 || (c >= 0x180B && c <= 0x180F) || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0x3164 || c == 0xFEFF || c == 0xFFA0 ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

/// Nothing is seen where it stands: spaces of every width, the empty Braille cell, and what only changes its neighbour.
bool blank(char32_t c) {
  return c == ' ' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F ||
         c == 0x2800 || c == 0x3000 || (c >= 0xFE00 && c <= 0xFE0F);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Expected<std::string> clean(std::string_view text, int longest, const Phrase& what) {
  text = trimmed(text);
  int characters = 0;
  bool seen = false;
  for (std::string_view rest = text; !rest.empty(); ++characters) {
    const auto character = take_character(rest);
    if (!character || forbidden(*character)) {
      return Error::of(
          "{} cannot have control characters, characters that turn the direction of text, or "
          "invisible ones.",
          what);
    }
    seen = seen || !blank(*character);
  }
  if (!seen || characters > longest) {
    return Error::of("{} has 1 to {} characters.", what, longest);
  }
  return std::string(text);
}

}  // namespace

Expected<std::string> clean_name(std::string_view text) { return clean(text, longest_name, Phrase::of("A name")); }
Expected<std::string> clean_chat(std::string_view text) {
  return clean(text, longest_chat, Phrase::of("A line of chat"));
}

std::string make_code() {
  // No letters that sound alike: no c, q, w, x, y; h, j and z differ between languages.
  constexpr std::string_view consonants = "bdfgklmnprstv";
  constexpr std::string_view vowels = "aeiou";
  const auto bytes = crypto::random_bytes();
  std::string code;
  for (int syllable = 0; syllable < 4; ++syllable) {
    if (syllable == 2) code += '-';
    const auto number = static_cast<std::uint32_t>(bytes[2 * syllable] << 8 | bytes[2 * syllable + 1]);
    code += consonants[number % consonants.size()];
    code += vowels[number / consonants.size() % vowels.size()];
  }
  return code;
}

}  // namespace tessera::server
