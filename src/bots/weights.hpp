#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expected.hpp"

/// The weights that a game's evaluation has learned, as the file that its folder keeps: src/games/NAME/NAME_weights.hpp.
namespace tessera {

/// `command` is noted beside them: what makes them again.
std::string weights_header(std::string_view game, std::span<const double> weights, std::string_view command);

/// The Error says why a file holds no weights of this game.
Expected<std::vector<double>> parse_weights_header(std::string_view text, std::string_view game);

}  // namespace tessera
