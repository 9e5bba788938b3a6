#include "games/marbles/marbles.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>

#include "rules/notation.hpp"

namespace tessera {
namespace {

int lowest_bit(Marbles::Track track) {
  const auto low = static_cast<std::uint64_t>(track);
  return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(track >> 64));
}

int count(Marbles::Track track) {
  return std::popcount(static_cast<std::uint64_t>(track)) + std::popcount(static_cast<std::uint64_t>(track >> 64));
}

}  // namespace

// ── Options ──

std::span<const OptionField<Marbles::Options>> Marbles::option_fields() {
  using Field = OptionField<Options>;
  static constexpr std::array<std::string_view, 2> come_out{"by_roll", "start"};
  static constexpr std::array<std::string_view, 3> teams{"none", "2", "3"};
  static constexpr std::array fields{
      Field::choice<&Options::come_out>(
          "come_out", come_out,
          "Where a marble comes out: with a 1 on p0 and with a 6 on p5 (by_roll), or with "
          "both on p0 (start)."),
      Field::first(),
      Field::integer<&Options::sectors>("sectors", 3, 6, "Sectors of the ring; at least one for each seat."),
      Field::integer<&Options::spaces>("spaces", 8, 16, "Spaces of each sector: fewer make a shorter game."),
      Field::choice<&Options::teams>("teams", teams,
                                     "Number of teams. Four seats can form 2, six seats 2 or 3; partners sit apart.")
          .from_seats(4),
      Field::turn_limit(),
  };
  return fields;
}

std::optional<Error> Marbles::check(const Options& options) {
  if (options.sectors < options.seats) {
    return option_refused(
        "sectors", std::to_string(options.sectors),
        Phrase::of("{} with {} seats", options.seats == 6 ? Phrase{"6"} : Phrase::of("{} to {}", options.seats, 6),
                   options.seats));
  }
  const bool fits = options.teams == 0 || options.seats == 6 || (options.seats == 4 && options.teams == 1);
  if (!fits) {
    return option_refused(
        "teams", options.teams == 1 ? "2" : "3",
        Phrase::of("{} with {} seats", options.seats == 4 ? Phrase::of("{} or {}", "none", "2") : Phrase{"none"},
                   options.seats));
  }
  return std::nullopt;
}

Marbles::Marbles(const Options& options)
    : options_(options),
      teams_(options.teams == 0 ? 0 : options.teams + 1),
      ring_(options.sectors * options.spaces),
      home_(Track{0b1111} << ring_) {
  for (int seat = 0; seat < options.seats; ++seat) {
    const int step = options.sectors % options.seats == 0 ? options.sectors / options.seats : 1;
    first_space_[seat] = seat * step * options.spaces;
  }
  for (int roll = 1; roll <= 6; ++roll) not_past_h4_[roll] = bit(ring_ + 4 - roll) - 1;
  come_out_.fill(-1);
  come_out_[1] = 0;
  come_out_[6] = options.come_out == ComeOut::by_roll ? 5 : 0;
}

Marbles::State Marbles::start() const {
  State state;
  for (int seat = 0; seat < options_.seats; ++seat) state.base[seat] = 4;
  state.seat = static_cast<std::uint8_t>(options_.first);
  return state;
}

Result Marbles::result(const State& state) const {
  Result result;
  result.winners = state.winners;
  for (int seat = 0; seat < options_.seats; ++seat) {
    result.scores[seat] = static_cast<std::int16_t>(count(state.track[seat] & home_));
  }
  return result;
}

// ── Legal moves ──

/// The seat whose marble stands where one of `owner` would land, or -1.
int Marbles::victim(const State& state, int owner, int target) const {
  if (target >= ring_) return -1;
  const int space = ring_space(owner, target);
  if ((state.taken & bit(space)) == 0) return -1;
  for (int other = 0; other < options_.seats; ++other) {
    if (other != owner && (state.track[other] & bit(place_on(space, other))) != 0) return other;
  }
  return -1;
}

bool Marbles::hits_partner(const State& state, Move move) const {
  const int owner = owner_of(move);
  const int hit = victim(state, owner, target(place_of(move), state.roll));
  return hit >= 0 && side(hit) == side(owner);
}

/// What the roll offers the marbles of `owner`, partners' marbles not yet considered.
Marbles::Offer Marbles::offer(const State& state, int owner) const {
  const Track track = state.track[owner];
  const int out = come_out_[state.roll];
  if (out >= 0 && state.base[owner] > 0 && (track & bit(out)) == 0) {
    if ((track & ~home_) == 0) return {true, 0};  // none on the ring: one must come out
    return {true, movable(track, state.roll)};
  }
  return {false, movable(track, state.roll)};
}

/// The marbles that can go on by the roll: not onto one's own marble, and not past h4.
Marbles::Track Marbles::movable(Track track, int roll) const { return track & ~(track >> roll) & not_past_h4_[roll]; }

void Marbles::moves_of(const State& state, int owner, MoveList<Marbles>& moves) const {
  const Offer offered = offer(state, owner);
  if (offered.out) moves.push_back(move_of(owner, in_base));
  for (Track rest = offered.movable; rest != 0; rest &= rest - 1) moves.push_back(move_of(owner, lowest_bit(rest)));
}

bool Marbles::can_move(const State& state) const {
  if (teams_ == 0) {
    const Offer offered = offer(state, state.seat);
    return offered.out || offered.movable != 0;
  }
  MoveList<Marbles> moves;
  legal(state, moves);
  return !moves.empty();
}

void Marbles::legal(const State& state, MoveList<Marbles>& moves) const {
  if (teams_ == 0) {
    moves_of(state, state.seat, moves);
    return;
  }
  // 1. A seat that has all its marbles in Home moves its partners'.
  if (!all_home(state, state.seat)) {
    moves_of(state, state.seat, moves);
  } else {
    for (int partner = 0; partner < options_.seats; ++partner) {
      if (side(partner) == side(state.seat) && !all_home(state, partner)) moves_of(state, partner, moves);
    }
  }
  // 2. Landing on a partner's marble is legal only if nothing else is.
  const auto hits = [&](Move move) { return hits_partner(state, move); };
  if (!std::all_of(moves.begin(), moves.end(), hits)) moves.erase_if(hits);
}

// ── Playing ──

template <class Tell>
void Marbles::apply_and_tell(State& state, Roll roll, Tell&& tell) const {
  state.roll = roll.value;
  if (can_move(state)) {
    state.phase = Phase::decision;
    return;
  }
  tell([&] { return Effect{.kind = Effect::Kind::pass, .seat = state.seat}; });
  end_roll(state, tell);
}

template <class Tell>
void Marbles::play_and_tell(State& state, Move move, Tell&& tell) const {
  const int owner = owner_of(move);
  const int from = place_of(move);
  const int to = target(from, state.roll);
  tell([&] {
    Effect effect{.kind = Effect::Kind::move, .seat = owner, .path = {place_name(owner, from)}};
    for (int place = from == in_base ? to : from + 1; place <= to; ++place)
      effect.path.push_back(place_name(owner, place));
    return effect;
  });
  // 1. A marble of another seat on the landing space goes back to its base.
  if (const int hit = victim(state, owner, to); hit >= 0) {
    const int place = place_on(ring_space(owner, to), hit);
    tell([&] {
      return Effect{
          .kind = Effect::Kind::send_home, .seat = hit, .path = {place_name(hit, place), place_name(hit, in_base)}};
    });
    state.track[hit] &= ~bit(place);
    ++state.base[hit];
  }
  // 2. The marble moves.
  if (from == in_base) {
    --state.base[owner];
  } else {
    state.track[owner] &= ~bit(from);
    if (from < ring_) state.taken &= ~bit(ring_space(owner, from));
  }
  state.track[owner] |= bit(to);
  if (to < ring_) state.taken |= bit(ring_space(owner, to));
  // 3. A seat, or the whole of its team, may now be home.
  if (to >= ring_ && all_home(state, owner)) {
    std::uint8_t winners = 0;
    bool all = true;
    for (int seat = 0; seat < options_.seats; ++seat) {
      if (side(seat) != side(owner)) continue;
      winners |= static_cast<std::uint8_t>(1 << seat);
      all = all && all_home(state, seat);
    }
    if (all) {
      state.winners = winners;
      state.phase = Phase::over;
      state.roll = 0;
      for (int seat = 0; seat < options_.seats; ++seat) {
        if ((winners >> seat & 1) != 0) tell([&] { return Effect{.kind = Effect::Kind::win, .seat = seat}; });
      }
      return;
    }
  }
  end_roll(state, tell);
}

/// The roll is used or lost: a 6 rolls again, anything else ends the turn.
template <class Tell>
void Marbles::end_roll(State& state, Tell&& tell) const {
  const bool again = state.roll == 6;
  state.roll = 0;
  state.phase = Phase::chance;
  if (again) {
    tell([&] { return Effect{.kind = Effect::Kind::again, .seat = state.seat}; });
    return;
  }
  state.seat = static_cast<std::uint8_t>(state.seat + 1 == options_.seats ? 0 : state.seat + 1);
  if (++state.turns == options_.turn_limit) state.phase = Phase::over;
}

void Marbles::apply(State& state, Roll roll) const { apply_and_tell(state, roll, Silent{}); }
void Marbles::play(State& state, Move move) const { play_and_tell(state, move, Silent{}); }

std::vector<Effect> Marbles::effects(const State& state, Move move, Viewer) const {
  return effects_of(state, [&](State& next, Told& told) { play_and_tell(next, move, told); });
}

std::vector<Effect> Marbles::effects(const State& state, Roll roll, Viewer) const {
  return effects_of(state, [&](State& next, Told& told) { apply_and_tell(next, roll, told); });
}

// ── Notation ──

std::string Marbles::move_text(const State& state, Move move, Viewer) const {
  const int place = place_of(move);
  std::string text;
  if (owner_of(move) != state.seat) text = fmt::format("s{}:", owner_of(move));
  if (place == in_base) return text + "out";
  return text + (place < ring_ ? fmt::format("p{}", place) : fmt::format("h{}", place - ring_ + 1));
}

Expected<Move> Marbles::parse_move(const State& state, std::string_view text) const {
  return find_move(*this, state, text);
}

// ── For people and boards ──

std::string Marbles::place_name(int owner, int place) const {
  if (place == in_base) return fmt::format("s{}:base", owner);
  if (place < ring_) return fmt::format("r{}", ring_space(owner, place));
  return fmt::format("s{}:h{}", owner, place - ring_ + 1);
}

Choices Marbles::choices(const State& state, Move move) const {
  const int owner = owner_of(move);
  return {place_name(owner, place_of(move)), place_name(owner, target(place_of(move), state.roll))};
}

std::vector<Piece> Marbles::pieces(const State& state, Viewer) const {
  std::vector<Piece> all;
  for (int seat = 0; seat < options_.seats; ++seat) {
    for (int i = 0; i < state.base[seat]; ++i) all.push_back({seat, "", place_name(seat, in_base)});
    for (Track track = state.track[seat]; track != 0; track &= track - 1) {
      all.push_back({seat, "", place_name(seat, lowest_bit(track))});
    }
  }
  return all;
}

}  // namespace tessera
