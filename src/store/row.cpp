#include <algorithm>

#include "match/view.hpp"
#include "store/store.hpp"

namespace tessera {
namespace {

MatchRow::Stage row_stage(Stage stage) {
  switch (stage) {
    case Stage::gathering: return MatchRow::Stage::gathering;
    case Stage::over: return MatchRow::Stage::over;
    default: return MatchRow::Stage::playing;
  }
}

void add_once(std::vector<std::string>& people, const std::string& person) {
  if (std::find(people.begin(), people.end(), person) == people.end()) people.push_back(person);
}

}  // namespace

std::string_view stage_name(MatchRow::Stage stage) {
  switch (stage) {
    case MatchRow::Stage::gathering: return "gathering";
    case MatchRow::Stage::playing: return "playing";
    case MatchRow::Stage::over: break;
  }
  return "over";
}

MatchRow row_of(const Match& match, std::string code, Time now) {
  MatchRow row{.id = match.id(),
               .code = std::move(code),
               .game = match.settings().game,
               .stage = row_stage(match.stage()),
               .listed = match.settings().listed,
               .created = match.created_at(),
               .changed = now,
               .due = match.bot_wanted() ? now : match.due(),
               .summary = table_json(match, now)};
  add_once(row.people, match.host());
  const auto awaited = match.awaited();
  for (std::size_t seat = 0; seat < match.seats().size(); ++seat) {
    const std::string& device = match.seats()[seat].device;
    if (device.empty()) continue;
    add_once(row.people, device);
    add_once(row.people, match.seats()[seat].person);  // a guest at that device
    if ((awaited >> seat & 1) != 0) add_once(row.awaited, device);
  }
  return row;
}

}  // namespace tessera
