#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/game.hpp"

/// Games by name at run time: the one place where the `Game` concept becomes virtual functions.
namespace tessera {

class Play;
class Knowledge;

/// A kind of game, as the registry lists it.
struct GameInfo {
  std::string_view name;
  std::string_view title;
  std::string_view summary;
  std::string_view rules;  ///< the page for players, Markdown
  std::span<const int> seat_counts;
  std::vector<OptionValue> (*defaults)(
      int seats);  ///< every option with its default; `seats` must be one of seat_counts
  Expected<std::unique_ptr<Play>> (*start)(int seats, std::span<const Setting> settings);

  /// The smallest number of seats above one.
  int usual_seats() const;
};

/// Uniform numbers from anywhere: a seeded stream, the words of fair dice, a list of draws to repeat.
class UniformSource {
 public:
  virtual ~UniformSource() = default;
  virtual std::uint32_t operator()(std::uint32_t n) = 0;
};

/// A chance outcome with its probability, weight / total.
struct WeightedOutcome {
  OutcomeText outcome;
  std::uint64_t weight;
};

struct PlayoutCount {
  std::uint64_t playouts = 0;
  std::uint64_t transitions = 0;
};

/// A game under way: the game, its options and the present state.
class Play {
 public:
  virtual ~Play() = default;
  virtual std::unique_ptr<Play> clone() const = 0;
  virtual bool equals(const Play& other) const = 0;  ///< same game, options and state

  virtual const GameInfo& info() const = 0;
  virtual int seats() const = 0;
  virtual int side(int seat) const = 0;                  ///< seats of one side win together
  virtual bool hidden() const = 0;                       ///< the game has parts that not everybody may see
  virtual std::vector<OptionValue> options() const = 0;  ///< by name
  virtual Turn turn() const = 0;
  virtual Result result() const = 0;

  // ── Chance: an outcome is its text as Viewer::all() has it ──
  virtual Stream stream() const = 0;
  virtual OutcomeText draw(UniformSource& uniform) const = 0;
  virtual std::optional<Error> apply(const OutcomeText& outcome) = 0;
  virtual std::uint64_t outcome_total() const = 0;  ///< 0: too many outcomes to list
  virtual std::vector<WeightedOutcome> outcomes() const = 0;
  virtual Expected<std::vector<Draw>> take_apart(const OutcomeText& outcome) const = 0;
  /// The outcome as `viewer` sees it; and what it brings about.
  virtual Expected<OutcomeText> seen(const OutcomeText& outcome, Viewer viewer) const = 0;
  virtual Expected<std::vector<Effect>> effects(const OutcomeText& outcome, Viewer viewer) const = 0;

  // ── Decisions ──
  virtual std::vector<Move> legal() const = 0;
  virtual void play(Move legal_move) = 0;
  virtual std::string text(Move move, Viewer viewer) const = 0;
  virtual Expected<Move> parse(std::string_view text) const = 0;
  virtual Choices choices(Move move) const = 0;
  /// What a move brings about: as the seat to move can foresee it, and as `viewer` sees it once it has happened. In a
  /// game with hidden parts the second may depend on what is hidden (that another seat must pass): never show it before.
  virtual std::vector<Effect> foreseen(Move move) const = 0;
  virtual std::vector<Effect> effects(Move move, Viewer viewer) const = 0;

  // ── The position, as a viewer sees it ──
  virtual std::vector<Piece> pieces(Viewer viewer) const = 0;
  virtual std::string picture(Viewer viewer, PictureStyle style) const = 0;
  /// JSON members that the event leading from here to `after` lays open to all; mostly empty.
  virtual std::string shown(const Play& after) const = 0;
  /// What `viewer` knows before the first line of its seat transcript.
  virtual std::unique_ptr<Knowledge> know_nothing(Viewer viewer) const = 0;
  /// What everybody knows of a game without hidden parts: all of it. Null for a game with hidden parts, whatever its
  /// options: there knowledge is folded from lines alone.
  virtual std::unique_ptr<Knowledge> known_to_all() const = 0;

  // ── At full speed, without text ──
  virtual std::size_t state_bytes() const = 0;
  virtual std::uint64_t perft(int depth, std::uint64_t seed) const = 0;
  virtual PlayoutCount playouts(std::uint64_t count, Random& random) const = 0;
};

/// What a viewer knows, folded from its seat transcript.
class Knowledge {
 public:
  virtual ~Knowledge() = default;
  virtual std::unique_ptr<Knowledge> clone() const = 0;
  virtual bool equals(const Knowledge& other) const = 0;
  virtual std::optional<Error> observe(const Line& line) = 0;
  /// A whole game drawn at random among those consistent with what was observed.
  virtual std::unique_ptr<Play> determinize(Random& random) const = 0;
};

/// The legal moves as a tree of choices: a node is a choice, a leaf also a move.
struct ChoiceTree {
  std::string choice;
  std::optional<Move> move;
  std::vector<ChoiceTree> next;
};

/// The tree of all legal moves of a decision. The root's `choice` is empty.
ChoiceTree choice_tree(const Play& play);

}  // namespace tessera
