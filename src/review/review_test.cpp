#include "review/review.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "games/registry.hpp"
#include "rules/transcript.hpp"

namespace tessera {
namespace {

struct Played {
  std::vector<Step> steps;
  std::unique_ptr<Play> end;
};

/// A seeded random game.
Played played(const GameInfo& game, int seats, const std::vector<Setting>& settings, std::uint64_t seed) {
  Played found{{}, std::move(*game.start(seats, settings))};
  Streams streams(seed);
  const auto play = found.end->clone();
  play_randomly(*play, streams, [&](const Line& line) {
    found.steps.push_back({found.end->clone(), line});
    EXPECT_FALSE(follow(*found.end, line));
  });
  return found;
}

const GameInfo& game(std::string_view name) {
  return **std::find_if(all_games().begin(), all_games().end(),
                        [&](const GameInfo* info) { return info->name == name; });
}

TEST(Review, AddsUpInEveryGame) {
  for (const GameInfo* info : all_games()) {
    const auto [steps, end] = played(*info, info->usual_seats(), {{"turn_limit", "60"}}, 1);
    std::size_t told = 0;
    const auto reviewed = review(steps, *end, {.reviewer = "4", .progress = [&](std::size_t) { return ++told > 0; }});
    ASSERT_TRUE(reviewed);
    EXPECT_EQ(told, steps.size());
    EXPECT_TRUE(reviewed->over);
    ASSERT_EQ(reviewed->events.size(), steps.size());
    const Result result = end->result();
    for (std::size_t i = 0; i < reviewed->seats.size(); ++i) {
      const ReviewedSeat& seat = reviewed->seats[i];
      EXPECT_NEAR(seat.start + seat.luck + seat.decisions + seat.others + seat.rest, seat.end, 1e-9);
      EXPECT_EQ(seat.end > 0, result.won(static_cast<int>(i))) << info->name;
      EXPECT_LE(seat.decisions, 0);
      EXPECT_GE(seat.others, 0);
      for (const int event : seat.worst)
        EXPECT_EQ(reviewed->events.at(static_cast<std::size_t>(event)).seat, static_cast<int>(i));
    }
    EXPECT_EQ(*reviewed, *review(steps, *end, {.reviewer = "4"})) << "reproducible";
  }
}

/// However well positions are judged, luck is nought on average: it is measured against its own expectation.
TEST(Review, LuckIsNoughtOnAverage) {
  for (const std::string_view name : {"cyclone", "marbles"}) {
    double sum = 0;
    double squares = 0;
    constexpr int games = 60;
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
      const auto [steps, end] = played(game(name), 2, {}, seed);
      const double luck = review(steps, *end, {.reviewer = "random"})->seats[0].luck;
      sum += luck;
      squares += luck * luck;
    }
    EXPECT_LT(std::abs(sum), 3 * std::sqrt(squares)) << name;
    EXPECT_GT(squares, 0) << name;
  }
}

/// Where the judgement is exact, dice and decisions explain everything.
TEST(Review, NothingIsLeftOverInASolvedGame) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto [steps, end] = played(game("cybo"), 2, {}, seed);
    const auto reviewed = review(steps, *end, {});
    for (const ReviewedSeat& seat : reviewed->seats) EXPECT_NEAR(seat.rest, 0, 1e-9);
  }
}

TEST(Review, FindsAMistakeAndTheBetterMove) {
  const auto [steps, end] = played(game("cyclone"), 2, {}, 1);
  const auto reviewed = *review(steps, *end, {.reviewer = "4"});
  for (const ReviewedSeat& seat : reviewed.seats) {
    ASSERT_EQ(seat.worst.size(), 3U) << "a random game has mistakes enough";
    double before = 1;
    for (const int index : seat.worst) {
      const ReviewedEvent& event = reviewed.events[static_cast<std::size_t>(index)];
      EXPECT_GT(event.loss, 0);
      EXPECT_LE(event.loss, before);
      EXPECT_NEAR(event.loss, event.best_judged - event.judged, 1e-12);
      EXPECT_NE(event.best, event.text);
      EXPECT_TRUE(steps[static_cast<std::size_t>(index)].before->parse(event.best));
      before = event.loss;
    }
  }
}

TEST(Review, OfAPlayerByItselfFindsNoMistake) {
  auto play = std::move(*game("marbles").start(2, {}));
  std::vector<Step> steps;
  Streams streams(1);
  const auto player = std::move(*make_player("4", play->info()));
  while (play->turn().phase != Phase::over) {
    UniformOf uniform(streams[{Stream::Kind::dice, 0}]);
    Random random(1, "unused");
    const Line line = play->turn().phase == Phase::chance
                          ? chance_line(*play, play->draw(uniform))
                          : move_line(*play, player->think(*play->known_to_all(), random).move);
    steps.push_back({play->clone(), line});
    ASSERT_FALSE(follow(*play, line));
  }
  const auto reviewed = review(steps, *play, {.reviewer = "4"});
  for (const ReviewedSeat& seat : reviewed->seats) {
    EXPECT_EQ(seat.decisions, 0);
    EXPECT_TRUE(seat.worst.empty());
  }
}

TEST(Review, OfAnUnfinishedGameAndAnUnknownReviewer) {
  const std::vector<Step> steps = played(game("cubed"), 2, {}, 1).steps;
  const std::span<const Step> half(steps.data(), steps.size() / 2);
  const Play& middle = *steps[half.size()].before;
  const auto reviewed = review(half, middle, {.reviewer = "3"});
  ASSERT_TRUE(reviewed);
  EXPECT_FALSE(reviewed->over);
  EXPECT_NEAR(reviewed->seats[0].end + reviewed->seats[1].end, 1, 1e-6);
  EXPECT_FALSE(review(half, middle, {.reviewer = "nobody"}));
  EXPECT_EQ(*review(half, middle, {}), *review(half, middle, {.reviewer = "ahead"})) << "hands are hidden";
}

TEST(Review, HasAJsonForm) {
  const auto [steps, end] = played(game("cyclone"), 2, {{"turn_limit", "20"}}, 1);
  const auto json = nlohmann::json::parse(review_json(*review(steps, *end, {.reviewer = "4"})));
  EXPECT_EQ(json["events"].size(), steps.size());
  EXPECT_EQ(json["events"][0]["chance"], steps[0].line.text);
  EXPECT_EQ(json["events"][1]["move"], steps[1].line.text);
  EXPECT_EQ(json["events"][0]["luck"].size(), 2U);
  EXPECT_EQ(json["events"][1]["chances"].size(), 2U);
  EXPECT_EQ(json["seats"].size(), 2U);
  EXPECT_TRUE(json["seats"][0]["worst"].is_array());
}

}  // namespace
}  // namespace tessera
