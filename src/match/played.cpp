#include "match/played.hpp"

namespace tessera {

void PlayedGame::saw(const Happening& happening) {
  if (!happening.before) return;
  while (!steps.empty() && !end->equals(*happening.before)) {
    end = steps.back().before;
    steps.pop_back();
  }
  const Line line = happening.event.kind == Event::Kind::chance
                        ? chance_line(*happening.before, {happening.event.text, happening.event.extra})
                        : move_line(*happening.before, happening.move);
  steps.push_back({happening.before, line});
  end = happening.after;
}

}  // namespace tessera
