#include "games/cybo/cybo.hpp"

#include <algorithm>
#include <limits>

#include "rules/notation.hpp"

namespace tessera {
namespace {

/// The marker of the roll at this place of the turn, from 0.
std::string marker(std::size_t roll) {
  constexpr std::array names{"1st", "2nd", "3rd", "4th", "5th"};
  return names[roll];
}

}  // namespace

// ── Options ──

std::span<const OptionField<Cybo::Options>> Cybo::option_fields() {
  using Field = OptionField<Options>;
  static constexpr std::array<std::string_view, 4> level{"beginner", "advanced", "master", "grandmaster"};
  static constexpr std::array<std::string_view, 2> tie{"share", "extra"};
  static constexpr std::array fields{
      Field::first(),
      Field::choice<&Options::level>("level", level,
                                     "What counts: beginners have a fourth roll, masters must roll in order, grand "
                                     "masters must repeat what they once rolled."),
      Field::choice<&Options::tie>(
          "tie", tie,
          "When several seats lead after 13 rounds, they share the win, or all seats play extra "
          "rounds until one leads."),
      Field::turn_limit(),
  };
  return fields;
}

std::optional<Error> Cybo::check(const Options&) { return std::nullopt; }

Cybo::Cybo(const Options& options) : options_(options), tree_(&cybo::TurnTree::of(options.level)) {}

Cybo::State Cybo::start() const {
  State state;
  state.seat = static_cast<std::uint8_t>(options_.first);
  return state;
}

Result Cybo::result(const State& state) const {
  Result result;
  result.winners = state.winners;
  result.scores = state.total;
  return result;
}

// ── Playing ──

void Cybo::legal(const State& state, MoveList<Cybo>& moves) const {
  if (state.phase != Phase::decision) return;
  moves.push_back(quad);
  moves.push_back(stop);
}

template <class Tell>
void Cybo::apply_and_tell(State& state, Roll roll, Tell&& tell) const {
  tell([&] {
    const cybo::Rolled& rolled = (*tree_)[state.node].rolled;
    const auto before = static_cast<std::size_t>(std::find(rolled.begin(), rolled.end(), 0) - rolled.begin());
    return Effect{.kind = Effect::Kind::move,
                  .seat = state.seat,
                  .piece = marker(before),
                  .path = {"die", std::to_string(roll.value)}};
  });
  Node node = tree_->after_roll(state.node, roll.value);
  if (grand_master()) {
    const Node repeated = tree_->if_repeated(node);
    if (repeated != 0 && state.past[state.seat][(*tree_)[node].trinity]) node = repeated;
  }
  go_to(state, node, tell);
}

template <class Tell>
void Cybo::play_and_tell(State& state, Move move, Tell&& tell) const {
  go_to(state, move == quad ? tree_->after_quad(state.node) : tree_->after_stop(state.node), tell);
}

template <class Tell>
void Cybo::go_to(State& state, Node node, Tell&& tell) const {
  if (tree_->is_over(node)) {
    end_turn(state, node, tell);
    return;
  }
  state.node = node;
  state.phase = tree_->is_rolling(node) ? Phase::chance : Phase::decision;
  if (tree_->is_trying(node)) tell([&] { return Effect{.kind = Effect::Kind::again, .seat = state.seat}; });
}

template <class Tell>
void Cybo::end_turn(State& state, Node end, Tell&& tell) const {
  // 1. Points, and what a grand master must know of them.
  const cybo::TurnTree::Node& turn = (*tree_)[end];
  state.card[state.row][state.seat] = end;
  if (turn.points == 0) {
    tell([&] { return Effect{.kind = Effect::Kind::pass, .seat = state.seat}; });
  } else {
    tell([&] { return Effect{.kind = Effect::Kind::score, .seat = state.seat, .points = turn.points}; });
    // No more than a Result can hold: that takes 2,000 Quads, so a tie that was never broken.
    constexpr int most = std::numeric_limits<std::int16_t>::max();
    std::int16_t& total = state.total[state.seat];
    total = static_cast<std::int16_t>(std::min(total + turn.points, most));
    if (grand_master()) remember(state, end);
  }
  for (std::size_t roll = 0; roll < turn.rolled.size() && turn.rolled[roll] != 0; ++roll) {
    tell([&] {
      return Effect{.kind = Effect::Kind::put_back,
                    .seat = state.seat,
                    .piece = marker(roll),
                    .path = {std::to_string(turn.rolled[roll]), "die"}};
    });
  }
  // 2. The next seat begins, perhaps the next round.
  state.phase = Phase::chance;
  ++state.turns;
  state.seat = static_cast<std::uint8_t>(state.seat + 1 == options_.seats ? 0 : state.seat + 1);
  state.node = grand_master() ? tree_->root(state.signature[state.seat]) : Node{0};
  if (state.seat == options_.first) end_round(state, tell);
  if (state.turns == options_.turn_limit) state.phase = Phase::over;
}

/// A turn that counted has ended with `end`: what it repeats becomes the signature.
void Cybo::remember(State& state, Node end) const {
  const cybo::TurnTree::Node& turn = (*tree_)[end];
  std::bitset<cybo::feats>& past = state.past[state.seat];
  const auto enter = [&](int feat) {
    const auto bit = static_cast<std::size_t>(feat);
    if (past[bit]) state.signature[state.seat] = static_cast<std::uint8_t>(feat + 1);
    past[bit] = true;
  };
  // A Quad signature stays one when the fourth number is missed.
  if (state.signature[state.seat] <= cybo::trinities) enter(turn.trinity);
  if (turn.points == 16) enter(cybo::quad_feat(turn.trinity));
}

template <class Tell>
void Cybo::end_round(State& state, Tell&& tell) const {
  if (state.row < rounds) ++state.row;
  if (state.row < rounds) return;
  const std::uint8_t leading = leaders(state);
  if (options_.tie == Tie::extra && std::popcount(leading) > 1) {
    state.card[rounds].fill(0);
    return;
  }
  state.winners = leading;
  state.phase = Phase::over;
  for (int seat = 0; seat < options_.seats; ++seat) {
    if ((leading >> seat & 1) != 0) tell([&] { return Effect{.kind = Effect::Kind::win, .seat = seat}; });
  }
}

/// The seats with the highest total, a bit a seat.
std::uint8_t Cybo::leaders(const State& state) const {
  const auto last = state.total.begin() + options_.seats;
  const std::int16_t best = *std::max_element(state.total.begin(), last);
  std::uint8_t seats = 0;
  for (int seat = 0; seat < options_.seats; ++seat) {
    if (state.total[seat] == best) seats |= static_cast<std::uint8_t>(1 << seat);
  }
  return seats;
}

void Cybo::apply(State& state, Roll roll) const { apply_and_tell(state, roll, Silent{}); }
void Cybo::play(State& state, Move move) const { play_and_tell(state, move, Silent{}); }

std::vector<Effect> Cybo::effects(const State& state, Move move, Viewer) const {
  return effects_of(state, [&](State& next, Told& told) { play_and_tell(next, move, told); });
}

std::vector<Effect> Cybo::effects(const State& state, Roll roll, Viewer) const {
  return effects_of(state, [&](State& next, Told& told) { apply_and_tell(next, roll, told); });
}

// ── Notation ──

std::string Cybo::move_text(const State&, Move move, Viewer) const { return move == quad ? "quad" : "stop"; }

Expected<Move> Cybo::parse_move(const State& state, std::string_view text) const {
  if (state.phase != Phase::decision) return Error{"there is nothing to decide: the die rolls by itself"};
  return find_move(*this, state, text);
}

// ── For people and boards ──

Choices Cybo::choices(const State& state, Move move) const { return {move_text(state, move, Viewer::all())}; }

std::vector<Piece> Cybo::pieces(const State& state, Viewer) const {
  std::vector<Piece> all;
  const cybo::Rolled& rolled = (*tree_)[state.node].rolled;
  const std::size_t rolls = options_.level == Level::beginner ? 5 : 4;
  for (std::size_t roll = 0; roll < rolls; ++roll) {
    all.push_back({-1, marker(roll), rolled[roll] != 0 ? std::to_string(rolled[roll]) : "die"});
  }
  return all;
}

}  // namespace tessera
