#pragma once

#include <algorithm>
#include <bit>

#include "games/cubed/fits.hpp"
#include "rules/game.hpp"

/// Cubed: hexagons that look like cubes, laid edge to edge so that colours match; the hands are private. 1–6 seats.
///
/// Each of the 65 pieces shows three diamonds, in five colours, white (wild) or black (blocking), and is laid in thirds
/// of a turn. From the third piece of a round on, a piece must touch two or more, and every touching side must match:
/// same colour, or white on a piece that does not block. A blocking piece touches only with the two sides of its
/// colour; the cells that its black sides face stay empty. A turn: lay a piece; or draw one, then lay or pass; with an
/// empty bag, pass. A round ends when a hand is empty, when no open place is left, or when all seats in a row were
/// idle. Pieces in hand count as points; after the last round the lowest score wins. Alone, one tries to play the whole
/// hand.
///
/// | option     | takes           | default        | meaning                                                       |
/// |------------|-----------------|----------------|---------------------------------------------------------------|
/// | bridge     | true, false     | false          | a piece that joins separate groups earns a second lay         |
/// | fill       | true, false     | false          | a piece with six neighbours lets its seat give a piece away   |
/// | first      | a seat          | 0              | who begins the first round                                    |
/// | matching   | all, two        | all            | every touching side must match, or at least two pieces        |
/// | open_hands | true, false     | false          | all hands are seen by all                                     |
/// | rounds     | 1–9             | 3; alone 1     | rounds of a game                                              |
/// | take       | true, false     | false          | a turn may be to draw up to three and keep one                |
/// | turn_limit | ≥ 1             | 10000          | turns until the game ends without a winner                    |
///
/// Places for boards: `q,r` (cells), `hand 0` …, `bag`, `out` (put out of the game; alone only). A piece's kind is its
/// name; on the table with its turn, `BCG/2`; `?` where the viewer may not know it. Pieces stay where they are at the
/// end of a round, open to all (each that was hidden tells `show`), until the next deal puts them back into the bag.
namespace tessera {

class Cubed {
 public:
  static constexpr std::string_view name = "cubed";
  static constexpr std::string_view title = "Cubed";
  static constexpr std::string_view summary =
      "Lay coloured cubes edge to edge and be rid of your pieces first; block the others, or play a patience alone.";
  static constexpr std::array seat_counts{1, 2, 3, 4, 5, 6};

  using Kind = cubed::Kind;
  using Cell = cubed::Cell;
  using PieceSet = cubed::PieceSet;
  using Matching = cubed::Matching;

  struct Options : CommonOptions {
    bool bridge = false;
    bool fill = false;
    Matching matching = Matching::all;
    bool open_hands = false;
    int rounds;
    bool take = false;

    explicit Options(int seats_at_table) : CommonOptions(seats_at_table), rounds(seats_at_table == 1 ? 1 : 3) {}
    friend bool operator==(const Options&, const Options&) = default;
  };
  static std::span<const OptionField<Options>> option_fields();
  static std::optional<Error> check(const Options& options);

  /// What a state waits for.
  enum class Step : std::uint8_t {
    deal,        ///< chance
    start,       ///< chance, alone: the first piece on the table
    begin,       ///< a turn begins: lay, draw, take, or pass if the bag is empty; alone: lay
    draw,        ///< chance
    after_draw,  ///< lay or pass
    take,        ///< chance: several pieces at once
    keep,        ///< keep one of them
    bridge,      ///< lay a second piece or pass
    fill,        ///< give a piece away or pass
    count,       ///< the round has ended, points are to be counted: only within an event, never at rest
    over,
  };

  struct State {
    cubed::Table table;
    std::array<PieceSet, max_seats> hands{};
    PieceSet bag = PieceSet::full();
    PieceSet out{};    ///< alone: put out of the game
    PieceSet drawn{};  ///< by a take, until one is kept
    std::array<std::int16_t, max_seats> scores{};
    std::int32_t turns = 0;  ///< turns that have ended
    Step step = Step::deal;
    std::uint8_t seat = 0;
    std::uint8_t began = 0;    ///< the seat that began the round or will begin the next
    std::uint8_t round = 0;    ///< rounds that have ended
    std::uint8_t idle = 0;     ///< idle turns in a row
    std::uint8_t draws = 0;    ///< pieces to draw in a take; alone: pieces drawn since the last lay
    bool bridged = false;      ///< the turn has had its second lay
    bool round_over = false;   ///< from the end of a round to the next deal: hands are open
    std::uint8_t winners = 0;  ///< of the game, a bit a seat

    friend bool operator==(const State&, const State&) = default;
  };

  /// A deal fills `hands` and, alone, `out`; a start `drawn` with the first piece and `out`; a draw or take `drawn`.
  struct Outcome {
    std::array<PieceSet, max_seats> hands{};
    PieceSet drawn{};
    PieceSet out{};

    friend bool operator==(const Outcome&, const Outcome&) = default;
  };

  explicit Cubed(const Options& options);
  const Options& options() const { return options_; }

  State start() const;
  Turn turn(const State& state) const;
  Result result(const State& state) const;

  // ── Chance ──
  Stream stream(const State& state) const { return {Stream::Kind::bag, state.round}; }
  template <Uniform U>
  Outcome draw(const State& state, U&& uniform) const;
  void apply(State& state, const Outcome& outcome) const;
  std::uint64_t outcome_total(const State& state) const;
  template <class Visit>
  void each_outcome(const State& state, Visit&& visit) const;
  std::vector<Draw> take_apart(const State& state, const Outcome& outcome) const;

  // ── Decisions ──
  /// h pieces in hand and n on the table (h + n ≤ 65) give at most 3 · h · (n + 3) lays, most with h = 34; and draw and
  /// three takes, or pass.
  static constexpr std::size_t max_moves = 3 * 34 * 34 + 4;
  void legal(const State& state, MoveList<Cubed>& moves) const;
  void play(State& state, Move move) const;
  /// For who judges moves: the kind of piece that a move lays; -1: it lays none.
  static int laid_by(Move move) { return act_of(move) == Act::lay ? kind_of(move) : -1; }
  /// The kinds of which a piece could be laid somewhere now.
  cubed::Kinds fitting(const State& state) const;

  // ── Notation ──
  std::string move_text(const State& state, Move move, Viewer viewer) const;
  Expected<Move> parse_move(const State& state, std::string_view text) const;
  OutcomeText outcome_text(const State& state, const Outcome& outcome, Viewer viewer) const;
  Expected<Outcome> parse_outcome(const State& state, const OutcomeText& written) const;

  // ── For people and boards ──
  Choices choices(const State& state, Move move) const;
  std::vector<Effect> effects(const State& state, Move move, Viewer viewer) const;
  std::vector<Effect> effects(const State& state, const Outcome& outcome, Viewer viewer) const;
  std::vector<Piece> pieces(const State& state, Viewer viewer) const;
  std::string picture(const State& state, Viewer viewer, PictureStyle style) const;

  // ── What a viewer knows ──
  /// Something that one seat, the viewer, saw happen to pieces in a round of a game with `take` or `fill`, and that
  /// bears on where pieces can be that it has seen before.
  struct Memory {
    enum class Kind : std::uint8_t {
      acquired,   ///< `seat` got an unknown piece from the bag
      parted,     ///< a piece left the hand of `seat` in the open: laid, or given to the viewer
      passed_on,  ///< `seat` gave an unknown piece to `to`
      given,      ///< the viewer gave a piece to `to`
      drew,       ///< the viewer took a piece from the bag
      returned,   ///< the viewer put a piece back into the bag
    };
    Kind kind;
    std::uint8_t seat;
    std::uint8_t to;
    cubed::Kind piece;

    friend bool operator==(const Memory&, const Memory&) = default;
  };

  /// What a viewer knows: the game with some guess in place of each piece that it cannot see, so that every number of
  /// pieces is right, and what it remembers of pieces it has seen.
  struct Knowledge {
    Viewer viewer = Viewer::spectator();
    State world;
    bool settled = true;     ///< passes that happened by themselves after the last event are already in `world`
    bool exchanged = false;  ///< alone: blocking pieces were put out of the game at the deal
    PieceSet dealt{};        ///< the viewer's hand as it was dealt
    /// For each of up to 64 lays a memory, and for a gift after it; the bag, of 15 pieces at most, loses one with each
    /// draw or take, and a take is three pieces drawn and two returned.
    FixedList<Memory, 2 * 64 + 15 * 6> memories;

    friend bool operator==(const Knowledge&, const Knowledge&) = default;
  };
  Knowledge know_nothing(Viewer viewer) const;
  std::optional<Error> observe(Knowledge& knowledge, const Line& line) const;
  State determinize(const Knowledge& knowledge, Random& random) const;
  std::vector<Effect> foreseen(const State& state, Move move) const;
  std::string shown(const State& before, const State& after) const;

 private:
  // A move is what is done, with the piece, its turn and its cell, or the seat it is given to, or a number.
  enum class Act : std::uint8_t { lay, draw, pass, take, keep, give };
  static Move lay_move(int kind, int turn, Cell cell) {
    return static_cast<Move>(kind | turn << 6 | (cell.q + 64) << 8 | (cell.r + 64) << 15);
  }
  static Move act_move(Act act, int kind = 0, int number = 0) {
    return static_cast<Move>(kind | number << 6) | static_cast<Move>(act) << 22;
  }
  static Act act_of(Move move) { return static_cast<Act>(move >> 22); }
  static int kind_of(Move move) { return static_cast<int>(move & 63); }
  static int turn_of(Move move) { return static_cast<int>(move >> 6 & 3); }
  static int number_of(Move move) { return static_cast<int>(move >> 6 & 7); }
  static Cell cell_of(Move move) {
    return {static_cast<std::int8_t>(static_cast<int>(move >> 8 & 127) - 64),
            static_cast<std::int8_t>(static_cast<int>(move >> 15 & 127) - 64)};
  }

  bool alone() const { return options_.seats == 1; }
  int hand_size() const;
  bool may_lay(const State& state) const;
  bool may_pass(const State& state) const;
  bool can_lay(const State& state) const;
  auto can_lay_nothing() const {
    return [this](const State& state) { return !can_lay(state); };
  }

  // Rules, each written once. An event first happens, then what follows by itself is settled.
  template <class Tell>
  void happen(State& state, const Outcome& outcome, Tell&& tell) const;
  template <class Tell>
  void happen(State& state, Move move, Tell&& tell) const;
  template <class Tell, class Stuck>
  void settle(State& state, Tell&& tell, Stuck&& stuck) const;
  template <class Tell>
  void deal(State& state, const Outcome& outcome, Tell&& tell) const;
  template <class Tell>
  void lay(State& state, int kind, int turn, Cell cell, Tell&& tell) const;
  template <class Tell>
  void count_points(State& state, Tell&& tell) const;
  bool round_ends(const State& state) const;
  void pass_turn(State& state, bool could_lay) const;
  void end_turn(State& state, bool idle) const;

  /// The one place that decides what is hidden: whether `viewer` knows the pieces that are in the hand of `seat`, or
  /// come into it or go back from it to the bag, while a round lasts.
  bool sees(Viewer viewer, int seat) const { return options_.open_hands || viewer.sees_hand_of(seat); }
  bool sees_in_hand(const State& state, Viewer viewer, int seat) const {
    return state.round_over || sees(viewer, seat);
  }
  std::vector<Effect> hide(const State& before, std::vector<Effect> effects, Viewer viewer) const;

  template <Uniform U>
  Outcome deal_alone(U&& uniform) const;
  Expected<Move> parse_lay(const State& state, std::string_view text) const;
  Expected<Outcome> parse_deal(std::string_view extra) const;

  // Knowledge: knowledge.cpp follows the lines, determinize.cpp guesses what is hidden.
  bool sees_everything(Viewer viewer) const;
  bool remembers(Viewer viewer) const;
  std::optional<Error> observe_deal(Knowledge& knowledge, const Line& line) const;
  std::optional<Error> observe_draw(Knowledge& knowledge, const Line& line) const;
  std::optional<Error> observe_move(Knowledge& knowledge, const Line& line) const;
  std::optional<Error> observe_end(Knowledge& knowledge, const Line& line) const;
  bool bring(Knowledge& knowledge, PieceSet& to, const PieceSet& wanted) const;
  void remember(Knowledge& knowledge, const Memory& memory) const;
  bool is_possible(const Knowledge& knowledge) const;
  void guess(const Knowledge& knowledge, State& state, Random& random) const;
  void guess_hand_alone(const Knowledge& knowledge, State& state, Random& random) const;
  template <class Use>
  void each_hidden(const Knowledge& knowledge, State& world, Use&& use) const;

  Options options_;
  cubed::Fits fits_;
};

}  // namespace tessera

#include "games/cubed/chance.hpp"
