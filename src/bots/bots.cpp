#include "bots/bots.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "bots/player_for.hpp"
#include "core/text.hpp"

namespace tessera {
namespace {

struct Level {
  BotInfo info;
  Style style;
};

constexpr std::array levels{
    Level{{"1", "Dandelion", "Goes mostly where the wind blows, and is happy wherever it lands."},
          {.kind = Style::Kind::look_ahead, .overlooks = 0.5, .misjudges = 0.3}},
    Level{{"2", "Magpie", "Takes what glitters now, and drops it for the next thing that does."},
          {.kind = Style::Kind::look_ahead, .overlooks = 0.2, .misjudges = 0.06}},
    Level{{"3", "Hedgehog", "Goes its way step by careful step, and curls up a moment too late."},
          {.kind = Style::Kind::look_ahead, .overlooks = 0.1, .misjudges = 0.02}},
    Level{{"4", "Fox", "Sees at a glance what a move is worth, and seldom looks twice."},
          {.kind = Style::Kind::look_ahead}},
    Level{{"5", "Owl", "Has played the game to its end a thousand times before it moves a wing."},
          {.kind = Style::Kind::search}},
};

constexpr std::array infos = [] {
  std::array<BotInfo, levels.size()> made{};
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = levels[i].info;
  return made;
}();

/// The number behind a word: 1000 of "uct1000".
std::optional<std::uint64_t> number_after(std::string_view word, std::string_view name) {
  if (!name.starts_with(word)) return std::nullopt;
  const auto number = parse_int(name.substr(word.size()));
  if (!number || *number < 1) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::optional<Style> style_of(std::string_view name) {
  if (name == "simple") name = "2";
  for (const Level& level : levels) {
    if (level.info.name == name) return level.style;
  }
  if (name == "random") return Style{.kind = Style::Kind::any_move};
  if (name == "ahead") return Style{.kind = Style::Kind::look_ahead};
  if (const auto number = number_after("uct", name)) return Style{Style::Kind::plain_uct, *number};
  if (const auto number = number_after("search", name)) return Style{Style::Kind::search, *number};
  return std::nullopt;
}

/// About the standard normal distribution: twelve uniform numbers less six.
double about_normal(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random(1U << 16) / 65536.0;
  return sum;
}

}  // namespace

std::span<const BotInfo> all_bots() { return infos; }

std::span<const std::string_view> bot_names() {
  static constexpr std::array<std::string_view, 7> names{"1", "2", "3", "4", "5", "random", "simple"};
  return names;
}

Expected<std::unique_ptr<Player>> make_player(std::string_view name, const GameInfo& game, const Means& means) {
  const auto style = style_of(name);
  if (!style) {
    return Error{
        fmt::format("there is no player {}; there are 1 to 5, random, simple, ahead, and such as uct1000 or "
                    "search500",
                    in_quotes(name))};
  }
  for (const GameBots& bots : all_game_bots()) {
    if (bots.game == game.name) return bots.make(*style, means);
  }
  return Error{fmt::format("nobody has learned to play {}", game.title)};
}

std::unique_ptr<Judge> make_judge(const Play& play) {
  for (const GameBots& bots : all_game_bots()) {
    if (bots.game == play.info().name) return bots.judge(play);
  }
  return nullptr;
}

void make_mistakes(Thought& thought, const Style& style, Random& random) {
  if (style.overlooks == 0 && style.misjudges == 0) return;
  std::vector<MoveChance> seen = thought.moves;
  std::size_t best = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    seen[i].chance += style.misjudges * about_normal(random);
    if (random(1000) < style.overlooks * 1000) seen[i].chance -= 1000;  // only if all are overlooked
    if (seen[i].chance > seen[best].chance) best = i;
  }
  const std::uint64_t judged = thought.simulations;
  thought = conclude(std::move(thought.moves), best, judged);
}

}  // namespace tessera
