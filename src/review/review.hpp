#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bots/bots.hpp"
#include "rules/transcript.hpp"

/// What a game was decided by. docs/review.md derives it.
namespace tessera {

struct ReviewedEvent {
  int seat = -1;  ///< whose event it was; -1: nobody's
  bool chance = false;
  std::string text{};  ///< roll or move
  Chances chances{};   ///< of every seat, after it
  Chances luck{};      ///< of chance: by how much it moved every seat's chance from what was to be expected
  double loss = 0;     ///< of a move: what it gave away of its seat's chance, from 0
  double judged = 0;   ///< of a move: its seat's chance with it, as the reviewer sees it …
  std::string best{};  ///< … and the move that the reviewer would have made
  double best_judged = 0;

  friend bool operator==(const ReviewedEvent&, const ReviewedEvent&) = default;
};

/// Where a seat's result came from: start + luck + decisions + others + rest = end.
struct ReviewedSeat {
  double start = 0;          ///< its chance before the first event
  double luck = 0;           ///< given by chance, its own dice and the others'
  double decisions = 0;      ///< given away by its own moves: never above 0
  double others = 0;         ///< given to it by the moves of other sides
  double rest = 0;           ///< what the reviewer misjudged
  double end = 0;            ///< its share of the win; of a game that goes on, its chance
  std::vector<int> worst{};  ///< its moves that gave most away, the worst first: indices of events

  friend bool operator==(const ReviewedSeat&, const ReviewedSeat&) = default;
};

struct Review {
  bool over = false;
  std::vector<ReviewedEvent> events;
  std::vector<ReviewedSeat> seats;

  friend bool operator==(const Review&, const Review&) = default;
};

struct Reviewing {
  /// A name of bots.hpp, who judges the moves. Empty: the strongest; where hands are hidden `ahead`, because what a search
  /// for hidden hands says of a move that it hardly tried is a throw of a coin.
  std::string_view reviewer{};
  std::uint64_t seed = 1;
  Means means{};
  std::function<bool(std::size_t events)> progress{};  ///< told how far it is; false: stop there
};

/// Reviews the game that led to `end` by these steps. The same seed gives the same review. Each move is judged by what
/// its seat knew. The Error says that there is no such reviewer.
Expected<Review> review(std::span<const Step> steps, const Play& end, const Reviewing& reviewing);

/// {"over":true,"events":[…],"seats":[…]} as docs/review.md has it, without a line break.
std::string review_json(const Review& review);

}  // namespace tessera
