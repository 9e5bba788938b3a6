#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "games/cyclone/cyclone.hpp"
#include "rules/notation.hpp"
#include "rules/playout.hpp"

/// The rules once more, slow and plain: every space is a list of cubes, everything walks one space at a time.
namespace tessera {
namespace {

using Spot = std::pair<int, int>;  // arm, space
using Cubes = std::vector<int>;    // their seats, from bottom to top

struct Twin {
  int seats;
  int arm;
  bool may_stop;
  bool turning;
  int turn_limit;

  std::vector<std::vector<Cubes>> board;  // by arm and space; 0 is the base, where the order means nothing
  int seat = 0;
  int roll = 0;
  int used = 0;
  int turns = 0;
  bool rolled = false;
  bool over = false;
  std::vector<int> winners{};

  explicit Twin(const Cyclone::Options& options)
      : seats(options.seats),
        arm(options.arm),
        may_stop(options.may_stop),
        turning(options.turning),
        turn_limit(options.turn_limit),
        board(4, std::vector<Cubes>(13)),
        seat(options.first) {}

  Cubes& at(Spot spot) { return board[spot.first][spot.second]; }
  const Cubes& at(Spot spot) const { return board[spot.first][spot.second]; }

  static std::string name(Spot spot) { return std::string(1, "abcd"[spot.first]) + std::to_string(spot.second); }

  std::vector<Spot> steps(int who, Spot from) const {
    const auto [on, space] = from;
    std::vector<Spot> to;
    if (on == who) {
      if (space < arm) return {{on, space + 1}};
      for (int other = 0; other < seats; ++other) {
        if (other != who) to.push_back({other, arm});
      }
      return to;
    }
    to.push_back({on, space - 1});
    if (turning && seats >= 3) {
      if (space < arm) {
        to.push_back({on, space + 1});
      } else {
        for (int third = 0; third < seats; ++third) {
          if (third != who && third != on) to.push_back({third, arm});
        }
      }
    }
    return to;
  }

  bool can_be_moved(int who, Spot spot) const {
    const Cubes& there = at(spot);
    if (spot.second > 0) return !there.empty() && there.back() == who;
    return spot.first == who && std::count(there.begin(), there.end(), who) > 0;
  }

  std::vector<std::pair<Spot, Spot>> moves() const {
    std::vector<std::pair<Spot, Spot>> all;
    for (int on = 0; on < seats; ++on) {
      for (int space = 0; space <= arm; ++space) {
        if (!can_be_moved(seat, {on, space})) continue;
        for (const Spot to : steps(seat, {on, space})) all.push_back({{on, space}, to});
      }
    }
    return all;
  }

  std::vector<std::string> legal() const {
    std::vector<std::string> texts;
    for (const auto& [from, to] : moves()) texts.push_back(name(from) + ">" + name(to));
    if (may_stop && used > 0) texts.push_back("pass");
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  void next_seat() {
    rolled = false;
    roll = used = 0;
    seat = (seat + 1) % seats;
    ++turns;
    if (turns >= turn_limit) over = true;
  }

  void throw_die(int value) {
    rolled = true;
    roll = value;
    used = 0;
    if (moves().empty()) next_seat();
  }

  Spot one_nearer_to_base_of(int who, Spot spot) const {
    if (spot.first == who) return {who, spot.second - 1};
    if (spot.second == arm) return {who, arm};
    return {spot.first, spot.second + 1};
  }

  int finished(int who, int base) const {
    const Cubes& there = at({base, 0});
    return who == base ? 0 : static_cast<int>(std::count(there.begin(), there.end(), who));
  }

  bool wins(int who) const {
    std::vector<int> counts;
    for (int base = 0; base < seats; ++base) {
      if (base != who) counts.push_back(finished(who, base));
    }
    std::sort(counts.begin(), counts.end());
    if (seats == 2) return counts == std::vector<int>{5};
    if (counts.back() >= 3) return true;
    return counts.front() >= (seats == 3 ? 2 : 1);
  }

  void act(const std::string& text) {
    if (text == "pass") return next_seat();
    Spot from;
    Spot to;
    for (const auto& [a, b] : moves()) {
      if (name(a) + ">" + name(b) == text) std::tie(from, to) = std::pair(a, b);
    }
    Cubes& left = at(from);
    if (from.second == 0) {
      left.erase(std::find(left.begin(), left.end(), seat));
    } else {
      left.pop_back();
    }
    at(to).push_back(seat);
    bool sweeping = to.second > 0 && at(to).size() >= 3;
    while (sweeping) {
      Cubes carried;
      carried.swap(at(to));
      for (int i = 0; i < 3 && to != Spot{seat, 0}; ++i) to = one_nearer_to_base_of(seat, to);
      sweeping = to.second > 0 && !at(to).empty();
      at(to).insert(at(to).end(), carried.begin(), carried.end());
    }
    ++used;
    for (int who = 0; who < seats; ++who) {
      if (wins(who)) winners.push_back(who);
    }
    over = !winners.empty();
    if (over) return;
    if (used == roll || moves().empty()) next_seat();
  }

  std::vector<Piece> pieces() const {
    std::vector<Piece> all;
    for (int on = 0; on < seats; ++on) {
      for (int space = 0; space <= arm; ++space) {
        Cubes there = at({on, space});
        if (space == 0) std::sort(there.begin(), there.end());
        for (const int cube : there) all.push_back({cube, "", name({on, space})});
      }
    }
    return all;
  }

  std::uint64_t paths(int depth) const {
    if (depth == 0 || over) return 1;
    std::uint64_t leaves = 0;
    if (rolled) {
      for (const std::string& text : legal()) {
        Twin next = *this;
        next.act(text);
        leaves += next.paths(depth - 1);
      }
    } else {
      for (int value = 1; value <= 6; ++value) {
        Twin next = *this;
        next.throw_die(value);
        leaves += next.paths(depth - 1);
      }
    }
    return leaves;
  }
};

/// A game and its twin, which are given the same cubes and then the same events.
struct Both {
  Cyclone game;
  Cyclone::State state{};
  Twin twin;

  explicit Both(const Cyclone::Options& options) : game(options), twin(options) {
    state.seat = static_cast<std::uint8_t>(options.first);
  }

  void put(int arm, int space, int seat) {
    game.put(state, Cyclone::place_of(arm, space), seat);
    twin.at({arm, space}).push_back(seat);
  }
  void start() {
    for (int seat = 0; seat < twin.seats; ++seat) {
      for (int space = 1; space <= 5; ++space) put(seat, space, seat);
    }
  }
  /// All cubes in a few heaps, so that towers of every height come about.
  void start_in_heaps(Random& random) {
    std::vector<Spot> heaps;
    const int count = 1 + static_cast<int>(random(6));
    for (int i = 0; i < count; ++i) {
      heaps.push_back({static_cast<int>(random(static_cast<std::uint32_t>(twin.seats))),
                       1 + static_cast<int>(random(static_cast<std::uint32_t>(twin.arm)))});
    }
    Cubes cubes;
    for (int i = 0; i < 5 * twin.seats; ++i) cubes.push_back(i % twin.seats);
    for (std::size_t i = cubes.size(); i > 1; --i)
      std::swap(cubes[i - 1], cubes[random(static_cast<std::uint32_t>(i))]);
    for (const int cube : cubes) {
      const Spot heap = heaps[random(static_cast<std::uint32_t>(count))];
      if (random(12) == 0) {
        put(cube, 0, cube);
      } else {
        put(heap.first, heap.second, cube);
      }
    }
  }

  /// Plays at random to the end and compares all the way. Pieces, which are slow to list, now and then.
  void play_out(Random& random) {
    for (int step = 0;; ++step) {
      const Turn turn = game.turn(state);
      ASSERT_EQ(turn.phase == Phase::over, twin.over);
      if (twin.over) break;
      ASSERT_EQ(turn.phase == Phase::decision, twin.rolled);
      ASSERT_EQ(turn.seat, twin.seat);
      if (step % 5 == 0) ASSERT_EQ(game.pieces(state, Viewer::all()), twin.pieces());
      if (!twin.rolled) {
        const Roll roll = game.draw(state, random);
        game.apply(state, roll);
        twin.throw_die(roll.value);
        continue;
      }
      MoveList<Cyclone> moves;
      game.legal(state, moves);
      const Move move = moves[random(static_cast<std::uint32_t>(moves.size()))];
      const std::string text = game.move_text(state, move, Viewer::all());
      std::vector<std::string> texts = legal_texts(game, state);
      std::sort(texts.begin(), texts.end());
      ASSERT_EQ(texts, twin.legal());
      game.play(state, move);
      twin.act(text);
    }
    EXPECT_EQ(game.pieces(state, Viewer::all()), twin.pieces());
    EXPECT_EQ(state.turns, twin.turns);
    const Result result = game.result(state);
    for (int seat = 0; seat < twin.seats; ++seat) {
      EXPECT_EQ(result.won(seat), std::count(twin.winners.begin(), twin.winners.end(), seat) == 1);
      int score = 0;
      for (int base = 0; base < twin.seats; ++base) score += twin.finished(seat, base);
      EXPECT_EQ(result.scores[seat], score);
    }
  }
};

template <class Visit>
void for_all_options(Visit&& visit) {
  for (const int seats : {2, 3, 4}) {
    for (const int arm : {6, 8, 12}) {
      for (const bool may_stop : {false, true}) {
        for (const bool turning : {false, true}) {
          Cyclone::Options options(seats);
          options.arm = arm;
          options.first = arm % seats;
          options.may_stop = may_stop;
          options.turning = turning;
          visit(options);
        }
      }
    }
  }
}

TEST(CycloneTwin, AgreesFromTheStart) {
  Random random(1, "twin");
  for_all_options([&](const Cyclone::Options& options) {
    for (int i = 0; i < 30; ++i) {
      Both both(options);
      both.start();
      ASSERT_EQ(both.state, both.game.start());
      both.play_out(random);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

TEST(CycloneTwin, AgreesFromHeaps) {
  Random random(2, "twin");
  for_all_options([&](const Cyclone::Options& options) {
    for (int i = 0; i < 30; ++i) {
      Both both(options);
      both.start_in_heaps(random);
      both.play_out(random);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

TEST(CycloneTwin, AgreesOnTheTurnLimit) {
  Random random(3, "twin");
  for (int limit = 1; limit <= 60; ++limit) {
    Cyclone::Options options(2 + limit % 3);
    options.turn_limit = limit;
    Both both(options);
    both.start();
    both.play_out(random);
  }
}

TEST(CycloneTwin, CountsTheSamePaths) {
  Random random(4, "twin");
  for_all_options([&](const Cyclone::Options& options) {
    if (options.arm != 8) return;
    Both start(options);
    start.start();
    EXPECT_EQ(perft(start.game, start.state, 5, 0), start.twin.paths(5));
    Both heaps(options);
    heaps.start_in_heaps(random);
    EXPECT_EQ(perft(heaps.game, heaps.state, 5, 0), heaps.twin.paths(5));
  });
}

}  // namespace
}  // namespace tessera
