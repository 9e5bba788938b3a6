#pragma once

#include "rules/die.hpp"
#include "rules/handle.hpp"

/// Race2: as little game as a table can have, so that a load on it measures the table. 2 seats, one die.
///
/// Each seat has a runner on a ring of 30 places. The seat to move rolls, its runner goes on by so many places, and the
/// turn passes; nobody decides anything. After `turn_limit` turns whoever has come further has won.
///
/// | option     | takes  | default    | meaning                  |
/// |------------|--------|------------|--------------------------|
/// | first      | a seat | 0          | who begins               |
/// | turn_limit | ≥ 1    | 2147483647 | turns until the game ends |
///
/// Places for boards: `0` … `29`. Effects: a `move` of two places; `win` at the end.
namespace tessera::bench {

class Race2 : public DieGame<6> {
 public:
  static constexpr std::string_view name = "race2";
  static constexpr std::string_view title = "Race2";
  static constexpr std::string_view summary = "Two runners and a die: the least game there is, to measure tables with.";
  static constexpr std::array seat_counts{2};
  static constexpr int places = 30;

  struct Options : CommonOptions {
    explicit Options(int seats_at_table) : CommonOptions(seats_at_table) {
      turn_limit = std::numeric_limits<int>::max();  // a match lasts as long as the load on it
    }
    friend bool operator==(const Options&, const Options&) = default;
  };
  static std::span<const OptionField<Options>> option_fields();
  static std::optional<Error> check(const Options& options);

  struct State {
    std::array<std::uint64_t, 2> run{};  ///< by seat: places gone since the start
    std::int32_t turns = 0;
    std::int8_t seat = 0;

    friend bool operator==(const State&, const State&) = default;
  };

  explicit Race2(const Options& options) : options_(options) {}
  const Options& options() const { return options_; }

  State start() const;
  Turn turn(const State& state) const;
  Result result(const State& state) const;
  void apply(State& state, Roll roll) const;

  // There are no decisions.
  static constexpr std::size_t max_moves = 1;
  void legal(const State&, MoveList<Race2>&) const {}
  void play(State&, Move) const {}
  std::string move_text(const State&, Move, Viewer) const { return {}; }
  Expected<Move> parse_move(const State&, std::string_view) const;
  Choices choices(const State&, Move) const { return {}; }
  std::vector<Effect> effects(const State&, Move, Viewer) const { return {}; }

  std::vector<Effect> effects(const State& state, Roll roll, Viewer viewer) const;
  std::vector<Piece> pieces(const State& state, Viewer viewer) const;
  std::string picture(const State& state, Viewer viewer, PictureStyle style) const;

 private:
  template <class Tell>
  void apply_and_tell(State& state, Roll roll, Tell&& tell) const;

  Options options_;
};

const GameInfo& race2_info();

}  // namespace tessera::bench
