#include "rules/game.hpp"

#include <fmt/format.h>
#include <utility>

namespace tessera {

std::string_view effect_name(Effect::Kind kind) {
  constexpr std::array<std::string_view, 14> names{"move",     "send_home", "sweep", "finish", "lay",   "draw",  "give",
                                                   "put_back", "show",      "pass",  "again",  "score", "round", "win"};
  return names[static_cast<std::size_t>(kind)];
}

std::optional<Error> follow(std::vector<Piece>& pieces, std::span<const Effect> effects) {
  for (const Effect& effect : effects) {
    if (effect.path.empty()) continue;
    const bool all = effect.kind == Effect::Kind::sweep;
    const auto goes = [&](const Piece& piece) {
      const bool named = piece.kind == effect.piece && (piece.seat == effect.seat || piece.seat == -1);
      return piece.place == effect.path.front() && (all || named);
    };
    std::vector<Piece> going;  // from the top down
    for (auto at = pieces.end(); at != pieces.begin() && (all || going.empty());) {
      if (!goes(*--at)) continue;
      going.push_back(std::move(*at));
      at = pieces.erase(at);
    }
    if (going.empty()) {
      return Error{fmt::format("{}: there is no piece '{}' of seat {} at {}", effect_name(effect.kind), effect.piece,
                               effect.seat, effect.path.front())};
    }
    for (; !going.empty(); going.pop_back()) {
      Piece& piece = pieces.emplace_back(std::move(going.back()));
      piece.place = effect.path.back();
      if (!effect.becomes.empty()) piece.kind = effect.becomes;
    }
  }
  return std::nullopt;
}

}  // namespace tessera
