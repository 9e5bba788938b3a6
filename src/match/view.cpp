#include "match/view.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "match/tree.hpp"
#include "rules/transcript.hpp"

namespace tessera {
namespace {

using Kind = Event::Kind;

/// Adds `"name":` to an object under construction.
void append_key(std::string& json, std::string_view name) {
  if (json.back() != '{') json += ',';
  ((json += '"') += name) += "\":";
}

void append_members(std::string& json, std::string_view members) {
  if (members.empty()) return;
  if (json.back() != '{') json += ',';
  json += members;
}

/// The members of `extra` that everybody may see before the end.
std::string public_extra(const Event& event) {
  switch (event.kind) {
    case Kind::sat: return {};
    case Kind::created:
    case Kind::redrawn: break;
    default: return event.extra;
  }
  const auto json = nlohmann::ordered_json::parse('{' + event.extra + '}', nullptr, false);
  std::string members = "\"secret_hash\":" + json["secret_hash"].dump();
  if (json.contains("missing")) members += ",\"missing\":" + json["missing"].dump();
  return members;
}

void append_effects(std::string& json, std::span<const Effect> effects) {
  json += '[';
  for (const Effect& effect : effects) {
    if (json.back() != '[') json += ',';
    ((json += "{\"") += effect_name(effect.kind)) += "\":";
    append_number(json, effect.seat);
    if (!effect.path.empty()) {
      json += ",\"path\":[";
      for (const std::string& place : effect.path) {
        if (json.back() != '[') json += ',';
        append_json_string(json, place);
      }
      json += ']';
    }
    if (!effect.piece.empty()) {
      json += ",\"piece\":";
      append_json_string(json, effect.piece);
    }
    if (!effect.becomes.empty()) {
      json += ",\"becomes\":";
      append_json_string(json, effect.becomes);
    }
    if (effect.points != 0) fmt::format_to(std::back_inserter(json), ",\"points\":{}", effect.points);
    json += '}';
  }
  json += ']';
}

std::string_view stage_name(Stage stage) {
  constexpr std::array<std::string_view, 4> names{"gathering", "drawing", "playing", "over"};
  return names[static_cast<std::size_t>(stage)];
}

std::string seat_json(const Match& match, const Seat& seat) {
  std::string json = "{";
  if (!seat.person.empty()) {
    append_key(json, "person");
    append_json_string(json, seat.person);
    if (seat.device != seat.person) {
      append_key(json, "device");
      append_json_string(json, seat.device);
    }
  }
  if (!seat.bot.empty()) {
    append_key(json, "bot");
    append_json_string(json, seat.bot);
  }
  const bool shows_connection = match.stage() == Stage::playing && match.settings().pace.kind != Pace::Kind::days;
  if (shows_connection && !seat.person.empty() && !seat.connected) append_members(json, "\"connected\":false");
  if (seat.auto_roll) append_members(json, "\"auto_roll\":true");
  if (seat.resigned) append_members(json, "\"resigned\":true");
  if (seat.stand_in != Seat::StandIn::none) append_members(json, "\"stand_in\":true");
  return json += '}';
}

/// Of hashes and contributions: a list with null where there is none.
template <class Get>
std::string bytes_list(const Match& match, Get&& get) {
  std::vector<std::string> list;
  for (const Seat& seat : match.seats()) {
    const std::optional<fair::Bytes32>& bytes = get(seat);
    list.push_back(bytes ? '"' + fair::hex(*bytes) + '"' : "null");
  }
  return '[' + join(list, ",") + ']';
}

std::string draw_json(const Match& match) {
  return fmt::format(R"({{"number":{},"secret_hash":"{}","hashes":{},"contributions":{}}})", match.draw_number(),
                     fair::hex(match.secret_hash()),
                     bytes_list(match, [](const Seat& seat) -> auto& { return seat.hash; }),
                     bytes_list(match, [](const Seat& seat) -> auto& { return seat.contribution; }));
}

std::string asked_json(const Asked& asked) {
  std::vector<int> of;
  for (int seat = 0; seat < max_seats; ++seat) {
    if ((asked.must_answer >> seat & 1) != 0) of.push_back(seat);
  }
  return fmt::format(R"({{"what":"{}","seat":{},"of":[{}]}})", asked.what == Asked::What::stop ? "stop" : "take_back",
                     asked.seat, fmt::join(of, ","));
}

}  // namespace

std::string seen_json(const Happening& happening, Viewer viewer) {
  const Event& event = happening.event;
  std::string json;
  json.reserve(160);
  json += '{';
  if (event.seat >= 0) {
    json += "\"seat\":";
    append_number(json, event.seat);
  }
  append_key(json, event_name(event.kind));
  if (event.kind != Kind::chance && event.kind != Kind::move) {
    json += event.text.empty() ? "true" : json_string(event.text);
    append_members(json, public_extra(event));
    return json += '}';
  }

  const Play& before = *happening.before;
  std::vector<Effect> effects;
  if (event.kind == Kind::chance) {
    const OutcomeText outcome{event.text, event.extra};
    const OutcomeText seen = before.hidden() ? *before.seen(outcome, viewer) : outcome;
    append_json_string(json, seen.text);
    append_members(json, seen.extra);
    effects = std::move(*before.effects(outcome, viewer));
  } else {
    append_json_string(json, before.text(happening.move, viewer));
    effects = before.effects(happening.move, viewer);
  }
  append_members(json, before.shown(*happening.after));
  if (!effects.empty()) {
    append_key(json, "effects");
    append_effects(json, effects);
  }
  if (happening.stood_in) append_members(json, "\"bot\":true");
  return json += '}';
}

std::string table_json(const Match& match, Time now) {
  std::vector<std::string> seats;
  for (const Seat& seat : match.seats()) seats.push_back(seat_json(match, seat));
  std::string json = fmt::format(R"({{"id":{},"game":{},"stage":"{}","host":{},"seats":[{}],"settings":{})",
                                 json_string(match.id()), json_string(match.settings().game), stage_name(match.stage()),
                                 json_string(match.host()), join(seats, ","), settings_json(match.settings()));
  if (match.paused()) append_members(json, "\"paused\":true");
  if (match.asked()) append_members(json, "\"asked\":" + asked_json(*match.asked()));
  if (match.stage() == Stage::gathering || match.stage() == Stage::drawing) {
    append_members(json, "\"draw\":" + draw_json(match));
  }
  if (const auto due = match.due(); due && match.settings().pace.kind == Pace::Kind::days) {
    append_members(json, fmt::format("\"due_in\":{}", std::max(Time{0}, *due - now)));
  }
  if (!match.over().empty()) append_members(json, "\"over\":{" + match.over() + '}');
  if (!match.rematch().empty()) append_members(json, "\"rematch\":" + json_string(match.rematch()));
  return json += '}';
}

std::string turn_json(const Match& match) {
  if (match.stage() == Stage::over) return R"({"over":true})";
  if (match.play() == nullptr) return {};
  const Turn turn = match.play()->turn();
  std::string json = turn.phase == Phase::chance ? R"({"roll":)" : R"({"move":)";
  append_number(json, turn.seat);
  return json += '}';
}

bool decides(const Match& match, Viewer viewer) {
  if (match.stage() != Stage::playing) return false;
  const Turn turn = match.play()->turn();
  return turn.phase == Phase::decision && viewer.is_seat(turn.seat);
}

std::string legal_json(const Match& match, Viewer viewer) {
  return decides(match, viewer) ? tree_json(*match.play()) : std::string();
}

std::string pieces_json(const Match& match, Viewer viewer) {
  return match.play() == nullptr ? std::string() : pieces_json(*match.play(), viewer);
}

std::string pieces_json(const Play& play, Viewer viewer) {
  std::string json = "[";
  for (const Piece& piece : play.pieces(viewer)) {
    if (json.size() > 1) json += ',';
    fmt::format_to(std::back_inserter(json), "[{},", piece.seat);
    append_json_string(json, piece.kind);
    json += ',';
    append_json_string(json, piece.place);
    json += ']';
  }
  return json += ']';
}

std::string clocks_json(const Match& match, Time now) {
  if (match.settings().pace.kind != Pace::Kind::bank || match.play() == nullptr) return {};
  std::vector<Time> left;
  for (int seat = 0; seat < std::ssize(match.seats()); ++seat) left.push_back(match.time_left(seat, now));
  return fmt::format("[{}]", fmt::join(left, ","));
}

std::string effects_json(std::span<const Effect> effects) {
  std::string json;
  append_effects(json, effects);
  return json;
}

Expected<std::unique_ptr<Knowledge>> seat_knowledge(const World& world, std::string id,
                                                    std::span<const std::string> log, int seat) {
  // 1. The lines that the seat was told, without those that were taken back.
  const Viewer viewer = Viewer::seat(seat);
  std::unique_ptr<Knowledge> knowledge;
  std::vector<Line> lines;
  const auto match = Match::fold(world, std::move(id), log, [&](const Happening& happening) {
    const Event& event = happening.event;
    if (event.kind == Kind::taken_back) {
      const auto extra = nlohmann::json::parse('{' + event.extra + '}', nullptr, false);
      lines.resize(lines.size() - extra["moves"].get<std::size_t>());
    }
    if (event.kind != Kind::chance && event.kind != Kind::move) return;
    const Play& before = *happening.before;
    if (!knowledge) knowledge = before.know_nothing(viewer);
    const Line full =
        event.kind == Kind::chance ? chance_line(before, {event.text, event.extra}) : move_line(before, happening.move);
    lines.push_back(seen_line(before, full, *happening.after, viewer));
  });
  if (!match) return match.error();
  if (!knowledge || match->play()->turn().phase != Phase::decision) return Error{"Nobody is to decide."};
  // 2. What they tell.
  lines.push_back(ask_line(*match->play()));
  for (const Line& line : lines) {
    if (const auto problem = knowledge->observe(line)) return *problem;
  }
  return knowledge;
}

}  // namespace tessera
