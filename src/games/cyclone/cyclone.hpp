#pragma once

#include "games/cyclone/stack.hpp"
#include "rules/die.hpp"

/// Cyclone: a race between bases in which towers are blown back. 2–4 seats, five cubes each, one die.
///
/// Every seat has an arm: its base (space 0), then spaces 1 … `arm`. The innermost spaces of all arms are neighbours of
/// each other. A roll gives so many actions; each moves one cube one space, out along its own arm, across to another
/// and down into that seat's base, where it has finished. Cubes in a space are a stack, of which only the top one can
/// move. A cube that lands on two or more sweeps the stack: it goes three spaces towards the base of the seat that
/// moved, on top of whatever is there and then three more, until it rests on an empty space or falls apart in that
/// base. Two seats: five cubes finished win. Three: three in one base or two in each. Four: three in one base or one in
/// each.
///
/// | option     | takes         | default | meaning                                                             |
/// |------------|---------------|---------|---------------------------------------------------------------------|
/// | arm        | 6–12          | 8       | spaces of each arm                                                  |
/// | first      | a seat        | 0       | who begins                                                          |
/// | may_stop   | true or false | false   | after an action of the turn `pass` is a move that ends it           |
/// | turn_limit | ≥ 1           | 10000   | turns until the game ends without a winner                          |
/// | turning    | true or false | false   | three or four seats: a cube on another's arm may turn back and away |
///
/// Places for boards: `a0` (the base of seat 0), `a1` … `a8` (its arm, outwards from the base), `b0` … for seat 1, and
/// so on. A cube in the base of its own seat waits to start again; a cube in another seat's base has finished there.
/// Bases are not stacks: their cubes are in no order.
///
/// Effects: an action is a `move` of two places; each three spaces of a sweep are a `sweep` along the spaces passed,
/// its seat the one that moved; each cube that comes into a base not its own then tells `finish` with that base twice.
namespace tessera {

class Cyclone : public DieGame<6> {
 public:
  static constexpr std::string_view name = "cyclone";
  static constexpr std::string_view title = "Cyclone";
  static constexpr std::string_view summary =
      "A race to the other bases through towers of cubes: whoever tops a tower blows it back to their own base.";
  static constexpr std::array seat_counts{2, 3, 4};

  struct Options : CommonOptions {
    int arm = 8;
    bool may_stop = false;
    bool turning = false;

    using CommonOptions::CommonOptions;
    friend bool operator==(const Options&, const Options&) = default;
  };
  static std::span<const OptionField<Options>> option_fields();
  static std::optional<Error> check(const Options& options);

  static constexpr int most_seats = 4;
  static constexpr int cubes = 5;  ///< of each seat

  // A place is 16 × arm + space, so that a set of places is one word.
  using Places = std::uint64_t;
  static constexpr int places = 16 * most_seats;
  static constexpr int place_of(int arm, int space) { return 16 * arm + space; }
  static constexpr int arm_of(int place) { return place / 16; }
  static constexpr int space_of(int place) { return place % 16; }
  static constexpr bool is_base(int place) { return space_of(place) == 0; }
  static constexpr Places bit(int place) { return Places{1} << place; }

  /// Stacks of more than three cubes are rare: the byte of their space only says so, and they are kept apart.
  static constexpr std::uint8_t is_tower = 0x80;
  static constexpr int most_towers = most_seats * cubes / 4;

  /// The cubes that can move, on top of a stack or in their own base: for each seat a set of places.
  struct Tops {
    std::array<Places, most_seats> of_seat{};

    Places of(int seat) const { return of_seat[seat]; }

    /// What stands at a place changes. (An empty stack has a top too, whose bit is not set and stays so.)
    void change(int place, Stack before, Stack after) {
      of_seat[before.top()] &= ~bit(place);
      of_seat[after.top()] |= Places{!after.empty()} << place;
    }

    friend bool operator==(const Tops&, const Tops&) = default;
  };

  struct State {
    Tops tops;
    std::array<std::uint64_t, most_towers> towers{};      ///< place and Stack code in one word, sorted; then zeros
    std::array<std::uint8_t, places> stacks = nothing();  ///< by place: Stack code, or is_tower
    /// By seat and base: cubes of the seat there. In its own base they wait, in the others they have finished.
    std::array<std::array<std::uint8_t, most_seats>, most_seats> in_base{};
    std::int32_t turns = 0;  ///< turns that have ended
    std::uint8_t seat = 0;
    std::uint8_t roll = 0;  ///< 0 before it
    std::uint8_t left = 0;  ///< actions of the roll that are left
    Phase phase = Phase::chance;

    friend bool operator==(const State&, const State&) = default;

   private:
    static constexpr std::array<std::uint8_t, places> nothing() {
      std::array<std::uint8_t, places> codes{};
      codes.fill(static_cast<std::uint8_t>(Stack().code()));
      return codes;
    }
  };

  explicit Cyclone(const Options& options);
  const Options& options() const { return options_; }

  State start() const;
  Turn turn(const State& state) const {
    return {state.phase, static_cast<std::int8_t>(state.phase == Phase::over ? -1 : state.seat)};
  }
  Result result(const State& state) const;
  void apply(State& state, Roll roll) const;

  // Five cubes: one on each innermost space (three ways each), one more on another's arm (two ways), and pass.
  static constexpr std::size_t max_moves = 15;
  void legal(const State& state, MoveList<Cyclone>& moves) const;
  void play(State& state, Move move) const;

  std::string move_text(const State& state, Move move, Viewer viewer) const;
  Expected<Move> parse_move(const State& state, std::string_view text) const;
  Choices choices(const State& state, Move move) const;
  std::vector<Effect> effects(const State& state, Move move, Viewer viewer) const;
  std::vector<Effect> effects(const State& state, Roll roll, Viewer viewer) const;
  std::vector<Piece> pieces(const State& state, Viewer viewer) const;
  std::string picture(const State& state, Viewer viewer, PictureStyle style) const;

  static Stack stack_at(const State& state, int place);

  /// Puts a cube on top of what is at `place`, or into that base. For setting up positions.
  void put(State& state, int place, int seat) const;

  int win_in_one() const { return win_in_one_; }    ///< cubes in one base that win
  int win_in_each() const { return win_in_each_; }  ///< cubes in each other base that win

 private:
  // A move is its two places.
  static constexpr Move pass = 0;
  static constexpr Move move_of(int from, int to) { return static_cast<Move>(from * places + to); }
  static constexpr int from_of(Move move) { return static_cast<int>(move / places); }
  static constexpr int to_of(Move move) { return static_cast<int>(move % places); }

  int innermost(int arm) const { return place_of(arm, options_.arm); }
  bool may_pass(const State& state) const { return options_.may_stop && state.left < state.roll; }
  bool has_won(const State& state, int seat) const;
  int finished(const State& state, int seat) const;
  int next_towards_base_of(int seat, int place) const;

  static void set_stack(State& state, int place, Stack before, Stack after);
  static void set_tower(State& state, int place, Stack stack);

  template <class Tell>
  void apply_and_tell(State& state, Roll roll, Tell&& tell) const;
  template <class Tell>
  void play_and_tell(State& state, Move move, Tell&& tell) const;
  template <class Tell>
  bool sweep(State& state, int place, Stack moving, Tell&& tell) const;
  template <class Tell>
  void enter_base(State& state, int base, int seat, Tell&& tell) const;
  template <class Tell>
  bool end_if_won(State& state, Tell&& tell) const;
  void end_turn(State& state) const;

  Phrase why_not(const State& state, std::string_view text) const;
  std::optional<int> parse_place(std::string_view text) const;
  static std::string place_name(int place);

  /// The steps that a seat's cube at a place can take.
  struct Steps {
    std::uint8_t count = 0;
    std::array<Move, 3> moves{};
  };
  void add_step(int seat, int from, int to);

  Options options_;
  int win_in_one_;
  int win_in_each_;
  std::array<Places, most_seats> forks_{};                         ///< by seat: places with more than one step
  std::array<std::array<Move, places>, most_seats> first_step_{};  ///< by seat and place
  std::array<std::array<Steps, places>, most_seats> steps_{};
};

}  // namespace tessera
