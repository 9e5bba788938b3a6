#pragma once

#include <fmt/format.h>
#include <cassert>
#include <optional>

#include "bots/player.hpp"
#include "rules/handle_for.hpp"
#include "search/information_set.hpp"
#include "search/learning.hpp"
#include "search/look_ahead.hpp"

/// Makes the players of one game. Included by generated sources alone.
namespace tessera {

/// Human mistakes in a thought: moves overlooked, chances misjudged.
void make_mistakes(Thought& thought, const Style& style, Random& random);

template <Game G, Evaluation<G> E>
class PlayerOf final : public Player {
 public:
  PlayerOf(const Style& style, Means means) : style_(style), means_(std::move(means)) {}

  Thought think(const Knowledge& knowledge, Random& random) override {
    const auto* known = dynamic_cast<const KnowledgeOf<G>*>(&knowledge);
    assert(known != nullptr);
    if (!mind_ || !(mind_->game->options() == known->game()->options())) mind_.emplace(known->game(), style_, means_);
    const auto imagine = [&](Random& source) { return known->imagine(source); };
    switch (style_.kind) {
      case Style::Kind::any_move: return any_move(imagine, random);
      case Style::Kind::look_ahead: {
        Thought thought = look_ahead(*mind_->game, mind_->evaluation, imagine, worlds, random);
        make_mistakes(thought, style_, random);
        return thought;
      }
      case Style::Kind::search:
        if constexpr (solved) return look_ahead(*mind_->game, mind_->evaluation, imagine, worlds, random);
        break;
      case Style::Kind::plain_uct: break;
    }
    if constexpr (HiddenGame<G>) {
      return mind_->search.think(imagine, random, means_.stop);
    } else {
      return mind_->search.think(known->imagine(random), random, means_.run, means_.stop);
    }
  }

 private:
  static constexpr bool solved = requires { requires E::exact; };
  static constexpr int worlds = HiddenGame<G> ? 8 : 1;

  static auto parameters(const Style& style, const Means& means) {
    using Parameters = std::conditional_t<HiddenGame<G>, InformationSetParameters, MctsParameters>;
    Parameters chosen;
    if constexpr (requires { E::search(chosen); }) E::search(chosen);
    if (style.simulations != 0) chosen.simulations = style.simulations;
    if constexpr (!HiddenGame<G>) chosen.trees = means.trees;
    if (style.kind == Style::Kind::plain_uct) {
      chosen.guided = false;
      chosen.exploration = 1;
      if constexpr (HiddenGame<G>) {
        chosen.to_end_of_round = false;
        chosen.drawn_moves = 1;
      } else {
        chosen.playout = -1;
        chosen.clever_playouts = false;
        chosen.even_chance = false;
        chosen.reuse = false;
      }
    }
    return chosen;
  }

  template <class Imagine>
  Thought any_move(Imagine&& imagine, Random& random) const {
    MoveList<G> moves;
    mind_->game->legal(imagine(random), moves);
    std::vector<MoveChance> found;
    for (const Move move : moves) found.push_back({move, 0});
    return conclude(std::move(found), random(static_cast<std::uint32_t>(moves.size())), 0);
  }

  /// What it keeps between its turns.
  struct Mind {
    using Search = std::conditional_t<HiddenGame<G>, InformationSetSearch<G, E>, Mcts<G, E>>;

    Mind(std::shared_ptr<const G> played, const Style& style, const Means& means)
        : game(std::move(played)), evaluation(*game), search(*game, evaluation, parameters(style, means)) {}
    Mind(const Mind&) = delete;
    Mind& operator=(const Mind&) = delete;

    std::shared_ptr<const G> game;
    E evaluation;
    Search search;
  };

  Style style_;
  Means means_;
  std::optional<Mind> mind_;
};

template <Game G, Evaluation<G> E>
class JudgeOf final : public Judge {
 public:
  explicit JudgeOf(const G& game) : game_(game.options()), evaluation_(game_) {}
  JudgeOf(const JudgeOf&) = delete;
  JudgeOf& operator=(const JudgeOf&) = delete;

  Chances chances(const Play& play, Random& random) const override {
    const auto* judged = dynamic_cast<const PlayOf<G>*>(&play);
    assert(judged != nullptr && judged->game().options() == game_.options());
    const typename G::State& state = judged->state();
    if (game_.turn(state).phase != Phase::chance) return after_best_moves(state, random);
    constexpr std::uint64_t drawn = 64;
    Chances sum{};
    const auto add = [&](const auto& outcome, std::uint64_t weight) {
      typename G::State next = state;
      game_.apply(next, outcome);
      const Chances found = after_best_moves(next, random);
      for (int seat = 0; seat < max_seats; ++seat) sum[seat] += static_cast<double>(weight) * found[seat];
    };
    std::uint64_t total = game_.outcome_total(state);
    if (total > 0) {
      game_.each_outcome(state, add);
    } else {
      for (; total < drawn; ++total) add(game_.draw(state, random), 1);
    }
    for (double& chance : sum) chance /= static_cast<double>(total);
    return sum;
  }

 private:
  /// The seat that is to decide first goes on as looks best until others are to: a step says little about the whole roll.
  Chances after_best_moves(typename G::State state, Random& random) const {
    constexpr int most_moves = 12;
    const BestNow<E> policy{evaluation_, 0};
    const int seat = game_.turn(state).seat;
    MoveList<G> moves;
    for (int i = 0; i < most_moves; ++i) {
      if (const Turn turn = game_.turn(state); turn.phase != Phase::decision || turn.seat != seat) break;
      moves.clear();
      game_.legal(state, moves);
      game_.play(state, policy(game_, state, moves, random));
    }
    return judge(game_, evaluation_, state);
  }

  G game_;
  E evaluation_;
};

template <Game G, LinearEvaluation<G> E>
class LearningOf final : public Learning {
 public:
  explicit LearningOf(std::shared_ptr<const G> game) : game_(std::move(game)), learner_(*game_, {}) {}

  void learn(Random& random) override { learner_.learn(random); }
  std::vector<double> weights() const override {
    const auto weights = learner_.weights();
    return {weights.begin(), weights.end()};
  }
  std::optional<Error> set_weights(std::span<const double> weights) override {
    if (weights.size() != E::feature_count) return wrong_shape("weights", E::feature_count, weights.size());
    learner_.set_weights(weights);
    return std::nullopt;
  }
  std::vector<double> memory() const override { return learner_.memory(); }
  std::optional<Error> set_memory(std::span<const double> memory) override {
    constexpr std::size_t size = Learner<G, E>::memory_size;
    if (memory.size() != size) return wrong_shape("values to remember", size, memory.size());
    learner_.set_memory(memory);
    return std::nullopt;
  }

 private:
  static Error wrong_shape(std::string_view what, std::size_t right, std::size_t wrong) {
    return Error{fmt::format("the evaluation of {} has {} {}, not {}", G::title, right, what, wrong)};
  }

  std::shared_ptr<const G> game_;
  Learner<G, E> learner_;
};

template <Game G, Evaluation<G> E>
GameBots game_bots() {
  GameBots bots{G::name,
                [](const Style& style, const Means& means) -> std::unique_ptr<Player> {
                  return std::make_unique<PlayerOf<G, E>>(style, means);
                },
                nullptr,
                [](const Play& play) -> std::unique_ptr<Judge> {
                  const auto* judged = dynamic_cast<const PlayOf<G>*>(&play);
                  assert(judged != nullptr);
                  return std::make_unique<JudgeOf<G, E>>(judged->game());
                }};
  if constexpr (LinearEvaluation<E, G>) {
    bots.learning = [](const Play& play) -> std::unique_ptr<Learning> {
      const auto nothing = play.know_nothing(Viewer::all());
      const auto* known = dynamic_cast<const KnowledgeOf<G>*>(nothing.get());
      assert(known != nullptr);
      return std::make_unique<LearningOf<G, E>>(known->game());
    };
  }
  return bots;
}

}  // namespace tessera
