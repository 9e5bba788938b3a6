#pragma once

#include <gtest/gtest.h>
#include <array>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fair/fair.hpp"
#include "match/match.hpp"
#include "match/view.hpp"

/// A table for tests: a cheap hash, secrets that repeat, a clock that is set by hand. Included by tests alone.
namespace tessera::testing {

inline fair::Bytes32 cheap_hash(std::string_view bytes) {
  fair::Bytes32 hash{};
  std::uint64_t state = fnv1a(bytes);
  for (std::size_t i = 0; i < hash.size(); i += sizeof state) {
    state = (state ^ state >> 29) * 0xbf58476d1ce4e5b9 + i + 1;
    state ^= state >> 32;
    std::memcpy(hash.data() + i, &state, sizeof state);
  }
  return hash;
}

inline fair::Bytes32 cheap_hmac(const fair::Bytes32& key, std::string_view bytes) {
  return cheap_hash(fair::hex(key) + std::string(bytes));
}

constexpr fair::Hash hash{cheap_hash, cheap_hmac};
constexpr std::array<std::string_view, 2> bots{"random", "simple"};

/// So that a table's secrets, and its dice, do not depend on the tables before it.
inline int secrets_made = 0;

inline World world(std::span<const GameInfo* const> games) {
  return {games, bots, &hash, [] { return cheap_hash("secret " + std::to_string(++secrets_made)); }};
}

/// A seat's contribution in tests, and its hash.
inline fair::Bytes32 contribution(int seat) { return cheap_hash("contribution " + std::to_string(seat)); }

struct Table {
  Table(const World& the_world, std::string_view settings, std::span<const Seat> rematch_seats = {})
      : world(the_world) {
    secrets_made = 0;
    const auto parsed = parse_settings(settings, world.games, bots);
    EXPECT_TRUE(parsed) << parsed.error().sentence;
    auto made = Match::create(world, "m1", *parsed, "ann", now, last, rematch_seats);
    EXPECT_TRUE(made) << made.error().sentence;
    match.emplace(std::move(*made));
    note();
  }

  /// The command, given without its id; the Error's sentence, or nothing.
  std::string act(std::string_view person, std::string_view json) {
    auto object = nlohmann::json::parse(json);
    object["id"] = ++commands;
    const auto command = parse_command(object.dump());
    if (!command) return command.error().sentence;
    last.clear();
    const auto problem = match->act(person, *command, now, last);
    if (problem) EXPECT_TRUE(last.empty()) << "an Error means that nothing has happened";
    note();
    return problem ? problem->sentence : "";
  }

  void pass(Time time) {
    now += time;
    last.clear();
    match->tick(now, last);
    note();
  }

  void connect(std::string_view person, bool is_connected) {
    last.clear();
    match->connected(person, is_connected, now, last);
    note();
  }

  /// Every seat commits itself and reveals.
  void draw() {
    for (const bool reveals : {false, true}) {
      for (int seat = 0; seat < std::ssize(match->seats()); ++seat) {
        if (match->seats()[seat].person.empty() || match->stage() != Stage::drawing) continue;
        EXPECT_EQ(reveals ? reveal(seat) : commit(seat), "");
      }
    }
  }
  std::string commit(int seat) {
    const auto bytes = fair::contribution_hash(hash, {match->id(), match->draw_number()}, seat, contribution(seat));
    return act(match->seats()[seat].device,
               R"({"do":"commit","seat":)" + std::to_string(seat) + R"(,"hash":")" + fair::hex(bytes) + "\"}");
  }
  std::string reveal(int seat) {
    return act(match->seats()[seat].device, R"({"do":"reveal","seat":)" + std::to_string(seat) +
                                                R"(,"contribution":")" + fair::hex(contribution(seat)) + "\"}");
  }

  /// The awaited seat's player rolls, or makes the first legal move; a bot does it at once.
  std::string go_on() {
    const Turn turn = match->play()->turn();
    const std::string seat = std::to_string(turn.seat);
    const std::string device = match->seats()[turn.seat].device;
    if (turn.phase == Phase::chance) return act(device, R"({"do":"roll","seat":)" + seat + "}");
    const std::string move = match->play()->text(match->play()->legal().front(), Viewer::all());
    if (match->bot_wanted()) {
      last.clear();
      const auto problem = match->bot_move(turn.seat, match->sequence(), move, now, last);
      note();
      return problem ? problem->sentence : "";
    }
    return act(device, R"({"do":"move","seat":)" + seat + R"(,"move":")" + move + "\"}");
  }
  /// Goes on until `seat` is to roll or to decide.
  void go_on_until(int seat, Phase phase) {
    while (match->stage() == Stage::playing && match->play()->turn() != Turn{phase, static_cast<std::int8_t>(seat)}) {
      ASSERT_EQ(go_on(), "");
    }
  }

  /// The kinds of what happened last: "sat started".
  std::string happened() const {
    std::string kinds;
    for (const Happening& happening : last) {
      if (!kinds.empty()) kinds += ' ';
      kinds += event_name(happening.event.kind);
    }
    return kinds;
  }
  const Event& event(Event::Kind kind) const {
    for (const Happening& happening : last) {
      if (happening.event.kind == kind) return happening.event;
    }
    ADD_FAILURE() << "no " << event_name(kind) << " among " << happened();
    return last.front().event;
  }

  void note() {
    for (const Happening& happening : last) {
      log.push_back(event_json(happening.event));
      EXPECT_EQ(happening.sequence, log.size());
    }
    EXPECT_EQ(match->sequence(), log.size());
  }
  /// The present is the fold of the log.
  void expect_folded() const {
    const auto folded = Match::fold(world, match->id(), log);
    ASSERT_TRUE(folded) << folded.error().sentence;
    EXPECT_TRUE(folded->equals(*match)) << log.back();
  }

  World world;
  std::optional<Match> match;
  Match::Happenings last;
  std::vector<std::string> log;
  Time now = 1'700'000'000'000;
  std::uint64_t commands = 0;
};

}  // namespace tessera::testing
