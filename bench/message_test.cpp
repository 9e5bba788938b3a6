#include "bench/message.hpp"

#include <gtest/gtest.h>
#include <zlib.h>
#include <set>

namespace tessera::bench {
namespace {

using namespace std::string_literals;

TEST(Message, AnUpdateOfTheProtocolsPage) {
  Reader reader;
  const auto message = reader.read(
      R"({"seq":42,"ack":7,"events":[{"seat":0,"chance":"roll 4","effects":[{"move":0,"path":["12","16"]}]}],)"
      R"("turn":{"roll":1}})",
      false);
  ASSERT_TRUE(message);
  EXPECT_FALSE(message->greeting);
  EXPECT_EQ(message->seq, 42U);
  EXPECT_EQ(message->events, 1U);
  EXPECT_EQ(message->ack, 7U);
  EXPECT_FALSE(message->refused);
  EXPECT_EQ(message->turn, (Turn{Phase::chance, 1}));
  EXPECT_FALSE(message->drawing);
  std::string plays;
  reader.each_play(
      [&](std::uint64_t seq, std::string_view play) { plays += std::to_string(seq) + ": "s + play.data(); });
  EXPECT_EQ(plays, "42: 0 roll 4");
}

TEST(Message, PlaysAreNumberedBackwardsFromTheLastEvent) {
  Reader reader;
  ASSERT_TRUE(
      reader.read(R"({"seq":9,"events":[{"seat":0,"move":"a>b"},{"seat":1,"came":true},{"chance":"deal"}]})", false));
  std::vector<std::pair<std::uint64_t, std::string>> plays;
  reader.each_play([&](std::uint64_t seq, std::string_view play) { plays.emplace_back(seq, play); });
  EXPECT_EQ(plays, (std::vector<std::pair<std::uint64_t, std::string>>{{7, "0 a>b"}, {9, "-1 deal"}}));
}

TEST(Message, RefusalsDrawsAndTheEnd) {
  Reader reader;
  EXPECT_EQ(reader.read(R"({"refused":7,"why":"It is seat 1's turn."})", false)->refused, "It is seat 1's turn.");
  EXPECT_EQ(reader.read(R"({"turn":{"over":true}})", false)->turn, (Turn{Phase::over, -1}));
  const auto waiting =
      reader.read(R"({"protocol":1,"table":{"stage":"drawing","draw":{"number":2,"hashes":["ab",null]}}})", false);
  EXPECT_TRUE(waiting->greeting);
  EXPECT_EQ(waiting->drawing->number, 2);
  EXPECT_FALSE(waiting->drawing->committed);
  const auto committed =
      reader.read(R"({"table":{"stage":"drawing","draw":{"number":1,"hashes":["ab","cd"]}}})", false);
  EXPECT_TRUE(committed->drawing->committed);
  EXPECT_FALSE(reader.read(R"({"table":{"stage":"playing"}})", false)->drawing);
}

TEST(Message, WhatIsNoJsonIsRefused) {
  Reader reader;
  EXPECT_FALSE(reader.read("{\"seq\":", false));
  EXPECT_FALSE(reader.read("not compressed", true));
}

TEST(Message, EveryWayThroughTheTreeIsTaken) {
  Reader reader;
  std::string tree = R"({"turn":{"move":0},"legal":{"next":{"a":{"next":{"1":{},"2\"":{"effects":[]}}},"pass":{}}}})";
  tree.resize(30'000, ' ');
  std::string compressed(compressBound(tree.size()), '\0');
  uLongf size = compressed.size();
  ASSERT_EQ(compress(reinterpret_cast<Bytef*>(compressed.data()), &size, reinterpret_cast<const Bytef*>(tree.data()),
                     tree.size()),
            Z_OK);
  const auto message = reader.read({compressed.data(), size}, true);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->turn, (Turn{Phase::decision, 0}));
  Random random(1, "test");
  std::set<std::string> taken;
  for (int i = 0; i < 100; ++i) taken.insert(reader.random_choices(random));
  EXPECT_EQ(taken, (std::set<std::string>{R"(["a","1"])", R"(["a","2\""])", R"(["pass"])"}));
  ASSERT_TRUE(reader.read("{}", false));
  EXPECT_EQ(reader.random_choices(random), "");
}

}  // namespace
}  // namespace tessera::bench
