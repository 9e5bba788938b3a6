#include "bench/race2.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "rules/handle_for.hpp"

namespace tessera::bench {
namespace {

std::string place_name(std::uint64_t run) { return std::to_string(run % Race2::places); }

}  // namespace

std::span<const OptionField<Race2::Options>> Race2::option_fields() {
  using Field = OptionField<Options>;
  static constexpr std::array fields{Field::first(), Field::turn_limit()};
  return fields;
}

std::optional<Error> Race2::check(const Options&) { return std::nullopt; }

Race2::State Race2::start() const { return {.seat = static_cast<std::int8_t>(options_.first)}; }

Turn Race2::turn(const State& state) const {
  if (state.turns == options_.turn_limit) return {Phase::over, -1};
  return {Phase::chance, state.seat};
}

Result Race2::result(const State& state) const {
  Result result;
  for (int seat = 0; seat < 2; ++seat) {
    if (state.run[seat] >= state.run[1 - seat]) result.winners |= static_cast<std::uint8_t>(1 << seat);
    constexpr std::uint64_t most = std::numeric_limits<std::int16_t>::max();
    result.scores[seat] = static_cast<std::int16_t>(std::min(state.run[seat] / places, most));
  }
  return result;
}

template <class Tell>
void Race2::apply_and_tell(State& state, Roll roll, Tell&& tell) const {
  std::uint64_t& run = state.run[state.seat];
  tell([&] {
    return Effect{
        .kind = Effect::Kind::move, .seat = state.seat, .path = {place_name(run), place_name(run + roll.value)}};
  });
  run += roll.value;
  state.seat = static_cast<std::int8_t>(1 - state.seat);
  if (++state.turns < options_.turn_limit) return;
  for (int seat = 0; seat < 2; ++seat) {
    if (result(state).won(seat)) tell([&] { return Effect{.kind = Effect::Kind::win, .seat = seat}; });
  }
}

void Race2::apply(State& state, Roll roll) const { apply_and_tell(state, roll, Silent{}); }

std::vector<Effect> Race2::effects(const State& state, Roll roll, Viewer) const {
  return effects_of(state, [&](State& next, Told& told) { apply_and_tell(next, roll, told); });
}

Expected<Move> Race2::parse_move(const State&, std::string_view) const { return Error{"nobody moves in Race2: roll"}; }

std::vector<Piece> Race2::pieces(const State& state, Viewer) const {
  return {{0, "", place_name(state.run[0])}, {1, "", place_name(state.run[1])}};
}

std::string Race2::picture(const State& state, Viewer, PictureStyle) const {
  return fmt::format("seat 0 at {}, seat 1 at {}\n", place_name(state.run[0]), place_name(state.run[1]));
}

const GameInfo& race2_info() {
  return game_info<Race2>(
      "# Race2\n\nRoll: your runner goes on by so many of the ring's 30 places, and it is the other's turn.\n");
}

}  // namespace tessera::bench
