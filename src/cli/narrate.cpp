#include "cli/narrate.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace tessera::cli {
namespace {

std::string in_words(const Effect& effect, int seat) {
  const bool own = effect.seat == seat;
  const std::string who = own ? "" : fmt::format("seat {} ", effect.seat);
  switch (effect.kind) {
    case Effect::Kind::move:
    case Effect::Kind::lay:
    case Effect::Kind::draw:
    case Effect::Kind::put_back:
    case Effect::Kind::show: return "";
    case Effect::Kind::send_home: return fmt::format("seat {} is sent home from {}", effect.seat, effect.path.front());
    case Effect::Kind::sweep:
      return fmt::format("the stack on {} is swept to {}", effect.path.front(), effect.path.back());
    case Effect::Kind::finish: return fmt::format("a piece of seat {} finishes in {}", effect.seat, effect.path.back());
    case Effect::Kind::give: {
      const bool seen_when_it_comes = effect.piece == "?" && !effect.becomes.empty();
      return fmt::format("{} goes from {} to {}", seen_when_it_comes ? effect.becomes : effect.piece,
                         effect.path.front(), effect.path.back());
    }
    case Effect::Kind::pass: return who + "passes";
    case Effect::Kind::again: return who + "rolls again";
    case Effect::Kind::score: return fmt::format("{}{:+} points", who, effect.points);
    case Effect::Kind::round: return fmt::format("seat {} wins the round", effect.seat);
    case Effect::Kind::win: return fmt::format("seat {} wins", effect.seat);
  }
  return "";
}

}  // namespace

std::string narrate(const std::vector<Effect>& effects, int seat) {
  std::vector<std::string> told;
  for (const Effect& effect : effects) {
    if (std::string words = in_words(effect, seat); !words.empty()) told.push_back(std::move(words));
  }
  return join(told, "; ");
}

std::string narrate_result(const Play& play) {
  const Result result = play.result();
  std::vector<std::string> winners;
  std::vector<std::string> scores;
  for (int seat = 0; seat < play.seats(); ++seat) {
    if (result.won(seat)) winners.push_back(fmt::format("seat {}", seat));
    scores.push_back(fmt::format("seat {}: {}", seat, result.scores[seat]));
  }
  return fmt::format("{} Scores: {}.", winners.empty() ? "Nobody wins." : "Won by " + join(winners, " and ") + ".",
                     join(scores));
}

}  // namespace tessera::cli
