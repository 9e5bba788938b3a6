#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rules/chances.hpp"
#include "rules/handle.hpp"
#include "search/mcts.hpp"
#include "search/thought.hpp"

namespace tessera {

/// Somebody who plays a seat. All it ever gets is a Knowledge, which is folded from what its seat was told: it cannot
/// cheat. `Witnesses` (rules/witness.hpp) makes one for whoever runs a game, and so does anybody who reads a seat
/// transcript: know_nothing, then every line, the last one `ask`.
///
/// A player may remember between its turns of one game; another game needs another player.
class Player {
 public:
  virtual ~Player() = default;

  /// What it thinks of the decision that its seat is asked for. The same knowledge before, and the same randomness, give
  /// the same thought.
  virtual Thought think(const Knowledge& knowledge, Random& random) = 0;
};

/// How a player plays, apart from its game.
struct Style {
  enum class Kind : std::uint8_t {
    any_move,
    look_ahead,  ///< the evaluation judges each move by what it leads to
    search,      ///< as well as the game's evaluation and search can
    plain_uct,   ///< tree search with random playouts and no knowledge of the game: a fixed reference
  };
  Kind kind = Kind::search;
  /// Of `search` and `plain_uct`; 0: as many as the game's strongest level has.
  std::uint64_t simulations = 0;
  /// Human mistakes (`look_ahead`): with what chance a move is overlooked, and by how much chances are misjudged
  /// (standard deviation).
  double overlooks = 0;
  double misjudges = 0;
};

/// What a player thinks with. It never needs threads of its own.
struct Means {
  RunJobs run = {};     ///< runs the jobs of several trees; empty: one after the other
  int trees = 1;        ///< trees that share the simulations, for as many threads
  StopEarly stop = {};  ///< ends a thought before its simulations are done; then it is no longer reproducible
};

/// Judges positions for whoever sees all of a game: no part of playing.
class Judge {
 public:
  virtual ~Judge() = default;
  /// Each seat's chance of winning: of a decision after the moves that look best, up to the end of the turn; of a chance
  /// event on average over its outcomes (over some that are drawn, where they are too many to list).
  virtual Chances chances(const Play& play, Random& random) const = 0;
};

/// Learns the weights of a game's evaluation by playing against itself. docs/learning.md derives it.
class Learning {
 public:
  virtual ~Learning() = default;
  virtual void learn(Random& random) = 0;  ///< plays one game, and learns from it
  virtual std::vector<double> weights() const = 0;
  virtual std::optional<Error> set_weights(std::span<const double> weights) = 0;  ///< refuses a wrong number of them
  /// All that it remembers: to stop, and to go on as if it had not. Refuses what is no memory of this evaluation.
  virtual std::vector<double> memory() const = 0;
  virtual std::optional<Error> set_memory(std::span<const double> memory) = 0;
};

/// What the bots know of one game. Made by generated sources, from the game and its evaluation.
struct GameBots {
  std::string_view game;
  std::unique_ptr<Player> (*make)(const Style& style, const Means& means);
  /// For a game with the options of `play`. Null: the evaluation has no weights.
  std::unique_ptr<Learning> (*learning)(const Play& play);
  std::unique_ptr<Judge> (*judge)(const Play& play);  ///< of games with the options of `play`
};

}  // namespace tessera
