#include "games/cylinder/board.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "games/cylinder/cylinder.hpp"

namespace tessera {
namespace {

/// Walks tried one by one, as a player would with a finger on the board.
class Finger {
 public:
  using Hole = std::pair<int, int>;

  Finger(int green, int columns) : green_(green), rows_(2 * green + 3), columns_(columns) {}

  /// The ends of all walks of 1 to 6 steps, by steps.
  std::array<std::set<Hole>, 7> ends(Hole from) {
    std::array<std::set<Hole>, 7> found;
    if (from.first == green_ + 1) {
      for (int n = 1; n <= 6; ++n) {
        found[n] = {{from.first, (from.second + n) % columns_}, {from.first, (from.second - n + columns_) % columns_}};
      }
      return found;
    }
    std::vector<std::vector<char>> touched(rows_, std::vector<char>(columns_));
    std::array<std::vector<std::vector<char>>, 7> ended;
    ended.fill(touched);
    touched[from.first][from.second] = 1;
    go(from, 1, touched, ended);
    for (int n = 1; n <= 6; ++n) {
      for (int row = 0; row < rows_; ++row) {
        for (int column = 0; column < columns_; ++column) {
          if (ended[n][row][column] != 0) found[n].insert({row, column});
        }
      }
    }
    return found;
  }

  std::vector<Hole> neighbours(Hole hole) const {
    const auto [row, column] = hole;
    std::vector<Hole> all;
    if (row == green_ + 1) return all;
    for (int down = -1; down <= 1; ++down) {
      for (int right = -1; right <= 1; ++right) {
        if (down == 0 && right == 0) continue;
        const Hole next{(row + down + rows_) % rows_, (column + right + columns_) % columns_};
        const bool straight = down == 0 || right == 0;
        if (!straight && (red(row) || red(next.first))) continue;
        if (next.first == green_ + 1 && !(red(row) && right == 0)) continue;
        all.push_back(next);
      }
    }
    return all;
  }

 private:
  bool red(int row) const { return row == green_ || row == green_ + 2; }

  void go(Hole at, int n, std::vector<std::vector<char>>& touched,
          std::array<std::vector<std::vector<char>>, 7>& ended) {
    for (const Hole next : neighbours(at)) {
      if (touched[next.first][next.second] != 0) continue;
      ended[n][next.first][next.second] = 1;
      if (n == 6 || next.first == green_ + 1) continue;
      touched[next.first][next.second] = 1;
      go(next, n + 1, touched, ended);
      touched[next.first][next.second] = 0;
    }
  }

  int green_;
  int rows_;
  int columns_;
};

TEST(CylinderBoard, ReachesWhatAFingerReaches) {
  for (int green = 2; green <= 5; ++green) {
    for (const int columns : {8, 10, 12, 13, 16, 48}) {
      const CylinderBoard board(green, columns);
      Finger finger(green, columns);
      for (int row = 0; row < board.rows(); ++row) {
        const int column = (5 * row + 3) % columns;
        const auto ends = finger.ends({row, column});
        for (int n = 1; n <= 6; ++n) {
          for (int to = 0; to < board.holes(); ++to) {
            ASSERT_EQ(board.reaches(board.hole(row, column), to, n),
                      ends[n].contains({board.row(to), board.column(to)}))
                << "green " << green << " columns " << columns << ": " << row << ',' << column << " to "
                << board.row(to) << ',' << board.column(to) << " in " << n;
          }
        }
      }
    }
  }
}

TEST(CylinderBoard, ReachIsTheSameFromEveryColumn) {
  const CylinderBoard board(2, 9);
  Finger finger(2, 9);
  for (int from = 0; from < board.holes(); ++from) {
    const auto ends = finger.ends({board.row(from), board.column(from)});
    for (int n = 1; n <= 6; ++n) {
      for (int to = 0; to < board.holes(); ++to) {
        ASSERT_EQ(board.reaches(from, to, n), ends[n].contains({board.row(to), board.column(to)})) << from << ' ' << to;
      }
    }
  }
}

TEST(CylinderBoard, ShowsAWalkForEveryReach) {
  for (const auto& [green, columns] : {std::pair{2, 8}, {3, 30}, {5, 11}}) {
    const CylinderBoard board(green, columns);
    const Finger finger(green, columns);
    for (int row = 0; row < board.rows(); ++row) {
      const int from = board.hole(row, columns - 1);
      for (int n = 1; n <= 6; ++n) {
        for (int to = 0; to < board.holes(); ++to) {
          const std::vector<int> walk = board.walk(from, to, n);
          ASSERT_EQ(!walk.empty(), board.reaches(from, to, n));
          if (walk.empty()) continue;
          ASSERT_EQ(walk.size(), static_cast<std::size_t>(n) + 1);
          EXPECT_EQ(walk.front(), from);
          EXPECT_EQ(walk.back(), to);
          EXPECT_EQ(std::set<int>(walk.begin(), walk.end()).size(), walk.size()) << "a hole touched twice";
          for (std::size_t i = 1; i < walk.size() && !board.is_goal(from); ++i) {
            const auto next = finger.neighbours({board.row(walk[i - 1]), board.column(walk[i - 1])});
            const std::pair hole{board.row(walk[i]), board.column(walk[i])};
            EXPECT_NE(std::find(next.begin(), next.end(), hole), next.end());
          }
        }
      }
    }
  }
}

TEST(CylinderBoard, NoMarbleHasMoreMovesThanTheListHasRoomFor) {
  std::size_t most = 0;
  for (int green = 2; green <= 5; ++green) {
    for (int columns = 8; columns <= 48; ++columns) {
      const CylinderBoard board(green, columns);
      for (int row = 0; row < board.rows(); ++row) {
        std::size_t moves = 0;
        for (int n = 1; n <= 6; ++n) {
          for (const std::uint64_t word : board.reach(row, n)) moves += static_cast<std::size_t>(std::popcount(word));
        }
        most = std::max(most, moves);
      }
    }
  }
  EXPECT_LE(most, Cylinder::most_moves_of_a_marble);
  EXPECT_GT(most, 380U) << "the bound is not far from what a marble really has";
}

TEST(CylinderBoard, UnrollsSoThatWindowsDoNotWrap) {
  for (int green = 2; green <= 5; ++green) {
    for (const int columns : {8, 9, 13, 16, 30, 48}) {
      const CylinderBoard board(green, columns);
      HoleSet set;
      for (int hole = 0; hole < board.holes(); ++hole) {
        if (hole * 7 % 11 < 4) set.add(hole);
      }
      CylinderBoard::Unrolled unrolled;
      board.unroll(set, unrolled);
      for (int start = 0; start < board.holes(); start += board.rows()) {
        for (int i = 0; i < board.window_bits(6); ++i) {
          const std::uint64_t word = CylinderBoard::stretch(unrolled, start + i / 64 * 64);
          ASSERT_EQ((word >> (i % 64) & 1) != 0, set.has((start + i) % board.holes())) << start << ' ' << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera
