#pragma once

#include "games/cubed/table.hpp"

namespace tessera::cubed {

enum class Matching : std::uint8_t { all, two };

/// Which kinds may be laid on an open place. What each diamond of the place faces picks a set of kinds; the sets of the
/// three diamonds together give the kinds that fit, whatever the number of pieces.
class Fits {
 public:
  explicit Fits(Matching matching);

  /// The kinds that may be laid on `place` with `turn` when `laid` pieces lie (one at least). Where several turns of a
  /// kind look the same, only the smallest counts.
  Kinds kinds(const OpenPlace& place, int turn, int laid) const {
    const Kinds allowed = laid < 3 ? at_turn_[turn] & ~blocking_kinds : at_turn_[turn];
    const int top = letter_at(0, turn);
    const int right = letter_at(1, turn);
    const int left = letter_at(2, turn);
    const auto [f0, f1, f2] = place.facing;
    const Kinds all = all_[top][f0] & all_[right][f1] & all_[left][f2] & allowed;
    if (matching_ == Matching::all) return all;
    const Kinds a = some_[top][f0];
    const Kinds b = some_[right][f1];
    const Kinds c = some_[left][f2];
    const Kinds enough =
        laid == 1 ? a | b | c : both_[top][f0] | both_[right][f1] | both_[left][f2] | (a & b) | (a & c) | (b & c);
    return (enough & allowed) | (all & blocking_kinds);
  }

 private:
  /// For each letter of the name, by what its diamond faces.
  using Sets = std::array<std::array<Kinds, open_faces * open_faces>, 3>;

  Matching matching_;
  std::array<Kinds, 3> at_turn_;
  Sets all_;   ///< no touching side fails to match; for the colour of a blocking piece: both sides touch and match
  Sets some_;  ///< one side or both match; no blocking pieces
  Sets both_;  ///< both sides match; no blocking pieces
};

}  // namespace tessera::cubed
