// Written by: tessera train cubed --games 4000 --seed 1
// clang-format off
#pragma once

#include <array>

namespace tessera::cubed {

constexpr std::array<double, 13> learned_weights{
    -2.5074,
    -0.5445,
    -0.1363,
    0.0571,
    -0.3238,
    0.0574,
    -0.1565,
    0.3140,
    -0.0187,
    -0.5675,
    0.7231,
    -0.2168,
    -0.2552,
};

}  // namespace tessera::cubed
