#include "core/text.hpp"

#include <fmt/format.h>
#include <cstddef>

namespace tessera {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Bytes of the well-formed UTF-8 sequence that `text` begins with; 0 when it begins with none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) >= 0xA0;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first < 0xF5) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool too_large = first == 0xF4 && byte(1) >= 0x90;
    return continues(1) && continues(2) && continues(3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

void append_json_string(std::string& json, std::string_view text) {
  json += '"';
  std::size_t plain = 0;  // from here on nothing needs escaping
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '"' && c != '\\' && !is_control(c)) continue;
    json += text.substr(plain, i - plain);
    plain = i + 1;
    if (is_control(c)) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      json += '\\';
      json += c;
    }
  }
  json += text.substr(plain);
  json += '"';
}

std::string json_string(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 120;
  std::string shown = "'";
  while (!text.empty() && shown.size() <= longest) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || is_control(text.front())) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
    } else {
      shown += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return shown + (text.empty() ? "'" : "…'");
}

}  // namespace tessera
