#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arena/statistics.hpp"
#include "engine/engine.hpp"
#include "rules/handle.hpp"

/// Players against each other, so that luck and seats cancel out. docs/arena.md says how.
namespace tessera {

struct Contest {
  std::shared_ptr<const Play> start;  ///< game, seats and options
  std::vector<std::string> players;   ///< names as `make_player` takes them, or commands of engines
  std::uint64_t seed = 1;
  EngineLimits limits{};
};

/// Why the contest cannot be held: too few players, so many that sides cannot be shared evenly, or one that is unknown.
std::optional<Error> check(const Contest& contest);

/// One sample: a game for each rotation of the players over the sides, all with the same dice.
struct Block {
  struct Tally {
    double score = 0;  ///< the mean over the games: 1 for a win, 1/n for one that n sides share
    std::uint64_t moves = 0;
    double seconds = 0;  ///< of thinking
    std::uint64_t forfeits = 0;
    std::string reason{};  ///< of the last forfeit

    friend bool operator==(const Tally&, const Tally&) = default;
  };
  std::uint64_t number = 0;
  std::vector<Tally> players;

  friend bool operator==(const Block&, const Block&) = default;
};

struct Running {
  std::uint64_t blocks = 100;  ///< at most
  double until = 0;            ///< stop once so sure (0.95) that players differ; 0: never
  unsigned threads = 1;
  std::function<bool()> stop{};  ///< asked before every move: end with what there is
  /// Every block as it is finished, one at a time, in no order; and the blocks that count so far.
  std::function<void(const Block&, std::span<const Block>)> finished{};
};

/// Holds the contest; blocks that are `known` are not played again. Returns blocks 0, 1, … without a gap: they are the
/// same for any number of threads.
std::vector<Block> run(const Contest& contest, const std::vector<Block>& known, const Running& running);

/// What the blocks say of one player.
struct Standing {
  std::string name;
  Interval win_rate;
  Interval elo;  ///< against the others
  double ms_per_move;
  std::uint64_t forfeits;
  std::string reason;  ///< of the last forfeit
};

std::vector<Standing> standings(const Contest& contest, std::span<const Block> blocks);

/// Games of a block: as many as players.
inline std::uint64_t games(const Contest& contest, std::span<const Block> blocks) {
  return blocks.size() * contest.players.size();
}

}  // namespace tessera
