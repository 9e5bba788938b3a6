#include "games/cylinder/cylinder.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>

namespace tessera {
namespace {

/// For every byte the places of its bits in ascending order and their number, to write a set of holes as a list of
/// moves eight holes at a time.
struct Spread {
  std::array<std::array<std::uint16_t, 8>, 256> bits{};
  std::array<std::uint8_t, 256> count{};
};

constexpr Spread spread = [] {
  Spread made;
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) made.bits[byte][made.count[byte]++] = static_cast<std::uint16_t>(bit);
    }
  }
  return made;
}();

template <class Visit>
void each_hole(const HoleSet& set, int words, Visit&& visit) {
  for (int i = 0; i < words; ++i) {
    for (std::uint64_t word = set.words[i]; word != 0; word &= word - 1) visit(64 * i + std::countr_zero(word));
  }
}

}  // namespace

// ── Options ──

std::span<const OptionField<Cylinder::Options>> Cylinder::option_fields() {
  using Field = OptionField<Options>;
  static constexpr std::array<std::string_view, 3> teams{"none", "all_four", "one_seven"};
  static constexpr std::array fields{
      Field::integer<&Options::columns>("columns", 8, 16,
                                        "Columns of a playboard: more make it harder to meet the others."),
      Field::first(),
      Field::integer<&Options::green>("green", 2, 5,
                                      "Green rows above and below the red ones: more make a longer way to the goal."),
      Field::choice<&Options::teams>("teams", teams,
                                     "Whether even seats play against odd ones, and what wins: four in a row of each "
                                     "seat of the team at once (all_four), or seven in a row of one (one_seven). "
                                     "Needs 4 or 6 seats; team games are long.")
          .from_seats(4),
      Field::turn_limit(),
  };
  return fields;
}

std::optional<Error> Cylinder::check(const Options& options) {
  if (options.seats == 2 && options.teams != Teams::none) {
    return option_refused("teams", options.teams == Teams::all_four ? "all_four" : "one_seven",
                          Phrase::of("{} with {} seats", "none", 2));
  }
  return std::nullopt;
}

Cylinder::Cylinder(const Options& options)
    : options_(options), board_(options.green, options.columns * (options.seats / 2)) {
  for (int seat = 0; seat < options.seats; ++seat) {
    for (int i = 0; i < options.columns; ++i) entries_[seat].add(entry_hole(seat, i));
  }
}

Cylinder::State Cylinder::start() const {
  State state;
  for (int seat = 0; seat < options_.seats; ++seat) state.home[seat] = marbles_each;
  state.seat = static_cast<std::uint8_t>(options_.first);
  return state;
}

Result Cylinder::result(const State& state) const {
  Result result;
  result.winners = state.winners;
  for (int seat = 0; seat < options_.seats; ++seat) {
    result.scores[seat] = static_cast<std::int16_t>(longest_run(state.marbles[seat]));
  }
  return result;
}

// ── The board as the seats see it ──

/// The seat whose marble is in the hole, or -1.
int Cylinder::holder(const State& state, int hole) const {
  for (int seat = 0; seat < options_.seats; ++seat) {
    if (state.marbles[seat].has(hole)) return seat;
  }
  return -1;
}

/// The i-th hole that a seat's marbles come in to.
int Cylinder::entry_hole(int seat, int i) const {
  return board_.hole(seat % 2 == 0 ? 0 : board_.rows() - 1, seat / 2 * options_.columns + i);
}

/// The longest row of neighbours in the goal row, which has no end.
int Cylinder::longest_run(const HoleSet& marbles) const {
  int longest = 0;
  int run = 0;
  for (int i = 0; i < 2 * board_.columns(); ++i) {
    const int column = i < board_.columns() ? i : i - board_.columns();
    run = marbles.has(board_.hole(board_.goal_row(), column)) ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::min(longest, board_.columns());
}

/// Whether the seat, which has come into or moved in the goal row, has won, alone or with its team.
bool Cylinder::has_won(const State& state, int seat) const {
  if (longest_run(state.marbles[seat]) < (options_.teams == Teams::one_seven ? 7 : 4)) return false;
  if (options_.teams != Teams::all_four) return true;
  for (int other = seat % 2; other < options_.seats; other += 2) {
    if (longest_run(state.marbles[other]) < 4) return false;
  }
  return true;
}

/// One word of the holes with a marble. Seats that do not play have none, and a loop that always goes over six is
/// faster than one that counts.
std::uint64_t Cylinder::taken(const State& state, int word) {
  std::uint64_t holes = 0;
  for (const HoleSet& marbles : state.marbles) holes |= marbles.words[word];
  return holes;
}

/// One word of the holes that the side of the seat to move holds.
std::uint64_t Cylinder::own_side(const State& state, int word) const {
  if (options_.teams == Teams::none) return state.marbles[state.seat].words[word];
  std::uint64_t holes = 0;
  for (int seat = state.seat % 2; seat < options_.seats; seat += 2) holes |= state.marbles[seat].words[word];
  return holes;
}

/// One word of the holes that the opponents of the seat to move hold.
std::uint64_t Cylinder::opponents(const State& state, int word) const {
  return taken(state, word) & ~own_side(state, word);
}

/// Holes where no marble of the seat to move may land: those of its side, and in the goal row everybody's.
HoleSet Cylinder::blocked(const State& state) const {
  HoleSet set;
  for (int i = 0; i < board_.words(); ++i) {
    set.words[i] = own_side(state, i) | (taken(state, i) & board_.goal().words[i]);
  }
  return set;
}

/// Where a marble of the seat to move can come in.
HoleSet Cylinder::entries(const State& state) const {
  HoleSet set;
  for (int i = 0; i < board_.words(); ++i) set.words[i] = entries_[state.seat].words[i] & ~own_side(state, i);
  return set;
}

/// Opponents' marbles in the goal row with marbles of the seat to move on both sides. A hole's neighbours in its column
/// are the numbers before and after it.
HoleSet Cylinder::flanked(const State& state) const {
  const auto& own = state.marbles[state.seat].words;
  HoleSet set;
  std::uint64_t before = 0;
  for (int i = 0; i < board_.words(); ++i) {
    const std::uint64_t after = i + 1 < board_.words() ? own[i + 1] : 0;
    const std::uint64_t above = own[i] << 1 | before >> 63;
    const std::uint64_t below = own[i] >> 1 | after << 63;
    before = own[i];
    const std::uint64_t between = above & below & board_.goal().words[i];
    if (between != 0) set.words[i] = between & opponents(state, i);
  }
  return set;
}

/// Opponents' marbles in the goal row beside a marble of the seat to move that has not moved in this turn.
HoleSet Cylinder::hits(const State& state) const {
  HoleSet own = state.marbles[state.seat];
  if (state.moved != no_hole) own.remove(state.moved);
  HoleSet set;
  std::uint64_t before = 0;
  for (int i = 0; i < board_.words(); ++i) {
    const std::uint64_t after = i + 1 < board_.words() ? own.words[i + 1] : 0;
    const std::uint64_t beside = own.words[i] << 1 | before >> 63 | own.words[i] >> 1 | after << 63;
    before = own.words[i];
    set.words[i] = beside & board_.goal().words[i] & opponents(state, i);
  }
  return set;
}

// ── Legal moves ──

/// Visits the marbles of the seat to move, each with the holes that are blocked for it, until a visit answers false.
template <class Visit>
void Cylinder::each_marble(const State& state, Visit&& visit) const {
  HoleSet holes = blocked(state);
  CylinderBoard::Unrolled unrolled;
  board_.unroll(holes, unrolled);
  const auto& own = state.marbles[state.seat].words;
  const auto& goal = board_.goal().words;
  // Those in the goal row move differently; one kind after the other keeps the processor's guesses right.
  for (const std::uint64_t wanted : {~std::uint64_t{0}, std::uint64_t{0}}) {
    for (int i = 0; i < board_.words(); ++i) {
      for (std::uint64_t word = own[i] & (goal[i] ^ wanted); word != 0; word &= word - 1) {
        const int from = 64 * i + std::countr_zero(word);
        if (from != state.split_to && !visit(from, unrolled)) return;
      }
    }
  }
  // The marble that made the first part of a split does not go back.
  if (state.split_to != no_hole) {
    holes.add(state.split_from);
    board_.unroll(holes, unrolled);
    visit(state.split_to, unrolled);
  }
}

/// Whether some marble can move by so many steps.
bool Cylinder::can_move(const State& state, int steps) const {
  bool found = false;
  each_marble(state, [&](int from, const CylinderBoard::Unrolled& unrolled) {
    const int start = board_.window_start(from, steps);
    const CylinderBoard::Window& reach = board_.reach(board_.row(from), steps);
    for (int i = 0; i < board_.window_words(steps); ++i) {
      if ((reach[i] & ~CylinderBoard::stretch(unrolled, start + 64 * i)) != 0) found = true;
    }
    return !found;
  });
  return found;
}

/// Whether the roll can be used at all.
bool Cylinder::can_use(const State& state) const {
  if (can_move(state, state.roll)) return true;
  for (int part = 1; state.roll == 6 && part <= 5; ++part) {
    if (can_move(state, part)) return true;
  }
  if (state.roll % 2 == 0 && state.home[state.seat] > 0 && !entries(state).empty()) return true;
  return state.roll == 1 && !hits(state).empty();
}

/// Writes the moves of one marble by so many steps, as first parts of a split if `first_part` says so.
Move* Cylinder::write_moves(Move* out, const CylinderBoard::Unrolled& unrolled, int from, int steps,
                            int first_part) const {
  // 1. In the goal row: left or right, which can be the same hole on the other side of the cylinder.
  if (board_.is_goal(from)) {
    const int along = steps * board_.rows();
    const int right = board_.wrapped(from + along);
    const int left = board_.wrapped(from - along + board_.holes());
    *out = move_of(Kind::move, right, from, first_part);
    out += 1 & ~(unrolled[right >> 6] >> (right & 63));
    *out = move_of(Kind::move, left, from, first_part);
    out += 1 & ~(unrolled[left >> 6] >> (left & 63)) & (left != right ? 1 : 0);
    return out;
  }
  // 2. Elsewhere: what is not blocked in the window, a byte of it after the other.
  const CylinderBoard::Window& reach = board_.reach(board_.row(from), steps);
  int start = board_.window_start(from, steps);
  int bytes = (board_.window_bits(steps) + 7) / 8;
  for (int word = 0; bytes > 0; ++word, bytes -= 8, start += 64) {
    std::uint64_t holes = reach[word] & ~CylinderBoard::stretch(unrolled, start);
    Move base = move_of(Kind::move, start, from, first_part);
    for (int i = std::min(bytes, 8); i > 0; --i, holes >>= 8, base += 8) {
      const std::size_t byte = holes & 0xFF;
      for (std::size_t bit = 0; bit < 8; ++bit) out[bit] = base + spread.bits[byte][bit];
      out += spread.count[byte];
    }
  }
  return out;
}

void Cylinder::legal(const State& state, MoveList<Cylinder>& moves) const {
  if (state.step == Step::flank) {
    each_hole(flanked(state), board_.words(), [&](int hole) {
      for (const Kind kind : {Kind::flank, Kind::flank_up, Kind::flank_down}) moves.push_back(move_of(kind, hole));
    });
    moves.push_back(move_of(Kind::pass));
    return;
  }
  if (state.step != Step::use && state.step != Step::rest) return;

  // 1. Moves by the whole roll, or by what is left of it; with a 6 also first parts.
  const bool can_split = state.step == Step::use && state.roll == 6;
  Move* end = moves.end();
  each_marble(state, [&](int from, const CylinderBoard::Unrolled& unrolled) {
    end = write_moves(end, unrolled, from, state.steps, 0);
    for (int part = 1; can_split && part <= 5; ++part) end = write_moves(end, unrolled, from, part, part);
    return true;
  });
  moves.grow(static_cast<std::size_t>(end - moves.end()));
  if (state.step == Step::rest) return;

  // 2. Marbles come in with an even roll.
  if (state.roll % 2 == 0 && state.home[state.seat] > 0) {
    each_hole(entries(state), board_.words(), [&](int hole) { moves.push_back(move_of(Kind::enter, hole)); });
  }
  // 3. A 1 hits. Nobody is made to hit.
  if (state.roll == 1) {
    const bool only_hits = moves.empty();
    each_hole(hits(state), board_.words(), [&](int hole) { moves.push_back(move_of(Kind::hit, hole)); });
    if (only_hits && !moves.empty()) moves.push_back(move_of(Kind::pass));
  }
}

// ── Playing ──

template <class Tell>
void Cylinder::apply_and_tell(State& state, Roll roll, Tell&& tell) const {
  state.roll = roll.value;
  state.steps = roll.value;
  if (can_use(state)) {
    state.step = Step::use;
    return;
  }
  tell([&] { return Effect{.kind = Effect::Kind::pass, .seat = state.seat}; });
  end_roll(state, tell);
}

template <class Tell>
void Cylinder::play_and_tell(State& state, Move move, Tell&& tell) const {
  HoleSet& own = state.marbles[state.seat];
  const int to = to_of(move);
  switch (kind_of(move)) {
    case Kind::move: {
      const int from = from_of(move);
      const int first_part = first_part_of(move);
      tell([&] { return walk_effect(state.seat, from, to, first_part != 0 ? first_part : state.steps); });
      send_home(state, to, tell);
      own.remove(from);
      own.add(to);
      if (board_.is_goal(to) && wins(state, tell)) return;
      if (first_part != 0) {
        split(state, from, to, first_part, tell);
      } else if (state.step == Step::rest) {
        end_turn(state);
      } else {
        if (state.roll == 3 && !state.bonus && board_.is_red(to)) state.moved = static_cast<std::uint16_t>(to);
        end_roll(state, tell);
      }
      return;
    }
    case Kind::enter:
      tell([&] {
        return Effect{.kind = Effect::Kind::move, .seat = state.seat, .path = {home_name(state.seat), hole_name(to)}};
      });
      send_home(state, to, tell);
      --state.home[state.seat];
      own.add(to);
      return end_roll(state, tell);
    case Kind::hit:
    case Kind::flank: send_home(state, to, tell); return end_roll(state, tell);
    case Kind::flank_up:
    case Kind::flank_down: {
      const int from = kind_of(move) == Kind::flank_up ? to - 1 : to + 1;
      send_home(state, to, tell);
      tell([&] {
        return Effect{.kind = Effect::Kind::move, .seat = state.seat, .path = {hole_name(from), hole_name(to)}};
      });
      own.remove(from);
      own.add(to);
      if (state.moved == from) state.moved = no_hole;
      if (!wins(state, tell)) end_roll(state, tell);
      return;
    }
    case Kind::pass:
      tell([&] { return Effect{.kind = Effect::Kind::pass, .seat = state.seat}; });
      return state.step == Step::flank ? end_flanks(state, tell) : end_roll(state, tell);
  }
}

/// The marble in the hole, if there is one, goes back to its home.
template <class Tell>
void Cylinder::send_home(State& state, int hole, Tell&& tell) const {
  const int seat = holder(state, hole);
  if (seat < 0) return;
  assert(!same_side(state.seat, seat));
  tell([&] {
    return Effect{.kind = Effect::Kind::send_home, .seat = seat, .path = {hole_name(hole), home_name(seat)}};
  });
  state.marbles[seat].remove(hole);
  ++state.home[seat];
}

/// The seat to move has come into the goal row or moved in it: ends the game if that wins.
template <class Tell>
bool Cylinder::wins(State& state, Tell&& tell) const {
  if (!has_won(state, state.seat)) return false;
  for (int seat = 0; seat < options_.seats; ++seat) {
    if (!same_side(state.seat, seat)) continue;
    state.winners |= static_cast<std::uint8_t>(1 << seat);
    tell([&] { return Effect{.kind = Effect::Kind::win, .seat = seat}; });
  }
  forget_turn(state);
  state.step = Step::over;
  return true;
}

/// The first part of a 6 is played: what is left is to be moved too, if that is possible.
template <class Tell>
void Cylinder::split(State& state, int from, int to, int first_part, Tell&& tell) const {
  state.step = Step::rest;
  state.steps = static_cast<std::uint8_t>(6 - first_part);
  state.split_from = static_cast<std::uint16_t>(from);
  state.split_to = static_cast<std::uint16_t>(to);
  if (can_move(state, state.steps)) return;
  tell([&] { return Effect{.kind = Effect::Kind::pass, .seat = state.seat}; });
  end_turn(state);
}

/// A roll has been used whole, passed or lost, or a flank has been played: flanks may be possible.
template <class Tell>
void Cylinder::end_roll(State& state, Tell&& tell) const {
  if (flanked(state).empty()) return end_flanks(state, tell);
  state.step = Step::flank;
  state.steps = 0;
}

/// Nothing is left to do with the roll: the first 3 of a turn gives another.
template <class Tell>
void Cylinder::end_flanks(State& state, Tell&& tell) const {
  if (state.roll != 3 || state.bonus) return end_turn(state);
  tell([&] { return Effect{.kind = Effect::Kind::again, .seat = state.seat}; });
  state.step = Step::roll;
  state.roll = 0;
  state.steps = 0;
  state.bonus = true;
}

void Cylinder::end_turn(State& state) const {
  forget_turn(state);
  state.seat = static_cast<std::uint8_t>(state.seat + 1 == options_.seats ? 0 : state.seat + 1);
  state.step = ++state.turns == options_.turn_limit ? Step::over : Step::roll;
}

/// What matters only within a turn.
void Cylinder::forget_turn(State& state) {
  state.roll = 0;
  state.steps = 0;
  state.bonus = false;
  state.moved = no_hole;
  state.split_from = no_hole;
  state.split_to = no_hole;
}

void Cylinder::apply(State& state, Roll roll) const { apply_and_tell(state, roll, Silent{}); }
void Cylinder::play(State& state, Move move) const { play_and_tell(state, move, Silent{}); }

std::vector<Effect> Cylinder::effects(const State& state, Move move, Viewer) const {
  return effects_of(state, [&](State& next, Told& told) { play_and_tell(next, move, told); });
}

std::vector<Effect> Cylinder::effects(const State& state, Roll roll, Viewer) const {
  return effects_of(state, [&](State& next, Told& told) { apply_and_tell(next, roll, told); });
}

}  // namespace tessera
