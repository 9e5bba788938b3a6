#include "games/cubed/fits.hpp"

namespace tessera::cubed {
namespace {

/// Whether a letter of a kind that is laid matches the side that it would touch.
bool matches(int kind, int letter, Face other) {
  const Face own = face_of(kind, letter);
  const bool blocks = (kind_bit(kind) & blocking_kinds) != 0;
  if (own == face_black || other == 0) return false;
  if (own == face_white || other == face_white) return !blocks;
  return own == other;
}

}  // namespace

Fits::Fits(Matching matching)
    : matching_(matching),
      at_turn_{every_kind, every_kind & ~triple_kinds, every_kind & ~triple_kinds},
      all_{},
      some_{},
      both_{} {
  for (int letter = 0; letter < 3; ++letter) {
    for (int facing = 0; facing < open_faces * open_faces; ++facing) {
      const auto first = static_cast<Face>(facing / open_faces);
      const auto second = static_cast<Face>(facing % open_faces);
      for (int kind = 0; kind < cubed::kinds; ++kind) {
        const bool first_matches = matches(kind, letter, first);
        const bool second_matches = matches(kind, letter, second);
        const bool blocks = (kind_bit(kind) & blocking_kinds) != 0;
        const bool coloured_block = blocks && face_of(kind, letter) != face_black;
        const bool all = coloured_block ? first_matches && second_matches
                                        : (first_matches || first == 0) && (second_matches || second == 0);
        if (all) all_[letter][facing] |= kind_bit(kind);
        if (!blocks && (first_matches || second_matches)) some_[letter][facing] |= kind_bit(kind);
        if (!blocks && first_matches && second_matches) both_[letter][facing] |= kind_bit(kind);
      }
    }
  }
}

}  // namespace tessera::cubed
