#pragma once

#include <string>
#include <vector>

#include "games/registry.hpp"

namespace tessera {

/// A game with seats and options, as tests try it.
struct Configuration {
  const GameInfo* game;
  int seats;
  std::vector<Setting> settings;

  std::string name() const;  ///< "marbles 4 seats teams=2"
};

/// Values of an option that are worth trying: all of a choice, the ends and the default of a number.
std::vector<std::string> interesting_values(const OptionValue& option);

/// Every seat count with its defaults, with every interesting value of every option, and with `mixed` random mixtures
/// of them; only what the game accepts. Games end after `turn_limit` turns where the configuration does not say
/// otherwise.
std::vector<Configuration> configurations(const GameInfo& game, int mixed, int turn_limit);

std::unique_ptr<Play> start(const Configuration& configuration);

}  // namespace tessera
