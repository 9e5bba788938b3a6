/// `tessera admin list`, `show` and `stats`.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <algorithm>
#include <deque>
#include <map>

#include "cli/admin.hpp"
#include "cli/record_file.hpp"
#include "core/text.hpp"
#include "match/view.hpp"

namespace tessera::cli {
namespace {

using Names = std::map<std::string, std::string>;

Names names_of(Store& store, std::vector<std::string> ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  Names names;
  for (Person& person : had(store.people(ids))) names[person.id] = std::move(person.name);
  return names;
}

std::string name_or_id(const Names& names, const std::string& person) {
  const auto found = names.find(person);
  return found == names.end() ? person : found->second;
}

std::string name_and_id(const Names& names, const std::string& person) {
  const auto found = names.find(person);
  return fmt::format("{} ({})", found == names.end() ? "nobody known" : found->second, person);
}

std::string names_json(const Names& names) {
  std::vector<std::string> members;
  for (const auto& [id, name] : names) members.push_back(json_string(id) + ':' + json_string(name));
  return '{' + join(members, ",") + '}';
}

std::string time_text(Time time) { return fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(time / 1000)); }

std::string ids_json(const std::vector<std::string>& ids) {
  std::vector<std::string> list;
  for (const std::string& id : ids) list.push_back(json_string(id));
  return '[' + join(list, ",") + ']';
}

/// The members of a row, without braces.
std::string row_json(const MatchRow& row) {
  return fmt::format(
      R"("id":{},"code":{},"game":{},"stage":"{}","listed":{},"created":{},"changed":{},"due":{},"people":{},"awaited":{})",
      json_string(row.id), json_string(row.code), json_string(row.game), stage_name(row.stage), row.listed, row.created,
      row.changed, row.due ? std::to_string(*row.due) : "null", ids_json(row.people), ids_json(row.awaited));
}

// ── list ──

struct ListArguments {
  std::string stage;
  std::string person;
  std::string game;
  std::string before;
  int limit = 20;
  bool all = false;
  bool json = false;

  Filter filter() const {
    Filter filter{.stage = {}, .person = person, .game = game};
    for (const auto one : {MatchRow::Stage::gathering, MatchRow::Stage::playing, MatchRow::Stage::over}) {
      if (stage == stage_name(one)) filter.stage = one;
    }
    return filter;
  }

  Page page() const {
    Page page{.before = {}, .before_id = {}, .limit = limit};
    if (before.empty()) return page;
    const auto dot = before.find('.');
    page.before = dot == std::string::npos || dot == 0 ? std::nullopt : parse_int<Time>(before.substr(0, dot));
    if (!page.before) refuse(Error{"--before takes what the page before ends with"});
    page.before_id = before.substr(dot + 1);
    return page;
  }
};

void print_rows(Store& store, const std::vector<MatchRow>& rows, bool json, bool first) {
  std::vector<std::string> ids;
  for (const MatchRow& row : rows) ids.insert(ids.end(), row.people.begin(), row.people.end());
  const Names names = names_of(store, std::move(ids));
  for (const MatchRow& row : rows) {
    if (json) {
      Names own;
      for (const std::string& person : row.people) {
        if (const auto found = names.find(person); found != names.end()) own.insert(*found);
      }
      fmt::print("{}\n{{{},\"names\":{}}}", first ? "" : ",", row_json(row), names_json(own));
      first = false;
      continue;
    }
    std::vector<std::string> people;
    for (const std::string& person : row.people) people.push_back(name_or_id(names, person));
    fmt::print("{:<12}  {:<9}  {:<8}  {}  {:<16}  {}\n", row.id, stage_name(row.stage), row.game,
               time_text(row.changed), row.due ? time_text(*row.due) : "", join(people));
  }
}

void list(Store& store, const ListArguments& arguments) {
  Filter filter = arguments.filter();
  if (!filter.person.empty()) filter.person = person_meant(store, filter.person).value_or(filter.person);
  const Page page = arguments.page();
  if (arguments.json) {
    fmt::print("{{\"matches\":[");
  } else {
    fmt::print("{:<12}  {:<9}  {:<8}  {:<16}  {:<16}  {}\n", "match", "stage", "game", "changed (UTC)", "due (UTC)",
               "people");
  }
  std::string next;
  if (arguments.all) {
    constexpr int page_size = 500;
    std::string last;
    for (auto rows = had(store.matches_after(last, filter, page_size)); !rows.empty();
         rows = had(store.matches_after(last, filter, page_size))) {
      print_rows(store, rows, arguments.json, last.empty());
      last = rows.back().id;
    }
  } else {
    Page one_more = page;
    ++one_more.limit;
    auto rows = had(store.newest(filter, one_more));
    const bool more = std::ssize(rows) > page.limit;
    if (more) rows.pop_back();
    print_rows(store, rows, arguments.json, true);
    if (more) next = fmt::format("{}.{}", rows.back().changed, rows.back().id);
  }
  if (arguments.json) {
    fmt::print("\n]{}}}\n", next.empty() ? "" : fmt::format(",\"next\":{}", json_string(next)));
  } else if (!next.empty()) {
    fmt::print("More with --before {}\n", next);
  }
}

void add_list(CLI::App& admin) {
  auto arguments = std::make_shared<ListArguments>();
  auto* command = add_admin_command(admin, "list", "Matches, those that changed last first",
                                    [arguments](Store& store) { list(store, *arguments); });
  command->add_option("--stage", arguments->stage, "Only those that are gathering, playing or over")
      ->check(CLI::IsMember({"gathering", "playing", "over"}))
      ->type_name("STAGE");
  command->add_option("--person", arguments->person, "Only those with this person, by id or the only one's name")
      ->type_name("PERSON");
  command->add_option("--game", arguments->game, "Only those of this game")->type_name("GAME");
  auto* limit = command->add_option("--limit", arguments->limit, "At most so many")
                    ->check(whole_number(1, 10'000))
                    ->capture_default_str()
                    ->type_name("N");
  auto* before = command->add_option("--before", arguments->before, "The next page: what the one before ends with")
                     ->type_name("CURSOR");
  command->add_flag("--all", arguments->all, "All of them, in the order of their ids")->excludes(limit, before);
  command->add_flag("--json", arguments->json, "As JSON, with times in milliseconds since 1970");
}

// ── show ──

std::string seat_text(const Seat& seat, const Names& names) {
  if (!seat.taken()) return "free";
  if (seat.person.empty()) return "bot " + seat.bot;
  std::string text = name_and_id(names, seat.person);
  if (seat.device != seat.person) text += ", at the device of " + name_and_id(names, seat.device);
  if (!seat.bot.empty()) text += ", played by the bot " + seat.bot;
  return text;
}

void show(Store& store, const std::string& id, bool json) {
  constexpr std::size_t shown = 10;
  const KeptMatch kept = kept_match(store, id);
  struct Last {
    Sequence sequence;
    Time at;
    std::string json;
  };
  // As a spectator sees them: without hands and secrets.
  std::deque<Last> last;
  const Match match = check_record({.id = id, .log = kept.log}, id, [&](const Happening& happening) {
    last.push_back({happening.sequence, happening.event.at, seen_json(happening, Viewer::spectator())});
    if (last.size() > shown) last.pop_front();
  });
  std::vector<std::string> ids = kept.row.people;
  for (const Seat& seat : match.seats()) ids.insert(ids.end(), {seat.person, seat.device});
  const Names names = names_of(store, std::move(ids));
  if (json) {
    std::vector<std::string> events;
    for (const Last& event : last) {
      events.push_back(fmt::format(R"({{"n":{},"at":{},"event":{}}})", event.sequence, event.at, event.json));
    }
    fmt::print("{{{},\"names\":{},\"table\":{},\"events\":[{}]}}\n", row_json(kept.row), names_json(names),
               table_json(match, kept.row.changed), join(events, ","));
    return;
  }
  fmt::print("match     {}, code {}\ngame      {}, {}, {}\ncreated   {} UTC\nchanged   {} UTC\n", id, kept.row.code,
             kept.row.game, stage_name(kept.row.stage), kept.row.listed ? "in the lobby" : "not in the lobby",
             time_text(kept.row.created), time_text(kept.row.changed));
  if (kept.row.due) fmt::print("due       {} UTC\n", time_text(*kept.row.due));
  fmt::print("settings  {}\nhost      {}\n", settings_json(match.settings()), name_and_id(names, match.host()));
  for (std::size_t seat = 0; seat < match.seats().size(); ++seat) {
    fmt::print("seat {}    {}\n", seat, seat_text(match.seats()[seat], names));
  }
  fmt::print("the last of {} events:\n", match.sequence());
  for (const Last& event : last) fmt::print("{:>6}  {} UTC  {}\n", event.sequence, time_text(event.at), event.json);
}

void add_show(CLI::App& admin) {
  auto id = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto* command = add_admin_command(admin, "show", "One match: settings, seats, its last events as spectators see them",
                                    [id, json](Store& store) { show(store, *id, *json); });
  command->add_option("MATCH", *id, "Id of the match, the last part of its link")->required()->type_name("MATCH");
  command->add_flag("--json", *json, "As JSON, with times in milliseconds since 1970");
}

// ── stats ──

void stats(Store& store, bool json) {
  const Totals totals = had(store.totals());
  if (json) {
    std::vector<std::string> matches;
    for (const Totals::Matches& some : totals.matches) {
      matches.push_back(fmt::format(R"({{"game":{},"stage":"{}","matches":{}}})", json_string(some.game),
                                    stage_name(some.stage), some.count));
    }
    fmt::print(
        R"({{"people":{},"programs":{},"matches":[{}],"events":{},"chat":{},"keys":{},"log_bytes":{},"database_bytes":{}}})"
        "\n",
        totals.people, totals.programs, join(matches, ","), totals.events, totals.chat, totals.keys, totals.log_bytes,
        totals.database_bytes);
    return;
  }
  std::map<std::string, std::array<std::int64_t, 3>> games;
  for (const Totals::Matches& some : totals.matches)
    games[some.game][static_cast<std::size_t>(some.stage)] = some.count;
  fmt::print("people          {}, and {} programs\n", totals.people, totals.programs);
  fmt::print("{:<14} {:>10} {:>10} {:>10}\n", "matches", "gathering", "playing", "over");
  for (const auto& [game, counts] : games) {
    fmt::print("  {:<12} {:>10} {:>10} {:>10}\n", game, counts[0], counts[1], counts[2]);
  }
  constexpr double megabyte = 1e6;
  fmt::print("events          {}, {:.1f} MB\nlines of chat   {}\ndatabase        {:.1f} MB\n", totals.events,
             static_cast<double>(totals.log_bytes) / megabyte, totals.chat,
             static_cast<double>(totals.database_bytes) / megabyte);
}

void add_stats(CLI::App& admin) {
  auto json = std::make_shared<bool>(false);
  auto* command = add_admin_command(admin, "stats", "How much there is: people, matches, events, chat, sizes",
                                    [json](Store& store) { stats(store, *json); });
  command->add_flag("--json", *json, "As JSON");
}

}  // namespace

void add_admin_lists(CLI::App& admin) {
  add_list(admin);
  add_show(admin);
  add_stats(admin);
}

}  // namespace tessera::cli
