// Written by: tessera train cylinder --games 8000 --seed 1
// clang-format off
#pragma once

#include <array>

namespace tessera::cylinder {

constexpr std::array<double, 26> learned_weights{
    -0.1895,
    0.4583,
    0.4706,
    0.4385,
    0.0000,
    0.0000,
    0.4145,
    0.4824,
    0.0525,
    0.1384,
    0.3389,
    0.0000,
    0.0000,
    0.0000,
    0.0000,
    -0.0304,
    0.2630,
    2.4213,
    0.9322,
    0.0768,
    -0.3511,
    -0.9469,
    0.3520,
    0.1069,
    0.4564,
    0.1049,
};

}  // namespace tessera::cylinder
