#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expected.hpp"

/// Options of a game: what they are called, what they take, what they are.
namespace tessera {

/// What one option is called, takes and means. Inside the program every value is an int.
struct OptionSpec {
  enum class Kind { integer, boolean, choice, seat };

  std::string_view name;
  Kind kind;
  int min;                                    ///< least value
  int max;                                    ///< greatest value; of a seat once `for_seats` has set it
  std::span<const std::string_view> choices;  ///< the words for values 0, 1, … of a choice
  std::string_view help;                      ///< one or two sentences for a player
  int least_seats = 1;                        ///< with fewer it changes nothing, or takes its default alone

  OptionSpec for_seats(int seats) const;  ///< what it takes with so many seats

  Phrase takes() const;                     ///< "6 to 12", "true or false", "none, 2 or 3"
  std::string value_text(int value) const;  ///< as typed on a command line
  std::string value_json(int value) const;  ///< as written in a transcript
  Expected<int> parse(std::string_view text) const;
};

/// An OptionSpec tied to a member of a game's Options.
template <class Options>
struct OptionField : OptionSpec {
  int (*get)(const Options&);
  void (*set)(Options&, int);

  template <auto Member>
  static constexpr OptionField integer(std::string_view name, int min, int max, std::string_view help) {
    return make<Member>({name, Kind::integer, min, max, {}, help});
  }
  template <auto Member>
  static constexpr OptionField boolean(std::string_view name, std::string_view help) {
    return make<Member>({name, Kind::boolean, 0, 1, {}, help});
  }
  template <auto Member>
  static constexpr OptionField choice(std::string_view name, std::span<const std::string_view> choices,
                                      std::string_view help) {
    return make<Member>({name, Kind::choice, 0, static_cast<int>(choices.size()) - 1, choices, help});
  }

  constexpr OptionField from_seats(int least) const {
    OptionField field = *this;
    field.least_seats = least;
    return field;
  }

  /// The two options that every game has.
  static constexpr OptionField first() {
    return make<&Options::first>({"first", Kind::seat, 0, 0, {}, "The seat that begins."});
  }
  static constexpr OptionField turn_limit() {
    return integer<&Options::turn_limit>("turn_limit", 1, std::numeric_limits<int>::max(),
                                         "A game that is not over after so many turns of all seats together ends "
                                         "without a winner.");
  }

 private:
  template <auto Member>
  static constexpr OptionField make(OptionSpec spec) {
    return {spec, [](const Options& options) { return static_cast<int>(options.*Member); },
            [](Options& options, int value) {
              using Value = std::remove_reference_t<decltype(options.*Member)>;
              options.*Member = static_cast<Value>(value);
            }};
  }
};

/// The options that every game has. A game's Options derive from it and have a constructor from the number of seats
/// that sets every default.
struct CommonOptions {
  int seats;
  int first = 0;
  int turn_limit = 10000;

  explicit CommonOptions(int seats_at_table) : seats(seats_at_table) {}
  friend bool operator==(const CommonOptions&, const CommonOptions&) = default;
};

/// An option as somebody typed it.
struct Setting {
  std::string name;
  std::string value;
};

/// An option that a game has, with the value it got.
struct OptionValue {
  OptionSpec spec;
  int value;
};

/// Reads "NAME=VALUE".
Expected<Setting> parse_setting(std::string_view text);

namespace detail {
Error wrong_seats(std::string_view game, std::span<const int> seat_counts, int seats);
Error unknown_option(std::string_view game, std::string_view name, const std::vector<std::string_view>& known);
Error option_given_twice(std::string_view name);
bool contains(std::span<const int> counts, int seats);
}  // namespace detail

/// The Error for a value that the option takes in general but not here: "option first=5: takes 0 to 1 with 2 seats".
Error option_refused(std::string_view name, std::string_view value, const Phrase& takes);

/// Defaults for `seats`, then the settings one by one, then the game's own check of how they go together.
template <class G>
Expected<typename G::Options> read_options(int seats, std::span<const Setting> settings) {
  if (!detail::contains(G::seat_counts, seats)) return detail::wrong_seats(G::name, G::seat_counts, seats);
  typename G::Options options(seats);
  std::vector<std::string_view> given;
  for (const Setting& setting : settings) {
    const OptionField<typename G::Options>* found = nullptr;
    std::vector<std::string_view> known;
    for (const auto& field : G::option_fields()) {
      known.push_back(field.name);
      if (field.name == setting.name) found = &field;
    }
    if (found == nullptr) return detail::unknown_option(G::name, setting.name, known);
    for (const std::string_view earlier : given) {
      if (earlier == setting.name) return detail::option_given_twice(setting.name);
    }
    given.push_back(found->name);
    const Expected<int> value = found->for_seats(seats).parse(setting.value);
    if (!value) return value.error();
    found->set(options, *value);
  }
  if (auto problem = G::check(options)) return *problem;
  return options;
}

}  // namespace tessera
