#pragma once

#include <bitset>

#include "games/cybo/turn_tree.hpp"
#include "rules/die.hpp"

/// CYBO: roll three numbers that lie in a line of a grid. 2–6 seats, one twelve-sided die, 13 rounds of a turn each.
///
///     1   5   9
///     2   6  10
///     3   7  11
///     4   8  12
///
/// A line is three adjacent numbers in a row, a column or a diagonal: 14 of them, each with an order that can be read
/// forwards or backwards. A turn is up to three rolls and is over as soon as they can no longer become a line. A line
/// is a Trinity: 3 points, 9 if rolled in order. From a Trinity in a column one more roll may be tried for the column's
/// fourth number: a Quad, 16 points, or else 3.
///
/// Beginner: up to four rolls, so that one may be wasted. Master: only Trinities in order count. Grand master: a seat
/// that repeats one of its own earlier Trinities in the same order gets 12 and from then on must repeat that one, its
/// signature; a repeated Quad, likewise, makes the roll for the Quad a duty.
///
/// | option     | takes                                   | default  | meaning                                      |
/// |------------|-----------------------------------------|----------|----------------------------------------------|
/// | first      | a seat                                  | 0        | who begins each round                        |
/// | level      | beginner, advanced, master, grandmaster | advanced | what counts in a turn                        |
/// | tie        | share, extra                            | share    | several lead after 13 rounds: all of them    |
/// |            |                                         |          | win, or everyone plays rounds until one does |
/// | turn_limit | ≥ 1                                     | 10000    | turns until the game ends without a winner   |
///
/// Places for boards: the numbers of the grid, `1` … `12`, and `die`. The pieces are the markers of the turn in hand,
/// which all seats share, one for each roll that a turn can have, with the kind `1st` … `4th` (beginners: `5th`). A roll
/// moves its marker from the die to its number; with the turn's end the markers on numbers are put back to the die.
/// A turn that brings nothing is told as a pass, an extra roll (for the Quad) as `again`.
namespace tessera {

class Cybo : public DieGame<cybo::sides> {
 public:
  static constexpr std::string_view name = "cybo";
  static constexpr std::string_view title = "CYBO";
  static constexpr std::string_view summary =
      "Thirteen rounds with a twelve-sided die: roll three numbers in a line, then keep your points or risk them for a "
      "fourth.";
  static constexpr std::array seat_counts{2, 3, 4, 5, 6};
  static constexpr int rounds = 13;

  using Level = cybo::Level;
  enum class Tie : std::uint8_t { share, extra };

  struct Options : CommonOptions {
    Level level = Level::advanced;
    Tie tie = Tie::share;

    explicit Options(int seats_at_table) : CommonOptions(seats_at_table) {}
    friend bool operator==(const Options&, const Options&) = default;
  };
  static std::span<const OptionField<Options>> option_fields();
  static std::optional<Error> check(const Options& options);

  struct State {
    /// Grand master: the Trinities and Quads of each seat's earlier turns, a bit a feat.
    std::array<std::bitset<cybo::feats>, max_seats> past{};
    /// By round and seat the node that ended the turn; 0 before it. The last row is for the extra round being played.
    std::array<std::array<cybo::TurnTree::Id, max_seats>, rounds + 1> card{};
    std::array<std::int16_t, max_seats> total{};
    std::array<std::uint8_t, max_seats> signature{};  ///< grand master: the feat to repeat + 1; 0: not qualified
    cybo::TurnTree::Id node = 0;                      ///< how far the turn has come
    std::uint8_t seat = 0;
    std::uint8_t row = 0;  ///< of the card
    Phase phase = Phase::chance;
    std::uint8_t winners = 0;
    std::int32_t turns = 0;  ///< turns that have ended

    friend bool operator==(const State&, const State&) = default;
  };

  explicit Cybo(const Options& options);
  const Options& options() const { return options_; }

  State start() const;
  Turn turn(const State& state) const {
    return {state.phase, static_cast<std::int8_t>(state.phase == Phase::over ? -1 : state.seat)};
  }
  Result result(const State& state) const;
  void apply(State& state, Roll roll) const;

  static constexpr std::size_t max_moves = 2;
  static constexpr Move quad = 0;
  static constexpr Move stop = 1;
  void legal(const State& state, MoveList<Cybo>& moves) const;
  void play(State& state, Move move) const;

  std::string move_text(const State& state, Move move, Viewer viewer) const;
  Expected<Move> parse_move(const State& state, std::string_view text) const;
  Choices choices(const State& state, Move move) const;
  std::vector<Effect> effects(const State& state, Move move, Viewer viewer) const;
  std::vector<Effect> effects(const State& state, Roll roll, Viewer viewer) const;
  std::vector<Piece> pieces(const State& state, Viewer viewer) const;
  std::string picture(const State& state, Viewer viewer, PictureStyle style) const;

 private:
  using Node = cybo::TurnTree::Id;

  bool grand_master() const { return options_.level == Level::grandmaster; }
  std::uint8_t leaders(const State& state) const;
  void remember(State& state, Node end) const;

  template <class Tell>
  void apply_and_tell(State& state, Roll roll, Tell&& tell) const;
  template <class Tell>
  void play_and_tell(State& state, Move move, Tell&& tell) const;
  template <class Tell>
  void go_to(State& state, Node node, Tell&& tell) const;
  template <class Tell>
  void end_turn(State& state, Node end, Tell&& tell) const;
  template <class Tell>
  void end_round(State& state, Tell&& tell) const;

  // The parts of a picture.
  std::string heading(const State& state, PictureStyle style) const;
  std::string grid(const State& state, PictureStyle style) const;
  std::string score_card(const State& state, PictureStyle style) const;

  Options options_;
  const cybo::TurnTree* tree_;
};

}  // namespace tessera
