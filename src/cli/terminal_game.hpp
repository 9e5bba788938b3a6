#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bots/bots.hpp"
#include "engine/engine.hpp"

namespace tessera::cli {

/// A game at one terminal: some seats are people who share the keyboard, the others are the computer's.
class TerminalGame {
 public:
  /// Who plays a seat for the computer; neither: a person.
  struct Opponent {
    std::unique_ptr<Player> player;
    std::unique_ptr<Engine> engine;
  };

  /// One opponent a seat. `save` names the file that holds the game whenever a person is asked;
  /// empty: none.
  TerminalGame(std::unique_ptr<Play> start, std::vector<Opponent> opponents, std::uint64_t seed, std::string save);

  void repeat(const Line& line);  ///< an event of a saved game, known to be sound
  void run();                     ///< until the game is over or somebody quits

  std::string_view title() const { return play_->info().title; }

 private:
  /// An event that has happened, with all that is needed to take it back.
  struct Moment {
    std::unique_ptr<Play> before;
    Streams streams_before;
    Line line;
  };
  enum class Answer { moved, taken_back, quit };

  static bool is_person(const Opponent& opponent) { return !opponent.player && !opponent.engine; }
  bool human(int seat) const { return seat >= 0 && is_person(opponents_[static_cast<std::size_t>(seat)]); }
  std::ptrdiff_t people() const { return std::count_if(opponents_.begin(), opponents_.end(), is_person); }
  bool secrets(int seat) const;
  Viewer at_the_end() const;

  void happen(const Line& line);
  void roll();
  bool let_computer_move();
  Expected<Move> engines_move(Engine& engine) const;
  std::unique_ptr<Knowledge> known() const;

  Answer ask();
  Answer ask_for_move();
  void show_choices(const ChoiceTree& node) const;
  void hand_over(int seat);
  void tell_news(Viewer viewer);
  void print_log(Viewer viewer) const;
  void hint() const;
  bool take_back();
  bool save(const std::string& name) const;

  std::string narrated(std::size_t moment, Viewer viewer) const;

  std::unique_ptr<Play> play_;
  Streams streams_;
  std::vector<Opponent> opponents_;
  std::string save_;
  std::vector<Moment> past_;
  std::vector<std::size_t> told_;  ///< for each seat, how many moments it has been told
  int at_keyboard_ = -1;           ///< the person who looked last
};

}  // namespace tessera::cli
