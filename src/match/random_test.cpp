/// Random people at random tables: whatever they do, the present is the fold of the log and nobody sees too much.
#include <fmt/format.h>
#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "games/registry.hpp"
#include "match/testing.hpp"
#include "rules/transcript.hpp"

namespace tessera::testing {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> people{"ann", "bob", "cat", "dan", "eve"};

template <class Items>
const auto& any_of(const Items& items, Random& random) {
  return items[random(static_cast<std::uint32_t>(std::size(items)))];
}

std::string random_settings(const GameInfo& game, Random& random) {
  constexpr std::array<std::string_view, 3> paces{R"("none")", R"({"bank":20,"increment":2})", R"({"days":1})"};
  constexpr std::array<std::string_view, 3> aways{R"("wait")", R"("turn")", R"({"bot":"random"})"};
  const int seats = any_of(game.seat_counts, random);
  const std::string first = random(2) == 0 ? R"("drawn")" : std::to_string(random(static_cast<std::uint32_t>(seats)));
  return fmt::format(
      R"({{"game":"{}","seats":{},"options":{{"turn_limit":{}}},"first":{},"pace":{},"away":{},"take_backs":{}}})",
      game.name, seats, 2 + random(15), first, any_of(paces, random), any_of(aways, random), random(4) != 0);
}

/// What one viewer has been shown, and what follows from it.
class Watcher {
 public:
  explicit Watcher(Viewer viewer) : viewer_(viewer) {}

  void watch(const Happening& happening) {
    const auto shown = Json::parse(seen_json(happening, viewer_), nullptr, false);
    ASSERT_TRUE(shown.is_object());
    for (const char* secret : {"at", "by", "id", "device"}) EXPECT_FALSE(shown.contains(secret)) << shown;
    if (happening.event.kind != Event::Kind::over) EXPECT_FALSE(shown.contains("secret")) << shown;
    if (happening.event.kind == Event::Kind::taken_back) {
      lines_.resize(lines_.size() - Json::parse('{' + happening.event.extra + '}')["moves"].get<std::size_t>());
      knowledge_.reset();
    }
    if (!happening.before) return;
    expect_hidden(happening, shown);
    Json line = shown;
    line.erase("effects");
    line.erase("bot");
    lines_.push_back(line.dump());
    start_ = start_ ? start_ : happening.before;
  }

  /// All that was shown fits together, and the pieces that are shown follow from it.
  void check(const Match& match, Random& random) {
    if (!match.play() || !start_ || match.stage() == Stage::over) return;
    if (!knowledge_) {
      knowledge_ = start_->know_nothing(viewer_);
      observed_ = 0;
    }
    for (; observed_ < lines_.size(); ++observed_) {
      const auto line = parse_line(lines_[observed_]);
      ASSERT_TRUE(line) << lines_[observed_];
      const auto problem = knowledge_->observe(*line);
      ASSERT_FALSE(problem) << lines_[observed_] << ": " << problem->sentence;
    }
    EXPECT_EQ(knowledge_->determinize(random)->pieces(viewer_), match.play()->pieces(viewer_));
  }

 private:
  /// In Cubed a deal's or a draw's pieces are written ? for all other seats.
  void expect_hidden(const Happening& happening, const Json& shown) {
    if (!happening.before->hidden() || happening.event.kind != Event::Kind::chance) return;
    if (shown.contains("hands") && happening.event.text == "deal") {
      for (int seat = 0; seat < std::ssize(shown["hands"]); ++seat) {
        for (const Json& piece : shown["hands"][seat]) {
          EXPECT_TRUE(piece == "?" || viewer_.sees_hand_of(seat)) << shown;
        }
      }
      ++hidden_seen;
    } else if (happening.event.text.starts_with("draw") && !viewer_.sees_hand_of(happening.event.seat)) {
      EXPECT_EQ(shown["chance"], "draw ?") << happening.event.text;
      ++hidden_seen;
    }
  }

  Viewer viewer_;
  std::shared_ptr<const Play> start_;
  std::vector<std::string> lines_;
  std::unique_ptr<Knowledge> knowledge_;
  std::size_t observed_ = 0;

 public:
  int hidden_seen = 0;
};

std::string random_command(const Match& match, Random& random) {
  const auto kind = static_cast<Command::Kind>(random(static_cast<std::uint32_t>(Command::Kind::rematch) + 1));
  // Ends and pauses come seldom, so that games go on.
  const bool seldom = kind == Command::Kind::close || kind == Command::Kind::resign || kind == Command::Kind::stop ||
                      kind == Command::Kind::pause || kind == Command::Kind::remove;
  if (seldom && random(3) != 0) return R"({"do":"resume"})";
  std::string json = fmt::format(R"({{"do":"{}")", command_name(kind));
  if (random(4) != 0)
    json += fmt::format(R"(,"seat":{})", random(static_cast<std::uint32_t>(match.seats().size()) + 1));
  if (random(3) == 0) json += fmt::format(R"(,"guest":"guest {}")", random(3));
  if (random(3) != 0) json += R"(,"bot":"simple","hash":")" + fair::hex(contribution(0)) + '"';
  if (random(3) != 0) json += R"(,"contribution":")" + fair::hex(contribution(1)) + '"';
  if (random(2) == 0) json += R"(,"move":"pass")";
  return json + fmt::format(R"(,"on":{0},"yes":{0}}})", random(4) != 0);
}

/// What brings the match on: somebody sits down, commits, reveals, rolls, moves.
void go_on(Table& table, Random& random) {
  const Match& match = *table.match;
  if (match.stage() == Stage::gathering) {
    for (int seat = 0; seat < std::ssize(match.seats()); ++seat) {
      if (match.seats()[seat].taken()) continue;
      if (random(8) == 0) {
        table.act(any_of(match.seats(), random).device, R"({"do":"stand"})");
        return;
      }
      const std::string_view person = any_of(people, random);
      const std::string guest = match.seated(person) ? fmt::format(R"(,"guest":"guest {}")", random(9)) : "";
      table.act(random(6) == 0 ? "ann" : person, random(6) == 0
                                                     ? fmt::format(R"({{"do":"bot","seat":{},"bot":"random"}})", seat)
                                                     : fmt::format(R"({{"do":"sit","seat":{}{}}})", seat, guest));
      return;
    }
  } else if (match.stage() == Stage::drawing) {
    for (int seat = 0; seat < std::ssize(match.seats()); ++seat) {
      if ((match.awaited() >> seat & 1) == 0) continue;
      if (match.seats()[seat].hash) {
        table.reveal(seat);
      } else {
        table.commit(seat);
      }
      return;
    }
  } else if (match.asked() && !match.paused() && random(2) == 0) {
    const int seat = std::countr_zero(match.asked()->must_answer);
    table.act(match.seats()[seat].device, fmt::format(R"({{"do":"answer","seat":{},"yes":{}}})", seat, random(3) != 0));
  } else if (match.stage() == Stage::playing && !match.paused()) {
    const Turn turn = match.play()->turn();
    const std::string device = match.seats()[turn.seat].device;
    if (turn.phase == Phase::chance) {
      table.act(device, fmt::format(R"({{"do":"roll","seat":{}}})", turn.seat));
      return;
    }
    const std::vector<Move> legal = match.play()->legal();
    const Move move = any_of(legal, random);
    const std::string text = match.play()->text(move, Viewer::all());
    if (match.bot_wanted()) {
      table.last.clear();
      EXPECT_FALSE(table.match->bot_move(turn.seat, match.sequence(), text, table.now, table.last));
      table.note();
      return;
    }
    const std::string choices = Json(match.play()->choices(move)).dump();
    table.act(device, fmt::format(R"({{"do":"move","seat":{},"move":{}}})", turn.seat,
                                  random(2) == 0 ? json_string(text) : choices));
  } else if (match.paused()) {
    table.act(match.host(), R"({"do":"resume"})");
  }
}

/// Mostly somebody who may do something.
std::string random_actor(const Match& match, Random& random) {
  switch (random(4)) {
    case 0: return std::string(any_of(people, random));
    case 1: return match.host();
    default: return any_of(match.seats(), random).device;
  }
}

void step(Table& table, Random& random) {
  const std::uint32_t what = random(20);
  table.last.clear();
  if (what < 13) {
    go_on(table, random);
  } else if (what < 16) {
    table.act(random_actor(*table.match, random), random_command(*table.match, random));
  } else if (what == 16) {
    table.connect(any_of(people, random), random(2) == 0);
  } else if (what == 17) {
    table.pass(random(150'000));
  } else {
    table.pass(random(4'000));
  }
}

void expect_views_in_order(const Match& match, Time now) {
  const std::string table = table_json(match, now);
  ASSERT_TRUE(Json::accept(table)) << table;
  if (match.stage() != Stage::over) EXPECT_EQ(table.find("\"secret\""), std::string::npos);
  for (int who = -2; who < std::ssize(match.seats()); ++who) {
    const Viewer viewer = who == -2 ? Viewer::all() : who == -1 ? Viewer::spectator() : Viewer::seat(who);
    for (const std::string& view : {turn_json(match), legal_json(match, viewer), pieces_json(match, viewer)}) {
      EXPECT_TRUE(view.empty() || Json::accept(view)) << view;
    }
    const bool decides =
        match.stage() == Stage::playing && match.play()->turn() == Turn{Phase::decision, static_cast<std::int8_t>(who)};
    EXPECT_EQ(legal_json(match, viewer).empty(), !decides);
  }
  for (int seat = 0; seat < std::ssize(match.seats()); ++seat) {
    EXPECT_GE(match.time_left(seat, now), 0);
    EXPECT_GE(match.time_left(seat, now + 1'000'000), 0);
    EXPECT_GE(match.seats()[seat].grace, 0);
  }
  if (const auto due = match.due()) EXPECT_GT(*due, 0);
}

void play_at_a_table(const GameInfo& game, std::uint64_t seed, std::map<std::string, int>& seen) {
  Random random(seed, "table");
  const std::string settings = random_settings(game, random);
  SCOPED_TRACE(fmt::format("seed {}, {}", seed, settings));
  Table table(world(all_games()), settings);
  std::vector<Watcher> watchers;
  for (int seat = -1; seat < std::ssize(table.match->seats()); ++seat) {
    watchers.emplace_back(seat < 0 ? Viewer::spectator() : Viewer::seat(seat));
  }
  constexpr int most_steps = 250;
  for (int steps = 0; steps < most_steps && table.match->stage() != Stage::over; ++steps) {
    step(table, random);
    for (const Happening& happening : table.last) {
      ++seen[std::string(event_name(happening.event.kind))];
      for (Watcher& watcher : watchers) watcher.watch(happening);
    }
    if (table.log.size() < 40 || steps % 16 == 0) table.expect_folded();
    if (steps % 4 == 0) expect_views_in_order(*table.match, table.now);
    for (Watcher& watcher : watchers) watcher.check(*table.match, random);
    if (::testing::Test::HasFailure()) return;
  }
  table.expect_folded();
  for (const Watcher& watcher : watchers) seen["hidden"] += watcher.hidden_seen;
}

TEST(RandomPeople, TheFoldIsThePresentAndNobodySeesTooMuch) {
  std::map<std::string, int> seen;
  for (const GameInfo* game : all_games()) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      play_at_a_table(*game, seed, seen);
      ASSERT_FALSE(HasFailure());
    }
  }
  for (auto kind = Event::Kind::created; kind < Event::Kind::rematch;
       kind = static_cast<Event::Kind>(static_cast<int>(kind) + 1)) {
    if (kind == Event::Kind::created) continue;
    EXPECT_GT(seen[std::string(event_name(kind))], 0) << "no " << event_name(kind) << " was ever seen";
  }
  EXPECT_GT(seen["hidden"], 100);
}

}  // namespace
}  // namespace tessera::testing
