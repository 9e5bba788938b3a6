/// What every game must do, whichever it is: random games at every seat count and option through the type-erased
/// handle.
#include <gtest/gtest.h>
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "configurations.hpp"
#include "core/text.hpp"
#include "rules/transcript.hpp"

namespace tessera {
namespace {

class Conformance : public testing::TestWithParam<const GameInfo*> {
 protected:
  const GameInfo& game() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(EveryGame, Conformance, testing::ValuesIn(all_games().begin(), all_games().end()),
                         [](const auto& info) { return std::string(info.param->name); });

/// Repeats draws that were written down, and notices if others are asked for.
class Repeat final : public UniformSource {
 public:
  explicit Repeat(std::vector<Draw> draws) : draws_(std::move(draws)) {}
  std::uint32_t operator()(std::uint32_t n) override {
    const bool as_written = next_ < draws_.size() && draws_[next_].n == n;
    EXPECT_TRUE(as_written) << "draw " << next_ << " of " << n;
    return as_written ? draws_[next_++].value : 0;
  }
  bool used_up() const { return next_ == draws_.size(); }

 private:
  std::vector<Draw> draws_;
  std::size_t next_ = 0;
};

void check_outcome(const Play& play, const OutcomeText& outcome) {
  const auto draws = play.take_apart(outcome);
  ASSERT_TRUE(draws) << draws.error().sentence;
  for (const Draw& draw : *draws) EXPECT_LT(draw.value, draw.n);
  Repeat repeat(*draws);
  EXPECT_EQ(play.draw(repeat), outcome);
  EXPECT_TRUE(repeat.used_up());
  EXPECT_EQ(*play.seen(outcome, Viewer::all()), outcome);
}

void check_chance(const Play& play, Random& random) {
  UniformOf uniform(random);
  check_outcome(play, play.draw(uniform));
  if (play.outcome_total() == 0) return;
  const auto outcomes = play.outcomes();
  std::uint64_t sum = 0;
  std::set<std::pair<std::string, std::string>> texts;
  for (const WeightedOutcome& weighted : outcomes) {
    EXPECT_GT(weighted.weight, 0U);
    sum += weighted.weight;
    texts.insert({weighted.outcome.text, weighted.outcome.extra});
  }
  EXPECT_EQ(sum, play.outcome_total());
  EXPECT_EQ(texts.size(), outcomes.size()) << "an outcome is listed twice";
  check_outcome(play, outcomes[random(static_cast<std::uint32_t>(outcomes.size()))].outcome);
}

void check_tree(const ChoiceTree& node, std::set<Move>& found) {
  if (node.move) {
    EXPECT_TRUE(node.next.empty()) << "the choices of a move are the beginning of another's: " << node.choice;
    found.insert(*node.move);
  }
  for (const ChoiceTree& child : node.next) check_tree(child, found);
}

void check_decision(const Play& play, Random& random) {
  const std::vector<Move> moves = play.legal();
  ASSERT_FALSE(moves.empty());
  EXPECT_EQ(moves, play.clone()->legal()) << "the order of legal moves changes";
  std::map<std::string, Move> texts;
  for (const Move move : moves) texts[play.text(move, Viewer::all())] = move;
  EXPECT_EQ(texts.size(), moves.size()) << "a move is listed twice";
  EXPECT_FALSE(texts.size() == 1 && texts.contains("pass")) << "a forced pass is asked";

  std::set<Move> in_tree;
  check_tree(choice_tree(play), in_tree);
  EXPECT_EQ(in_tree.size(), moves.size()) << "two moves have the same choices";

  for (int i = 0; i < 5; ++i) {
    const Move move = moves[random(static_cast<std::uint32_t>(moves.size()))];
    const std::string text = play.text(move, Viewer::all());
    const auto parsed = play.parse(text);
    ASSERT_TRUE(parsed) << text << ": " << parsed.error().sentence;
    EXPECT_EQ(*parsed, move) << text;
    EXPECT_FALSE(play.parse(text + "x")) << text;
    EXPECT_FALSE(play.parse(" " + text)) << text;
  }
  for (const char* wrong : {"", "x", "\xff\xfe", "pass pass", "99,99>0,0", "s9:p1", "BCG@9999999999,0/0"}) {
    const auto parsed = play.parse(wrong);
    EXPECT_FALSE(parsed) << wrong;
    if (!parsed) EXPECT_FALSE(parsed.error().sentence.empty());
  }
}

/// Copies are equal and independent of each other.
void check_value(const Play& play) {
  const auto copy = play.clone();
  EXPECT_TRUE(copy->equals(play));
  Random random(1, "value");
  if (play.turn().phase == Phase::chance) {
    UniformOf uniform(random);
    copy->apply(copy->draw(uniform));
  } else {
    copy->play(copy->legal().front());
  }
  EXPECT_FALSE(copy->equals(play)) << "an event changes nothing";
}

/// A board, which knows the pieces at the beginning and then only effects.
struct Board {
  Viewer viewer;
  std::vector<Piece> pieces;
};

std::vector<Board> boards(const Play& play) {
  std::vector<Viewer> viewers{Viewer::spectator(), Viewer::all()};
  for (int seat = 0; seat < play.seats(); ++seat) viewers.push_back(Viewer::seat(seat));
  std::vector<Board> all;
  for (const Viewer viewer : viewers) all.push_back({viewer, play.pieces(viewer)});
  return all;
}

/// A board has the pieces that are listed: the same at every place, and in the same order where there is one. Pieces
/// that lie in no order are listed sorted, wherever the board has put them.
void check_board(const Board& board, const Play& play) {
  using Places = std::unordered_map<std::string_view, std::vector<std::pair<int, std::string_view>>>;
  const auto by_place = [](const std::vector<Piece>& pieces) {
    Places places;
    for (const Piece& piece : pieces) places[piece.place].emplace_back(piece.seat, piece.kind);
    return places;
  };
  const auto listed = play.pieces(board.viewer);
  Places shown = by_place(board.pieces);
  const Places expected = by_place(listed);
  for (const auto& [place, pieces] : expected) {
    if (std::is_sorted(pieces.begin(), pieces.end())) std::sort(shown[place].begin(), shown[place].end());
  }
  ASSERT_EQ(shown, expected);
}

/// The effects of an event make of the pieces before it those after it, for whoever looks.
void check_effects(std::vector<Board>& boards, const Play& before, const Line& line, const Play& after) {
  const bool chance = line.kind == Line::Kind::chance;
  const Move move = chance ? Move{} : *before.parse(line.text);
  for (Board& board : boards) {
    const auto effects =
        chance ? *before.effects(OutcomeText{line.text, line.extra}, board.viewer) : before.effects(move, board.viewer);
    const auto missing = follow(board.pieces, effects);
    ASSERT_FALSE(missing) << line_text(line) << ": " << missing->sentence;
    ASSERT_NO_FATAL_FAILURE(check_board(board, after)) << line_text(line);
  }
}

/// What one viewer has seen so far.
struct Watcher {
  Viewer viewer;
  std::unique_ptr<Knowledge> knowledge;
};

std::vector<Watcher> watchers(const Play& play) {
  std::vector<Watcher> all;
  for (int seat = 0; seat < play.seats(); ++seat) {
    all.push_back({Viewer::seat(seat), play.know_nothing(Viewer::seat(seat))});
  }
  return all;
}

/// A guess agrees with all that the seat sees: nothing that it is shown differs, so nothing shown tells more than it
/// may.
void check_guess(const Play& play, const Watcher& watcher, Random& random) {
  const auto known = watcher.knowledge->clone();
  const auto problem = known->observe(ask_line(play));
  ASSERT_FALSE(problem) << problem->sentence;
  const auto guess = known->determinize(random);
  EXPECT_EQ(guess->turn(), play.turn());
  EXPECT_EQ(line_text(ask_line(*guess)), line_text(ask_line(play)));
  EXPECT_EQ(guess->pieces(watcher.viewer), play.pieces(watcher.viewer));
  EXPECT_EQ(guess->picture(watcher.viewer, {}), play.picture(watcher.viewer, {}));
  const std::vector<Move> moves = play.legal();
  const Move move = moves[random(static_cast<std::uint32_t>(moves.size()))];
  const auto same = guess->parse(play.text(move, Viewer::all()));
  ASSERT_TRUE(same);
  EXPECT_EQ(guess->foreseen(*same), play.foreseen(move)) << "what is foreseen tells what is hidden";
  guess->play(*same);  // a guess can be played on
}

struct Thoroughness {
  std::uint32_t one_in;  ///< check one state in so many, besides what every event goes through
};

/// Plays one random game, checking on the way; its transcript, read back, must be the same game.
void check_game(const Configuration& configuration, std::uint64_t seed, Thoroughness thoroughness) {
  SCOPED_TRACE(configuration.name() + " seed " + std::to_string(seed));
  const auto play = start(configuration);
  Streams streams(seed);
  Random random(seed, "conformance");
  auto watching = watchers(*play);
  auto showing = boards(*play);
  TranscriptReader reader(all_games());
  ASSERT_FALSE(reader.read(header_text(*play)));

  auto ahead = play->clone();
  play_randomly(*ahead, streams, [&](const Line& line) {
    if (testing::Test::HasFatalFailure()) return;
    const auto before = play->clone();
    if (random(thoroughness.one_in) == 0) {
      check_value(*play);
      if (line.kind == Line::Kind::chance) {
        check_chance(*play, random);
      } else {
        check_decision(*play, random);
        check_guess(*play, watching[static_cast<std::size_t>(line.seat)], random);
      }
    }
    const auto wrong = follow(*play, line);
    ASSERT_FALSE(wrong) << wrong->sentence;
    for (Watcher& watcher : watching) {
      const Line seen = seen_line(*before, line, *play, watcher.viewer);
      const auto parsed = parse_line(line_text(seen));
      ASSERT_TRUE(parsed) << parsed.error().sentence;
      EXPECT_EQ(*parsed, seen);
      const auto problem = watcher.knowledge->observe(*parsed);
      ASSERT_FALSE(problem) << line_text(seen) << ": " << problem->sentence;
    }
    check_effects(showing, *before, line, *play);
    const auto problem = reader.read(line_text(line));
    ASSERT_FALSE(problem) << problem->sentence;
  });
  if (testing::Test::HasFatalFailure()) return;
  EXPECT_TRUE(ahead->equals(*play));
  EXPECT_TRUE(reader.play()->equals(*play));
  ASSERT_FALSE(reader.read(result_text(*play)));
  EXPECT_LT(play->result().winners, 1U << play->seats());
  EXPECT_FALSE(play->picture(Viewer::spectator(), {.colour = true}).empty());
}

TEST_P(Conformance, RandomGamesAtEverySeatCountAndOption) {
  for (const Configuration& configuration : configurations(game(), 6, 40)) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      check_game(configuration, seed, {.one_in = 8});
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(Conformance, LongGamesAtEverySeatCount) {
  for (const int seats : game().seat_counts) {
    check_game({&game(), seats, {{"turn_limit", "1500"}}}, 5, {.one_in = 100});
    if (HasFatalFailure()) return;
  }
}

TEST_P(Conformance, OptionsAreInOrderAndRefuseWhatTheyDoNotTake) {
  for (const int seats : game().seat_counts) {
    const auto options = game().defaults(seats);
    EXPECT_TRUE(std::is_sorted(options.begin(), options.end(),
                               [](const auto& a, const auto& b) { return a.spec.name < b.spec.name; }));
    for (const OptionValue& option : options) {
      EXPECT_FALSE(option.spec.help.empty()) << option.spec.name;
      EXPECT_TRUE(option.spec.parse(option.spec.value_text(option.value)));
      std::vector<std::string> wrong{"", "?", "maybe", " 1", "1 ", "007", "-0", "99999999999999999999"};
      if (option.spec.kind == OptionSpec::Kind::integer) wrong.push_back(std::to_string(option.spec.min - 1));
      for (const std::string& value : wrong) {
        const Setting setting{std::string(option.spec.name), value};
        const auto started = game().start(seats, {&setting, 1});
        ASSERT_FALSE(started) << setting.name << "=" << value;
        EXPECT_NE(started.error().sentence.find(setting.name), std::string::npos) << started.error().sentence;
        EXPECT_NE(started.error().sentence.find(option.spec.takes().sentence), std::string::npos)
            << started.error().sentence;
      }
    }
  }
}

TEST_P(Conformance, EveryOptionCombinationIsAcceptedOrRefusedByName) {
  for (const int seats : game().seat_counts) {
    for (const OptionValue& option : game().defaults(seats)) {
      for (const std::string& value : interesting_values(option)) {
        const Setting setting{std::string(option.spec.name), value};
        const auto started = game().start(seats, {&setting, 1});
        if (started) continue;
        EXPECT_NE(started.error().sentence.find("option " + setting.name), std::string::npos)
            << started.error().sentence;
      }
    }
  }
}

TEST_P(Conformance, WrongSeatsAndNamesAreRefused) {
  for (const int seats : {-1, 0, 7, 1000}) {
    const auto started = game().start(seats, {});
    ASSERT_FALSE(started);
    EXPECT_NE(started.error().sentence.find("seats"), std::string::npos);
  }
  const Setting unknown{"colour", "red"};
  const auto started = game().start(game().usual_seats(), {&unknown, 1});
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().sentence.find("turn_limit"), std::string::npos) << "names the options that there are";
  const std::vector<Setting> twice{{"first", "0"}, {"first", "1"}};
  EXPECT_FALSE(game().start(game().usual_seats(), twice));
}

TEST_P(Conformance, TurnLimitEndsTheGameWithoutAWinner) {
  for (const int seats : game().seat_counts) {
    const Setting limit{"turn_limit", "1"};
    const auto play = std::move(*game().start(seats, {&limit, 1}));
    Streams streams(1);
    play_randomly(*play, streams, [](const Line&) {});
    EXPECT_EQ(play->result().winners, 0);
    EXPECT_EQ(play->turn(), (Turn{Phase::over, -1}));
  }
}

TEST_P(Conformance, FirstSeatBegins) {
  for (const int seats : game().seat_counts) {
    for (int first = 0; first < seats; ++first) {
      const Setting setting{"first", std::to_string(first)};
      const auto play = std::move(*game().start(seats, {&setting, 1}));
      Streams streams(1);
      int begins = -1;
      play_randomly(*play, streams, [&](const Line& line) {
        if (begins < 0) begins = line.seat;
      });
      EXPECT_EQ(begins, first);
    }
  }
}

TEST_P(Conformance, TheSameSeedGivesTheSameGameAndAnotherDoesNot) {
  const auto transcript = [&](std::uint64_t seed) {
    const Setting limit{"turn_limit", "60"};
    const auto play = std::move(*game().start(game().usual_seats(), {&limit, 1}));
    Streams streams(seed);
    std::string text;
    play_randomly(*play, streams, [&](const Line& line) { text += line_text(line); });
    return text;
  };
  EXPECT_EQ(transcript(7), transcript(7));
  EXPECT_NE(transcript(7), transcript(8));
}

}  // namespace
}  // namespace tessera
