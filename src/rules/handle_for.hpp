#pragma once

#include <type_traits>
#include <utility>

#include "rules/handle.hpp"
#include "rules/playout.hpp"

/// Makes the handle of one game. Included by generated sources alone: the registry's, and those of the bots.
namespace tessera {

template <Game G>
class KnowledgeOf;

template <Game G>
class PlayOf final : public Play {
 public:
  using State = typename G::State;
  using Outcome = typename G::Outcome;

  PlayOf(const GameInfo& info, std::shared_ptr<const G> game, State state)
      : info_(&info), game_(std::move(game)), state_(std::move(state)) {}

  const G& game() const { return *game_; }
  const State& state() const { return state_; }

  std::unique_ptr<Play> clone() const override { return std::make_unique<PlayOf>(*this); }
  bool equals(const Play& other) const override {
    const auto* same = dynamic_cast<const PlayOf*>(&other);
    return same != nullptr && same->game_->options() == game_->options() && same->state_ == state_;
  }

  const GameInfo& info() const override { return *info_; }
  int seats() const override { return game_->options().seats; }
  int side(int seat) const override {
    if constexpr (requires { game_->side(seat); }) return game_->side(seat);
    return seat;
  }
  bool hidden() const override { return HiddenGame<G>; }
  std::vector<OptionValue> options() const override { return values(game_->options()); }
  Turn turn() const override { return game_->turn(state_); }
  Result result() const override { return game_->result(state_); }

  Stream stream() const override { return game_->stream(state_); }
  OutcomeText draw(UniformSource& uniform) const override {
    return game_->outcome_text(state_, game_->draw(state_, uniform), Viewer::all());
  }
  std::optional<Error> apply(const OutcomeText& outcome) override {
    const auto parsed = game_->parse_outcome(state_, outcome);
    if (!parsed) return parsed.error();
    game_->apply(state_, *parsed);
    return std::nullopt;
  }
  std::uint64_t outcome_total() const override { return game_->outcome_total(state_); }
  std::vector<WeightedOutcome> outcomes() const override {
    std::vector<WeightedOutcome> all;
    game_->each_outcome(state_, [&](const Outcome& outcome, std::uint64_t weight) {
      all.push_back({game_->outcome_text(state_, outcome, Viewer::all()), weight});
    });
    return all;
  }
  Expected<std::vector<Draw>> take_apart(const OutcomeText& outcome) const override {
    return with(outcome, [&](const Outcome& parsed) { return game_->take_apart(state_, parsed); });
  }
  Expected<OutcomeText> seen(const OutcomeText& outcome, Viewer viewer) const override {
    return with(outcome, [&](const Outcome& parsed) { return game_->outcome_text(state_, parsed, viewer); });
  }
  Expected<std::vector<Effect>> effects(const OutcomeText& outcome, Viewer viewer) const override {
    return with(outcome, [&](const Outcome& parsed) { return game_->effects(state_, parsed, viewer); });
  }

  std::vector<Move> legal() const override {
    MoveList<G> moves;
    game_->legal(state_, moves);
    return {moves.begin(), moves.end()};
  }
  void play(Move legal_move) override { game_->play(state_, legal_move); }
  std::string text(Move move, Viewer viewer) const override { return game_->move_text(state_, move, viewer); }
  Expected<Move> parse(std::string_view text) const override { return game_->parse_move(state_, text); }
  Choices choices(Move move) const override { return game_->choices(state_, move); }
  std::vector<Effect> foreseen(Move move) const override {
    if constexpr (HiddenGame<G>) {
      return game_->foreseen(state_, move);
    } else {
      return game_->effects(state_, move, Viewer::all());
    }
  }
  std::vector<Effect> effects(Move move, Viewer viewer) const override { return game_->effects(state_, move, viewer); }

  std::vector<Piece> pieces(Viewer viewer) const override { return game_->pieces(state_, viewer); }
  std::string picture(Viewer viewer, PictureStyle style) const override {
    return game_->picture(state_, viewer, style);
  }
  std::string shown([[maybe_unused]] const Play& after) const override {
    if constexpr (HiddenGame<G>) return game_->shown(state_, static_cast<const PlayOf&>(after).state_);
    return {};
  }
  std::unique_ptr<Knowledge> know_nothing(Viewer viewer) const override {
    return std::make_unique<KnowledgeOf<G>>(*info_, game_, viewer);
  }
  std::unique_ptr<Knowledge> known_to_all() const override {
    if constexpr (HiddenGame<G>) {
      return nullptr;
    } else {
      return std::make_unique<KnowledgeOf<G>>(*info_, game_, state_);
    }
  }

  std::size_t state_bytes() const override { return sizeof(State); }
  std::uint64_t perft(int depth, std::uint64_t seed) const override {
    return tessera::perft(*game_, state_, depth, seed);
  }
  PlayoutCount playouts(std::uint64_t count, Random& random) const override {
    PlayoutCount counted{count, 0};
    for (std::uint64_t i = 0; i < count; ++i) {
      State state = state_;
      counted.transitions += playout(*game_, state, random);
    }
    return counted;
  }

  static std::vector<OptionValue> values(const typename G::Options& options) {
    std::vector<OptionValue> all;
    for (const auto& field : G::option_fields()) all.push_back({field.for_seats(options.seats), field.get(options)});
    return all;
  }

 private:
  template <class Use>
  auto with(const OutcomeText& outcome, Use&& use) const -> Expected<std::invoke_result_t<Use, const Outcome&>> {
    const auto parsed = game_->parse_outcome(state_, outcome);
    if (!parsed) return parsed.error();
    return use(*parsed);
  }

  const GameInfo* info_;
  std::shared_ptr<const G> game_;
  State state_;
};

namespace detail {

/// What everybody knows of a game without hidden parts: the state.
template <Game G>
struct WhatIsKnown {
  using Type = typename G::State;
};
template <HiddenGame G>
struct WhatIsKnown<G> {
  using Type = typename G::Knowledge;
};

template <Game G>
std::optional<Error> observe_open(const G& game, typename G::State& state, const Line& line) {
  const Turn turn = game.turn(state);
  const Phase expected = line.kind == Line::Kind::chance ? Phase::chance : Phase::decision;
  if (turn.phase != expected || turn.seat != line.seat) return Error{"the line is not what the game waits for"};
  if (line.kind == Line::Kind::chance) {
    const auto outcome = game.parse_outcome(state, {line.text, line.extra});
    if (!outcome) return outcome.error();
    game.apply(state, *outcome);
  } else if (line.kind == Line::Kind::move) {
    const auto move = game.parse_move(state, line.text);
    if (!move) return move.error();
    game.play(state, *move);
  }
  return std::nullopt;
}

}  // namespace detail

template <Game G>
class KnowledgeOf final : public Knowledge {
 public:
  KnowledgeOf(const GameInfo& info, std::shared_ptr<const G> game, Viewer viewer)
      : info_(&info), game_(std::move(game)), known_(before_the_first_line(*game_, viewer)) {}
  KnowledgeOf(const GameInfo& info, std::shared_ptr<const G> game, const typename G::State& all)
    requires(!HiddenGame<G>)
      : info_(&info), game_(std::move(game)), known_(all) {}

  const std::shared_ptr<const G>& game() const { return game_; }
  /// A world drawn at random among those consistent with what is known; without hidden parts, the state.
  typename G::State imagine([[maybe_unused]] Random& random) const {
    if constexpr (HiddenGame<G>) {
      return game_->determinize(known_, random);
    } else {
      return known_;
    }
  }

  std::unique_ptr<Knowledge> clone() const override { return std::make_unique<KnowledgeOf>(*this); }
  bool equals(const Knowledge& other) const override {
    const auto* same = dynamic_cast<const KnowledgeOf*>(&other);
    return same != nullptr && same->game_->options() == game_->options() && same->known_ == known_;
  }
  std::optional<Error> observe(const Line& line) override {
    if constexpr (HiddenGame<G>) {
      return game_->observe(known_, line);
    } else {
      return detail::observe_open(*game_, known_, line);
    }
  }
  std::unique_ptr<Play> determinize(Random& random) const override {
    return std::make_unique<PlayOf<G>>(*info_, game_, imagine(random));
  }

 private:
  using Known = typename detail::WhatIsKnown<G>::Type;

  static Known before_the_first_line(const G& game, [[maybe_unused]] Viewer viewer) {
    if constexpr (HiddenGame<G>) {
      return game.know_nothing(viewer);
    } else {
      return game.start();
    }
  }

  const GameInfo* info_;
  std::shared_ptr<const G> game_;
  Known known_;
};

/// The registry's entry for G.
template <Game G>
const GameInfo& game_info(std::string_view rules) {
  static const GameInfo info{
      G::name,
      G::title,
      G::summary,
      rules,
      G::seat_counts,
      [](int seats) { return PlayOf<G>::values(typename G::Options(seats)); },
      [](int seats, std::span<const Setting> settings) -> Expected<std::unique_ptr<Play>> {
        const auto options = read_options<G>(seats, settings);
        if (!options) return options.error();
        auto game = std::make_shared<const G>(*options);
        auto state = game->start();
        return std::unique_ptr<Play>(std::make_unique<PlayOf<G>>(info, std::move(game), std::move(state)));
      },
  };
  return info;
}

}  // namespace tessera
