#include "rules/witness.hpp"

#include <cassert>

#include "rules/transcript.hpp"

namespace tessera {

Witnesses::Witnesses(const Play& start) {
  if (!start.hidden()) return;
  for (int seat = 0; seat < start.seats(); ++seat) seats_.push_back(start.know_nothing(Viewer::seat(seat)));
}

Witnesses::Witnesses(const Witnesses& other) {
  for (const auto& seat : other.seats_) seats_.push_back(seat->clone());
}

Witnesses& Witnesses::operator=(const Witnesses& other) {
  Witnesses copy(other);
  std::swap(seats_, copy.seats_);
  return *this;
}

void Witnesses::saw(const Play& before, const Line& line, const Play& after) {
  for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
    const auto problem = seats_[seat]->observe(seen_line(before, line, after, Viewer::seat(static_cast<int>(seat))));
    assert(!problem);
    static_cast<void>(problem);
  }
}

std::unique_ptr<Knowledge> Witnesses::asked(const Play& play) const {
  if (seats_.empty()) return play.known_to_all();
  auto knowledge = seats_[static_cast<std::size_t>(play.turn().seat)]->clone();
  const auto problem = knowledge->observe(ask_line(play));
  assert(!problem);
  static_cast<void>(problem);
  return knowledge;
}

}  // namespace tessera
