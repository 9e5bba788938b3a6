#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "search/policy.hpp"
#include "search/thought.hpp"

namespace tessera {

struct MctsParameters {
  std::uint64_t simulations = 1000;
  /// How much is tried besides what looks best: the factor of the square root in the choice of a move.
  double exploration = 1;
  /// Whether the evaluation orders and judges moves before they are tried. Without it all are tried first, in any order.
  bool guided = true;
  /// What judges a position that is new to the tree: the evaluation after so many chance events of a playout; a negative
  /// number: the playout's end.
  int playout = 0;
  /// Playouts choose by the evaluation too, instead of any move.
  bool clever_playouts = false;
  /// A decision visited n times has its best `widening_base + widening_factor · √n` moves looked at (guided only).
  double widening_base = 3;
  double widening_factor = 1;
  /// Moves that are kept of a decision below the first, at most (guided only).
  std::size_t most_moves = 40;
  /// The outcomes of a chance event come in turn, as often as they are likely, instead of at random: less noise.
  bool even_chance = true;
  /// What was found about a position that comes up again in the next decision is kept.
  bool reuse = true;
  /// Independent trees that share the simulations, so that as many threads can think; the thought is the same whoever
  /// runs them.
  int trees = 1;
};

/// Runs every job, in any order, perhaps at the same time; returns when all are done.
using RunJobs = std::function<void(std::vector<std::function<void()>>&)>;

/// Monte-Carlo tree search with explicit chance nodes, for any number of seats; each seat chooses what is best for
/// itself and its side. Nodes and edges are flat arrays. docs/search.md derives it.
template <Game G, Evaluation<G> E>
class Tree {
 public:
  using State = typename G::State;

  Tree(const G& game, const E& evaluation, MctsParameters parameters)
      : game_(&game), evaluation_(&evaluation), parameters_(parameters) {}

  /// Thinks about the decision that `state` waits for, up to `simulations` in all, those of earlier thoughts about this
  /// position counted.
  void grow(const State& state, std::uint64_t simulations, Random& random, const StopEarly& stop) {
    begin(state, random);
    for (std::uint64_t i = 0; nodes_[0].visits < simulations; ++i) {
      if (stop && i % 64 == 63 && stop()) break;
      simulate(random);
      ++simulations_;
    }
  }

  std::uint64_t simulations() const { return simulations_; }  ///< of the last thought

  /// visit(move, visits, sum of chances) for every legal move of the root.
  template <class Visit>
  void each_move(Visit&& visit) const {
    for (std::uint32_t i = 0; i < nodes_[0].count; ++i) {
      const Edge& edge = edges_[nodes_[0].first + i];
      visit(edge.move, edge.visits, edge.sum, static_cast<double>(edge.guess));
    }
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  /// A chance event with more outcomes is not part of the tree: it is judged as it is, or played through.
  static constexpr std::uint64_t most_outcomes = 64;

  /// From a decision to what a move leads to, or from a chance event to what an outcome leads to.
  struct Edge {
    Move move;  ///< or the number of the outcome
    std::uint32_t visits = 0;
    std::uint32_t node = none;
    float guess = 0;  ///< the evaluation's, of the deciding seat's chance; of an outcome: its probability
    double sum = 0;   ///< of the deciding seat's chances in the simulations that went this way
  };

  struct Node {
    Phase phase;
    std::int8_t seat;
    bool leaf = true;  ///< its edges are still to be made
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t visits = 0;
  };

  struct Step {
    std::uint32_t node;
    std::uint32_t edge;
  };

  // ── Steps of a simulation ──

  void simulate(Random& random) {
    State state = root_;
    path_.clear();
    Chances chances{};
    for (std::uint32_t at = 0;;) {
      // 1. The end of the tree: a position that is over, or that is seen for the first time.
      if (nodes_[at].phase == Phase::over) {
        chances = chances_of(*game_, game_->result(state));
        ++nodes_[at].visits;
        break;
      }
      if (nodes_[at].leaf) {
        const bool in_tree = expand(at, state, random);
        // A chance event that is new is passed at once, so that each simulation judges a decision.
        if (nodes_[at].phase != Phase::chance || !in_tree || !parameters_.guided) {
          ++nodes_[at].visits;
          chances = look(at, state, random);
          break;
        }
      }
      // 2. Further down.
      const std::uint32_t edge =
          nodes_[at].phase == Phase::decision ? choose_move(nodes_[at], random) : choose_outcome(nodes_[at], random);
      path_.push_back({at, edge});
      follow(state, nodes_[at].phase, edges_[edge].move);
      if (edges_[edge].node == none) {
        const Turn turn = game_->turn(state);
        const auto made = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({turn.phase, turn.seat});
        edges_[edge].node = made;
      }
      at = edges_[edge].node;
    }
    // 3. Everybody on the way learns.
    for (const Step& step : path_) {
      Node& node = nodes_[step.node];
      Edge& edge = edges_[step.edge];
      ++node.visits;
      ++edge.visits;
      if (node.phase == Phase::decision) edge.sum += chances[node.seat];
    }
  }

  void follow(State& state, Phase phase, Move move) const {
    if (phase == Phase::decision) {
      game_->play(state, move);
      return;
    }
    Move number = 0;
    std::optional<typename G::Outcome> chosen;
    game_->each_outcome(state, [&](const typename G::Outcome& outcome, std::uint64_t) {
      if (number++ == move) chosen = outcome;
    });
    game_->apply(state, *chosen);
  }

  /// Makes the edges of a node. False: it stays a leaf for good.
  bool expand(std::uint32_t at, const State& state, Random& random) {
    const auto first = static_cast<std::uint32_t>(edges_.size());
    if (nodes_[at].phase == Phase::chance) {
      const std::uint64_t total = game_->outcome_total(state);
      if (total == 0 || total > most_outcomes) return false;
      Move number = 0;
      game_->each_outcome(state, [&](const typename G::Outcome&, std::uint64_t weight) {
        edges_.push_back({.move = number++, .guess = static_cast<float>(weight) / static_cast<float>(total)});
      });
    } else {
      MoveList<G> moves;
      game_->legal(state, moves);
      for (const Move move : moves) edges_.push_back({.move = move});
      if (parameters_.guided) {
        guess(state, nodes_[at].seat, first);
        if (at != 0 && moves.size() > parameters_.most_moves) edges_.resize(first + parameters_.most_moves);
      } else {
        for (std::size_t i = moves.size(); i > 1; --i) {
          std::swap(edges_[first + i - 1], edges_[first + random(static_cast<std::uint32_t>(i))]);
        }
      }
    }
    nodes_[at].leaf = false;
    nodes_[at].first = first;
    nodes_[at].count = static_cast<std::uint32_t>(edges_.size()) - first;
    return true;
  }

  /// The evaluation's opinion of the moves of a new decision, by which they are ordered.
  void guess(const State& state, int seat, std::uint32_t first) {
    double best = -1;
    for (std::size_t i = first; i < edges_.size(); ++i) {
      State next = state;
      game_->play(next, edges_[i].move);
      const Chances chances = judge(*game_, *evaluation_, next);
      edges_[i].guess = static_cast<float>(chances[seat]);
      if (chances[seat] <= best) continue;
      best = chances[seat];
      best_guess_ = chances;
    }
    std::sort(edges_.begin() + first, edges_.end(),
              [](const Edge& a, const Edge& b) { return a.guess != b.guess ? a.guess > b.guess : a.move < b.move; });
  }

  /// Judges a position that is new to the tree.
  Chances look(std::uint32_t at, State& state, Random& random) {
    if (parameters_.playout == 0) {
      return nodes_[at].phase == Phase::decision && parameters_.guided ? best_guess_ : evaluation_->chances(state);
    }
    if (parameters_.clever_playouts) {
      play_on(*game_, state, BestNow<E>{*evaluation_}, parameters_.playout, random);
    } else {
      play_on(*game_, state, AnyMove{}, parameters_.playout, random);
    }
    return judge(*game_, *evaluation_, state);
  }

  /// The move whose chance is highest once what is little known is given credit. Where the evaluation guides, its guess
  /// counts as one visit; where not, each move is tried once before any twice.
  std::uint32_t choose_move(const Node& node, Random&) const {
    std::uint32_t count = node.count;
    if (parameters_.guided) {
      const double wide =
          parameters_.widening_base + parameters_.widening_factor * std::sqrt(static_cast<double>(node.visits));
      if (wide < count) count = static_cast<std::uint32_t>(wide);
    }
    const double log_visits = portable_log(static_cast<double>(node.visits) + 1);
    std::uint32_t best = node.first;
    double most = -1;
    for (std::uint32_t i = node.first; i < node.first + count; ++i) {
      const Edge& edge = edges_[i];
      double visits = edge.visits;
      double sum = edge.sum;
      if (parameters_.guided) {
        visits += 1;
        sum += edge.guess;
      } else if (edge.visits == 0) {
        return i;
      }
      const double worth = sum / visits + parameters_.exploration * std::sqrt(log_visits / visits);
      if (worth <= most) continue;
      most = worth;
      best = i;
    }
    return best;
  }

  std::uint32_t choose_outcome(const Node& node, Random& random) const {
    // 1. In turn: the outcome that lags most behind its probability. Which comes first is drawn, so that no outcome is
    //    favoured where visits are few.
    if (parameters_.even_chance) {
      const std::uint32_t from = random(node.count);
      std::uint32_t best = node.first;
      double most = -1;
      for (std::uint32_t i = 0; i < node.count; ++i) {
        const std::uint32_t edge = node.first + (from + i) % node.count;
        const double lag = static_cast<double>(edges_[edge].guess) * (node.visits + 1.0) - edges_[edge].visits;
        if (lag <= most) continue;
        most = lag;
        best = edge;
      }
      return best;
    }
    // 2. At random.
    auto pick = static_cast<float>(random(1U << 24)) / static_cast<float>(1U << 24);
    for (std::uint32_t i = node.first; i + 1 < node.first + node.count; ++i) {
      if (pick < edges_[i].guess) return i;
      pick -= edges_[i].guess;
    }
    return node.first + node.count - 1;
  }

  // ── From one thought to the next ──

  /// Makes `state` the root: what is known of it is kept, the rest forgotten.
  void begin(const State& state, Random& random) {
    simulations_ = 0;
    const std::uint32_t found = parameters_.reuse && !nodes_.empty() ? find(state, 0, root_) : none;
    root_ = state;
    if (found == none || nodes_[found].leaf) {
      const Turn turn = game_->turn(state);
      nodes_.assign(1, {turn.phase, turn.seat});
      edges_.clear();
    } else {
      keep(found);
      // Of a decision further down only the best moves may have been kept.
      MoveList<G> moves;
      game_->legal(state, moves);
      if (moves.size() != nodes_[0].count) {
        nodes_.assign(1, {nodes_[0].phase, nodes_[0].seat});
        edges_.clear();
      }
    }
    if (nodes_[0].leaf) expand(0, state, random);
  }

  /// The node of `wanted` at or below the node `at`, whose state is `here`.
  std::uint32_t find(const State& wanted, std::uint32_t at, const State& here) const {
    if (here == wanted) return at;
    if (nodes_[at].leaf) return none;
    for (std::uint32_t i = nodes_[at].first; i < nodes_[at].first + nodes_[at].count; ++i) {
      if (edges_[i].node == none) continue;
      State next = here;
      follow(next, nodes_[at].phase, edges_[i].move);
      const std::uint32_t found = find(wanted, edges_[i].node, next);
      if (found != none) return found;
    }
    return none;
  }

  /// The node and what is below it becomes the whole tree, level by level.
  void keep(std::uint32_t root) {
    std::vector<Node> nodes{nodes_[root]};
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t first = nodes[i].first;
      nodes[i].first = static_cast<std::uint32_t>(edges.size());
      for (std::uint32_t edge = first; edge < first + nodes[i].count; ++edge) {
        edges.push_back(edges_[edge]);
        if (edges.back().node == none) continue;
        nodes.push_back(nodes_[edges.back().node]);
        edges.back().node = static_cast<std::uint32_t>(nodes.size() - 1);
      }
    }
    nodes_ = std::move(nodes);
    edges_ = std::move(edges);
  }

  const G* game_;
  const E* evaluation_;
  MctsParameters parameters_;
  State root_{};
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Step> path_;
  Chances best_guess_{};  ///< of the decision that `guess` looked at last, after its best move
  std::uint64_t simulations_ = 0;
};

/// Thinks with one or several trees.
template <Game G, Evaluation<G> E>
class Mcts {
 public:
  using State = typename G::State;

  Mcts(const G& game, const E& evaluation, MctsParameters parameters)
      : parameters_(parameters),
        trees_(static_cast<std::size_t>(parameters.trees), Tree<G, E>(game, evaluation, parameters)) {}

  Thought think(const State& state, Random& random, const RunJobs& run = {}, const StopEarly& stop = {}) {
    // 1. Each tree has its share of the simulations and randomness of its own.
    const std::uint64_t share = (parameters_.simulations + trees_.size() - 1) / trees_.size();
    std::vector<std::function<void()>> jobs;
    for (Tree<G, E>& tree : trees_) {
      const std::uint64_t seed = std::uint64_t{random(1U << 31)} << 31 | random(1U << 31);
      jobs.emplace_back([&tree, &state, &stop, share, seed] {
        Random own(seed, "tree");
        tree.grow(state, share, own, stop);
      });
    }
    if (run) {
      run(jobs);
    } else {
      for (const auto& job : jobs) job();
    }
    // 2. What all of them found, together.
    std::vector<Tried> found;
    std::uint64_t simulations = 0;
    for (const Tree<G, E>& tree : trees_) {
      simulations += tree.simulations();
      tree.each_move([&](Move move, std::uint32_t visits, double sum, double guess) {
        const auto same = std::find_if(found.begin(), found.end(), [&](const Tried& one) { return one.move == move; });
        if (same == found.end()) {
          found.push_back({move, static_cast<double>(visits), sum, guess});
        } else {
          same->visits += visits;
          same->sum += sum;
        }
      });
    }
    return conclude(found, parameters_.guided ? 1 : 0, simulations);
  }

 private:
  MctsParameters parameters_;
  std::vector<Tree<G, E>> trees_;
};

}  // namespace tessera
