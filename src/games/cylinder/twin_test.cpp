#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "games/cylinder/cylinder.hpp"
#include "rules/notation.hpp"
#include "rules/playout.hpp"

/// The rules of Cylinder once more, slow and obvious, over a map of holes; the game must agree with it at every step.
namespace tessera {
namespace {

using Hole = std::pair<int, int>;

std::string text_of(Hole hole) { return std::to_string(hole.first) + "," + std::to_string(hole.second); }

class Twin {
 public:
  enum class Waits { roll, use, second, flank, nothing };

  explicit Twin(const Cylinder::Options& options)
      : o(options), green(o.green), rows(2 * green + 3), columns(o.columns * o.seats / 2), seat(o.first) {
    for (int s = 0; s < o.seats; ++s) home[s] = 10;
  }

  // ── Questions ──

  bool opponent(int a, int b) const { return o.teams == Cylinder::Teams::none ? a != b : a % 2 != b % 2; }
  bool red(Hole hole) const { return hole.first == green || hole.first == green + 2; }
  bool goal(Hole hole) const { return hole.first == green + 1; }
  int at(Hole hole) const { return board.contains(hole) ? board.at(hole) : -1; }

  bool can_land(Hole hole) const {
    if (at(hole) < 0) return true;
    return !goal(hole) && opponent(seat, at(hole));
  }

  bool step_allowed(Hole a, Hole b, bool diagonal) const {
    if (goal(a)) return false;
    if (goal(b)) return red(a) && !diagonal;
    return !diagonal || (!red(a) && !red(b));
  }

  using Grid = std::array<std::array<bool, 48>, 13>;
  using Ends = std::array<Grid, 7>;  ///< by number of steps

  void walk(Hole from, int n, Grid& touched, Ends& ends) const {
    for (int down = -1; down <= 1; ++down) {
      for (int right = -1; right <= 1; ++right) {
        const Hole next{(from.first + down + rows) % rows, (from.second + right + columns) % columns};
        if (touched[next.first][next.second] || !step_allowed(from, next, down != 0 && right != 0)) continue;
        ends[n][next.first][next.second] = true;
        if (n == 6 || goal(next)) continue;
        touched[next.first][next.second] = true;
        walk(next, n + 1, touched, ends);
        touched[next.first][next.second] = false;
      }
    }
  }

  const Ends& ends(Hole from) {
    const auto found = walked->find(from);
    if (found != walked->end()) return found->second;
    Ends& all = (*walked)[from] = Ends{};
    if (goal(from)) {
      for (int n = 1; n <= 6; ++n) {
        all[n][from.first][(from.second + n) % columns] = true;
        all[n][from.first][(from.second + columns - n) % columns] = true;
      }
    } else {
      Grid touched{};
      touched[from.first][from.second] = true;
      walk(from, 1, touched, all);
    }
    return all;
  }

  std::vector<std::string> moves_by(int n, bool as_first_part) {
    std::vector<std::string> texts;
    for (const auto& [from, owner] : board) {
      if (owner != seat) continue;
      for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
          const Hole to{row, column};
          if (!ends(from)[n][row][column] || !can_land(to)) continue;
          if (waits == Waits::second && from == split_to && to == split_from) continue;
          texts.push_back(text_of(from) + ">" + text_of(to) + (as_first_part ? ":" + std::to_string(n) : ""));
        }
      }
    }
    return texts;
  }

  std::vector<std::string> flanks() const {
    std::vector<std::string> texts;
    for (const auto& [hole, owner] : board) {
      if (!goal(hole) || !opponent(seat, owner)) continue;
      if (at({green, hole.second}) != seat || at({green + 2, hole.second}) != seat) continue;
      for (const char* how : {"", ":up", ":down"}) texts.push_back("flank>" + text_of(hole) + how);
    }
    return texts;
  }

  std::vector<std::string> legal() {
    std::vector<std::string> texts;
    const auto add = [&](const std::vector<std::string>& more) { texts.insert(texts.end(), more.begin(), more.end()); };
    if (waits == Waits::flank) {
      add(flanks());
      texts.push_back("pass");
    }
    if (waits == Waits::second) add(moves_by(6 - first_part, false));
    if (waits == Waits::use) {
      add(moves_by(rolled, false));
      if (rolled == 6) {
        for (int n = 1; n <= 5; ++n) add(moves_by(n, true));
      }
      if ((rolled == 2 || rolled == 4 || rolled == 6) && home[seat] > 0) {
        const int row = seat % 2 == 0 ? 0 : rows - 1;
        for (int c = seat / 2 * o.columns; c < (seat / 2 + 1) * o.columns; ++c) {
          if (can_land({row, c})) texts.push_back("in>" + text_of({row, c}));
        }
      }
      if (rolled == 1) {
        const bool nothing_else = texts.empty();
        for (int c = 0; c < columns; ++c) {
          const Hole hole{green + 1, c};
          if (at(hole) < 0 || !opponent(seat, at(hole))) continue;
          for (const Hole beside : {Hole{green, c}, Hole{green + 2, c}}) {
            if (at(beside) != seat || moved.contains(beside)) continue;
            texts.push_back("hit>" + text_of(hole));
            break;
          }
        }
        if (nothing_else && !texts.empty()) texts.push_back("pass");
      }
    }
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  int run(int of) const {
    int longest = 0;
    for (int begin = 0; begin < columns; ++begin) {
      int length = 0;
      while (length < columns && at({green + 1, (begin + length) % columns}) == of) ++length;
      longest = std::max(longest, length);
    }
    return longest;
  }

  // ── Changes ──

  void roll(int value) {
    rolled = value;
    waits = Waits::use;
    if (legal().empty()) roll_is_done();
  }

  void play(const std::string& text) {
    if (text == "pass") return waits == Waits::flank ? flanks_are_done() : roll_is_done();
    const std::size_t arrow = text.find('>');
    const std::string what = text.substr(0, arrow);
    std::string where = text.substr(arrow + 1);
    std::string how;
    if (const std::size_t colon = where.find(':'); colon != std::string::npos) {
      how = where.substr(colon + 1);
      where.resize(colon);
    }
    const auto hole = [](const std::string& t) {
      return Hole{std::stoi(t.substr(0, t.find(','))), std::stoi(t.substr(t.find(',') + 1))};
    };
    const Hole to = hole(where);
    if (at(to) >= 0) {
      ++home[at(to)];
      board.erase(to);
    }
    if (what == "hit") return roll_is_done();
    if (what == "in") {
      --home[seat];
      board[to] = seat;
      moved.insert(to);
      return roll_is_done();
    }
    if (what == "flank") {
      if (!how.empty()) {
        move({how == "up" ? green : green + 2, to.second}, to);
        if (waits == Waits::nothing) return;
      }
      if (flanks().empty()) flanks_are_done();
      return;
    }
    const Hole from = hole(what);
    move(from, to);
    if (waits == Waits::nothing) return;
    if (!how.empty()) {
      waits = Waits::second;
      first_part = std::stoi(how);
      split_from = from;
      split_to = to;
      if (legal().empty()) turn_is_done();
    } else if (waits == Waits::second) {
      turn_is_done();
    } else {
      roll_is_done();
    }
  }

  void move(Hole from, Hole to) {
    board.erase(from);
    moved.erase(from);
    board[to] = seat;
    moved.insert(to);
    if (!goal(to)) return;
    bool won = run(seat) >= (o.teams == Cylinder::Teams::one_seven ? 7 : 4);
    for (int s = 0; s < o.seats; ++s) {
      if (o.teams == Cylinder::Teams::all_four && !opponent(s, seat) && run(s) < 4) won = false;
    }
    if (!won) return;
    for (int s = 0; s < o.seats; ++s) {
      if (!opponent(s, seat)) winners.insert(s);
    }
    waits = Waits::nothing;
  }

  void roll_is_done() {
    waits = Waits::flank;
    if (flanks().empty()) flanks_are_done();
  }

  void flanks_are_done() {
    if (rolled == 3 && !bonus) {
      bonus = true;
      waits = Waits::roll;
    } else {
      turn_is_done();
    }
  }

  void turn_is_done() {
    bonus = false;
    moved.clear();
    seat = (seat + 1) % o.seats;
    ++turns;
    waits = turns == o.turn_limit ? Waits::nothing : Waits::roll;
  }

  // ── As the game shows it ──

  std::vector<Piece> pieces() const {
    std::vector<Piece> all;
    for (const auto& [hole, owner] : board) all.push_back({owner, "", text_of(hole)});
    for (const auto& [s, count] : home) {
      for (int i = 0; i < count; ++i) all.push_back({s, "", "s" + std::to_string(s) + ":home"});
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  Turn turn() const {
    if (waits == Waits::nothing) return {Phase::over, -1};
    return {waits == Waits::roll ? Phase::chance : Phase::decision, static_cast<std::int8_t>(seat)};
  }

  Cylinder::Options o;
  int green, rows, columns;
  std::map<Hole, int> board;
  std::map<int, int> home;
  int seat;
  Waits waits = Waits::roll;
  int rolled = 0;
  int first_part = 0;
  Hole split_from, split_to;
  std::set<Hole> moved;
  bool bonus = false;
  int turns = 0;
  std::set<int> winners;
  /// Walks do not depend on marbles, so copies share them.
  std::shared_ptr<std::map<Hole, Ends>> walked = std::make_shared<std::map<Hole, Ends>>();
};

std::vector<Piece> sorted_pieces(const Cylinder& game, const Cylinder::State& state) {
  auto all = game.pieces(state, Viewer::all());
  std::sort(all.begin(), all.end());
  return all;
}

/// What the effects make of the pieces.
std::vector<Piece> after_effects(std::vector<Piece> pieces, const std::vector<Effect>& effects) {
  const auto missing = follow(pieces, effects);
  EXPECT_FALSE(missing) << missing->sentence;
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

/// Game and twin side by side, with a count of what has happened.
class Pair {
 public:
  explicit Pair(const Cylinder::Options& options) : game(options), twin(options), state(game.start()) {}

  void clear() {
    twin.board.clear();
    for (auto& [seat, count] : twin.home) count = 10;
    twin.waits = Twin::Waits::roll;
    twin.bonus = false;
    twin.moved.clear();
    twin.turns = 0;
    twin.winners.clear();
    state = game.start();
    state.seat = static_cast<std::uint8_t>(twin.seat);
  }

  void put(int seat, Hole hole) {
    if (twin.board.contains(hole) || twin.home[seat] == 0) return;
    twin.board[hole] = seat;
    --twin.home[seat];
    state.marbles[seat].add(game.board().hole(hole.first, hole.second));
    --state.home[seat];
  }

  /// One random event in both. False when the game is over.
  bool step(Random& random) {
    const Turn turn = game.turn(state);
    if (turn != twin.turn()) {
      ADD_FAILURE() << "one waits for something else\n" << game.picture(state, Viewer::all(), {});
      return false;
    }
    if (turn.phase == Phase::over) {
      const Result result = game.result(state);
      for (int seat = 0; seat < game.options().seats; ++seat) {
        EXPECT_EQ(result.won(seat), twin.winners.contains(seat));
        EXPECT_EQ(result.scores[seat], twin.run(seat));
      }
      ++seen[twin.winners.empty() ? "limit" : "win"];
      return false;
    }
    const auto before = sorted_pieces(game, state);
    std::vector<Effect> effects;
    if (turn.phase == Phase::chance) {
      const Roll roll = game.draw(state, random);
      effects = game.effects(state, roll, Viewer::all());
      game.apply(state, roll);
      twin.roll(roll.value);
    } else {
      auto texts = legal_texts(game, state);
      std::sort(texts.begin(), texts.end());
      const auto expected = twin.legal();
      if (texts != expected) {
        std::vector<std::string> more, less;
        std::set_difference(texts.begin(), texts.end(), expected.begin(), expected.end(), std::back_inserter(more));
        std::set_difference(expected.begin(), expected.end(), texts.begin(), texts.end(), std::back_inserter(less));
        ADD_FAILURE() << "too many: " << testing::PrintToString(more) << "\nmissing: " << testing::PrintToString(less)
                      << '\n'
                      << game.picture(state, Viewer::all(), {});
        return false;
      }
      const std::string text = pick(texts, random);
      const auto move = game.parse_move(state, text);
      if (!move) {
        ADD_FAILURE() << move.error().sentence;
        return false;
      }
      count(text);
      effects = game.effects(state, *move, Viewer::all());
      game.play(state, *move);
      twin.play(text);
    }
    for (const Effect& effect : effects) ++seen[std::string(effect_name(effect.kind))];
    EXPECT_EQ(sorted_pieces(game, state), twin.pieces());
    EXPECT_EQ(after_effects(before, effects), twin.pieces());
    return !testing::Test::HasFailure();
  }

  Cylinder game;
  Twin twin;
  Cylinder::State state;
  std::map<std::string, int> seen;

 private:
  /// Rare kinds of moves are picked more often than their share of the list.
  static std::string pick(const std::vector<std::string>& texts, Random& random) {
    std::vector<std::string> rare;
    for (const std::string& text : texts) {
      if (text[0] == 'h' || text[0] == 'f' || text[0] == 'p') rare.push_back(text);
    }
    const auto& from = !rare.empty() && random(2) == 0 ? rare : texts;
    return from[random(static_cast<std::uint32_t>(from.size()))];
  }

  void count(const std::string& text) {
    const std::string what = text.substr(0, text.find('>'));
    const std::size_t colon = text.find(':');
    if (what == "pass") {
      ++seen[twin.waits == Twin::Waits::flank ? "pass a flank" : "pass a hit"];
    } else if (what.find(',') == std::string::npos) {
      ++seen[what + (colon == std::string::npos ? "" : text.substr(colon))];
    } else {
      ++seen[twin.waits == Twin::Waits::second ? "second part"
             : colon != std::string::npos      ? "first part"
                                               : "whole roll"];
    }
  }
};

Cylinder::Options options_of(int seats, int columns, int green, Cylinder::Teams teams, int turn_limit) {
  Cylinder::Options options(seats);
  options.columns = columns;
  options.green = green;
  options.teams = teams;
  options.turn_limit = turn_limit;
  return options;
}

using Teams = Cylinder::Teams;

TEST(CylinderTwin, AgreesOverRandomGames) {
  Random random(1, "twin");
  std::map<std::string, int> seen;
  for (const auto& options : {options_of(2, 8, 3, Teams::none, 250), options_of(2, 11, 2, Teams::none, 150),
                              options_of(4, 8, 2, Teams::none, 150), options_of(4, 8, 2, Teams::all_four, 100),
                              options_of(6, 8, 2, Teams::one_seven, 100)}) {
    Pair pair(options);
    while (pair.step(random)) {
    }
    ASSERT_FALSE(HasFailure());
    for (const auto& [what, count] : pair.seen) seen[what] += count;
  }
  for (const char* what : {"in", "whole roll", "first part", "second part", "pass", "again", "send_home", "limit"}) {
    EXPECT_GT(seen[what], 0) << what;
  }
}

/// Crowds about the goal row, which random games hardly ever see.
void compare_crowds(const Cylinder::Options& options, int crowds, std::map<std::string, int>& seen) {
  Random random(2, "crowds");
  Pair pair(options);
  const auto any = [&](int n) { return static_cast<int>(random(static_cast<std::uint32_t>(n))); };
  for (int crowd = 0; crowd < crowds; ++crowd) {
    pair.twin.seat = any(options.seats);
    pair.clear();
    const int columns = std::min(pair.twin.columns, 6 + any(pair.twin.columns));
    const int marbles = options.seats * (2 + any(9));
    for (int i = 0; i < marbles; ++i) {
      const int row = any(4) == 0 ? any(pair.twin.rows) : options.green + any(3);
      pair.put(any(options.seats), {row, any(columns)});
    }
    for (int i = 0; i < 14 && pair.step(random); ++i) {
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "crowd " << crowd;
  }
  for (const auto& [what, count] : pair.seen) seen[what] += count;
}

TEST(CylinderTwin, AgreesInCrowds) {
  std::map<std::string, int> seen;
  compare_crowds(options_of(2, 8, 2, Teams::none, 5), 100, seen);
  compare_crowds(options_of(2, 9, 3, Teams::none, 5), 70, seen);
  compare_crowds(options_of(4, 8, 2, Teams::none, 5), 70, seen);
  compare_crowds(options_of(4, 8, 2, Teams::all_four, 12), 100, seen);
  compare_crowds(options_of(6, 8, 2, Teams::one_seven, 12), 30, seen);
  // Windows of most holes: one as wide as the board, one much narrower than it.
  compare_crowds(options_of(2, 13, 5, Teams::none, 12), 20, seen);
  compare_crowds(options_of(6, 16, 5, Teams::none, 12), 8, seen);
  for (const char* what : {"in", "whole roll", "first part", "second part", "hit", "flank", "flank:up", "flank:down",
                           "pass a flank", "win", "limit", "again", "pass", "send_home"}) {
    EXPECT_GT(seen[what], 0) << what;
  }
}

/// All ten marbles in a goal row with few free holes: a roll can be lost, and a 6 can be good for nothing but a split.
TEST(CylinderTwin, AgreesInFullGoalRows) {
  Pair pair(options_of(2, 16, 2, Teams::none, 4));
  Random random(3, "full goal rows");
  int only_splits = 0;
  for (int i = 0; i < 1000; ++i) {
    pair.clear();
    while (pair.state.home[0] > 0) pair.put(0, {3, static_cast<int>(random(16))});
    for (int column = 0; column < 16; ++column) {
      if (random(8) != 0) pair.put(1, {3, column});
    }
    Cylinder::State rolled = pair.state;
    pair.game.apply(rolled, {6});
    const auto texts = legal_texts(pair.game, rolled);
    const auto is_part = [](const std::string& text) { return text.find(':') != std::string::npos; };
    only_splits += !texts.empty() && std::all_of(texts.begin(), texts.end(), is_part) ? 1 : 0;
    for (int step = 0; step < 4 && pair.step(random); ++step) {
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "goal row " << i;
  }
  EXPECT_GT(only_splits, 0);
}

std::uint64_t twin_perft(const Twin& twin, int depth) {
  if (depth == 0 || twin.waits == Twin::Waits::nothing) return 1;
  std::uint64_t leaves = 0;
  if (twin.waits == Twin::Waits::roll) {
    for (int value = 1; value <= 6; ++value) {
      Twin next = twin;
      next.roll(value);
      leaves += twin_perft(next, depth - 1);
    }
    return leaves;
  }
  Twin asked = twin;
  for (const std::string& text : asked.legal()) {
    Twin next = asked;
    next.play(text);
    leaves += twin_perft(next, depth - 1);
  }
  return leaves;
}

TEST(CylinderTwin, CountsTheSamePaths) {
  Pair start(options_of(2, 8, 2, Teams::none, 100));
  EXPECT_EQ(perft(start.game, start.state, 4, 0), twin_perft(start.twin, 4));

  Pair crowd(options_of(2, 8, 2, Teams::none, 100));
  crowd.put(0, {2, 3});
  crowd.put(0, {4, 3});
  crowd.put(1, {3, 3});
  crowd.put(1, {2, 4});
  EXPECT_EQ(perft(crowd.game, crowd.state, 3, 0), twin_perft(crowd.twin, 3));
}

}  // namespace
}  // namespace tessera
