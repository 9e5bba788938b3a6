// Written by: tessera train cyclone --games 60000 --seed 1
// clang-format off
#pragma once

#include <array>

namespace tessera::cyclone {

constexpr std::array<double, 28> learned_weights{
    -0.1378,
    -0.2136,
    -0.2379,
    -0.2330,
    -0.2133,
    -0.2018,
    -0.1795,
    -0.1669,
    -0.1532,
    -0.1171,
    -0.1609,
    1.0842,
    0.0429,
    0.0111,
    -0.1132,
    0.0079,
    -0.0920,
    0.1712,
    0.0339,
    -0.1176,
    0.0390,
    0.0417,
    -0.1898,
    -0.1171,
    -0.0030,
    0.0508,
    -0.4102,
    0.0646,
};

}  // namespace tessera::cyclone
