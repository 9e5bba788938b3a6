#include "configurations.hpp"

#include <algorithm>

namespace tessera {
namespace {

bool accepted(const Configuration& configuration) {
  return static_cast<bool>(configuration.game->start(configuration.seats, configuration.settings));
}

}  // namespace

std::string Configuration::name() const {
  std::string text = std::string(game->name) + " " + std::to_string(seats) + " seats";
  for (const Setting& setting : settings) text += " " + setting.name + "=" + setting.value;
  return text;
}

std::vector<std::string> interesting_values(const OptionValue& option) {
  std::vector<std::string> values;
  const auto add = [&](int value) {
    std::string text = option.spec.value_text(value);
    if (std::find(values.begin(), values.end(), text) == values.end()) values.push_back(std::move(text));
  };
  if (option.spec.kind == OptionSpec::Kind::integer) {
    add(option.spec.min);
    if (option.spec.max < 1000) add(option.spec.max);
  } else {
    for (int value = option.spec.min; value <= option.spec.max; ++value) add(value);
  }
  add(option.value);
  return values;
}

std::vector<Configuration> configurations(const GameInfo& game, int mixed, int turn_limit) {
  std::vector<Configuration> all;
  const Setting limit{"turn_limit", std::to_string(turn_limit)};
  Random random(1, "configurations");
  for (const int seats : game.seat_counts) {
    const auto options = game.defaults(seats);
    all.push_back({&game, seats, {limit}});
    for (const OptionValue& option : options) {
      for (const std::string& value : interesting_values(option)) {
        Configuration changed{&game, seats, {{std::string(option.spec.name), value}}};
        if (option.spec.name != limit.name) changed.settings.push_back(limit);
        if (option.spec.name == limit.name && value == option.spec.value_text(option.value)) continue;
        if (accepted(changed)) all.push_back(std::move(changed));
      }
    }
    for (int i = 0; i < mixed; ++i) {
      Configuration mixture{&game, seats, {limit}};
      for (const OptionValue& option : options) {
        if (option.spec.name == limit.name) continue;
        const auto values = interesting_values(option);
        Configuration more = mixture;
        more.settings.push_back(
            {std::string(option.spec.name), values[random(static_cast<std::uint32_t>(values.size()))]});
        if (accepted(more)) mixture = std::move(more);
      }
      all.push_back(std::move(mixture));
    }
  }
  return all;
}

std::unique_ptr<Play> start(const Configuration& configuration) {
  return std::move(*configuration.game->start(configuration.seats, configuration.settings));
}

}  // namespace tessera
