#include "rules/notation.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "games/cylinder/cylinder.hpp"

namespace tessera {
namespace {

Error not_a_move(std::string_view text) {
  return Error::of(
      "a move is written R,C>R,C (with :1 to :5 as the first part of a 6), in>R,C, hit>R,C, flank>R,C (with :up or "
      ":down to move in) or pass, not {}",
      in_quotes(text));
}

}  // namespace

// ── Names ──

std::string Cylinder::hole_name(int hole) const { return fmt::format("{},{}", board_.row(hole), board_.column(hole)); }
std::string Cylinder::home_name(int seat) { return fmt::format("s{}:home", seat); }

std::string Cylinder::move_text(const State&, Move move, Viewer) const {
  const std::string to = hole_name(to_of(move));
  switch (kind_of(move)) {
    case Kind::move: break;
    case Kind::enter: return "in>" + to;
    case Kind::hit: return "hit>" + to;
    case Kind::flank: return "flank>" + to;
    case Kind::flank_up: return "flank>" + to + ":up";
    case Kind::flank_down: return "flank>" + to + ":down";
    case Kind::pass: return "pass";
  }
  const std::string text = hole_name(from_of(move)) + ">" + to;
  const int part = first_part_of(move);
  return part == 0 ? text : fmt::format("{}:{}", text, part);
}

Choices Cylinder::choices(const State& state, Move move) const {
  const std::string to = hole_name(to_of(move));
  switch (kind_of(move)) {
    case Kind::move: break;
    case Kind::enter: return {"in", to};
    case Kind::hit: return {"hit", to};
    case Kind::flank: return {"flank", to, "stay"};
    case Kind::flank_up: return {"flank", to, "up"};
    case Kind::flank_down: return {"flank", to, "down"};
    case Kind::pass: return {"pass"};
  }
  Choices chosen{hole_name(from_of(move)), to};
  if (state.step == Step::use && state.roll == 6) {
    chosen.push_back(std::to_string(first_part_of(move) != 0 ? first_part_of(move) : 6));
  }
  return chosen;
}

// ── Reading moves ──

Expected<int> Cylinder::parse_hole(std::string_view text) const {
  const std::size_t comma = text.find(',');
  if (comma != std::string_view::npos) {
    const auto row = parse_int(text.substr(0, comma));
    const auto column = parse_int(text.substr(comma + 1));
    if (row && column && *row >= 0 && *row < board_.rows() && *column >= 0 && *column < board_.columns()) {
      return board_.hole(*row, *column);
    }
  }
  return Error::of("{} is no hole of this board; a hole is written ROW,COLUMN, with rows 0 to {} and columns 0 to {}",
                   in_quotes(text), board_.rows() - 1, board_.columns() - 1);
}

Expected<Cylinder::Written> Cylinder::parse_written(std::string_view text) const {
  if (text == "pass") return Written{Kind::pass, 0, 0, 0};
  const std::size_t arrow = text.find('>');
  if (arrow == std::string_view::npos) return not_a_move(text);
  const std::string_view what = text.substr(0, arrow);
  const std::string_view where = text.substr(arrow + 1);
  const std::size_t colon = where.find(':');
  const std::string_view how = colon == std::string_view::npos ? "" : where.substr(colon);

  Written written{Kind::move, 0, 0, 0};
  if (what == "in" || what == "hit") {
    written.kind = what == "in" ? Kind::enter : Kind::hit;
    if (!how.empty()) return not_a_move(text);
  } else if (what == "flank") {
    written.kind = how == ":up" ? Kind::flank_up : how == ":down" ? Kind::flank_down : Kind::flank;
    if (written.kind == Kind::flank && !how.empty()) {
      return Error::of("after a flank the marble above or below moves in (:up or :down) or none does, not {}",
                       in_quotes(text));
    }
  } else {
    const auto from = parse_hole(what);
    if (!from) return from.error();
    written.from = *from;
    if (!how.empty()) {
      const auto part = parse_int(how.substr(1));
      if (!part || *part < 1 || *part > 5) {
        return Error::of("the first part of a split 6 has 1 to 5 steps (:1 to :5), not {}", in_quotes(text));
      }
      written.first_part = *part;
    }
  }
  const auto to = parse_hole(where.substr(0, colon));
  if (!to) return to.error();
  written.to = *to;
  return written;
}

Expected<Move> Cylinder::parse_move(const State& state, std::string_view text) const {
  const auto written = parse_written(text);
  if (!written) return written.error();
  MoveList<Cylinder> moves;
  legal(state, moves);
  for (const Move move : moves) {
    if (kind_of(move) == written->kind && to_of(move) == written->to && from_of(move) == written->from &&
        first_part_of(move) == written->first_part) {
      return move;
    }
  }
  const Phrase why = why_not(state, *written);
  if (!why.sentence.empty()) return Error::of("{} is not legal here: {}", in_quotes(text), why);
  return not_legal(text, legal_texts(*this, state));
}

/// Why a move that is not legal is not, where that takes few words; else nothing.
Phrase Cylinder::why_not(const State& state, const Written& written) const {
  if (state.step != Step::use && state.step != Step::rest) return {};
  switch (written.kind) {
    case Kind::move: return why_not_move(state, written);
    case Kind::enter: return why_not_enter(state, written);
    case Kind::hit:
      if (state.step == Step::rest) return Phrase::of("a split has no Hit");
      return state.roll == 1
                 ? Phrase::of("a Hit needs a marble on red beside the opponent's, which has not moved in this turn")
                 : Phrase::of("a Hit takes a 1, and the roll is {}", state.roll);
    case Kind::flank:
    case Kind::flank_up:
    case Kind::flank_down: return Phrase::of("flanks come after the roll is used");
    case Kind::pass: return Phrase::of("the roll can be used, so it must be");
  }
  return {};
}

Phrase Cylinder::why_not_move(const State& state, const Written& written) const {
  if (!state.marbles[state.seat].has(written.from)) {
    return Phrase::of("seat {} has no marble on {}", state.seat, hole_name(written.from));
  }
  if (written.first_part != 0 && state.step == Step::rest) return Phrase::of("this is the second part already");
  if (written.first_part != 0 && state.roll != 6) {
    return Phrase::of("only a 6 can be split, and the roll is {}", state.roll);
  }
  const int steps = written.first_part != 0 ? written.first_part : state.steps;
  if (!board_.reaches(written.from, written.to, steps)) {
    return steps == 1 ? Phrase::of("exactly 1 step from {} cannot end there", hole_name(written.from))
                      : Phrase::of("exactly {} steps from {} cannot end there", steps, hole_name(written.from));
  }
  const int held_by = holder(state, written.to);
  if (held_by == state.seat) return Phrase::of("the seat's own marble is there");
  if (held_by >= 0)
    return board_.is_goal(written.to) ? Phrase::of("the hole in the goal row is taken")
                                      : Phrase::of("a partner's marble is there");
  return Phrase::of("the same marble does not go back to where the first part began");
}

Phrase Cylinder::why_not_enter(const State& state, const Written& written) const {
  if (state.step == Step::rest) return Phrase::of("no part of a split brings a marble in");
  if (state.roll % 2 != 0) return Phrase::of("a marble comes in with a 2, 4 or 6, and the roll is {}", state.roll);
  if (state.home[state.seat] == 0) return Phrase::of("seat {} has no marble at home", state.seat);
  for (int i = 0; i < options_.columns; ++i) {
    if (entry_hole(state.seat, i) != written.to) continue;
    return holder(state, written.to) == state.seat ? Phrase::of("the seat's own marble is there")
                                                   : Phrase::of("a partner's marble is there");
  }
  return Phrase::of("seat {} comes in at {} to {}", state.seat, hole_name(entry_hole(state.seat, 0)),
                    hole_name(entry_hole(state.seat, options_.columns - 1)));
}

// ── For boards ──

Effect Cylinder::walk_effect(int seat, int from, int to, int steps) const {
  Effect effect{.kind = Effect::Kind::move, .seat = seat};
  for (const int hole : board_.walk(from, to, steps)) effect.path.push_back(hole_name(hole));
  return effect;
}

std::vector<Piece> Cylinder::pieces(const State& state, Viewer) const {
  std::vector<Piece> all;
  for (int seat = 0; seat < options_.seats; ++seat) {
    for (int i = 0; i < state.home[seat]; ++i) all.push_back({seat, "", home_name(seat)});
    for (int hole = 0; hole < board_.holes(); ++hole) {
      if (state.marbles[seat].has(hole)) all.push_back({seat, "", hole_name(hole)});
    }
  }
  return all;
}

}  // namespace tessera
