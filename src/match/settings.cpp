#include "match/settings.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 10> members{"game", "seats", "options",    "listed", "first",
                                                   "pace", "away",  "take_backs", "chat",   "hints"};

Error wrong(std::string_view member, const Phrase& takes) { return Error::of("\"{}\" takes {}.", member, takes); }

/// `value` as a whole number from min to max, or nothing.
std::optional<int> whole(const Json& value, int min, int max) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(max)) return std::nullopt;
  const auto number = value.get<std::int64_t>();
  if (number < min || number > max) return std::nullopt;
  return static_cast<int>(number);
}

/// The member of an object that has exactly one.
const Json* only_member(const Json& value, std::string_view name) {
  return value.is_object() && value.size() == 1 && value.begin().key() == name ? &value.front() : nullptr;
}

std::optional<Error> read_flag(const Json& json, const char* name, bool& flag) {
  const auto found = json.find(name);
  if (found == json.end()) return std::nullopt;
  if (!found->is_boolean()) return wrong(name, Phrase::of("true or false"));
  flag = found->get<bool>();
  return std::nullopt;
}

Expected<Pace> read_pace(const Json& value) {
  if (value == "none") return Pace{};
  if (const Json* days = only_member(value, "days")) {
    const auto number = whole(*days, 1, 60);
    if (!number) return wrong("days", Phrase::of("{} to {}", 1, 60));
    return Pace{.kind = Pace::Kind::days, .days = *number};
  }
  if (!value.is_object() || !value.contains("bank") || value.size() > 2) {
    return wrong("pace", Phrase{R"("none", {"bank":SECONDS,"increment":SECONDS} or {"days":NUMBER})"});
  }
  const auto bank = whole(value["bank"], 10, 86400);
  if (!bank) return wrong("bank", Phrase::of("{} to {} seconds", 10, 86400));
  const auto increment = value.contains("increment") ? whole(value["increment"], 0, 3600) : 0;
  if (!increment || (value.size() == 2 && !value.contains("increment"))) {
    return wrong("increment", Phrase::of("{} to {} seconds", 0, 3600));
  }
  return Pace{.kind = Pace::Kind::bank, .bank_s = *bank, .increment_s = *increment};
}

Expected<Away> read_away(const Json& value, std::span<const std::string_view> bots) {
  if (value == "wait") return Away{};
  if (value == "turn") return Away{.kind = Away::Kind::turn};
  const Json* bot = only_member(value, "bot");
  if (bot == nullptr || !bot->is_string()) return wrong("away", Phrase{R"("wait", "turn" or {"bot":NAME})"});
  const auto& name = bot->get_ref<const std::string&>();
  if (std::find(bots.begin(), bots.end(), name) == bots.end()) {
    return Error::of("There is no bot {}. There are: {}.", in_quotes(name), join(bots));
  }
  return Away{.kind = Away::Kind::bot, .bot = name};
}

/// Options as somebody gave them, checked by starting the game, and then every option as the game has it.
std::optional<Error> read_options(const Json& json, const GameInfo& game, TableSettings& settings) {
  if (const auto found = json.find("options"); found != json.end()) {
    if (!found->is_object()) return wrong("options", Phrase{R"({"NAME":VALUE,…})"});
    for (const auto& [name, value] : found->items()) {
      if (name == "first") return Error::of("Who begins is said by the table's \"first\", not by an option.");
      settings.options.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
    }
  }
  const auto play = game.start(settings.seats, settings.options);
  if (!play) return play.error();
  settings.options.clear();
  for (const OptionValue& option : (*play)->options()) {
    if (option.spec.name == "first") continue;
    settings.options.push_back({std::string(option.spec.name), option.spec.value_text(option.value)});
  }
  return std::nullopt;
}

/// An option's value is written as it would be typed; numbers and truth values need no quotes.
std::string option_json(const Setting& setting) {
  const bool plain = setting.value == "true" || setting.value == "false" || parse_int(setting.value);
  return json_string(setting.name) + ':' + (plain ? setting.value : json_string(setting.value));
}

std::string pace_json(const Pace& pace) {
  switch (pace.kind) {
    case Pace::Kind::none: break;
    case Pace::Kind::bank: return fmt::format(R"({{"bank":{},"increment":{}}})", pace.bank_s, pace.increment_s);
    case Pace::Kind::days: return fmt::format(R"({{"days":{}}})", pace.days);
  }
  return R"("none")";
}

std::string away_json(const Away& away) {
  switch (away.kind) {
    case Away::Kind::wait: break;
    case Away::Kind::turn: return R"("turn")";
    case Away::Kind::bot: return fmt::format(R"({{"bot":{}}})", json_string(away.bot));
  }
  return R"("wait")";
}

}  // namespace

Expected<TableSettings> parse_settings(std::string_view json_text, std::span<const GameInfo* const> games,
                                       std::span<const std::string_view> bots) {
  const Json json = Json::parse(json_text, nullptr, false);
  if (!json.is_object()) return Error::of("Settings are one JSON object.");
  for (const auto& [name, value] : json.items()) {
    if (std::find(members.begin(), members.end(), name) == members.end()) {
      return Error::of("There is no setting {}. There are: {}.", in_quotes(name), join(members));
    }
  }
  TableSettings settings;

  const auto game = std::find_if(games.begin(), games.end(), [&](const GameInfo* info) {
    return json.contains("game") && json["game"] == info->name;
  });
  if (game == games.end()) {
    std::vector<std::string_view> known;
    for (const GameInfo* info : games) known.push_back(info->name);
    return wrong("game", Phrase::of("the name of a game: {}", join(known)));
  }
  settings.game = (*game)->name;

  settings.seats = (*game)->usual_seats();
  if (json.contains("seats")) {
    const auto seats = whole(json["seats"], 1, max_seats);
    if (!seats) return wrong("seats", Phrase::of("{} to {}", 1, max_seats));
    settings.seats = *seats;
  }
  if (auto problem = read_options(json, **game, settings)) return *problem;

  if (json.contains("first") && json["first"] != "drawn") {
    const auto first = whole(json["first"], 0, settings.seats - 1);
    if (!first) return wrong("first", Phrase::of("\"drawn\" or a seat, 0 to {}", settings.seats - 1));
    settings.first = *first;
  }
  if (json.contains("pace")) {
    const auto pace = read_pace(json["pace"]);
    if (!pace) return pace.error();
    settings.pace = *pace;
  }
  if (json.contains("away")) {
    const auto away = read_away(json["away"], bots);
    if (!away) return away.error();
    settings.away = *away;
  }
  if (auto problem = read_flag(json, "listed", settings.listed)) return *problem;
  if (auto problem = read_flag(json, "take_backs", settings.take_backs)) return *problem;
  if (auto problem = read_flag(json, "chat", settings.chat)) return *problem;
  if (auto problem = read_flag(json, "hints", settings.hints)) return *problem;
  return settings;
}

std::string settings_json(const TableSettings& settings) {
  std::vector<std::string> options;
  for (const Setting& setting : settings.options) options.push_back(option_json(setting));
  const std::string first = settings.first == TableSettings::drawn ? R"("drawn")" : std::to_string(settings.first);
  return fmt::format(R"({{"game":{},"seats":{},"options":{{{}}},"listed":{},"first":{},"pace":{},"away":{},)"
                     R"("take_backs":{},"chat":{},"hints":{}}})",
                     json_string(settings.game), settings.seats, join(options, ","), settings.listed, first,
                     pace_json(settings.pace), away_json(settings.away), settings.take_backs, settings.chat,
                     settings.hints);
}

}  // namespace tessera
