#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expected.hpp"
#include "core/fixed_list.hpp"
#include "core/random.hpp"
#include "rules/options.hpp"

/// What a game is. Search, tables, terminal and reports know games only through the `Game` concept below.
///
/// A game object (`const G`) holds the options and tables made from them, and never changes. A position is a `State`, a
/// regular value without pointers. Between two calls a state waits for a chance event, for a decision, or for nothing
/// (it is over): everything that happens by itself, such as a forced pass, has already happened.
namespace tessera {

constexpr int max_seats = 6;

enum class Phase : std::uint8_t { chance, decision, over };

/// What a state waits for, and whose event it is.
struct Turn {
  Phase phase;
  std::int8_t seat;  ///< -1: nobody's (a deal, the end)

  friend bool operator==(const Turn&, const Turn&) = default;
};

/// A decision, as a small integer that means something only together with the state that it is legal in.
using Move = std::uint32_t;

template <class G>
using MoveList = FixedList<Move, G::max_moves>;

/// Who looks: a seat, a spectator (who sees what no seat's privacy forbids), or `all()`, from whom nothing is hidden.
class Viewer {
 public:
  static constexpr Viewer seat(int seat) { return Viewer(seat); }
  static constexpr Viewer spectator() { return Viewer(-1); }
  static constexpr Viewer all() { return Viewer(-2); }

  constexpr bool sees_hand_of(int seat) const { return who_ == -2 || who_ == seat; }
  constexpr bool sees_all() const { return who_ == -2; }
  constexpr bool is_seat(int seat) const { return who_ == seat; }
  constexpr int seat_or(int otherwise) const { return who_ >= 0 ? who_ : otherwise; }

  friend constexpr bool operator==(const Viewer&, const Viewer&) = default;

 private:
  explicit constexpr Viewer(int who) : who_(who) {}
  int who_;
};

/// How a game ended.
struct Result {
  std::uint8_t winners = 0;  ///< a bit a seat
  std::array<std::int16_t, max_seats> scores{};

  bool won(int seat) const { return (winners >> seat & 1) != 0; }
  friend bool operator==(const Result&, const Result&) = default;
};

/// A chance event as text: the notation, and for a deal the further keys of its transcript line as JSON members
/// (`"hands":[["BCG"],["?"]]`), else empty.
struct OutcomeText {
  std::string text;
  std::string extra;

  friend bool operator==(const OutcomeText&, const OutcomeText&) = default;
};

/// A piece somewhere on the table. Places are named as in the notation where it has names (`p12`, `3,4`, `a5`, `1,-1`),
/// else by plain words (`base 2`, `home 0`, `hand 1`, `bag`). Each game's header lists its places.
struct Piece {
  int seat;          ///< whose colour; -1: nobody's
  std::string kind;  ///< what is drawn on it; empty where all pieces of a seat are alike
  std::string place;

  friend auto operator<=>(const Piece&, const Piece&) = default;
};

/// One thing that a move or a chance event brings about, in the order in which it happens, so that a board can show
/// consequences without knowing rules. A board has the pieces as its viewer sees them and does to them what each effect
/// with a `path` says (`follow`, below): it then has the pieces that the viewer sees after the event, none more or less.
struct Effect {
  enum class Kind : std::uint8_t {
    move,       ///< a piece goes along `path`
    send_home,  ///< a piece is sent back: `path` is where from, where to
    sweep,      ///< everything at `path` front goes to `path` back, order kept
    finish,     ///< a piece has reached its goal and is out of play: `path` is where from, where to
    lay,        ///< a piece is laid: `path` is hand, cell
    draw,       ///< a piece comes into a hand: `path` is bag, hand
    give,       ///< a piece changes hands: `path` is hand, hand
    put_back,   ///< a piece goes back into the bag or out of the game
    show,       ///< a piece that was hidden is turned up where it lies: `path` is that place twice
    pass,       ///< `seat` can do nothing or does nothing
    again,      ///< `seat` rolls again
    score,      ///< `seat` gets `points`
    round,      ///< a round is over, won by `seat`
    win,        ///< `seat` has won
  };

  Kind kind;
  int seat = -1;
  std::string piece{};    ///< Piece::kind of what moves, as the viewer sees it at path.front(); "?" where it may not
  std::string becomes{};  ///< its Piece::kind at path.back(), where that is another
  std::vector<std::string> path{};  ///< if not empty: what was at front() is now at back()
  int points = 0;

  friend bool operator==(const Effect&, const Effect&) = default;
};

std::string_view effect_name(Effect::Kind kind);

/// Does to `pieces` what the effects say, one after the other; those without a path change nothing. What arrives at
/// path.back() comes on top of what is there: to the end of the list.
/// - `sweep`: every piece at path.front(), whosever it is, in order.
/// - Any other: one piece, of the kind `piece`, of the colour of `seat` or nobody's; of several the topmost, so the last
///   in the list. Its kind is then `becomes`, if that is not empty.
/// An Error says which piece was not where an effect has it.
std::optional<Error> follow(std::vector<Piece>& pieces, std::span<const Effect> effects);

/// Rules are written once, as functions over a teller: `tell([&] { return Effect{…}; })`. Playing hands in Silent,
/// which never makes the effect; showing hands in Told, which collects them.
struct Silent {
  template <class MakeEffect>
  void operator()(MakeEffect&&) const {}
};

class Told {
 public:
  template <class MakeEffect>
  void operator()(MakeEffect&& make_effect) {
    effects.push_back(make_effect());
  }
  std::vector<Effect> effects;
};

/// What `happen(state, teller)` tells when it happens to a copy of `state`.
template <class State, class Happen>
std::vector<Effect> effects_of(State state, Happen&& happen) {
  Told told;
  happen(state, told);
  return std::move(told.effects);
}

/// How a person comes to a move: choice after choice, each named as on the board. Cubed: "BCG", "1,-1", "2". Moves that
/// begin alike share the beginning, so that the legal moves form a tree. No two legal moves have the same choices, and
/// none's choices are the beginning of another's.
using Choices = std::vector<std::string>;

/// How a picture of a position is drawn.
struct PictureStyle {
  bool colour = false;  ///< ANSI colours
};

/// One line of a transcript or seat transcript between header and result.
struct Line {
  enum class Kind : std::uint8_t {
    chance,
    move,
    ask,  ///< the last line of a seat transcript: the seat is to decide; it has `legal` and no move
  };
  Kind kind = Kind::ask;
  int seat = -1;
  std::string text{};   ///< the event's notation
  std::string extra{};  ///< further keys as JSON members: a deal's hands, hands shown at a round's end
  std::optional<std::vector<std::string>> legal{};  ///< sorted

  friend bool operator==(const Line&, const Line&) = default;
};

namespace detail {
/// Stands for any visitor of outcomes when the concept is checked.
template <class Outcome>
struct AnyVisitor {
  void operator()(const Outcome&, std::uint64_t) const {}
};
}  // namespace detail

template <class G>
concept Game = requires(const G& game, const typename G::State& state, typename G::State& changing,
                        const typename G::Outcome& outcome, const typename G::Options& options, Move move,
                        Random& random, std::string_view text, const OutcomeText& outcome_text, Viewer viewer,
                        PictureStyle style, MoveList<G>& moves, detail::AnyVisitor<typename G::Outcome> visit) {
  requires std::regular<typename G::State>;
  requires std::equality_comparable<typename G::Outcome>;
  requires std::derived_from<typename G::Options, CommonOptions>;

  // ── What it is called, and its options ──
  { G::name } -> std::convertible_to<std::string_view>;     // "cyclone", as its folder
  { G::title } -> std::convertible_to<std::string_view>;    // "Cyclone"
  { G::summary } -> std::convertible_to<std::string_view>;  // one sentence for somebody who chooses a game
  { G::seat_counts } -> std::convertible_to<std::span<const int>>;
  { G::option_fields() } -> std::convertible_to<std::span<const OptionField<typename G::Options>>>;  // by name
  { G::check(options) } -> std::same_as<std::optional<Error>>;  // how they go together; ranges are checked before
  G(options);
  { game.options() } -> std::same_as<const typename G::Options&>;

  // ── Position ──
  { game.start() } -> std::same_as<typename G::State>;
  { game.turn(state) } -> std::same_as<Turn>;
  { game.result(state) } -> std::same_as<Result>;  // once over

  // ── Chance ──
  { game.stream(state) } -> std::same_as<Stream>;
  { game.draw(state, random) } -> std::same_as<typename G::Outcome>;  // random: any Uniform
  { game.apply(changing, outcome) } -> std::same_as<void>;
  // Every distinct outcome with its weight; probability is weight / outcome_total. A total of 0: too many to list.
  { game.outcome_total(state) } -> std::same_as<std::uint64_t>;
  game.each_outcome(state, visit);
  // Uniform draws that make `draw` give this outcome.
  { game.take_apart(state, outcome) } -> std::same_as<std::vector<Draw>>;

  // ── Decisions ──
  { G::max_moves } -> std::convertible_to<std::size_t>;
  { game.legal(state, moves) } -> std::same_as<void>;  // appends, no repeats, always in the same order; never allocates
  { game.play(changing, move) } -> std::same_as<void>;

  // ── Notation ──
  { game.move_text(state, move, viewer) } -> std::same_as<std::string>;
  // The legal move that is written so; the Error says what is wrong with the text or why the move is not legal.
  { game.parse_move(state, text) } -> std::same_as<Expected<Move>>;
  { game.outcome_text(state, outcome, viewer) } -> std::same_as<OutcomeText>;
  {
    game.parse_outcome(state, outcome_text)
  } -> std::same_as<Expected<typename G::Outcome>>;  // as Viewer::all() has it

  // ── For people and boards ──
  { game.choices(state, move) } -> std::same_as<Choices>;
  { game.effects(state, move, viewer) } -> std::same_as<std::vector<Effect>>;
  { game.effects(state, outcome, viewer) } -> std::same_as<std::vector<Effect>>;
  // Always the same pieces. At a place from bottom to top; where there is no above and below, by seat and kind.
  { game.pieces(state, viewer) } -> std::same_as<std::vector<Piece>>;
  { game.picture(state, viewer, style) } -> std::same_as<std::string>;
};

/// A game with hidden parts also says what a viewer knows. `Knowledge` is all that `determinize` gets, and it is folded
/// from the lines of a seat transcript, so that nothing else can be known.
template <class G>
concept HiddenGame =
    Game<G> && requires(const G& game, typename G::Knowledge& knowledge, const Line& line, Viewer viewer,
                        Random& random, Move move, const typename G::State& before, const typename G::State& after) {
      requires std::regular<typename G::Knowledge>;
      { game.know_nothing(viewer) } -> std::same_as<typename G::Knowledge>;  // before the first line
      { game.observe(knowledge, line) } -> std::same_as<std::optional<Error>>;
      // A full state drawn at random among those consistent with what the viewer has seen.
      { game.determinize(knowledge, random) } -> std::same_as<typename G::State>;
      // What the seat to move can foresee of a move: nothing that depends on what is hidden from it.
      { game.foreseen(before, move) } -> std::same_as<std::vector<Effect>>;
      // What an event from `before` to `after` lays open to all, as JSON members for its line in a seat transcript.
      { game.shown(before, after) } -> std::same_as<std::string>;
    };

}  // namespace tessera
