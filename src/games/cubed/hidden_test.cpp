#include <gtest/gtest.h>

#include <map>

#include "games/cubed/testing.hpp"
#include "games/cubed/words.hpp"
#include "rules/notation.hpp"
#include "rules/playout.hpp"

namespace tessera {
namespace {

using cubed::PieceSet;

static_assert(HiddenGame<Cubed>);

/// What a careful seat would note on paper about the pieces that have been in its hand and are not any more.
struct Notes {
  struct Returned {
    int kind;
    std::map<int, int> got_since{};  ///< pieces that each other seat got since, from the bag or unseen from a third
  };
  std::vector<Returned> returned{};
  std::vector<std::pair<int, int>>
      given{};  ///< kind, seat; while the seat has neither laid it nor given anything unseen

  void gone(int kind) {
    std::erase_if(returned, [&](const Returned& one) { return one.kind == kind; });
    std::erase_if(given, [&](const auto& one) { return one.first == kind; });
  }
  void got(int seat) {
    for (Returned& one : returned) ++one.got_since[seat];
  }
};

/// A game with all that is seen of it: a Knowledge and Notes for each seat, then for a spectator, then for all().
struct Watched {
  Cubed game;
  Cubed::State state;
  std::vector<Viewer> viewers{};
  std::vector<Cubed::Knowledge> known{};
  std::vector<Notes> notes{};

  explicit Watched(const Cubed::Options& options) : game(options), state(game.start()) {
    for (int seat = 0; seat < options.seats; ++seat) viewers.push_back(Viewer::seat(seat));
    viewers.push_back(Viewer::spectator());
    viewers.push_back(Viewer::all());
    for (const Viewer viewer : viewers) known.push_back(game.know_nothing(viewer));
    notes.resize(viewers.size());
  }

  void observe(std::size_t i, const Line& line) {
    const auto problem = game.observe(known[i], line);
    ASSERT_FALSE(problem) << "viewer " << i << ": " << line.text << " " << line.extra << ": " << problem->sentence;
  }

  void chance(const Cubed::Outcome& outcome) {
    const Cubed::State before = state;
    game.apply(state, outcome);
    for (std::size_t i = 0; i < viewers.size(); ++i) {
      const OutcomeText text = game.outcome_text(before, outcome, viewers[i]);
      const int seat = game.turn(before).seat;
      observe(i, {Line::Kind::chance, seat, text.text, with_shown(text.extra, before)});
      if (before.step == Cubed::Step::deal) notes[i] = {};
      if (viewers[i].is_seat(seat)) outcome.drawn.each([&](int kind) { notes[i].gone(kind); });
      if (before.step == Cubed::Step::draw && !viewers[i].is_seat(seat)) notes[i].got(seat);
    }
  }

  void play(Move move) {
    const Cubed::State before = state;
    const int seat = before.seat;
    game.play(state, move);
    const Choices choices = game.choices(before, move);
    const bool lays = choices.size() == 3 && choices[0] != "give";
    for (std::size_t i = 0; i < viewers.size(); ++i) {
      observe(i, {Line::Kind::move, seat, game.move_text(before, move, viewers[i]), with_shown("", before)});
      const bool own = viewers[i].is_seat(seat);
      if (lays) notes[i].gone(*cubed::find_kind(choices[0]));
      if (choices[0] == "keep" && own) {
        PieceSet returned = before.drawn - set_of(choices[1]);
        returned.each([&](int kind) { notes[i].returned.push_back({kind}); });
      }
      if (choices[0] == "keep" && !own) notes[i].got(seat);
      if (choices[0] == "give") {
        const int kind = *cubed::find_kind(choices[1]);
        const int to = choices[2][1] - '0';
        if (own) notes[i].given.emplace_back(kind, to);
        if (viewers[i].is_seat(to)) notes[i].gone(kind);
        if (!own && !viewers[i].is_seat(to)) {
          notes[i].got(to);
          std::erase_if(notes[i].given, [&](const auto& one) { return one.second == seat; });
        }
      }
    }
  }

  std::string with_shown(const std::string& extra, const Cubed::State& before) const {
    const std::string shown = game.shown(before, state);
    return extra.empty() || shown.empty() ? extra + shown : extra + "," + shown;
  }
};

/// Kinds with one copy: where such a piece is can be told by its kind.
bool unique(int kind) { return PieceSet::full().count(kind) == 1; }

void check_notes(const Watched& watched, std::size_t i, const Cubed::State& guess) {
  for (const auto& [kind, seat] : watched.notes[i].given) {
    if (unique(kind)) EXPECT_TRUE(guess.hands[seat].has(kind)) << "a piece given away has left the hand";
  }
  for (int seat = 0; seat < watched.game.options().seats; ++seat) {
    if (watched.viewers[i].is_seat(seat)) continue;
    // Of the pieces returned from the n-th on, a hand can have no more than it got since.
    for (std::size_t first = 0; first < watched.notes[i].returned.size(); ++first) {
      const auto& since = watched.notes[i].returned[first].got_since;
      const int got = since.contains(seat) ? since.at(seat) : 0;
      int held = 0;
      for (std::size_t n = first; n < watched.notes[i].returned.size(); ++n) {
        const int kind = watched.notes[i].returned[n].kind;
        if (unique(kind) && guess.hands[seat].has(kind)) ++held;
      }
      EXPECT_LE(held, got) << "a piece returned is where it cannot be";
    }
  }
}

PieceSet everything(const Cubed& game, const Cubed::State& state) {
  PieceSet all = state.bag;
  all += state.out;
  all += state.drawn;
  state.table.each_laid([&](Cubed::Cell, int kind, int) { all.add(kind); });
  for (int seat = 0; seat < game.options().seats; ++seat) all += state.hands[seat];
  return all;
}

void check_guess(const Watched& watched, std::size_t i, const Cubed::Knowledge& known, Random& random) {
  const Cubed& game = watched.game;
  const Cubed::State& truth = watched.state;
  const Viewer viewer = watched.viewers[i];
  Random again = random;
  const Cubed::State guess = game.determinize(known, random);
  ASSERT_EQ(guess, game.determinize(known, again)) << "the same knowledge and luck give the same guess";
  ASSERT_EQ(game.turn(guess), game.turn(truth));
  ASSERT_EQ(guess.table, truth.table);
  ASSERT_EQ(guess.scores, truth.scores);
  ASSERT_EQ(guess.turns, truth.turns);
  ASSERT_EQ(guess.idle, truth.idle);
  ASSERT_EQ(guess.step, truth.step);
  ASSERT_EQ(guess.bag.size(), truth.bag.size());
  ASSERT_EQ(guess.drawn, truth.drawn);
  for (int seat = 0; seat < game.options().seats; ++seat) {
    ASSERT_EQ(guess.hands[seat].size(), truth.hands[seat].size());
    if (viewer.is_seat(seat)) ASSERT_EQ(guess.hands[seat], truth.hands[seat]);
  }
  ASSERT_EQ(everything(game, guess), PieceSet::full());
  ASSERT_EQ(legal_texts(game, guess), legal_texts(game, truth));
  // The viewer cannot tell the guess from the truth.
  ASSERT_EQ(game.pieces(guess, viewer), game.pieces(truth, viewer));
  ASSERT_EQ(game.picture(guess, viewer, {}), game.picture(truth, viewer, {}));
  check_notes(watched, i, guess);
  if (game.options().open_hands || viewer.sees_all() || game.options().seats == 1) ASSERT_EQ(guess, truth);
  Cubed::State end = guess;
  playout(game, end, random);
  ASSERT_EQ(everything(game, end), PieceSet::full());
}

Cubed::Options hidden_options(int number) {
  Cubed::Options options = some_options(number);
  if (options.seats > 1) {
    options.open_hands = number % 11 == 5;
    options.take = number % 3 != 0;
    options.fill = options.bridge = number % 2 == 0;
    if (options.fill) options.matching = Cubed::Matching::two;  // gaps are filled more often
  }
  return options;
}

TEST(CubedKnowledge, GuessesWhatCanBe) {
  int with_notes = 0;
  for (int number = 0; number < 60; ++number) {
    SCOPED_TRACE(number);
    Watched watched(hidden_options(number));
    const Cubed& game = watched.game;
    Random random(static_cast<std::uint64_t>(number), "hidden");
    while (game.turn(watched.state).phase != Phase::over) {
      const Turn turn = game.turn(watched.state);
      if (turn.phase == Phase::chance) {
        watched.chance(game.draw(watched.state, random));
      } else {
        for (std::size_t i = 0; i < watched.viewers.size(); ++i) {
          if (!watched.viewers[i].is_seat(turn.seat)) continue;
          Cubed::Knowledge asked = watched.known[i];
          ASSERT_FALSE(game.observe(asked, {.kind = Line::Kind::ask, .seat = turn.seat}));
          check_guess(watched, i, asked, random);
          with_notes += watched.notes[i].given.empty() && watched.notes[i].returned.empty() ? 0 : 1;
        }
        watched.play(pick(game, watched.state, random(3) != 0, random));
      }
      if (HasFailure()) return;
      // Whoever looks can guess at any time.
      const std::size_t anybody = random(static_cast<std::uint32_t>(watched.viewers.size()));
      const Cubed::State guess = game.determinize(watched.known[anybody], random);
      ASSERT_EQ(everything(game, guess), PieceSet::full());
      if (watched.viewers[anybody].sees_all()) ASSERT_EQ(guess, watched.state);
    }
    for (std::size_t i = 0; i < watched.viewers.size(); ++i) {
      EXPECT_EQ(watched.known[i].world.scores, watched.state.scores);
      // A round cut off by the limit is never shown: whether the last seats passed is then unknown.
      if (watched.state.round_over) EXPECT_EQ(game.determinize(watched.known[i], random), watched.state);
    }
  }
  EXPECT_GT(with_notes, 200);
}

/// A seat's transcript line by line, for games made by hand.
struct Told0 {
  const Cubed& game;
  Cubed::Knowledge known;

  explicit Told0(const Cubed& told) : game(told), known(told.know_nothing(Viewer::seat(0))) {}

  Told0& line(Line::Kind kind, int seat, const std::string& text, const std::string& extra = "") {
    const auto problem = game.observe(known, {kind, seat, text, extra});
    EXPECT_FALSE(problem) << text << ": " << problem->sentence;
    return *this;
  }
  Told0& chance(int seat, const std::string& text, const std::string& extra = "") {
    return line(Line::Kind::chance, seat, text, extra);
  }
  Told0& move(int seat, const std::string& text) { return line(Line::Kind::move, seat, text); }
  /// Seat 0 has the first pieces in order of 18 singles; the other two hands are hidden.
  Told0& deal() {
    PieceSet own;
    for (int i = 0; i < 18; ++i) own.add(PieceSet::full().only(cubed::single_kinds).nth(static_cast<std::uint32_t>(i)));
    std::string hidden = "[\"?\"";
    for (int i = 1; i < 18; ++i) hidden += ",\"?\"";
    hidden += "]";
    return chance(-1, "deal", "\"hands\":[" + cubed::json_list(cubed::words(own)) + "," + hidden + "," + hidden + "]");
  }
};

Cubed::Options three_seats() {
  Cubed::Options options(3);
  options.take = options.fill = true;
  return options;
}

TEST(CubedKnowledge, WithoutMarksEveryDealIsAsLikely) {
  const Cubed game(three_seats());
  Told0 told(game);
  told.deal();
  Random random(1, "even");
  // 47 pieces are unseen: 18 in each hand, 11 in the bag.
  constexpr int times = 20000;
  int in_hand = 0, in_bag = 0, both = 0;
  const int prw = *cubed::find_kind("PRW");
  const int bxx = *cubed::find_kind("BXX");
  for (int i = 0; i < times; ++i) {
    const auto guess = game.determinize(told.known, random);
    in_hand += guess.hands[1].has(prw) ? 1 : 0;
    in_bag += guess.bag.has(prw) ? 1 : 0;
    both += guess.hands[2].count(bxx) == 2 ? 1 : 0;
  }
  EXPECT_NEAR(in_hand / double{times}, 18.0 / 47, 0.015);
  EXPECT_NEAR(in_bag / double{times}, 11.0 / 47, 0.015);
  EXPECT_NEAR(both / double{times}, 18.0 * 17 / (47 * 46), 0.015);
}

TEST(CubedKnowledge, ReturnedPiecesAreInTheBagOrDrawnSince) {
  const Cubed game(three_seats());
  Told0 told(game);
  told.deal().move(0, "take3").chance(0, "draw BBB BXX PRW").move(0, "keep BBB");
  Random random(2, "returned");
  const int prw = *cubed::find_kind("PRW");
  for (int i = 0; i < 300; ++i) {
    const auto guess = game.determinize(told.known, random);
    ASSERT_TRUE(guess.bag.has(prw));
    ASSERT_TRUE(guess.bag.has(*cubed::find_kind("BXX")));
  }
  // Seat 1 takes one piece of a bag of ten and keeps it. The next line, a draw of seat 2, comes after it.
  told.move(1, "take1").chance(1, "draw ?").move(1, "keep ?");
  constexpr int times = 20000;
  int got = 0, got_two = 0;
  for (int i = 0; i < times; ++i) {
    const auto guess = game.determinize(told.known, random);
    ASSERT_FALSE(guess.hands[2].has(prw));
    got += guess.hands[1].has(prw) ? 1 : 0;
    // The other BXX may have been dealt; both together only with one from the bag.
    got_two += guess.hands[1].count(*cubed::find_kind("BXX")) == 2 && guess.hands[1].has(prw) ? 1 : 0;
  }
  EXPECT_NEAR(got / double{times}, 1.0 / 10, 0.01);
  EXPECT_EQ(got_two, 0) << "seat 1 got one piece since";
}

TEST(CubedKnowledge, AReturnedPieceThatIsLaidWasDrawnSince) {
  const Cubed game(three_seats());
  Told0 told(game);
  told.deal().move(0, "take3").chance(0, "draw BBB CCC PRW").move(0, "keep BBB");
  told.move(1, "draw").chance(1, "draw ?").move(1, "PRW@0,0/0");
  // What seat 1 drew was PRW, so that CCC is in the bag still; seat 2 may draw it.
  Random random(5, "laid");
  const int ccc = *cubed::find_kind("CCC");
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(game.determinize(told.known, random).bag.has(ccc));
  told.move(2, "take1").chance(2, "draw ?").move(2, "keep ?");
  int got = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto guess = game.determinize(told.known, random);
    ASSERT_FALSE(guess.hands[1].has(ccc));
    got += guess.hands[2].has(ccc) ? 1 : 0;
  }
  EXPECT_NEAR(got / 3000.0, 1.0 / 9, 0.03);
}

TEST(CubedKnowledge, WhatCannotEndWellDidNotHappen) {
  // The bag is down to BXX and PRW, which seat 0 put back, when seat 1, which has laid all that it was dealt, draws one
  // and lays BXX, and seat 2 draws the last. The other BXX was never seen: but it cannot be what seat 1 drew.
  const Cubed game(three_seats());
  Told0 told(game);
  told.deal();
  using Kind = Cubed::Memory::Kind;
  const auto bxx = *cubed::find_kind("BXX"), prw = *cubed::find_kind("PRW"), bbb = *cubed::find_kind("BBB");
  auto& memories = told.known.memories;
  for (int i = 0; i < 8; ++i) memories.push_back({Kind::acquired, 2, 2, 0});
  for (const auto piece : {bbb, bxx, prw}) memories.push_back({Kind::drew, 0, 0, piece});
  for (const auto piece : {bxx, prw}) memories.push_back({Kind::returned, 0, 0, piece});
  const PieceSet doubles = PieceSet::full().only(cubed::double_kinds);
  for (std::uint32_t i = 0; i < 18; ++i) memories.push_back({Kind::parted, 1, 1, doubles.nth(i)});
  memories.push_back({Kind::acquired, 1, 1, 0});
  memories.push_back({Kind::parted, 1, 1, bxx});
  memories.push_back({Kind::acquired, 2, 2, 0});
  told.known.world.bag = {};
  Random random(6, "end");
  for (int i = 0; i < 300; ++i) {
    const auto guess = game.determinize(told.known, random);
    ASSERT_TRUE(guess.hands[2].has(prw));
    ASSERT_TRUE(guess.hands[2].has(bxx));
    ASSERT_TRUE(guess.hands[1].empty());
  }
}

TEST(CubedKnowledge, WhoseLineComesNextTellsWhoPassed) {
  Cubed::Options options(3);
  const Cubed game(options);
  Told0 told(game);
  told.deal().move(0, "BCG@0,0/0").move(1, "draw").chance(1, "draw ?");
  // Seat 1 passed by itself, so that it was idle; had it passed when asked, it would not have been.
  Told0 forced = told, asked = told, laid = told;
  forced.move(2, "draw").chance(2, "draw ?").line(Line::Kind::ask, 0, "");
  EXPECT_EQ(forced.known.world.idle, 2);
  EXPECT_EQ(forced.known.world.turns, 3);
  asked.move(1, "pass").move(2, "draw").chance(2, "draw ?").move(2, "pass").line(Line::Kind::ask, 0, "");
  EXPECT_EQ(asked.known.world.idle, 0);
  EXPECT_EQ(asked.known.world.turns, 3);
  laid.move(1, "CCC@1,0/0").line(Line::Kind::move, 2, "draw");
  EXPECT_EQ(laid.known.world.table.laid(), 2);
  Random random(3, "next");
  const auto guess = game.determinize(forced.known, random);
  EXPECT_EQ(game.turn(guess), (Turn{Phase::decision, 0}));
}

TEST(CubedKnowledge, PiecesGivenAwayStayWhereTheyMust) {
  // Seat 0 gives BCG to seat 1; then seat 1 gives something to seat 2, unseen.
  const Cubed game(three_seats());
  Told0 told(game);
  told.deal();
  const int kind = *cubed::find_kind("BCG");
  told.known.memories.push_back({Cubed::Memory::Kind::given, 0, 1, static_cast<cubed::Kind>(kind)});
  told.known.world.hands[0].remove(kind);
  told.known.world.hands[1].add(kind);
  Random random(4, "given");
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(game.determinize(told.known, random).hands[1].has(kind));
  told.known.memories.push_back({Cubed::Memory::Kind::passed_on, 1, 2, 0});
  auto& hands = told.known.world.hands;
  const int any = hands[1].least() == kind ? (hands[1] - set_of("BCG")).least() : hands[1].least();
  hands[1].remove(any);
  hands[2].add(any);
  constexpr int times = 20000;
  int on = 0;
  for (int i = 0; i < times; ++i) {
    const auto guess = game.determinize(told.known, random);
    ASSERT_NE(guess.hands[1].has(kind), guess.hands[2].has(kind));
    on += guess.hands[2].has(kind) ? 1 : 0;
  }
  EXPECT_NEAR(on / double{times}, 1.0 / 19, 0.01);
  // Seat 1 lays it: so it had not given it on.
  told.known.memories.push_back({Cubed::Memory::Kind::parted, 1, 1, static_cast<cubed::Kind>(kind)});
  hands[1].remove(kind);
  told.known.world.table.lay(kind, 0, {});
  for (int i = 0; i < 200; ++i) {
    const auto guess = game.determinize(told.known, random);
    ASSERT_EQ(everything(game, guess), PieceSet::full());
  }
}

TEST(CubedKnowledge, RefusesLinesThatCannotBe) {
  const Cubed game(three_seats());
  Told0 told(game);
  told.deal();
  const auto before = told.known;
  const auto refused = [&](const Line& line) {
    const auto problem = game.observe(told.known, line);
    EXPECT_EQ(told.known, before) << "a refused line changes nothing";
    return problem.has_value();
  };
  using enum Line::Kind;
  EXPECT_TRUE(refused({move, 1, "draw"})) << "not its turn";
  EXPECT_TRUE(refused({move, 9, "draw"}));
  EXPECT_TRUE(refused({move, -1, "draw"}));
  EXPECT_TRUE(refused({chance, 0, "draw BBB"}));
  EXPECT_TRUE(refused({move, 0, "PRW@0,0/0"})) << "not in the hand";
  EXPECT_TRUE(refused({move, 0, "?@0,0/0"}));
  EXPECT_TRUE(refused({move, 0, "BCG@0,0/0", "\"shown\":[[],[],[]]"}));
  EXPECT_TRUE(refused({move, 0, "BCG@0,0/0", "nonsense"}));
  EXPECT_TRUE(refused({move, 0, "keep ?"}));
  EXPECT_TRUE(refused({move, 0, "give ? s1"}));
  EXPECT_TRUE(refused({chance, -1, "deal", "\"hands\":[]"}));
  EXPECT_TRUE(refused({ask, 2}));
  told.move(0, "BCG@0,0/0");
  EXPECT_FALSE(game.observe(told.known, {move, 1, "CCC@1,0/0"}));
  Cubed::Knowledge next = told.known;
  EXPECT_TRUE(game.observe(next, {move, 2, "BCG@2,0/0"})) << "it lies on the table";
  EXPECT_TRUE(game.observe(next, {move, 2, "CCC@0,1/0"})) << "it lies on the table";
  // Nobody has drawn since seat 0 put PRW back.
  Told0 returned(game);
  returned.deal().move(0, "take2").chance(0, "draw BBB PRW").move(0, "keep BBB");
  EXPECT_TRUE(game.observe(returned.known, {move, 1, "PRW@0,0/0"}));
}

TEST(CubedKnowledge, ASpectatorGuessesAHandAlone) {
  const Cubed game{Cubed::Options(1)};
  for (int number = 0; number < 60; ++number) {
    Watched watched{Cubed::Options(1)};
    Random random(static_cast<std::uint64_t>(number), "spectator");
    bool exchanged = false;
    while (game.turn(watched.state).phase != Phase::over) {
      if (game.turn(watched.state).phase == Phase::chance) {
        const auto outcome = game.draw(watched.state, random);
        if (watched.state.step == Cubed::Step::deal) exchanged = !outcome.out.empty();
        watched.chance(outcome);
      } else {
        watched.play(pick(game, watched.state, false, random));
      }
      const auto guess = game.determinize(watched.known[1], random);
      ASSERT_EQ(everything(game, guess), PieceSet::full());
      if (watched.state.table.laid() == 1 && watched.state.draws == 0 && watched.state.step == Cubed::Step::begin) {
        EXPECT_LE(guess.hands[0].count_of(cubed::blocking_kinds), 3 + guess.draws);
        if (exchanged && guess.draws == 0) EXPECT_EQ(guess.hands[0].count_of(cubed::blocking_kinds), 3);
      }
    }
  }
}

}  // namespace
}  // namespace tessera
