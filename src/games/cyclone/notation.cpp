#include "rules/notation.hpp"

#include <fmt/format.h>

#include "games/cyclone/cyclone.hpp"

namespace tessera {

std::string Cyclone::place_name(int place) {
  return fmt::format("{}{}", static_cast<char>('a' + arm_of(place)), space_of(place));
}

std::optional<int> Cyclone::parse_place(std::string_view text) const {
  if (text.empty() || text[0] < 'a' || text[0] >= 'a' + options_.seats) return std::nullopt;
  const auto space = parse_int(text.substr(1));
  if (!space || *space < 0 || *space > options_.arm) return std::nullopt;
  return place_of(text[0] - 'a', *space);
}

std::string Cyclone::move_text(const State&, Move move, Viewer) const {
  if (move == pass) return "pass";
  return place_name(from_of(move)) + '>' + place_name(to_of(move));
}

Expected<Move> Cyclone::parse_move(const State& state, std::string_view text) const {
  if (state.phase != Phase::decision) return Error{"no seat is to move now"};
  const auto found = find_move(*this, state, text);
  if (found) return found;
  return Error::of("{}; {}", why_not(state, text), found.error());
}

/// The rule that a text which is no legal move offends.
Phrase Cyclone::why_not(const State& state, std::string_view text) const {
  if (text == "pass") {
    return options_.may_stop ? Phrase::of("a turn cannot end before its first action")
                             : Phrase::of("a seat that can move must");
  }
  const std::size_t arrow = text.find('>');
  if (arrow == std::string_view::npos) return Phrase::of("a move is written FROM>TO, such as a5>a6");
  const auto from = parse_place(text.substr(0, arrow));
  const auto to = parse_place(text.substr(arrow + 1));
  if (!from || !to) {
    return Phrase::of("the board has the places a0 to {}", place_name(innermost(options_.seats - 1)));
  }
  if ((state.tops.of(state.seat) & bit(*from)) == 0) {
    return Phrase::of("seat {} has no cube in {} that can move", state.seat, place_name(*from));
  }
  const int own = place_of(state.seat, 0);
  if (next_towards_base_of(state.seat, *from) == *to && *from != own) {
    return Phrase::of("a cube does not go back towards its own base");
  }
  return Phrase::of("the cube in {} cannot go to {} in one step", place_name(*from), place_name(*to));
}

Choices Cyclone::choices(const State&, Move move) const {
  if (move == pass) return {"pass"};
  return {place_name(from_of(move)), place_name(to_of(move))};
}

// ── For boards ──

std::vector<Piece> Cyclone::pieces(const State& state, Viewer) const {
  std::vector<Piece> all;
  for (int arm = 0; arm < options_.seats; ++arm) {
    for (int seat = 0; seat < options_.seats; ++seat) {
      for (int i = 0; i < state.in_base[seat][arm]; ++i) all.push_back({seat, "", place_name(place_of(arm, 0))});
    }
    for (int space = 1; space <= options_.arm; ++space) {
      const Stack stack = stack_at(state, place_of(arm, space));
      for (int level = 0; level < stack.height(); ++level) {
        all.push_back({stack.cube(level), "", place_name(place_of(arm, space))});
      }
    }
  }
  return all;
}

}  // namespace tessera
