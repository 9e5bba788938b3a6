#pragma once

#include "rules/die.hpp"

/// Marbles: a race round a shared ring, in the family of Wahoo and Aggravation. 2–6 seats, four marbles each, one die.
///
/// The ring has `sectors` × `spaces` spaces. A marble's place is counted by its owner: p0 is the first space of the
/// owner's sector, then clockwise once round, then the owner's home h1 … h4. A 1 or a 6 brings a marble out of the
/// base; otherwise a marble moves by exactly the roll, jumping others. Landing on another seat's marble sends it back
/// to its base; landing on one's own is not allowed. Who can move must. A 6 rolls again. Four marbles in Home win.
///
/// | option     | takes           | default                | meaning                                     |
/// |------------|-----------------|------------------------|---------------------------------------------|
/// | come_out   | by_roll, start  | by_roll                | a 6 comes out to p5, or to p0 as a 1 does   |
/// | first      | a seat          | 0                      | who begins                                  |
/// | sectors    | 3–6, ≥ seats    | seats; 4 for two seats | size of the ring                            |
/// | spaces     | 8–16            | 14                     | spaces of a sector                          |
/// | teams      | none, 2, 3      | none                   | number of teams (4 seats: 2; 6 seats: 2, 3) |
/// | turn_limit | ≥ 1             | 10000                  | turns until the game ends without a winner  |
///
/// Places for boards: `r0` … (ring spaces, r0 the first of sector 0), `s2:h1` … `s2:h4`, `s2:base`.
namespace tessera {

class Marbles : public DieGame<6> {
 public:
  static constexpr std::string_view name = "marbles";
  static constexpr std::string_view title = "Marbles";
  static constexpr std::string_view summary =
      "A race round a shared ring: bring your four marbles home before the others send them back.";
  static constexpr std::array seat_counts{2, 3, 4, 5, 6};

  enum class ComeOut : std::uint8_t { by_roll, start };

  struct Options : CommonOptions {
    ComeOut come_out = ComeOut::by_roll;
    int sectors;
    int spaces = 14;
    std::uint8_t teams = 0;  ///< index into none, 2, 3

    explicit Options(int seats_at_table)
        : CommonOptions(seats_at_table), sectors(seats_at_table == 2 ? 4 : seats_at_table) {}
    friend bool operator==(const Options&, const Options&) = default;
  };
  static std::span<const OptionField<Options>> option_fields();
  static std::optional<Error> check(const Options& options);

  /// One seat's marbles outside its base, a bit a place: p0 … p(L-1), then h1 … h4.
  __extension__ using Track = unsigned __int128;

  struct State {
    std::array<Track, max_seats> track{};
    Track taken = 0;                             ///< ring spaces with a marble on them, whosever
    std::array<std::uint8_t, max_seats> base{};  ///< marbles in the base
    std::uint8_t seat = 0;
    std::uint8_t roll = 0;  ///< the roll to use; 0 before it
    Phase phase = Phase::chance;
    std::uint8_t winners = 0;
    std::int32_t turns = 0;  ///< turns that have ended

    friend bool operator==(const State&, const State&) = default;
  };

  explicit Marbles(const Options& options);
  const Options& options() const { return options_; }
  int side(int seat) const { return teams_ == 0 ? seat : seat % teams_; }  ///< who wins together

  State start() const;
  Turn turn(const State& state) const {
    return {state.phase, static_cast<std::int8_t>(state.phase == Phase::over ? -1 : state.seat)};
  }
  Result result(const State& state) const;
  void apply(State& state, Roll roll) const;

  static constexpr std::size_t max_moves = 8;  // a marble's move each: own four, or four of each of two partners
  void legal(const State& state, MoveList<Marbles>& moves) const;
  void play(State& state, Move move) const;

  std::string move_text(const State& state, Move move, Viewer viewer) const;
  Expected<Move> parse_move(const State& state, std::string_view text) const;
  Choices choices(const State& state, Move move) const;
  std::vector<Effect> effects(const State& state, Move move, Viewer viewer) const;
  std::vector<Effect> effects(const State& state, Roll roll, Viewer viewer) const;
  std::vector<Piece> pieces(const State& state, Viewer viewer) const;
  std::string picture(const State& state, Viewer viewer, PictureStyle style) const;

  // ── The board ──
  int ring() const { return ring_; }                            ///< its spaces, L
  int comes_out_at(int roll) const { return come_out_[roll]; }  ///< the place; -1: not with this roll
  /// The ring space of an owner's place p0 … p(L-1), and back.
  int ring_space(int owner, int place) const {
    const int space = first_space_[owner] + place;
    return space < ring_ ? space : space - ring_;
  }
  int place_on(int ring_space, int owner) const {
    const int place = ring_space - first_space_[owner];
    return place < 0 ? place + ring_ : place;
  }

 private:
  static constexpr int in_base = -1;  ///< the place of a marble that is to come out

  // A move is the marble's owner and place.
  static Move move_of(int owner, int place) { return static_cast<Move>(owner * 128 + place + 1); }
  static int owner_of(Move move) { return static_cast<int>(move / 128); }
  static int place_of(Move move) { return static_cast<int>(move % 128) - 1; }

  static const Track& bit(int place) { return bits[place]; }
  bool all_home(const State& state, int seat) const { return (state.track[seat] & home_) == home_; }
  int target(int place, int roll) const { return place == in_base ? come_out_[roll] : place + roll; }
  int victim(const State& state, int owner, int target) const;
  bool hits_partner(const State& state, Move move) const;
  /// What a roll offers one seat's marbles: whether one can come out, and which can go on.
  struct Offer {
    bool out;
    Track movable;
  };
  Offer offer(const State& state, int owner) const;
  Track movable(Track track, int roll) const;
  void moves_of(const State& state, int owner, MoveList<Marbles>& moves) const;
  bool can_move(const State& state) const;
  std::string place_name(int owner, int place) const;

  template <class Tell>
  void apply_and_tell(State& state, Roll roll, Tell&& tell) const;
  template <class Tell>
  void play_and_tell(State& state, Move move, Tell&& tell) const;
  template <class Tell>
  void end_roll(State& state, Tell&& tell) const;

  /// Shifting 128 bits by a variable takes several instructions, a look-up one.
  static constexpr std::array<Track, 101> bits = [] {
    std::array<Track, 101> made{};
    for (std::size_t place = 0; place < made.size(); ++place) made[place] = Track{1} << place;
    return made;
  }();

  Options options_;
  int teams_;                                 ///< number of teams; 0: none
  int ring_;                                  ///< spaces of the ring, L
  Track home_;                                ///< the four home places
  std::array<Track, 7> not_past_h4_{};        ///< by roll: places from which it does not lead past h4
  std::array<int, max_seats> first_space_{};  ///< each seat's p0 on the ring
  std::array<int, 7> come_out_{};             ///< by roll: where a marble comes out; -1: it does not
};

}  // namespace tessera
