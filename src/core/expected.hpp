#pragma once

#include <fmt/core.h>
#include <algorithm>
#include <cassert>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/text.hpp"

namespace tessera {

/// What went wrong, as a sentence for the person who can do something about it.
struct Error {
  std::string sentence;
  /// The sentence as template and arguments, in JSON: ["It is seat {}'s turn.",1]. Empty: it is its own template.
  std::string say{};
  bool owners = false;  ///< tells of the machine or of what is hidden: others must not read it

  static Error for_owner(std::string sentence) { return {.sentence = std::move(sentence), .owners = true}; }
  /// What may be told to players: their client knows the template in their language (web/src/messages). Arguments are
  /// numbers, texts that are the same in every language, and Phrases.
  static Error of(std::string_view sentence) { return {.sentence = std::string(sentence)}; }
  template <class... Arguments>
    requires(sizeof...(Arguments) > 0)
  static Error of(fmt::format_string<const Arguments&...> pattern, const Arguments&... arguments);

  friend bool operator==(const Error&, const Error&) = default;
};

/// A part of a sentence that is put in a player's language as well.
using Phrase = Error;

namespace detail {
inline void append_argument(std::string& json, std::string_view text) { append_json_string(json, text); }
void append_argument(std::string& json, std::integral auto number) { append_number(json, number); }
inline void append_argument(std::string& json, const Phrase& phrase) {
  json += phrase.say.empty() ? '[' + json_string(phrase.sentence) + ']' : phrase.say;
}
}  // namespace detail

/// A value, or the Error that stands in its place.
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }

  T& operator*() {
    assert(*this);
    return *std::get_if<0>(&content_);
  }
  const T& operator*() const {
    assert(*this);
    return *std::get_if<0>(&content_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

  const Error& error() const {
    assert(!*this);
    return *std::get_if<1>(&content_);
  }

 private:
  std::variant<T, Error> content_;
};

template <class... Arguments>
  requires(sizeof...(Arguments) > 0)
Error Error::of(fmt::format_string<const Arguments&...> pattern, const Arguments&... arguments) {
  const fmt::string_view text = pattern;
  Error error{.sentence = fmt::format(pattern, arguments...), .say = '[' + json_string({text.data(), text.size()})};
  ((error.say += ',', detail::append_argument(error.say, arguments)), ...);
  error.say += ']';
  return error;
}

}  // namespace tessera

template <>
struct fmt::formatter<tessera::Error> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  auto format(const tessera::Error& error, format_context& context) const {
    return std::copy(error.sentence.begin(), error.sentence.end(), context.out());
  }
};
