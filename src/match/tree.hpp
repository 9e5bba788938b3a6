#pragma once

#include <string>

#include "rules/handle.hpp"

namespace tessera {

/// The legal moves of a decision as a tree with their effects: docs/protocol.md, "The tree of legal moves".
std::string tree_json(const Play& play);

}  // namespace tessera
