#include "rules/game.hpp"

namespace tessera {

std::string_view effect_name(Effect::Kind kind) {
  constexpr std::array<std::string_view, 13> names{"move",     "send_home", "sweep", "finish", "lay",   "draw", "give",
                                                   "put_back", "pass",      "again", "score",  "round", "win"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace tessera
