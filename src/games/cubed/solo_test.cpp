#include <gtest/gtest.h>

#include <map>

#include "games/cubed/testing.hpp"
#include "rules/notation.hpp"

/// The game alone, and chance.
namespace tessera {
namespace {

using cubed::PieceSet;
using Step = Cubed::Step;

const std::vector<std::string> three{"BCG@0,0/0", "CPR@1,0/2", "BGP@1,-1/2"};

void play(const Cubed& game, Cubed::State& state, const std::string& text) {
  const auto move = game.parse_move(state, text);
  ASSERT_TRUE(move) << text << ": " << move.error().sentence;
  game.play(state, *move);
}

void draw(const Cubed& game, Cubed::State& state, const std::string& text) {
  const auto outcome = game.parse_outcome(state, {text, ""});
  ASSERT_TRUE(outcome) << text << ": " << outcome.error().sentence;
  game.apply(state, *outcome);
}

/// A listed number after another, as a table's fair dice repeat an outcome.
struct Repeated {
  std::vector<Draw> draws;
  std::size_t next = 0;

  std::uint32_t operator()(std::uint32_t n) {
    EXPECT_LT(next, draws.size());
    EXPECT_EQ(draws[next].n, n);
    return draws[next++].value;
  }
};

void check_outcome(const Cubed& game, const Cubed::State& state, const Cubed::Outcome& outcome) {
  Repeated repeated{game.take_apart(state, outcome)};
  EXPECT_EQ(game.draw(state, repeated), outcome);
  EXPECT_EQ(repeated.next, repeated.draws.size());
  const OutcomeText text = game.outcome_text(state, outcome, Viewer::all());
  const auto parsed = game.parse_outcome(state, text);
  ASSERT_TRUE(parsed) << text.text << text.extra << parsed.error().sentence;
  EXPECT_EQ(*parsed, outcome);
}

// ── Alone ──

TEST(CubedAlone, LaysWhileItCanAndDrawsTwiceAtMost) {
  const Cubed game{Cubed::Options(1)};
  // Only BBB fits, at 0,-1; after it nothing does.
  auto state = position(game, three, {"BBB GGR GGG"}, "GXX RXX RRR BBC");
  EXPECT_EQ(legal_texts(game, state), std::vector<std::string>{"BBB@0,-1/0"}) << "must lay if it can";
  play(game, state, "BBB@0,-1/0");
  EXPECT_EQ(state.turns, 1);
  EXPECT_EQ(game.turn(state), (Turn{Phase::chance, 0}));
  draw(game, state, "draw GXX");
  EXPECT_EQ(game.turn(state), (Turn{Phase::chance, 0})) << "a second piece";
  auto lucky = state;
  draw(game, lucky, "draw BBC");
  ASSERT_EQ(game.turn(lucky), (Turn{Phase::decision, 0}));
  for (const std::string& text : legal_texts(game, lucky)) EXPECT_TRUE(text.starts_with("BBC@0,1/")) << text;
  play(game, lucky, "BBC@0,1/1");
  EXPECT_EQ(lucky.draws, 0) << "the next turn may draw two again";
  EXPECT_EQ(lucky.turns, 2);
  draw(game, state, "draw RXX");
  EXPECT_EQ(game.turn(state), (Turn{Phase::over, -1}));
  EXPECT_EQ(game.result(state).winners, 0);
  EXPECT_EQ(game.result(state).scores[0], 2 + 3 + 5 + 5);

  // The bag is empty when a draw is due.
  state = position(game, three, {"BBB GGR GGG"}, "GXX");
  play(game, state, "BBB@0,-1/0");
  draw(game, state, "draw GXX");
  EXPECT_EQ(game.turn(state), (Turn{Phase::over, -1}));
  state = position(game, three, {"BBB GGR GGG"}, "");
  play(game, state, "BBB@0,-1/0");
  EXPECT_EQ(game.turn(state), (Turn{Phase::over, -1}));
  EXPECT_EQ(game.result(state).scores[0], 5);
}

TEST(CubedAlone, WinsWithTheWholeHand) {
  const Cubed game{Cubed::Options(1)};
  const std::vector<std::string> table{three[0], three[1], three[2], "CXX@0,1/0", "PXX@2,-1/2"};
  auto state = position(game, table, {"BXX"}, "BBB");
  play(game, state, "BXX@0,-1/1");
  EXPECT_EQ(game.turn(state), (Turn{Phase::over, -1}));
  EXPECT_EQ(game.result(state).winners, 1) << "even if no open place is left";
  EXPECT_EQ(game.result(state).scores[0], 0);
  state = position(game, table, {"BXX BXX"}, "BBB");
  play(game, state, "BXX@0,-1/1");
  EXPECT_EQ(game.turn(state), (Turn{Phase::over, -1})) << "no open place: lost at once";
  EXPECT_EQ(game.result(state).winners, 0);
  EXPECT_EQ(game.result(state).scores[0], 5);

  Cubed::Options options(1);
  options.turn_limit = 1;
  const Cubed limited(options);
  state = position(limited, three, {"BBB GGR"}, "GXX");
  play(limited, state, "BBB@0,-1/0");
  EXPECT_EQ(limited.turn(state), (Turn{Phase::over, -1}));
  EXPECT_EQ(limited.result(state).winners, 0);
  EXPECT_EQ(limited.result(state).scores[0], 2) << "what is left in hand";
  state = position(limited, three, {"BBB"}, "GXX");
  play(limited, state, "BBB@0,-1/0");
  EXPECT_EQ(limited.result(state).winners, 1) << "over before the limit matters";
}

TEST(CubedAlone, DealsAtMostThreeBlockingPieces) {
  const Cubed game{Cubed::Options(1)};
  Random random(3, "alone");
  int exchanged = 0, started_late = 0;
  std::array<int, 4> blocking{};
  for (int i = 0; i < 4000; ++i) {
    auto state = game.start();
    const Cubed::Outcome deal = game.draw(state, random);
    EXPECT_EQ(deal.hands[0].size(), 25);
    const int kept = deal.hands[0].count_of(cubed::blocking_kinds);
    ASSERT_LE(kept, 3);
    ++blocking[static_cast<std::size_t>(kept)];
    if (!deal.out.empty()) {
      ++exchanged;
      EXPECT_EQ(kept, 3);
    }
    check_outcome(game, state, deal);
    game.apply(state, deal);
    EXPECT_EQ(state.bag.size(), 40 - deal.out.size());
    ASSERT_EQ(game.turn(state), (Turn{Phase::chance, 0}));
    const Cubed::Outcome first = game.draw(state, random);
    check_outcome(game, state, first);
    EXPECT_EQ(first.drawn.count_of(cubed::blocking_kinds), 0);
    if (!first.out.empty()) ++started_late;
    game.apply(state, first);
    EXPECT_EQ(state.table.laid(), 1);
    EXPECT_EQ(state.out, deal.out + first.out);
    EXPECT_EQ(state.turns, 0);
  }
  // Hypergeometric: 25 of 65 with 10 blocking; more than three in 0.589 of the deals.
  EXPECT_NEAR(exchanged / 4000.0, 0.589, 0.03);
  EXPECT_NEAR(blocking[0] / 4000.0, 0.00473, 0.005);
  EXPECT_GT(started_late, 100);
}

TEST(CubedAlone, DealsAsTheRulesExchange) {
  // The rules' own process: a hand of 25; all extra blocking pieces out at once, replaced, until none is extra.
  const Cubed game{Cubed::Options(1)};
  Random random(9, "exchange");
  const auto by_the_rules = [&] {
    Cubed::Outcome outcome;
    PieceSet bag = PieceSet::full();
    PieceSet& hand = outcome.hands[0];
    for (;;) {
      while (hand.size() < 25) {
        const cubed::Kind kind = bag.nth(random(static_cast<std::uint32_t>(bag.size())));
        bag.remove(kind);
        hand.add(kind);
      }
      PieceSet blocking = hand.only(cubed::blocking_kinds);
      if (blocking.size() <= 3) return outcome;
      for (; blocking.size() > 3; blocking = hand.only(cubed::blocking_kinds)) {
        const cubed::Kind kind = blocking.nth(random(static_cast<std::uint32_t>(blocking.size())));
        hand.remove(kind);
        outcome.out.add(kind);
      }
    }
  };
  constexpr int times = 20000;
  std::map<std::string, std::array<int, 2>> seen;
  for (int i = 0; i < times; ++i) {
    for (const std::size_t which : {0U, 1U}) {
      const auto outcome = which == 0 ? by_the_rules() : game.draw(game.start(), random);
      const PieceSet kept = outcome.hands[0].only(cubed::blocking_kinds);
      ++seen["out " + std::to_string(outcome.out.size())][which];
      ++seen["kinds kept " + std::to_string(std::popcount(kept.kinds()))][which];
      if (kept.has(*cubed::find_kind("BXX")) && outcome.out.has(*cubed::find_kind("BXX"))) ++seen["one of two"][which];
      if (outcome.out.has(*cubed::find_kind("RXX"))) ++seen["RXX out"][which];
      if (outcome.hands[0].has(*cubed::find_kind("PRW"))) ++seen["PRW kept"][which];
    }
  }
  for (const auto& [what, counts] : seen) EXPECT_NEAR(counts[0], counts[1], 0.02 * times) << what;
}

TEST(CubedAlone, RefusesDealsThatCannotBe) {
  const Cubed game{Cubed::Options(1)};
  const auto state = game.start();
  const std::string hand =
      R"("BBC","BBG","BBP","BBR","BCC","BCG","BCP","BCR","BGC","BGG","BGP","BGR","BPC","BPG","BPP","BPR","BRC","BRG","BRP","BRR","CCG","CCP")";
  const auto problem = [&](const std::string& extra) {
    const auto parsed = game.parse_outcome(state, {"deal", extra});
    return parsed ? std::string("none") : parsed.error().sentence;
  };
  EXPECT_EQ(problem(R"("hands":[["BBB",)" + hand + R"(,"CCR","CGG"]],"out":[])"), "none");
  EXPECT_NE(problem(R"("hands":[["BBB",)" + hand + R"(,"CCR","CGG"]],"out":["BXX"])").find("more than three"),
            std::string::npos);
  EXPECT_EQ(problem(R"("hands":[[)" + hand + R"(,"CXX","CXX","GXX"]],"out":["BXX","GXX"])"), "none");
  EXPECT_NE(problem(R"("hands":[[)" + hand + R"(,"CXX","CXX","GXX"]],"out":["CXX"])").find("copies"),
            std::string::npos);
  EXPECT_NE(problem(R"("hands":[[)" + hand + R"(,"CXX","CXX","GXX"]],"out":["RRR"])").find("only blocking"),
            std::string::npos);
  EXPECT_NE(problem(R"("hands":[[)" + hand + R"(,"CXX","CXX"]],"out":[])").find("25"), std::string::npos);
  EXPECT_NE(problem(R"("hands":[["CCR",)" + hand + R"(,"CXX","GXX"]],"out":[])").find("sorted"), std::string::npos);
  EXPECT_NE(problem(R"("hands":[[)" + hand + R"(,"CXX","CXX","GXX"]])").find("out"), std::string::npos);
  EXPECT_NE(problem(R"("hands":[[)" + hand + R"(,"CXX","CXX","ZZZ"]],"out":[])").find("ZZZ"), std::string::npos);
  EXPECT_NE(problem(R"("hands":[[)" + hand + R"(,"CXX","CXX","CXX"]],"out":[])").find("CXX"), std::string::npos);
  const std::string few = hand.substr(6);  // without BBC
  EXPECT_NE(problem(R"("hands":[[)" + few + R"(,"CXX","CXX","GXX","RXX"]],"out":[])").find("at most three"),
            std::string::npos);
  for (const char* junk : {"", "x", "\"hands\":3", "\"hands\":[[3]]", "\"hands\":[]", "}{",
                           "\"hands\":[[]],\"out\":[],\"a\":1", "\"hands\":[[\"?\"]],\"out\":[]", "\xff\xfe"}) {
    EXPECT_NE(problem(junk), "none") << junk;
  }
}

// ── Chance ──

TEST(CubedChance, WeightsAddUpAndFitTheDraws) {
  Random random(5, "weights");
  Cubed::Options options(3);
  options.take = true;
  const Cubed game(options);
  const auto state = position(game, three, {"BBB", "GGG", "RRR"}, "BXX BXX CXX GPR PPP");
  for (const char* how : {"draw", "take1", "take2", "take3"}) {
    auto due = state;
    play(game, due, how);
    std::uint64_t sum = 0;
    std::vector<std::pair<Cubed::Outcome, std::uint64_t>> all;
    game.each_outcome(due, [&](const Cubed::Outcome& outcome, std::uint64_t weight) {
      sum += weight;
      all.emplace_back(outcome, weight);
      check_outcome(game, due, outcome);
    });
    EXPECT_EQ(sum, game.outcome_total(due));
    std::vector<int> drawn(all.size());
    constexpr int times = 20000;
    for (int i = 0; i < times; ++i) {
      const auto outcome = game.draw(due, random);
      for (std::size_t k = 0; k < all.size(); ++k) drawn[k] += all[k].first == outcome ? 1 : 0;
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_NEAR(drawn[k] / static_cast<double>(times), static_cast<double>(all[k].second) / static_cast<double>(sum),
                  0.015);
    }
  }
  auto due = state;
  play(game, due, "take2");
  EXPECT_EQ(game.outcome_total(due), 10U);
  std::map<std::string, std::uint64_t> weights;
  game.each_outcome(due, [&](const Cubed::Outcome& outcome, std::uint64_t weight) {
    weights[game.outcome_text(due, outcome, Viewer::all()).text] = weight;
  });
  EXPECT_EQ(weights["draw BXX BXX"], 1U);
  EXPECT_EQ(weights["draw BXX CXX"], 2U);
  EXPECT_EQ(weights["draw GPR PPP"], 1U);
}

TEST(CubedChance, TheFirstPieceAloneHasExactWeights) {
  const Cubed game{Cubed::Options(1)};
  auto state = position(game, {}, {"BBB"}, "BXX BXX CXX GPR PPP");
  state.step = Step::start;
  std::uint64_t sum = 0;
  std::map<std::string, std::uint64_t> weights;
  game.each_outcome(state, [&](const Cubed::Outcome& outcome, std::uint64_t weight) {
    check_outcome(game, state, outcome);
    const OutcomeText text = game.outcome_text(state, outcome, Viewer::spectator());
    weights[text.text + " " + text.extra] += weight;
    sum += weight;
  });
  EXPECT_EQ(game.outcome_total(state), 5U * 4 * 3 * 2);
  EXPECT_EQ(sum, 5U * 4 * 3 * 2);
  EXPECT_EQ(weights.size(), 2U * 6) << "of BXX none, one or two, of CXX none or one";
  EXPECT_EQ(weights["start GPR \"out\":[]"], 24U);
  EXPECT_EQ(weights["start GPR \"out\":[\"BXX\"]"], 2U * 3 * 2);
  EXPECT_EQ(weights["start GPR \"out\":[\"BXX\",\"BXX\",\"CXX\"]"], 6U);
  // As large as it gets: ten blocking pieces among forty.
  Cubed::State full = game.start();
  full.step = Step::start;
  full.bag = PieceSet::full();
  for (int i = 0, kind = 0; i < 25; ++kind) {
    if ((cubed::kind_bit(kind) & cubed::blocking_kinds) != 0) continue;
    full.bag.remove(kind);
    ++i;
  }
  sum = 0;
  game.each_outcome(full, [&](const Cubed::Outcome&, std::uint64_t weight) { sum += weight; });
  EXPECT_EQ(sum, game.outcome_total(full));
}

TEST(CubedChance, DealsAreTakenApart) {
  for (int seats = 2; seats <= 6; ++seats) {
    const Cubed game{Cubed::Options(seats)};
    Random random(static_cast<std::uint64_t>(seats), "deals");
    const auto state = game.start();
    EXPECT_EQ(game.outcome_total(state), 0U);
    for (int i = 0; i < 20; ++i) check_outcome(game, state, game.draw(state, random));
  }
}

TEST(CubedOptions, AloneTakesNoVariants) {
  const auto refused = [](std::vector<Setting> settings) { return !read_options<Cubed>(1, settings); };
  EXPECT_FALSE(refused({}));
  EXPECT_FALSE(refused({{"rounds", "1"}, {"bridge", "false"}, {"matching", "two"}}));
  EXPECT_TRUE(refused({{"rounds", "3"}}));
  EXPECT_TRUE(refused({{"bridge", "true"}}));
  EXPECT_TRUE(refused({{"fill", "true"}}));
  EXPECT_TRUE(refused({{"take", "true"}}));
  EXPECT_TRUE(refused({{"open_hands", "true"}}));
  EXPECT_EQ(Cubed::Options(1).rounds, 1);
  EXPECT_EQ(Cubed::Options(2).rounds, 3);
  const std::vector<Setting> ten{{"rounds", "10"}};
  EXPECT_FALSE(read_options<Cubed>(2, ten));
}

}  // namespace
}  // namespace tessera
