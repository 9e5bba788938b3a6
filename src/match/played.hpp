#pragma once

#include "match/event.hpp"
#include "rules/transcript.hpp"

namespace tessera {

/// The game of a match as it was played in the end: what was taken back is left out.
struct PlayedGame {
  std::vector<Step> steps{};
  std::shared_ptr<const Play> end{};  ///< null: nothing has been played

  void saw(const Happening& happening);
};

}  // namespace tessera
