#pragma once

#include <string>
#include <string_view>

#include "match/match.hpp"
#include "search/thought.hpp"
#include "store/store.hpp"

namespace tessera::server {

/// The decision that a match waited for at sequence `at`.
struct Decision {
  std::string table;
  Sequence at;
  std::shared_ptr<const Play> play;
};

/// What a bot thinks of it, from what the deciding seat knows and no more. The Error: its log cannot be read.
Expected<Thought> think(const World& world, Store& store, const Decision& decision, std::string_view bot);

/// What the strongest bot thinks of it:
/// {"seq":41,"seat":0,"chance":0.61,"moves":[{"move":"p3>p7","choices":["p3"],"chance":0.61},…]}, the best move first.
Expected<std::string> hint_json(const World& world, Store& store, const Decision& decision);

}  // namespace tessera::server
