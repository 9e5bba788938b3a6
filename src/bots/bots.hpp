#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "rules/handle.hpp"

/// Opponents by name. A bot sees what its seat sees: its legal moves and what each of them would bring about.
namespace tessera {

struct BotInfo {
  std::string_view name;   ///< "simple"
  std::string_view title;  ///< as a seat is labelled
  std::string_view line;   ///< one line of character
};

std::span<const BotInfo> all_bots();
const BotInfo* find_bot(std::string_view name);  ///< null: there is none

/// The move that `bot` chooses for the seat that is to decide.
Move choose(const BotInfo& bot, const Play& play, Random& random);

}  // namespace tessera
