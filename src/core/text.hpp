#pragma once

#include <charconv>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The whole of `text` as a decimal integer in its plain form (no sign but '-', no leading zeros), or nothing.
template <std::integral T = int>
std::optional<T> parse_int(std::string_view text) {
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  const std::string_view digits = text.front() == '-' ? text.substr(1) : text;
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  if (text.front() == '-' && value == 0) return std::nullopt;
  return value;
}

/// "a, b, c".
template <class Strings>
std::string join(const Strings& parts, std::string_view between = ", ") {
  std::string joined;
  for (const auto& part : parts) {
    if (!joined.empty()) joined += between;
    joined += part;
  }
  return joined;
}

std::vector<std::string_view> split(std::string_view text, char at);

/// `text` as a JSON string, quotes included; the second adds it to `json`.
std::string json_string(std::string_view text);
void append_json_string(std::string& json, std::string_view text);

template <std::integral T>
void append_number(std::string& text, T number) {
  char digits[std::numeric_limits<T>::digits10 + 3];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// `text` in quotes for an error message: cut when long, control characters and bytes that are not UTF-8 written \xNN.
std::string in_quotes(std::string_view text);

}  // namespace tessera
