#include "bots/weights.hpp"

#include <fmt/format.h>
#include <charconv>

#include "core/text.hpp"

namespace tessera {

std::string weights_header(std::string_view game, std::span<const double> weights, std::string_view command) {
  std::string text = fmt::format(
      "// Written by: {}\n// clang-format off\n#pragma once\n\n#include <array>\n\nnamespace tessera::{} {{\n\n"
      "constexpr std::array<double, {}> learned_weights{{\n",
      command, game, weights.size());
  for (const double weight : weights) text += fmt::format("    {:.4f},\n", weight);
  return text + fmt::format("}};\n\n}}  // namespace tessera::{}\n", game);
}

Expected<std::vector<double>> parse_weights_header(std::string_view text, std::string_view game) {
  const Error no_weights{fmt::format("this is no file of weights of {}, as tessera train writes it", game)};
  const std::string begin = fmt::format("namespace tessera::{} {{", game);
  const std::size_t list = text.find("learned_weights{");
  if (text.find(begin) == std::string_view::npos || list == std::string_view::npos) return no_weights;
  text.remove_prefix(list + std::string_view("learned_weights{").size());
  const std::size_t end = text.find('}');
  if (end == std::string_view::npos) return no_weights;
  std::vector<double> weights;
  for (std::string_view part : split(text.substr(0, end), ',')) {
    const std::size_t from = part.find_first_not_of(" \n");
    if (from == std::string_view::npos) continue;
    part.remove_prefix(from);
    double weight = 0;
    const auto [rest, problem] = std::from_chars(part.data(), part.data() + part.size(), weight);
    if (problem != std::errc{} || rest != part.data() + part.size() || !(weight > -1e6 && weight < 1e6)) {
      return no_weights;
    }
    weights.push_back(weight);
  }
  return weights;
}

}  // namespace tessera
