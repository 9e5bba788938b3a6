#pragma once

/// The templates of Cubed's chance events. Included by cubed.hpp.
namespace tessera {

namespace cubed {

constexpr std::uint64_t choose(int n, int k) {
  std::uint64_t ways = 1;
  for (int i = 0; i < k; ++i) ways = ways * static_cast<std::uint64_t>(n - i) / static_cast<std::uint64_t>(i + 1);
  return ways;
}

/// n (n - 1) … , `factors` of them.
constexpr std::uint64_t falling(int n, int factors) {
  std::uint64_t product = 1;
  for (int i = 0; i < factors; ++i) product *= static_cast<std::uint64_t>(n - i);
  return product;
}

/// Every set of exactly `size` pieces of `from`, of kinds not below `least`, on top of `chosen`, with the number of
/// ways to pick it: visit(set, ways).
template <class Visit>
void each_subset(const PieceSet& from, int size, int least, const PieceSet& chosen, std::uint64_t ways, Visit& visit) {
  if (size == 0) {
    visit(chosen, ways);
    return;
  }
  for (Kinds left = from.kinds() & ~(kind_bit(least) - 1); left != 0; left &= left - 1) {
    const int kind = std::countr_zero(left);
    PieceSet more = chosen;
    for (int copies = 1; copies <= std::min(size, from.count(kind)); ++copies) {
      more.add(kind);
      each_subset(from, size - copies, kind + 1, more, ways * choose(from.count(kind), copies), visit);
    }
  }
}

/// Takes a piece out of `bag` at random.
template <Uniform U>
Kind draw_piece(PieceSet& bag, int& size, U&& uniform) {
  const Kind kind = bag.nth(uniform(static_cast<std::uint32_t>(size)));
  bag.remove(kind);
  --size;
  return kind;
}

}  // namespace cubed

/// Piece by piece: whenever a blocking piece is the fourth in the hand, one of the four goes out. The rules exchange
/// all extra ones of a full hand at once, and so on; that is the same. Both draw, in the order of the bag, until 25
/// pieces that are not blocking, or are up to three that block, have come, so the same pieces are drawn; and which
/// three blocking ones stay depends only on when they were drawn, never on what they show. Since the bag's order is
/// random, each three of them are then equally likely, in both.
template <Uniform U>
Cubed::Outcome Cubed::deal_alone(U&& uniform) const {
  constexpr int most_blocking = 3;
  Outcome outcome;
  PieceSet bag = PieceSet::full();
  int left = bag.size();
  PieceSet& hand = outcome.hands[0];
  for (int held = 0; held < hand_size(); ++held) {
    hand.add(cubed::draw_piece(bag, left, uniform));
    const PieceSet blocking = hand.only(cubed::blocking_kinds);
    if (blocking.size() > most_blocking) {
      const Kind extra = blocking.nth(uniform(most_blocking + 1));
      hand.remove(extra);
      outcome.out.add(extra);
      --held;
    }
  }
  return outcome;
}

template <Uniform U>
Cubed::Outcome Cubed::draw(const State& state, U&& uniform) const {
  if (state.step == Step::deal && alone()) return deal_alone(uniform);
  Outcome outcome;
  PieceSet bag = state.step == Step::deal ? PieceSet::full() : state.bag;
  int left = bag.size();
  switch (state.step) {
    case Step::deal:
      for (int seat = 0; seat < options_.seats; ++seat) {
        for (int i = 0; i < hand_size(); ++i) outcome.hands[seat].add(cubed::draw_piece(bag, left, uniform));
      }
      break;
    case Step::start:
      for (;;) {
        const Kind kind = cubed::draw_piece(bag, left, uniform);
        const bool blocks = (cubed::kind_bit(kind) & cubed::blocking_kinds) != 0;
        (blocks ? outcome.out : outcome.drawn).add(kind);
        if (!blocks) break;
      }
      break;
    case Step::take:
      for (int i = 0; i < state.draws; ++i) outcome.drawn.add(cubed::draw_piece(bag, left, uniform));
      break;
    default: assert(state.step == Step::draw); outcome.drawn.add(cubed::draw_piece(bag, left, uniform));
  }
  return outcome;
}

template <class Visit>
void Cubed::each_outcome(const State& state, Visit&& visit) const {
  if (state.step == Step::draw || state.step == Step::take) {
    const auto drawn = [&](const PieceSet& set, std::uint64_t ways) { visit(Outcome{.drawn = set}, ways); };
    cubed::each_subset(state.bag, state.step == Step::take ? state.draws : 1, 0, PieceSet{}, 1, drawn);
  } else if (state.step == Step::start) {
    // Ways to draw as many pieces one after another as there are blocking ones and one more: those that begin with the
    // pieces that go out, in any order, then the first piece, then anything.
    const PieceSet blocking = state.bag.only(cubed::blocking_kinds);
    const PieceSet others = state.bag - blocking;
    const int size = state.bag.size();
    for (int out = 0; out <= blocking.size(); ++out) {
      const std::uint64_t orders = cubed::falling(out, out) * cubed::falling(size - out - 1, blocking.size() - out);
      const auto go_out = [&](const PieceSet& set, std::uint64_t ways) {
        others.each([&](Kind kind) {
          Outcome outcome{.out = set};
          outcome.drawn.add(kind);
          visit(outcome, ways * orders);
        });
      };
      cubed::each_subset(blocking, out, 0, PieceSet{}, 1, go_out);
    }
  }
}

}  // namespace tessera
