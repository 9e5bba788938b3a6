#include "match/command.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Command::Kind;

constexpr std::array<std::string_view, 21> names{
    "sit",       "stand", "bot",    "remove", "hand_over", "start", "commit", "reveal", "roll",  "auto_roll", "move",
    "take_back", "stop",  "answer", "resign", "ready",     "back",  "pause",  "resume", "close", "rematch"};
static_assert(names.size() == static_cast<std::size_t>(Kind::rematch) + 1);

/// The member that Command::text holds; empty: none.
std::string_view text_member(Kind kind) {
  switch (kind) {
    case Kind::sit: return "guest";
    case Kind::bot:
    case Kind::start: return "bot";
    case Kind::commit: return "hash";
    case Kind::reveal: return "contribution";
    case Kind::move: return "move";
    default: return {};
  }
}

/// The member that Command::on holds; empty: none.
std::string_view flag_member(Kind kind) {
  switch (kind) {
    case Kind::auto_roll: return "on";
    case Kind::answer: return "yes";
    default: return {};
  }
}

bool may_lack_text(Kind kind) { return kind == Kind::sit || kind == Kind::start; }

/// Reads an optional string.
std::optional<Error> read_string(const Json& json, std::string_view member, std::string& text) {
  const auto found = json.find(member);
  if (found == json.end()) return std::nullopt;
  if (!found->is_string()) return Error{fmt::format("\"{}\" is not a string.", member)};
  text = found->get_ref<const std::string&>();
  return std::nullopt;
}

std::optional<Error> read_choices(const Json& list, Choices& choices) {
  for (const Json& choice : list) {
    if (!choice.is_string()) return Error{"\"move\" is not a list of choices."};
    choices.push_back(choice.get_ref<const std::string&>());
  }
  return std::nullopt;
}

std::optional<Error> read_text(const Json& json, Command& command) {
  const std::string_view member = text_member(command.kind);
  if (member.empty()) return std::nullopt;
  if (command.kind == Kind::move && json.contains("move") && json["move"].is_array()) {
    if (auto problem = read_choices(json["move"], command.choices)) return problem;
  } else if (auto problem = read_string(json, member, command.text)) {
    return problem;
  }
  if (command.text.empty() && command.choices.empty() && !may_lack_text(command.kind)) {
    return Error{fmt::format("\"{}\" needs \"{}\".", command_name(command.kind), member)};
  }
  return std::nullopt;
}

}  // namespace

std::string_view command_name(Kind kind) { return names[static_cast<std::size_t>(kind)]; }

Expected<Command> parse_command(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return Error{"A command is one JSON object."};
  Command command;

  std::string name;
  if (auto problem = read_string(json, "do", name)) return *problem;
  const auto known = std::find(names.begin(), names.end(), name);
  if (known == names.end()) return Error{fmt::format("There is no command {}.", in_quotes(name))};
  command.kind = static_cast<Kind>(known - names.begin());

  const auto id = json.find("id");
  if (id == json.end() || !id->is_number_unsigned() || id->get<std::uint64_t>() >= command_id_limit) {
    return Error{"A command needs \"id\", a whole number below 2^53."};
  }
  command.id = id->get<std::uint64_t>();

  if (const auto seat = json.find("seat"); seat != json.end()) {
    if (!seat->is_number_unsigned() || seat->get<std::uint64_t>() >= max_seats) {
      return Error{"\"seat\" is not the number of a seat."};
    }
    command.seat = seat->get<int>();
  }
  if (auto problem = read_text(json, command)) return *problem;
  if (command.kind == Kind::sit) {
    if (auto problem = read_string(json, "hash", command.hash)) return *problem;
  }
  if (const std::string_view member = flag_member(command.kind); !member.empty()) {
    const auto flag = json.find(member);
    if (flag == json.end() || !flag->is_boolean()) {
      return Error{fmt::format("\"{}\" needs \"{}\", true or false.", name, member)};
    }
    command.on = flag->get<bool>();
  }
  return command;
}

}  // namespace tessera
