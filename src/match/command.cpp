#include "match/command.hpp"

#include <simdjson.h>
#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace tessera {
namespace {

using Json = simdjson::dom::element;  // a command a move: nlohmann took six times as long
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

/// Of an element, or of what looking one up gave.
template <class T, class From>
std::optional<T> read(const From& value) {
  T result{};
  if (value.get(result) != simdjson::SUCCESS) return std::nullopt;
  return result;
}

/// Reads an optional string.
std::optional<Error> read_string(const Json& json, std::string_view member, std::string& text) {
  const auto found = json[member];
  if (found.error() != simdjson::SUCCESS) return std::nullopt;
  const auto value = read<std::string_view>(found);
  if (!value) return Error::of("\"{}\" is not a string.", member);
  text = *value;
  return std::nullopt;
}

std::optional<Error> read_choices(simdjson::dom::array list, Choices& choices) {
  for (const Json choice : list) {
    const auto value = read<std::string_view>(choice);
    if (!value) return Error::of("\"move\" is not a list of choices.");
    choices.emplace_back(*value);
  }
  return std::nullopt;
}

std::optional<Error> read_text(const Json& json, Command& command) {
  const std::string_view member = text_member(command.kind);
  if (member.empty()) return std::nullopt;
  const auto list = command.kind == Kind::move ? read<simdjson::dom::array>(json[member]) : std::nullopt;
  if (list) {
    if (auto problem = read_choices(*list, command.choices)) return problem;
  } else if (auto problem = read_string(json, member, command.text)) {
    return problem;
  }
  if (command.text.empty() && command.choices.empty() && !may_lack_text(command.kind)) {
    return Error::of("\"{}\" needs \"{}\".", command_name(command.kind), member);
  }
  return std::nullopt;
}

}  // namespace

std::string_view command_name(Kind kind) { return names[static_cast<std::size_t>(kind)]; }

Expected<Command> parse_command(std::string_view text) {
  thread_local simdjson::dom::parser parser;
  Json json;
  if (parser.parse(text.data(), text.size()).get(json) != simdjson::SUCCESS || !json.is_object()) {
    return Error::of("A command is one JSON object.");
  }
  Command command;

  std::string name;
  if (auto problem = read_string(json, "do", name)) return *problem;
  const auto known = std::find(names.begin(), names.end(), name);
  if (known == names.end()) return Error::of("There is no command {}.", in_quotes(name));
  command.kind = static_cast<Kind>(known - names.begin());

  const auto id = read<std::uint64_t>(json["id"]);
  if (!id || *id >= command_id_limit) return Error::of("A command needs \"id\", a whole number below 2^53.");
  command.id = *id;

  if (const auto given = json["seat"]; given.error() == simdjson::SUCCESS) {
    const auto seat = read<std::uint64_t>(given);
    if (!seat || *seat >= max_seats) return Error::of("\"seat\" is not the number of a seat.");
    command.seat = static_cast<int>(*seat);
  }
  if (auto problem = read_text(json, command)) return *problem;
  if (command.kind == Kind::sit) {
    if (auto problem = read_string(json, "hash", command.hash)) return *problem;
  }
  if (const std::string_view member = flag_member(command.kind); !member.empty()) {
    const auto flag = read<bool>(json[member]);
    if (!flag) return Error::of("\"{}\" needs \"{}\", true or false.", name, member);
    command.on = *flag;
  }
  return command;
}

}  // namespace tessera
