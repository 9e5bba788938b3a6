#include "games/cubed/table.hpp"

#include <bit>

namespace tessera::cubed {
namespace {

/// What each side of each piece at each turn shows, by 1 + kind · 3 + turn; a row of zeros stands for no piece.
using Faces = std::array<std::array<Face, 6>, 1 + kinds * 3>;

constexpr Face make_face(const Name& name, int letter) {
  const char shown = name[static_cast<std::size_t>(letter)];
  if (shown == black) return face_black;
  if (shown == white) return face_white;
  return static_cast<Face>(face_colour + colours.find(shown));
}

constexpr Faces make_faces() {
  Faces faces{};
  for (int kind = 0; kind < kinds; ++kind) {
    for (int turn = 0; turn < 3; ++turn) {
      for (int direction = 0; direction < 6; ++direction) {
        faces[static_cast<std::size_t>(1 + kind * 3 + turn)][static_cast<std::size_t>(direction)] =
            make_face(names[static_cast<std::size_t>(kind)], letter_at(diamond_of(direction), turn));
      }
    }
  }
  return faces;
}

constexpr Faces faces = make_faces();

/// What the face at a side adds to the number of its diamond in OpenPlace::facing. Even directions are first sides.
constexpr std::uint8_t weight(int direction) { return direction % 2 == 0 ? open_faces : 1; }

}  // namespace

Face face_of(int kind, int letter) { return make_face(names[static_cast<std::size_t>(kind)], letter); }

const OpenPlace* Table::find_open(int q, int r) const {
  for (const OpenPlace& place : open()) {
    if (place.cell.q == q && place.cell.r == r) return &place;
  }
  return nullptr;
}

unsigned Table::occupied_round(Cell cell) const {
  unsigned occupied = 0;
  for (int direction = 0; direction < 6; ++direction) {
    if (is_laid(grid_[index(neighbour(cell, direction))])) occupied |= 1U << direction;
  }
  return occupied;
}

void Table::open(Cell cell, const std::array<std::uint8_t, 3>& facing) {
  assert(open_count_ < max_open);
  grid_[index(cell)] = static_cast<std::uint8_t>(first_open + open_count_);
  open_[open_count_++] = {cell, facing};
}

void Table::close(std::size_t at) {
  const std::size_t closed = grid_[at] - first_open;
  const std::size_t last = --open_count_;
  if (closed != last) {
    open_[closed] = open_[last];
    grid_[index(open_[closed].cell)] = static_cast<std::uint8_t>(first_open + closed);
  }
  open_[last] = {};
  grid_[at] = nothing;
}

void Table::lay(int kind, int turn, Cell cell) {
  assert(laid_ < max_laid);
  const std::size_t here = index(cell);
  assert(laid_ == 0 || is_open(grid_[here]));
  // 1. The piece lies. Once there are two, touching one is no longer enough.
  if (laid_ == 1) {
    while (open_count_ > 0) close(index(open_[open_count_ - 1].cell));
  } else if (laid_ > 1) {
    close(here);
  }
  const auto content = static_cast<std::uint8_t>(1 + kind * 3 + turn);
  grid_[here] = content;
  ++laid_;
  least_.q = std::min(least_.q, cell.q);
  least_.r = std::min(least_.r, cell.r);
  // 2. Each empty neighbour is closed for good by a black side, faces one side more, or may have become open.
  const int enough = laid_ == 1 ? 1 : 2;
  for (int direction = 0; direction < 6; ++direction) {
    const Cell next = neighbour(cell, direction);
    const std::size_t at = index(next);
    const std::uint8_t there = grid_[at];
    if (is_laid(there) || there == blocked) continue;
    const Face face = faces[content][static_cast<std::size_t>(direction)];
    if (face == face_black) {
      if (is_open(there)) close(at);
      grid_[at] = blocked;
    } else if (is_open(there)) {
      const int back = opposite(direction);
      open_[there - first_open].facing[static_cast<std::size_t>(diamond_of(back))] +=
          static_cast<std::uint8_t>(face * weight(back));
    } else {
      std::array<std::uint8_t, 3> facing{};
      int touched = 0;
      for (int to = 0; to < 6; ++to) {
        const std::uint8_t piece = grid_[index(neighbour(next, to))];
        if (!is_laid(piece)) continue;
        ++touched;
        facing[static_cast<std::size_t>(diamond_of(to))] +=
            static_cast<std::uint8_t>(faces[piece][static_cast<std::size_t>(opposite(to))] * weight(to));
      }
      if (touched >= enough) open(next, facing);
    }
  }
}

}  // namespace tessera::cubed
