// Written by: tessera train marbles --games 60000 --seed 1
// clang-format off
#pragma once

#include <array>

namespace tessera::marbles {

constexpr std::array<double, 24> learned_weights{
    -0.0197,
    -0.0604,
    -0.0880,
    -0.1056,
    -0.1241,
    -0.1273,
    -0.0520,
    0.0021,
    0.0308,
    0.0512,
    0.0724,
    0.0966,
    0.0910,
    0.0847,
    -0.0802,
    0.2551,
    1.0037,
    0.0504,
    -1.1044,
    -0.8210,
    -2.5741,
    -0.1213,
    0.0295,
    -0.0243,
};

}  // namespace tessera::marbles
