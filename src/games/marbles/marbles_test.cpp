#include "games/marbles/marbles.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <map>
#include <set>

#include "rules/notation.hpp"
#include "rules/playout.hpp"

namespace tessera {
namespace {

using Options = Marbles::Options;
using State = Marbles::State;

/// Positions are written as each seat's places outside its base: "p3", "h1".
State position(const Marbles& game, int seat, const std::vector<std::vector<std::string>>& places) {
  State state = game.start();
  const int ring = game.options().sectors * game.options().spaces;
  for (std::size_t owner = 0; owner < places.size(); ++owner) {
    for (const std::string& place : places[owner]) {
      const int number = *parse_int(std::string_view(place).substr(1));
      const bool home = place[0] == 'h';
      state.track[owner] |= Marbles::Track{1} << (home ? ring + number - 1 : number);
      const int sectors_apart =
          game.options().sectors % game.options().seats == 0 ? game.options().sectors / game.options().seats : 1;
      const int space = (static_cast<int>(owner) * sectors_apart * game.options().spaces + number) % ring;
      if (!home) state.taken |= Marbles::Track{1} << space;
      --state.base[owner];
    }
  }
  state.seat = static_cast<std::uint8_t>(seat);
  return state;
}

std::vector<std::string> legal(const Marbles& game, const State& state) {
  if (game.turn(state).phase != Phase::decision) return {};
  auto texts = legal_texts(game, state);
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::vector<std::string> legal_after(const Marbles& game, State state, int roll) {
  game.apply(state, {static_cast<std::uint8_t>(roll)});
  return legal(game, state);
}

State after(const Marbles& game, State state, int roll, std::string_view move) {
  game.apply(state, {static_cast<std::uint8_t>(roll)});
  const auto parsed = game.parse_move(state, move);
  EXPECT_TRUE(parsed) << parsed.error().sentence;
  if (parsed) game.play(state, *parsed);
  return state;
}

using Moves = std::vector<std::string>;

Options with(int seats, auto&& change) {
  Options options(seats);
  change(options);
  return options;
}

// ── Coming out ──

TEST(Marbles, AOneOrASixComesOutEachToItsOwnSpace) {
  const Marbles game(Options(2));
  const State start = game.start();
  for (const int roll : {2, 3, 4, 5}) EXPECT_EQ(legal_after(game, start, roll), Moves{}) << roll;
  EXPECT_EQ(after(game, start, 1, "out"), [&] {
    State expected = position(game, 1, {{"p0"}});
    expected.turns = 1;
    return expected;
  }());
  EXPECT_EQ(after(game, start, 6, "out"), position(game, 0, {{"p5"}})) << "and rolls again";
}

TEST(Marbles, OptionStartBringsBothToTheFirstSpace) {
  const Marbles game(with(2, [](Options& o) { o.come_out = Marbles::ComeOut::start; }));
  EXPECT_EQ(after(game, game.start(), 6, "out"), position(game, 0, {{"p0"}}));
}

TEST(Marbles, ComingOutFollowsTheLandingRules) {
  const Marbles game(Options(2));
  // Seat 1 sits two sectors on: its p28 is seat 0's p0.
  const State hit = after(game, position(game, 0, {{}, {"p28"}}), 1, "out");
  EXPECT_EQ(hit.base[1], 4);
  EXPECT_EQ(legal_after(game, position(game, 0, {{"p0"}}), 1), Moves{"p0"}) << "not onto one's own marble";
}

TEST(Marbles, WithNoneOnTheRingOneMustComeOut) {
  const Marbles game(Options(2));
  EXPECT_EQ(legal_after(game, position(game, 0, {{"h1"}}), 1), Moves{"out"});
  EXPECT_EQ(legal_after(game, position(game, 0, {{"h1"}}), 2), Moves{"h1"});
  EXPECT_EQ(legal_after(game, position(game, 0, {{"h1", "p20"}}), 1), (Moves{"h1", "out", "p20"}));
}

// ── Moving and landing ──

TEST(Marbles, JumpsOthersAndDoesNotLandOnItsOwn) {
  const Marbles game(Options(2));
  EXPECT_EQ(legal_after(game, position(game, 0, {{"p3", "p8"}}), 5), Moves{"p8"});
  EXPECT_EQ(legal_after(game, position(game, 0, {{"p3", "p5"}}), 4), (Moves{"p3", "p5"}));
}

TEST(Marbles, LandingSendsBackToTheBase) {
  const Marbles game(Options(2));
  const State state = position(game, 0, {{"p30"}, {"p6"}});  // seat 1's p6 is ring space 34
  const State next = after(game, state, 4, "p30");
  EXPECT_EQ(next.base[1], 4);
  EXPECT_EQ(next.track[1], 0U);
  const auto effects = game.effects(
      [&] {
        State rolled = state;
        game.apply(rolled, {4});
        return rolled;
      }(),
      *game.parse_move(
          [&] {
            State rolled = state;
            game.apply(rolled, {4});
            return rolled;
          }(),
          "p30"),
      Viewer::all());
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_EQ(effects[0].path, (Moves{"r30", "r31", "r32", "r33", "r34"}));
  EXPECT_EQ(effects[1], (Effect{.kind = Effect::Kind::send_home, .seat = 1, .path = {"r34", "s1:base"}}));
}

TEST(Marbles, HomeIsEnteredByExactCountJumpingAllowed) {
  const Marbles game(Options(2));  // the ring has 56 spaces
  EXPECT_EQ(legal_after(game, position(game, 0, {{"p55", "h2"}}), 1), (Moves{"h2", "out", "p55"}));
  EXPECT_EQ(legal_after(game, position(game, 0, {{"p55", "h2"}}), 2), Moves{"h2"}) << "h2 is taken";
  EXPECT_EQ(legal_after(game, position(game, 0, {{"p55", "h2"}}), 3), Moves{"p55"}) << "over h2 to h3";
  EXPECT_EQ(legal_after(game, position(game, 0, {{"p55", "h2"}}), 5), Moves{}) << "nothing behind h4";
}

TEST(Marbles, InHomeThereAreOnlyTheOwnersMarbles) {
  const Marbles game(Options(2));
  // Seat 0's h1 would be ring space 0 if the ring went on: seat 1's p28 stands there and stays.
  const State next = after(game, position(game, 0, {{"p55"}, {"p28"}}), 1, "p55");
  EXPECT_EQ(next.base[1], 3);
}

TEST(Marbles, ASixRollsAgainMovedOrNot) {
  const Marbles game(Options(2));
  State blocked = position(game, 0, {{"p5", "h1", "h2", "h4"}});
  EXPECT_EQ(legal_after(game, blocked, 6), Moves{"p5"});
  blocked = position(game, 0, {{"p55", "h1", "h2", "h3"}});
  game.apply(blocked, {6});
  EXPECT_EQ(game.turn(blocked), (Turn{Phase::chance, 0})) << "nothing could move, and yet a 6";
  EXPECT_EQ(blocked.turns, 0);
  game.apply(blocked, {5});
  EXPECT_EQ(game.turn(blocked), (Turn{Phase::chance, 1}));
  EXPECT_EQ(blocked.turns, 1);
}

TEST(Marbles, FourInHomeWinAtOnce) {
  const Marbles game(Options(3));
  const State won = after(game, position(game, 1, {{}, {"p41", "h1", "h2", "h3"}}), 4, "p41");
  EXPECT_EQ(game.turn(won), (Turn{Phase::over, -1}));
  EXPECT_EQ(game.result(won).winners, 0b010);
  EXPECT_EQ(game.result(won).scores[1], 4);
}

// ── Board ──

TEST(Marbles, SeatsSitEvenlyWhereTheyCan) {
  const auto first_space = [](const Options& options, int seat) {
    const Marbles game(options);
    State state = game.start();
    state.seat = static_cast<std::uint8_t>(seat);
    game.apply(state, {1});
    return game.choices(state, *game.parse_move(state, "out"))[1];
  };
  EXPECT_EQ(first_space(Options(2), 1), "r28") << "two seats of four sectors";
  EXPECT_EQ(first_space(Options(3), 1), "r14");
  EXPECT_EQ(first_space(with(2, [](Options& o) { o.sectors = 6; }), 1), "r42");
  EXPECT_EQ(first_space(with(3, [](Options& o) { o.sectors = 6; }), 2), "r56");
  EXPECT_EQ(first_space(with(2, [](Options& o) { o.sectors = 5; }), 1), "r14") << "five do not divide by two";
  EXPECT_EQ(first_space(with(4, [](Options& o) { o.sectors = 6, o.spaces = 8; }), 3), "r24");
}

// ── Teams ──

TEST(Marbles, AFinishedSeatMovesItsPartners) {
  const Marbles game(with(4, [](Options& o) { o.teams = 1; }));
  const State state = position(game, 0, {{"h1", "h2", "h3", "h4"}, {"p3"}, {"p10", "h1"}});
  EXPECT_EQ(legal_after(game, state, 2), (Moves{"s2:h1", "s2:p10"}));
  EXPECT_EQ(legal_after(game, state, 6), (Moves{"s2:out", "s2:p10"}));
  const State next = after(game, state, 6, "s2:out");
  EXPECT_EQ(next, position(game, 0, {{"h1", "h2", "h3", "h4"}, {"p3"}, {"p5", "p10", "h1"}}));
}

TEST(Marbles, EachPartnersComingOutIsJudgedByItself) {
  const Marbles game(with(6, [](Options& o) { o.teams = 1; }));
  // Seat 2 has none on the ring and must come out; seat 4 has one, and may do either.
  const State state = position(game, 0, {{"h1", "h2", "h3", "h4"}, {}, {"h1"}, {}, {"p7"}});
  EXPECT_EQ(legal_after(game, state, 1), (Moves{"s2:out", "s4:out", "s4:p7"}));
}

TEST(Marbles, APartnersMarbleIsHitOnlyIfNothingElseIsLegal) {
  const Marbles game(with(4, [](Options& o) { o.teams = 1; }));  // seat 2's p0 is ring space 28
  EXPECT_EQ(legal_after(game, position(game, 0, {{"p26", "p40"}, {}, {"p0"}}), 2), Moves{"p40"});
  const State only = position(game, 0, {{"p26"}, {}, {"p0"}});
  EXPECT_EQ(legal_after(game, only, 2), Moves{"p26"});
  EXPECT_EQ(after(game, only, 2, "p26").base[2], 4);
  // Where a marble must come out, a move inside Home is no other move.
  const State forced = position(game, 0, {{"h1"}, {}, {"p28"}});
  EXPECT_EQ(legal_after(game, forced, 1), Moves{"out"});
  // Opponents are hit freely.
  EXPECT_EQ(legal_after(game, position(game, 0, {{"p26", "p40"}, {"p14"}}), 2), (Moves{"p26", "p40"}));
}

TEST(Marbles, AFinishedSeatDoesNotHitOnePartnerWithAnotherIfItCanHelp) {
  const Marbles game(with(6, [](Options& o) { o.teams = 1; }));
  // Seat 2's p26 is two short of seat 4's p0.
  const State state = position(game, 0, {{"h1", "h2", "h3", "h4"}, {}, {"p26", "p40"}, {}, {"p0"}});
  EXPECT_EQ(legal_after(game, state, 2), (Moves{"s2:p40", "s4:p0"}));
}

TEST(Marbles, ATeamWinsWhenAllItsSeatsAreHome) {
  const Marbles game(with(6, [](Options& o) { o.teams = 2; }));  // three teams of two: 0 and 3
  const Moves home{"h1", "h2", "h3", "h4"};
  const State one = after(game, position(game, 0, {{"p83", "h2", "h3", "h4"}}), 1, "p83");
  EXPECT_EQ(game.turn(one).phase, Phase::chance) << "the partner is not home";
  const State both = after(game, position(game, 0, {{"p83", "h2", "h3", "h4"}, {}, {}, home}), 1, "p83");
  EXPECT_EQ(game.result(both).winners, 0b001001);
}

TEST(Marbles, TeamsFitTheSeats) {
  const auto refused = [](int seats, std::uint8_t teams) {
    return Marbles::check(with(seats, [&](Options& o) { o.teams = teams; })).has_value();
  };
  EXPECT_FALSE(refused(4, 1));
  EXPECT_TRUE(refused(4, 2));
  EXPECT_FALSE(refused(6, 1));
  EXPECT_FALSE(refused(6, 2));
  for (const int seats : {2, 3, 5}) EXPECT_TRUE(refused(seats, 1)) << seats;
  EXPECT_TRUE(Marbles::check(with(5, [](Options& o) { o.sectors = 4; })));
}

// ── A slow, obvious twin ──

/// Marbles as a list: whose, and how many steps from p0 (-1: in the base; L and more: in Home).
struct Twin {
  explicit Twin(const Options& o) : options(o), ring(o.sectors * o.spaces) {
    for (int seat = 0; seat < o.seats; ++seat) marbles[seat] = {-1, -1, -1, -1};
  }

  int sector(int seat) const {
    return options.sectors % options.seats == 0 ? seat * (options.sectors / options.seats) : seat;
  }
  int space(int seat, int steps) const { return (sector(seat) * options.spaces + steps) % ring; }
  bool partners(int a, int b) const { return options.teams != 0 && a % (options.teams + 1) == b % (options.teams + 1); }
  bool finished(int seat) const {
    return std::all_of(marbles.at(seat).begin(), marbles.at(seat).end(), [&](int steps) { return steps >= ring; });
  }
  int landing(int steps, int roll) const {
    if (steps >= 0) return steps + roll;
    if (roll == 1) return 0;
    if (roll == 6) return options.come_out == Marbles::ComeOut::by_roll ? 5 : 0;
    return -1;
  }
  int hit(int owner, int to) const {
    for (const auto& [other, places] : marbles) {
      for (const int steps : places) {
        if (other != owner && to < ring && steps >= 0 && steps < ring && space(other, steps) == space(owner, to)) {
          return other;
        }
      }
    }
    return -1;
  }
  std::string written(int seat, int owner, int steps) const {
    const std::string prefix = owner == seat ? "" : "s" + std::to_string(owner) + ":";
    if (steps < 0) return prefix + "out";
    return prefix + (steps < ring ? "p" + std::to_string(steps) : "h" + std::to_string(steps - ring + 1));
  }

  std::set<std::string> legal(int seat, int roll) const {
    std::vector<int> owners;
    if (!finished(seat) || options.teams == 0) {
      owners = {seat};
    } else {
      for (int other = 0; other < options.seats; ++other) {
        if (partners(other, seat) && !finished(other)) owners.push_back(other);
      }
    }
    std::set<std::string> harmless;
    std::set<std::string> hitting_partners;
    for (const int owner : owners) {
      const auto& places = marbles.at(owner);
      const bool on_ring = std::any_of(places.begin(), places.end(), [&](int s) { return s >= 0 && s < ring; });
      const auto can = [&](int steps) {
        const int to = landing(steps, roll);
        return to >= 0 && to < ring + 4 && std::find(places.begin(), places.end(), to) == places.end();
      };
      const bool base = std::find(places.begin(), places.end(), -1) != places.end();
      const bool must_come_out = !on_ring && base && can(-1);
      for (const int steps : places) {
        if (!can(steps) || (must_come_out && steps != -1)) continue;
        const int victim = hit(owner, landing(steps, roll));
        const bool partner = victim >= 0 && partners(victim, owner);
        (partner ? hitting_partners : harmless).insert(written(seat, owner, steps));
      }
    }
    return harmless.empty() ? hitting_partners : harmless;
  }

  void play(int seat, int roll, const std::string& move) {
    for (auto& [owner, places] : marbles) {
      for (int& steps : places) {
        if (written(seat, owner, steps) != move) continue;
        const int to = landing(steps, roll);
        if (const int victim = hit(owner, to); victim >= 0) {
          for (int& theirs : marbles[victim]) {
            if (theirs >= 0 && theirs < ring && space(victim, theirs) == space(owner, to)) theirs = -1;
          }
        }
        steps = to;
        return;
      }
    }
    FAIL() << move;
  }

  Options options;
  int ring;
  std::map<int, std::vector<int>> marbles;
};

void compare_with_twin(const Options& options, std::uint64_t seed) {
  const Marbles game(options);
  State state = game.start();
  Twin twin(options);
  Random random(seed, "twin");
  int seat = options.first;
  int turns = 0;
  while (game.turn(state).phase != Phase::over) {
    ASSERT_EQ(game.turn(state), (Turn{Phase::chance, static_cast<std::int8_t>(seat)}));
    const Roll roll = game.draw(state, random);
    game.apply(state, roll);
    const auto expected = twin.legal(seat, roll.value);
    const auto found = legal(game, state);
    ASSERT_EQ(std::set(found.begin(), found.end()), expected) << "roll " << int{roll.value};
    bool won = false;
    if (!found.empty()) {
      const std::string& text = found[random(static_cast<std::uint32_t>(found.size()))];
      game.play(state, *game.parse_move(state, text));
      twin.play(seat, roll.value, text);
      for (int i = 0; i < options.seats; ++i) {
        bool all = true;
        for (int j = 0; j < options.seats; ++j) all = all && ((j != i && !twin.partners(i, j)) || twin.finished(j));
        won = won || all;
      }
    }
    ASSERT_EQ(game.result(state).winners != 0, won);
    if (won) break;
    if (roll.value != 6) {
      seat = (seat + 1) % options.seats;
      ++turns;
    }
    ASSERT_EQ(game.turn(state).phase == Phase::over, turns == options.turn_limit);
  }
  for (int i = 0; i < options.seats; ++i) {
    const auto& places = twin.marbles[i];
    EXPECT_EQ(game.result(state).scores[i],
              std::count_if(places.begin(), places.end(), [&](int s) { return s >= twin.ring; }));
  }
}

TEST(Marbles, AgreesWithASlowTwin) {
  for (const int seats : Marbles::seat_counts) {
    for (std::uint8_t teams = 0; teams < 3; ++teams) {
      for (const auto come_out : {Marbles::ComeOut::by_roll, Marbles::ComeOut::start}) {
        for (const int sectors : {seats == 2 ? 3 : seats, 6}) {
          for (const int spaces : {8, 14}) {
            const Options options = with(seats, [&](Options& o) {
              o.teams = teams, o.come_out = come_out, o.sectors = sectors, o.spaces = spaces, o.turn_limit = 1500;
              o.first = seats - 1;
            });
            if (Marbles::check(options)) continue;
            for (std::uint64_t seed = 0; seed < 3; ++seed) compare_with_twin(options, seed);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera
