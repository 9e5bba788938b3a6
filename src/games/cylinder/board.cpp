#include "games/cylinder/board.hpp"

#include <algorithm>
#include <bit>

namespace tessera {
namespace {

constexpr int max_steps = CylinderBoard::max_steps;

/// Which of the columns left, same and right (bits 0 to 2) a single step from one row to a neighbouring row can take.
std::uint32_t step(int green, int from, int to) {
  const auto red = [&](int row) { return row == green || row == green + 2; };
  const int goal = green + 1;
  if (from == goal) return 0;
  if (to == goal) return 0b010;  // only red rows lie beside it
  if (from == to) return 0b101;
  return red(from) || red(to) ? 0b010 : 0b111;
}

/// What 1 to 6 steps reach from each row, on a board so wide that its columns need not wrap. A board has at least 8
/// columns, so a walk of 6 never comes round to where it has been: on a narrower board the same walks are possible, and
/// only some of their ends are the same hole.
class Reach {
 public:
  static constexpr int start_column = 8;
  using Rows = std::array<std::uint32_t, CylinderBoard::max_rows>;  ///< a bit a column

  explicit Reach(int green) : green_(green), rows_(2 * green + 3) {
    for (int row = 0; row < rows_; ++row) {
      from_ = row;
      touched_[row] = 1U << start_column;
      go_on(row, start_column, 1);
      touched_[row] = 0;
    }
    // Inside the goal row marbles go straight left or right.
    for (int n = 1; n <= max_steps; ++n) {
      reached_[green + 1][n][green + 1] = 1U << (start_column - n) | 1U << (start_column + n);
    }
  }

  const Rows& rows(int from, int steps) const { return reached_[from][steps]; }

 private:
  /// Takes the n-th step of every walk that has come to this hole by the holes in `touched_`.
  void go_on(int row, int column, int n) {
    for (const int next : {row == 0 ? rows_ - 1 : row - 1, row, row + 1 == rows_ ? 0 : row + 1}) {
      std::uint32_t holes = step(green_, row, next) << (column - 1) & ~touched_[next];
      reached_[from_][n][next] |= holes;
      if (n == max_steps || next == green_ + 1) continue;
      for (; holes != 0; holes &= holes - 1) {
        const std::uint32_t hole = holes & (0U - holes);
        touched_[next] |= hole;
        go_on(next, std::countr_zero(hole), n + 1);
        touched_[next] &= ~hole;
      }
    }
  }

  int green_;
  int rows_;
  int from_ = 0;
  Rows touched_{};
  std::array<std::array<Rows, max_steps + 1>, CylinderBoard::max_rows> reached_{};
};

/// Searched once for each number of green rows, when a board first needs it.
const Reach& reach_with(int green) {
  const auto made = []<int Green>() -> const Reach& {
    static const Reach reach(Green);
    return reach;
  };
  switch (green) {
    case 2: return made.operator()<2>();
    case 3: return made.operator()<3>();
    case 4: return made.operator()<4>();
    default: return made.operator()<5>();
  }
}

}  // namespace

CylinderBoard::CylinderBoard(int green, int columns)
    : green_(green), rows_(2 * green + 3), columns_(columns), holes_(rows_ * columns_), words_((holes_ + 63) / 64) {
  assert(rows_ <= max_rows && columns_ >= 8 && columns_ <= max_columns);
  for (int column = 0; column < columns_; ++column) {
    for (int row = 0; row < rows_; ++row) row_[hole(row, column)] = static_cast<std::uint8_t>(row);
    goal_.add(hole(goal_row(), column));
  }
  const Reach& reach = reach_with(green);
  for (int steps = 1; steps <= max_steps; ++steps) {
    window_bits_[steps] = rows_ * std::min(2 * steps + 1, columns_);
    for (int from = 0; from < rows_; ++from) {
      for (int to = 0; to < rows_; ++to) {
        for (int offset = 0; offset <= 2 * steps; ++offset) {
          if ((reach.rows(from, steps)[to] >> (Reach::start_column - steps + offset) & 1) == 0) continue;
          const int number = hole(to, offset % columns_);
          reach_[from][steps][number / 64] |= std::uint64_t{1} << (number % 64);
        }
      }
    }
  }
}

void CylinderBoard::unroll(const HoleSet& set, Unrolled& unrolled) const {
  std::copy(set.words.begin(), set.words.end(), unrolled.begin());
  std::fill(unrolled.begin() + HoleSet::max_words, unrolled.end(), 0);
  // The widest window has less than three words, which shifted lie in four.
  const int word = holes_ >> 6;
  const int shift = holes_ & 63;
  std::uint64_t before = 0;
  for (int i = 0; i < 4; ++i) {
    unrolled[word + i] |= set.words[i] << shift | before >> 1 >> (63 - shift);
    before = set.words[i];
  }
}

// ── Walks ──

bool CylinderBoard::reaches(int from, int to, int steps) const {
  const int start = window_start(from, steps);
  const int offset = to >= start ? to - start : to - start + holes_;
  return offset < window_bits(steps) && (reach(row(from), steps)[offset / 64] >> (offset % 64) & 1) != 0;
}

std::vector<int> CylinderBoard::walk(int from, int to, int steps) const {
  std::vector<int> walked{from};
  if (is_goal(from)) {
    // Straight along the row, in the direction that ends there.
    for (const int direction : {1, columns_ - 1}) {
      walked.resize(1);
      for (int i = 1; i <= steps; ++i) {
        walked.push_back(hole(goal_row(), (column(from) + i * direction) % columns_));
      }
      if (walked.back() == to) return walked;
    }
    return {};
  }
  return extend_walk(walked, to, steps) ? walked : std::vector<int>{};
}

/// Straight steps are tried before diagonal ones, so that walks look as people walk. What cannot be reached any more in
/// the steps left is not tried.
bool CylinderBoard::extend_walk(std::vector<int>& walked, int to, int steps_left) const {
  if (steps_left == 0) return walked.back() == to;
  const int from = walked.back();
  if (is_goal(from) || !reaches(from, to, steps_left)) return false;
  for (const bool diagonal : {false, true}) {
    for (int down = -1; down <= 1; ++down) {
      const int next_row = (row(from) + down + rows_) % rows_;
      for (int right = -1; right <= 1; ++right) {
        if ((step(green_, row(from), next_row) >> (right + 1) & 1) == 0) continue;
        if ((down != 0 && right != 0) != diagonal) continue;
        const int next = hole(next_row, (column(from) + right + columns_) % columns_);
        if (std::find(walked.begin(), walked.end(), next) != walked.end()) continue;
        walked.push_back(next);
        if (extend_walk(walked, to, steps_left - 1)) return true;
        walked.pop_back();
      }
    }
  }
  return false;
}

}  // namespace tessera
