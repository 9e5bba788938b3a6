#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "rules/game.hpp"

namespace tessera {

struct Roll {
  std::uint8_t value;  ///< from 1

  friend bool operator==(const Roll&, const Roll&) = default;
};

/// The chance side of a game whose only chance is one die, rolled by the seat `State::seat`. Written `roll N`.
template <int Sides>
class DieGame {
 public:
  using Outcome = Roll;

  template <class State>
  Stream stream(const State& state) const {
    return {Stream::Kind::dice, static_cast<std::uint8_t>(state.seat)};
  }

  template <class State, Uniform U>
  Roll draw(const State&, U&& uniform) const {
    return {static_cast<std::uint8_t>(uniform(Sides) + 1)};
  }

  template <class State>
  std::uint64_t outcome_total(const State&) const {
    return Sides;
  }

  template <class State, class Visit>
  void each_outcome(const State&, Visit&& visit) const {
    for (int value = 1; value <= Sides; ++value) visit(Roll{static_cast<std::uint8_t>(value)}, 1);
  }

  template <class State>
  std::vector<Draw> take_apart(const State&, Roll roll) const {
    return {{Sides, roll.value - 1U}};
  }

  template <class State>
  OutcomeText outcome_text(const State&, Roll roll, Viewer) const {
    return {"roll " + std::to_string(roll.value), ""};
  }

  template <class State>
  Expected<Roll> parse_outcome(const State&, const OutcomeText& written) const {
    constexpr std::string_view word = "roll ";
    if (written.text.starts_with(word) && written.extra.empty()) {
      const auto value = parse_int(std::string_view(written.text).substr(word.size()));
      if (value && *value >= 1 && *value <= Sides) return Roll{static_cast<std::uint8_t>(*value)};
    }
    return Error{"a roll is written 'roll 1' to 'roll " + std::to_string(Sides) + "', not " + in_quotes(written.text)};
  }
};

}  // namespace tessera
