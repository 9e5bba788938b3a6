#include "rules/options.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "core/text.hpp"

namespace tessera {
namespace {

/// "2, 3 or 4".
template <class Parts>
Phrase join_or(const Parts& parts) {
  if (parts.size() == 1) return Phrase{fmt::format("{}", parts[0])};
  return Phrase::of("{} or {}", fmt::format("{}", fmt::join(parts.first(parts.size() - 1), ", ")), parts.back());
}

}  // namespace

OptionSpec OptionSpec::for_seats(int seats) const {
  OptionSpec spec = *this;
  if (kind == Kind::seat) spec.max = seats - 1;
  return spec;
}

Phrase OptionSpec::takes() const {
  switch (kind) {
    case Kind::boolean: return Phrase::of("true or false");
    case Kind::choice: return join_or(choices);
    case Kind::integer:
    case Kind::seat: break;
  }
  return Phrase::of("{} to {}", min, max);
}

std::string OptionSpec::value_text(int value) const {
  switch (kind) {
    case Kind::boolean: return value != 0 ? "true" : "false";
    case Kind::choice: return std::string(choices[static_cast<std::size_t>(value)]);
    case Kind::integer:
    case Kind::seat: break;
  }
  return std::to_string(value);
}

std::string OptionSpec::value_json(int value) const {
  return kind == Kind::choice ? json_string(value_text(value)) : value_text(value);
}

Expected<int> OptionSpec::parse(std::string_view text) const {
  const auto refused = [&] { return option_refused(name, text, takes()); };
  switch (kind) {
    case Kind::boolean:
      if (text == "true") return 1;
      if (text == "false") return 0;
      return refused();
    case Kind::choice: {
      const auto found = std::find(choices.begin(), choices.end(), text);
      if (found == choices.end()) return refused();
      return static_cast<int>(found - choices.begin());
    }
    case Kind::integer:
    case Kind::seat: break;
  }
  const auto value = parse_int(text);
  if (!value || *value < min || *value > max) return refused();
  return *value;
}

Expected<Setting> parse_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Error{fmt::format("an option is written NAME=VALUE, not {}", in_quotes(text))};
  }
  return Setting{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Error option_refused(std::string_view name, std::string_view value, const Phrase& takes) {
  return Error::of("option {} takes {}, not {}", name, takes, in_quotes(value));
}

namespace detail {

bool contains(std::span<const int> counts, int seats) {
  return std::find(counts.begin(), counts.end(), seats) != counts.end();
}

Error wrong_seats(std::string_view game, std::span<const int> seat_counts, int seats) {
  return Error::of("{} takes {} seats, not {}", game, join_or(seat_counts), seats);
}

Error unknown_option(std::string_view game, std::string_view name, const std::vector<std::string_view>& known) {
  return Error::of("{} has no option {}; it has {}", game, in_quotes(name), join(known));
}

Error option_given_twice(std::string_view name) { return Error::of("option {} is given twice", name); }

}  // namespace detail
}  // namespace tessera
