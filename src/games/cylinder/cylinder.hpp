#pragma once

#include "games/cylinder/board.hpp"
#include "rules/die.hpp"

/// Cylinder: marbles on a board that wraps both ways. 2, 4 or 6 seats, ten marbles each, one die.
///
/// Rows from top to bottom: `green` green rows, a red row, the goal row, a red row, `green` green rows. Two seats share
/// a playboard of `columns` columns, one with its home above, one below; playboards lie side by side. A 2, 4 or 6
/// brings a marble into the green row next to its home. Otherwise a marble moves by exactly the roll, never touching a
/// hole twice: in all directions between green holes, not diagonally from or to a red one, and into the goal row only
/// as the last step, from red, straight across. There it stays, and moves left or right. Marbles are jumped; landing
/// outside the goal row on an opponent's marble sends it home. A 6 may be split in two moves, a 3 gives one more roll.
/// An opponent's marble in the goal row is sent home by a 1 from a red hole beside it (a Hit) or by two marbles on both
/// sides of it (a Flank). Four neighbours in the goal row win.
///
/// | option     | takes                     | default        | meaning                                              |
/// |------------|---------------------------|----------------|------------------------------------------------------|
/// | columns    | 8–16                      | 8; 4+ seats 10 | columns of a playboard                               |
/// | first      | a seat                    | 0              | who begins                                           |
/// | green      | 2–5                       | 3              | green rows on either side                            |
/// | teams      | none, all_four, one_seven | none           | even seats against odd ones (4 or 6 seats): each has |
/// |            |                           |                | four in a row, or one has seven                      |
/// | turn_limit | ≥ 1                       | 10000          | turns until the game ends without a winner           |
///
/// Places for boards: `r,c` (row and column of a hole, from 0), `s2:home`.
///
/// Choices: the marble (`3,4`), its hole (`5,6`), and when a 6 is to be used the steps (`6` for the whole roll, `1` to
/// `5` for a first part); `in` or `hit`, then the hole; `flank`, the hole, then `stay`, `up` or `down`; `pass`.
namespace tessera {

class Cylinder : public DieGame<6> {
 public:
  static constexpr std::string_view name = "cylinder";
  static constexpr std::string_view title = "Cylinder";
  static constexpr std::string_view summary =
      "Line up four marbles in the goal row of a board without edges, and keep the others from it.";
  static constexpr std::array seat_counts{2, 4, 6};

  static constexpr int marbles_each = 10;

  enum class Teams : std::uint8_t { none, all_four, one_seven };

  struct Options : CommonOptions {
    int columns;
    int green = 3;
    Teams teams = Teams::none;

    explicit Options(int seats_at_table) : CommonOptions(seats_at_table), columns(seats_at_table == 2 ? 8 : 10) {}
    friend bool operator==(const Options&, const Options&) = default;
  };
  static std::span<const OptionField<Options>> option_fields();
  static std::optional<Error> check(const Options& options);

  /// What a state waits for.
  enum class Step : std::uint8_t {
    roll,
    use,    ///< the roll is to be used
    rest,   ///< the second part of a split 6
    flank,  ///< some flank is possible
    over,
  };

  static constexpr std::uint16_t no_hole = 0xFFFF;

  struct State {
    std::array<HoleSet, max_seats> marbles{};    ///< on the board
    std::array<std::uint8_t, max_seats> home{};  ///< how many are at home
    std::uint8_t seat = 0;
    Step step = Step::roll;
    std::uint8_t roll = 0;   ///< 0 before it
    std::uint8_t steps = 0;  ///< that a move has now: the roll, or what a first part has left of it
    bool bonus = false;      ///< this turn has had its 3
    std::uint8_t winners = 0;
    std::uint16_t moved = no_hole;       ///< the red hole that the 3 of this turn led to: no Hit from there
    std::uint16_t split_from = no_hole;  ///< where the first part began …
    std::uint16_t split_to = no_hole;    ///< … and ended
    std::int32_t turns = 0;              ///< turns that have ended

    friend bool operator==(const State&, const State&) = default;
  };

  explicit Cylinder(const Options& options);
  const Options& options() const { return options_; }
  const CylinderBoard& board() const { return board_; }
  int side(int seat) const { return options_.teams == Teams::none ? seat : seat % 2; }  ///< who wins together

  State start() const;
  Turn turn(const State& state) const {
    if (state.step == Step::over) return {Phase::over, -1};
    return {state.step == Step::roll ? Phase::chance : Phase::decision, static_cast<std::int8_t>(state.seat)};
  }
  Result result(const State& state) const;
  void apply(State& state, Roll roll) const;

  /// Most moves come with a 6 and all ten marbles on the board (a marble at home adds at most 16 ways in, fewer than it
  /// would have moves). n steps end within n rows and columns of their start, and not on it, so a marble has at most
  /// 8 + 24 + 48 + 80 + 120 + 168 = 448 moves, by 1 to 5 as first parts and by 6. Lists are written eight at a time,
  /// which takes up to 8 places more.
  static constexpr std::size_t most_moves_of_a_marble = 448;
  static constexpr std::size_t max_moves = marbles_each * most_moves_of_a_marble + 8;
  void legal(const State& state, MoveList<Cylinder>& moves) const;
  void play(State& state, Move move) const;

  std::string move_text(const State& state, Move move, Viewer viewer) const;
  Expected<Move> parse_move(const State& state, std::string_view text) const;
  Choices choices(const State& state, Move move) const;
  std::vector<Effect> effects(const State& state, Move move, Viewer viewer) const;
  std::vector<Effect> effects(const State& state, Roll roll, Viewer viewer) const;
  std::vector<Piece> pieces(const State& state, Viewer viewer) const;
  std::string picture(const State& state, Viewer viewer, PictureStyle style) const;

 private:
  enum class Kind : std::uint8_t { move, enter, hit, flank, flank_up, flank_down, pass };

  // A move is its kind, where it leads (counted on past the last column where it wraps), where it begins, and the steps
  // if it is a first part.
  static Move move_of(Kind kind, int to = 0, int from = 0, int first_part = 0) {
    return static_cast<Move>(static_cast<int>(kind) << 24 | first_part << 21 | from << 11 | to);
  }
  static Kind kind_of(Move move) { return static_cast<Kind>(move >> 24); }
  static int first_part_of(Move move) { return static_cast<int>(move >> 21 & 7); }
  static int from_of(Move move) { return static_cast<int>(move >> 11 & 1023); }
  int to_of(Move move) const { return board_.wrapped(static_cast<int>(move & 2047)); }

  /// A move as somebody wrote it, which need not be legal.
  struct Written {
    Kind kind;
    int from;
    int to;
    int first_part;
  };
  Expected<int> parse_hole(std::string_view text) const;
  Expected<Written> parse_written(std::string_view text) const;
  Phrase why_not(const State& state, const Written& written) const;
  Phrase why_not_move(const State& state, const Written& written) const;
  Phrase why_not_enter(const State& state, const Written& written) const;

  bool same_side(int seat, int other) const { return side(seat) == side(other); }
  int holder(const State& state, int hole) const;
  int entry_hole(int seat, int i) const;
  int longest_run(const HoleSet& marbles) const;
  bool has_won(const State& state, int seat) const;
  static std::uint64_t taken(const State& state, int word);
  std::uint64_t own_side(const State& state, int word) const;
  std::uint64_t opponents(const State& state, int word) const;
  HoleSet blocked(const State& state) const;
  HoleSet entries(const State& state) const;
  HoleSet flanked(const State& state) const;
  HoleSet hits(const State& state) const;

  template <class Visit>
  void each_marble(const State& state, Visit&& visit) const;
  bool can_move(const State& state, int steps) const;
  bool can_use(const State& state) const;
  Move* write_moves(Move* out, const CylinderBoard::Unrolled& unrolled, int from, int steps, int first_part) const;

  template <class Tell>
  void apply_and_tell(State& state, Roll roll, Tell&& tell) const;
  template <class Tell>
  void play_and_tell(State& state, Move move, Tell&& tell) const;
  template <class Tell>
  void send_home(State& state, int hole, Tell&& tell) const;
  template <class Tell>
  bool wins(State& state, Tell&& tell) const;
  template <class Tell>
  void split(State& state, int from, int to, int first_part, Tell&& tell) const;
  template <class Tell>
  void end_roll(State& state, Tell&& tell) const;
  template <class Tell>
  void end_flanks(State& state, Tell&& tell) const;
  void end_turn(State& state) const;
  static void forget_turn(State& state);

  std::string hole_name(int hole) const;
  static std::string home_name(int seat);
  std::string picture_homes(const State& state, int first_seat, PictureStyle style) const;
  std::string picture_turn(const State& state) const;
  Effect walk_effect(int seat, int from, int to, int steps) const;

  Options options_;
  CylinderBoard board_;
  std::array<HoleSet, max_seats> entries_{};  ///< by seat: the holes that its marbles come in to
};

}  // namespace tessera
