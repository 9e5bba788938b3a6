#include <algorithm>

#include "games/cubed/playing.hpp"

/// Guessing what a viewer cannot see.
///
/// Without `take` and `fill`, or for a spectator, every way to deal the unseen pieces to the hidden hands and the bag
/// is equally likely. With them a seat has had pieces that it does not hold any more: a piece that it gave away is in
/// the hand of the receiver, unless that laid it or gave it on unseen; a piece that it put back into the bag is there,
/// or in a hand that got a piece from the bag since.
namespace tessera {

using namespace cubed;

namespace {

using Memory = Cubed::Memory;

/// What the memories of a round come to. Time is counted in epochs: how many pieces the viewer had returned to the bag.
/// A hidden piece in a hand is known only by the epoch in which it came out of the bag; the piece returned as the n-th
/// can be only one of epoch n or later.
class Trail {
 public:
  Trail(const PieceSet& dealt, int viewer, int seats, int hand_size) : fresh_(PieceSet::full() - dealt) {
    for (int seat = 0; seat < seats; ++seat) {
      if (seat != viewer) unknown_[seat][0] = static_cast<std::uint8_t>(hand_size);
    }
  }

  /// Follows the memories to their end, where `places` unseen pieces are not in a hand. Where it cannot be known which
  /// piece it was, takes one at random, and another if the first leads nowhere. What happened is one way, so there is
  /// always one. Each possible way to end is found with some probability.
  bool follow(std::span<const Memory> memories, int places, Random& random) {
    for (; !memories.empty(); memories = memories.subspan(1)) {
      const Memory& memory = memories.front();
      switch (memory.kind) {
        case Memory::Kind::acquired: ++unknown_[memory.seat][epoch_]; continue;
        case Memory::Kind::given: known_[memory.to].add(memory.piece); continue;
        case Memory::Kind::returned: returned_[++epoch_] = memory.piece; continue;
        case Memory::Kind::drew:
          if (!drew(memory.piece)) return false;
          continue;
        case Memory::Kind::parted:
        case Memory::Kind::passed_on: break;
      }
      FixedList<Way, kinds + epochs> ways;
      int total = 0;
      each_way(memory, [&](const Way& way) {
        ways.push_back(way);
        total += way.weight;
      });
      if (ways.size() == 1) {
        go(memory, ways[0]);
        continue;
      }
      while (total > 0) {
        auto picked = static_cast<int>(random(static_cast<std::uint32_t>(total)));
        Way* way = ways.begin();
        for (; picked >= way->weight; ++way) picked -= way->weight;
        Trail next = *this;
        next.go(memory, *way);
        if (next.follow(memories.subspan(1), places, random)) {
          *this = next;
          return true;
        }
        total -= way->weight;
        way->weight = 0;
      }
      return false;
    }
    return can_end(places);
  }

  /// Gives every unseen piece a place: the returned ones first, from the last, each in any place that it can be in.
  /// Since what can hold a later one can hold an earlier one too, no choice spoils another, and all are equally likely.
  void settle(int places, std::array<PieceSet, max_seats>& hands, PieceSet& rest, Random& random) {
    for (int seat = 0; seat < max_seats; ++seat) hands[seat] += known_[seat];
    for (int epoch = epoch_; epoch > 0; --epoch) {
      const Kind piece = returned_[epoch];
      if (piece == none) continue;
      int pick = static_cast<int>(random(static_cast<std::uint32_t>(places + holders(epoch))));
      if (pick < places) {
        --places;
        rest.add(piece);
        continue;
      }
      pick -= places;
      [&] {
        for (int seat = 0; seat < max_seats; ++seat) {
          for (int from = epoch; from < epochs; ++from) {
            pick -= unknown_[seat][from];
            if (pick >= 0) continue;
            --unknown_[seat][from];
            hands[seat].add(piece);
            return;
          }
        }
      }();
    }
    int left = fresh_.size();
    for (int seat = 0; seat < max_seats; ++seat) {
      for (const int number : unknown_[seat]) {
        for (int i = 0; i < number; ++i) hands[seat].add(draw_piece(fresh_, left, random));
      }
    }
    rest += fresh_;
  }

 private:
  static constexpr int epochs = 32;  // a bag of at most 15 pieces: 15 takes return two pieces each
  static constexpr Kind none = 255;

  /// One way in which a piece can have left a hand: it was known to be there, or it was any piece of an epoch; and if
  /// it is named, whether it was one that the viewer had returned.
  struct Way {
    int weight;
    Kind known = none;
    std::uint8_t unknown = 0;
    std::uint8_t returned = 0;
  };

  template <class Visit>
  void each_way(const Memory& memory, Visit&& visit) const {
    const auto& unknown = unknown_[memory.seat];
    const PieceSet& known = known_[memory.seat];
    if (memory.kind == Memory::Kind::passed_on) {
      known.each([&](Kind piece) { visit(Way{.weight = 1, .known = piece}); });
      for (int epoch = 0; epoch < epochs; ++epoch) {
        if (unknown[epoch] > 0) visit(Way{.weight = unknown[epoch], .unknown = static_cast<std::uint8_t>(epoch)});
      }
      return;
    }
    // If it is known to be there, it was that one: should there be a second copy, then that may be there still. And an
    // unknown piece was the oldest that it can have been: a younger one that is left can be all that an older one can.
    if (known.has(memory.piece)) {
      visit(Way{.weight = 1, .known = memory.piece});
      return;
    }
    const auto oldest_from = [&](int from, int returned) {
      for (int epoch = from; epoch < epochs; ++epoch) {
        if (unknown[epoch] == 0) continue;
        visit(Way{
            .weight = 1, .unknown = static_cast<std::uint8_t>(epoch), .returned = static_cast<std::uint8_t>(returned)});
        return;
      }
    };
    if (fresh_.has(memory.piece)) oldest_from(0, 0);
    for (int epoch = 1; epoch <= epoch_; ++epoch) {
      if (returned_[epoch] == memory.piece) oldest_from(epoch, epoch);
    }
  }

  void go(const Memory& memory, const Way& way) {
    const bool passed_on = memory.kind == Memory::Kind::passed_on;
    if (way.known != none) {
      known_[memory.seat].remove(way.known);
      if (passed_on) known_[memory.to].add(way.known);
      return;
    }
    --unknown_[memory.seat][way.unknown];
    if (passed_on) {
      ++unknown_[memory.to][way.unknown];
    } else if (way.returned != 0) {
      returned_[way.returned] = none;
    } else {
      fresh_.remove(memory.piece);
    }
  }

  /// The viewer drew a piece: the one that it returned last, if it had. A second copy is then the freer.
  bool drew(Kind piece) {
    for (int epoch = epoch_; epoch > 0; --epoch) {
      if (returned_[epoch] != piece) continue;
      returned_[epoch] = none;
      return true;
    }
    if (!fresh_.has(piece)) return false;
    fresh_.remove(piece);
    return true;
  }

  /// The hidden pieces in hands that can be what was returned as number `epoch`.
  int holders(int epoch) const {
    int number = 0;
    for (const auto& hand : unknown_) {
      for (int from = epoch; from < epochs; ++from) number += hand[from];
    }
    return number;
  }

  bool can_end(int places) const {
    int waiting = 0;
    for (int epoch = epoch_; epoch > 0; --epoch) {
      if (returned_[epoch] != none && ++waiting > places + holders(epoch)) return false;
    }
    return true;
  }

  std::array<std::array<std::uint8_t, epochs>, max_seats> unknown_{};  ///< hidden pieces in each hand, by epoch
  std::array<PieceSet, max_seats> known_{};                            ///< pieces that must be in a hand
  PieceSet fresh_{};                                                   ///< unseen, and never had by the viewer
  std::array<Kind, epochs> returned_ = [] {
    std::array<Kind, epochs> nothing{};
    nothing.fill(none);
    return nothing;
  }();
  int epoch_ = 0;
};

/// Whether the viewer knows more of the unseen pieces than which they are.
bool has_parted_with_pieces(const Cubed::Knowledge& knowledge) {
  return std::any_of(knowledge.memories.begin(), knowledge.memories.end(), [](const Memory& memory) {
    return memory.kind == Memory::Kind::given || memory.kind == Memory::Kind::returned;
  });
}

}  // namespace

bool Cubed::is_possible(const Knowledge& knowledge) const {
  if (!has_parted_with_pieces(knowledge)) return true;
  const State& world = knowledge.world;
  const int places = world.bag.size() + (sees(knowledge.viewer, world.seat) ? 0 : world.drawn.size());
  Random random(0, "is it possible");  // any way will do
  Trail trail(knowledge.dealt, knowledge.viewer.seat_or(0), options_.seats, hand_size());
  return trail.follow({knowledge.memories.begin(), knowledge.memories.end()}, places, random);
}

Cubed::State Cubed::determinize(const Knowledge& knowledge, Random& random) const {
  State state = knowledge.world;
  if (!sees_everything(knowledge.viewer) && !state.round_over && state.step != Step::deal) {
    if (alone()) {
      guess_hand_alone(knowledge, state, random);
    } else {
      guess(knowledge, state, random);
    }
  }
  if (!knowledge.settled) settle(state, Silent{}, can_lay_nothing());
  return state;
}

void Cubed::guess(const Knowledge& knowledge, State& state, Random& random) const {
  const Viewer viewer = knowledge.viewer;
  const bool drawn_hidden = !sees(viewer, state.seat);
  const int drawn = drawn_hidden ? state.drawn.size() : 0;
  PieceSet unseen = state.bag;
  if (drawn_hidden) unseen += state.drawn;
  // 1. The hidden hands.
  if (has_parted_with_pieces(knowledge)) {
    const int places = unseen.size();
    Trail trail(knowledge.dealt, viewer.seat_or(0), options_.seats, hand_size());
    const bool found = trail.follow({knowledge.memories.begin(), knowledge.memories.end()}, places, random);
    assert(found);
    static_cast<void>(found);
    for (int seat = 0; seat < options_.seats; ++seat) {
      if (!sees(viewer, seat)) state.hands[seat] = {};
    }
    unseen = {};
    trail.settle(places, state.hands, unseen, random);
  } else {
    for (int seat = 0; seat < options_.seats; ++seat) {
      if (!sees(viewer, seat)) unseen += state.hands[seat];
    }
    int left = unseen.size();
    for (int seat = 0; seat < options_.seats; ++seat) {
      if (sees(viewer, seat)) continue;
      PieceSet hand;
      for (int size = state.hands[seat].size(); size > 0; --size) hand.add(draw_piece(unseen, left, random));
      state.hands[seat] = hand;
    }
  }
  // 2. Pieces that another seat is choosing from, and the bag.
  if (drawn_hidden) {
    state.drawn = {};
    int left = unseen.size();
    for (int i = 0; i < drawn; ++i) state.drawn.add(draw_piece(unseen, left, random));
  }
  state.bag = unseen;
}

/// The hand of a game alone, for a spectator. Among the pieces dealt at most three block, and exactly three if some
/// were put out of the game then; each piece drawn later may be one more.
void Cubed::guess_hand_alone(const Knowledge& knowledge, State& state, Random& random) const {
  const PieceSet unseen = state.bag + state.hands[0];
  const int size = state.hands[0].size();
  int laid_from_hand = 0;
  int laid_blocking = 0;
  state.table.each_laid([&](Cell, int kind, int) {
    ++laid_from_hand;
    if ((kind_bit(kind) & blocking_kinds) != 0) ++laid_blocking;
  });
  if (laid_from_hand > 0) --laid_from_hand;  // the first piece came from the bag
  const int drawn = size + laid_from_hand - hand_size();
  const int all_blocking = unseen.count_of(blocking_kinds);
  const int least = std::max({0, knowledge.exchanged ? 3 - laid_blocking : 0, size - (unseen.size() - all_blocking)});
  const int most = std::min({size, all_blocking, 3 + drawn - laid_blocking});
  assert(least <= most);
  // How many block is as likely as the number of such hands.
  std::array<double, 11> ways{};
  double total = 0;
  for (int blocking = least; blocking <= most; ++blocking) {
    ways[blocking] = static_cast<double>(choose(all_blocking, blocking)) *
                     static_cast<double>(choose(unseen.size() - all_blocking, size - blocking));
    total += ways[blocking];
  }
  double pick = total * random(1U << 31) / (1U << 31);
  int blocking = least;
  while (blocking < most && pick >= ways[blocking]) pick -= ways[blocking++];
  PieceSet hand;
  const auto draw = [&](Kinds from, int number) {
    PieceSet bag = unseen.only(from);
    for (int left = bag.size(); number > 0; --number) hand.add(draw_piece(bag, left, random));
  };
  draw(blocking_kinds, blocking);
  draw(~blocking_kinds, size - blocking);
  state.hands[0] = hand;
  state.bag = unseen - hand;
}

}  // namespace tessera
