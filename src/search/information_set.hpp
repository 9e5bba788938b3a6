#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "search/policy.hpp"
#include "search/thought.hpp"

namespace tessera {

struct InformationSetParameters {
  std::uint64_t simulations = 1000;
  /// How much is tried besides what looks best: the factor of the square root in the choice of a move.
  double exploration = 0.5;
  /// Whether the evaluation orders and judges moves before they are tried. Without it all are tried first, in any order.
  bool guided = true;
  /// Worlds in which the evaluation looks at the moves of the decision itself before the search begins (guided only).
  int first_worlds = 8;
  /// A decision visited n times has its best `widening_base + widening_factor · √n` moves looked at (guided only).
  double widening_base = 3;
  double widening_factor = 1;
  /// Playouts end with the round, and the evaluation judges what it brought; else with the game.
  bool to_end_of_round = true;
  /// Of how many moves that are drawn a playout takes the most urgent; 1: any move.
  int drawn_moves = 3;
};

/// Monte-Carlo tree search for a seat that does not see everything (information sets, with one observer). It never gets
/// the state: `imagine` gives it worlds that agree with what the seat knows, another one for each simulation. The tree
/// branches on moves alone: chance, and what is hidden, differ from one simulation to the next. docs/search.md derives
/// it.
template <Game G, Evaluation<G> E>
class InformationSetSearch {
 public:
  using State = typename G::State;

  InformationSetSearch(const G& game, const E& evaluation, InformationSetParameters parameters)
      : game_(&game), evaluation_(&evaluation), parameters_(parameters) {}

  /// `imagine(random)` gives a state in which the seat is to decide; its legal moves are the same in all of them.
  template <class Imagine>
  Thought think(Imagine&& imagine, Random& random, const StopEarly& stop = {}) {
    begin(imagine, random);
    std::uint64_t simulations = 0;
    for (; simulations < parameters_.simulations; ++simulations) {
      if (stop && simulations % 64 == 63 && stop()) break;
      simulate(imagine(random), random);
    }
    std::vector<Tried> tried;
    for (std::size_t i = 0; i < root_edges_; ++i) {
      const Edge& edge = edges_[i];
      tried.push_back({edge.move, static_cast<double>(edge.visits), edge.sum, edge.guess});
    }
    return conclude(tried, guess_visits(), simulations);
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  struct Edge {
    Move move;
    std::uint32_t visits = 0;
    std::uint32_t offered = 0;  ///< simulations in which the move was legal
    double guess = 0;           ///< the evaluation's, in the world where the move was first seen
    double sum = 0;
  };
  struct Step {
    std::uint32_t edge;
    int seat;
  };

  // ── The tree: nodes are numbers, edges are found by their node and move ──

  /// Numbers by keys, with open addressing; never shrinks while it is used.
  class Numbers {
   public:
    void clear() {
      slots_.assign(1024, {});
      used_ = 0;
    }
    /// The number of the key; if it has none yet, it gets `next`.
    std::uint32_t find_or_add(std::uint64_t key, std::uint32_t next) {
      if (2 * used_ >= slots_.size()) grow();
      Slot& slot = place(key);
      if (slot.number == none) {
        slot = {key, next};
        ++used_;
      }
      return slot.number;
    }

   private:
    struct Slot {
      std::uint64_t key = 0;
      std::uint32_t number = none;
    };
    Slot& place(std::uint64_t key) {
      std::size_t at = mixed(key) & (slots_.size() - 1);
      while (slots_[at].number != none && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
      return slots_[at];
    }
    void grow() {
      std::vector<Slot> old(2 * slots_.size());
      std::swap(old, slots_);
      for (const Slot& slot : old) {
        if (slot.number != none) place(slot.key) = slot;
      }
    }
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
  };

  std::uint32_t edge_of(std::uint32_t node, Move move) {
    const auto next = static_cast<std::uint32_t>(edges_.size());
    const std::uint32_t edge = edge_numbers_.find_or_add(std::uint64_t{node} << 32 | move, next);
    if (edge == next) edges_.push_back({.move = move});
    return edge;
  }

  /// The decision of `seat` that a move leads to. Who is next can depend on what is hidden: each has a node.
  std::uint32_t node_after(std::uint32_t edge, int seat) {
    const auto next = static_cast<std::uint32_t>(visits_.size());
    const std::uint32_t node =
        node_numbers_.find_or_add(std::uint64_t{edge} * max_seats + static_cast<std::uint64_t>(seat), next);
    if (node == next) visits_.push_back(0);
    return node;
  }

  // ── Steps of a simulation ──

  template <class Imagine>
  void begin(Imagine&& imagine, Random& random) {
    edges_.clear();
    edge_numbers_.clear();
    node_numbers_.clear();
    visits_.assign(1, 0);
    MoveList<G> moves;
    const int worlds = parameters_.guided ? parameters_.first_worlds : 1;
    for (int i = 0; i < worlds; ++i) {
      const State world = imagine(random);
      moves.clear();
      game_->legal(world, moves);
      for (const Move move : moves) {
        Edge& edge = edges_[edge_of(0, move)];
        if (parameters_.guided) edge.guess += look_at(world, move) / worlds;
      }
    }
    root_edges_ = edges_.size();
  }

  double look_at(const State& state, Move move) const {
    State next = state;
    game_->play(next, move);
    return judge(*game_, *evaluation_, next)[game_->turn(state).seat];
  }

  void simulate(State state, Random& random) {
    path_.clear();
    std::uint32_t node = 0;
    MoveList<G> moves;
    for (;;) {
      // 1. A decision: the moves of this world, and the best of them.
      moves.clear();
      game_->legal(state, moves);
      const int seat = game_->turn(state).seat;
      const std::uint32_t edge = choose(node, state, moves, random);
      path_.push_back({edge, seat});
      game_->play(state, edges_[edge].move);
      // 2. Whatever chance brings, up to the next decision.
      while (game_->turn(state).phase == Phase::chance && !ends_here(state)) {
        game_->apply(state, game_->draw(state, random));
      }
      if (game_->turn(state).phase != Phase::decision) break;
      node = node_after(edge, game_->turn(state).seat);
      if (visits_[node]++ == 0) {
        play_out(state, random);
        break;
      }
    }
    // 3. Everybody on the way learns.
    const Chances chances = judge(*game_, *evaluation_, state);
    for (const Step& step : path_) {
      ++edges_[step.edge].visits;
      edges_[step.edge].sum += chances[step.seat];
    }
  }

  std::uint32_t choose(std::uint32_t node, const State& state, const MoveList<G>& moves, Random& random) {
    offers_.clear();
    for (const Move move : moves) {
      const std::size_t known = edges_.size();
      const std::uint32_t edge = edge_of(node, move);
      if (parameters_.guided && edge == known) edges_[edge].guess = look_at(state, move);
      ++edges_[edge].offered;
      offers_.push_back(edge);
    }
    if (!parameters_.guided) return choose_unguided(random);
    // 1. The best by the evaluation, as many as the visits allow.
    const double wide = parameters_.widening_base +
                        parameters_.widening_factor * std::sqrt(static_cast<double>(edges_[offers_[0]].offered));
    if (wide < static_cast<double>(offers_.size())) {
      std::sort(offers_.begin(), offers_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return edges_[a].guess != edges_[b].guess ? edges_[a].guess > edges_[b].guess : a < b;
      });
      offers_.resize(static_cast<std::size_t>(wide));
    }
    // 2. Of these the one whose chance is highest once what is little known is given credit.
    return best_offer();
  }

  /// Each move is tried once before any twice.
  std::uint32_t choose_unguided(Random& random) {
    untried_.clear();
    for (const std::uint32_t edge : offers_) {
      if (edges_[edge].visits == 0) untried_.push_back(edge);
    }
    if (!untried_.empty()) return untried_[random(static_cast<std::uint32_t>(untried_.size()))];
    return best_offer();
  }

  /// So many visits the evaluation's guess counts as.
  int guess_visits() const { return parameters_.guided ? 1 : 0; }

  std::uint32_t best_offer() const {
    std::uint32_t best = offers_.front();
    double most = -1;
    for (const std::uint32_t at : offers_) {
      const Edge& edge = edges_[at];
      const double visits = edge.visits + guess_visits();
      const double mean = (edge.sum + guess_visits() * edge.guess) / visits;
      const double worth =
          mean + parameters_.exploration * std::sqrt(portable_log(static_cast<double>(edge.offered) + 1) / visits);
      if (worth <= most) continue;
      most = worth;
      best = at;
    }
    return best;
  }

  /// A deal: there are too many to list, and nothing that was decided before bears on it.
  bool ends_here(const State& state) const { return parameters_.to_end_of_round && game_->outcome_total(state) == 0; }

  void play_out(State& state, Random& random) const {
    MoveList<G> moves;
    for (;;) {
      const Phase phase = game_->turn(state).phase;
      if (phase == Phase::over || (phase == Phase::chance && ends_here(state))) return;
      if (phase == Phase::chance) {
        game_->apply(state, game_->draw(state, random));
        continue;
      }
      moves.clear();
      game_->legal(state, moves);
      game_->play(state, Urgent<E>{*evaluation_, parameters_.drawn_moves}(*game_, state, moves, random));
    }
  }

  const G* game_;
  const E* evaluation_;
  InformationSetParameters parameters_;
  std::vector<Edge> edges_;
  std::size_t root_edges_ = 0;         ///< the first edges are those of the decision itself
  std::vector<std::uint32_t> visits_;  ///< by node
  Numbers edge_numbers_;               ///< by node and move
  Numbers node_numbers_;               ///< by edge and seat
  std::vector<Step> path_;
  std::vector<std::uint32_t> offers_;
  std::vector<std::uint32_t> untried_;
};

}  // namespace tessera
