#pragma once

#include "search/evaluation.hpp"

namespace tessera {

/// An evaluation whose judgement is a sum: each seat's features times weights is its score (`chances_from`). Such
/// weights can be learned (learning.hpp).
template <class E, class G>
concept LinearEvaluation =
    Evaluation<E, G> && requires(E& learning, const E& evaluation, const typename G::State& state) {
      { E::feature_count } -> std::convertible_to<std::size_t>;
      { evaluation.features(state) } -> std::same_as<std::array<std::array<double, E::feature_count>, max_seats>>;
      { learning.weights() } -> std::same_as<std::array<double, E::feature_count>&>;
      { evaluation.weights() } -> std::same_as<const std::array<double, E::feature_count>&>;
    };

}  // namespace tessera
