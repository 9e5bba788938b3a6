#pragma once

#include <string>
#include <vector>

#include "rules/handle.hpp"

namespace tessera::cli {

/// What effects say in words, "seat 1's piece goes home; rolls again"; empty when there is nothing to tell beyond the
/// move. `seat` is whose event it is.
std::string narrate(const std::vector<Effect>& effects, int seat);

/// "Seat 0 wins. Scores: 4, 2." — for each seat in order.
std::string narrate_result(const Play& play);

}  // namespace tessera::cli
