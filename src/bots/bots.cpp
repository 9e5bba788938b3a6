#include "bots/bots.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace tessera {
namespace {

constexpr std::array bots{
    BotInfo{.name = "random", .title = "Dandelion", .line = "Goes wherever the wind blows: any legal move will do."},
    BotInfo{.name = "simple", .title = "Magpie", .line = "Takes what glitters now, and never looks past this move."},
};

/// What an effect is worth to "simple" when it happens to its own side, and when it happens to another.
struct Weight {
  Effect::Kind kind;
  int own;
  int other;
};

/// In units of a point. A kind that is not listed is worth nothing.
constexpr std::array weights{
    Weight{Effect::Kind::win, 10'000, -10'000},
    Weight{Effect::Kind::round, 1'000, -1'000},  // outweighs the points of a round, which in Cubed are better few
    Weight{Effect::Kind::finish, 100, -100},
    Weight{Effect::Kind::send_home, -50, 50},
    Weight{Effect::Kind::sweep, -20, 0},  // blows one's own cubes back and others' home
    Weight{Effect::Kind::lay, 10, 0},
    Weight{Effect::Kind::again, 4, -4},  // between a 3 that is safe and a 9: what CYBO's roll for a Quad is worth
    Weight{Effect::Kind::score, 1, -1},  // each point
    Weight{Effect::Kind::pass, -1, 1},
};

int worth(const Play& play, Move move) {
  const int own_side = play.side(play.turn().seat);
  int sum = 0;
  for (const Effect& effect : play.foreseen(move)) {
    const auto* const weight =
        std::find_if(weights.begin(), weights.end(), [&](const Weight& listed) { return listed.kind == effect.kind; });
    if (weight == weights.end() || effect.seat < 0) continue;
    const int each = play.side(effect.seat) == own_side ? weight->own : weight->other;
    sum += effect.kind == Effect::Kind::score ? each * effect.points : each;
  }
  return sum;
}

/// The moves that are worth most.
std::vector<Move> best_moves(const Play& play, std::span<const Move> legal) {
  std::vector<Move> best;
  int most = std::numeric_limits<int>::min();
  for (const Move move : legal) {
    const int found = worth(play, move);
    if (found < most) continue;
    if (found > most) best.clear();
    most = found;
    best.push_back(move);
  }
  return best;
}

}  // namespace

std::span<const BotInfo> all_bots() { return bots; }

const BotInfo* find_bot(std::string_view name) {
  const auto* const found =
      std::find_if(bots.begin(), bots.end(), [&](const BotInfo& bot) { return bot.name == name; });
  return found == bots.end() ? nullptr : found;
}

Move choose(const BotInfo& bot, const Play& play, Random& random) {
  std::vector<Move> moves = play.legal();
  if (bot.name == "simple") moves = best_moves(play, moves);
  return moves[random(static_cast<std::uint32_t>(moves.size()))];
}

}  // namespace tessera
