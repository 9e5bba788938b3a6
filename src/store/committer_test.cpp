#include "store/committer.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <filesystem>
#include <future>
#include <map>

namespace tessera {
namespace {

constexpr int senders = 4;
constexpr int matches_each = 10;

Append append_of(const std::string& match, Sequence expected) {
  Append append{.match = match, .expected = expected, .events = {fmt::format(R"({{"n":{}}})", expected + 1)}};
  if (expected == 0) {
    append.row = MatchRow{.id = match, .code = match, .game = "marbles", .summary = "{}"};
  }
  return append;
}

class CommitterTest : public testing::Test {
 protected:
  CommitterTest() : folder_(mkdtemp((std::filesystem::temp_directory_path() / "tessera-XXXXXX").string().data())) {}
  ~CommitterTest() override { std::filesystem::remove_all(folder_); }

  std::string file() const { return (folder_ / "tessera.db").string(); }
  std::unique_ptr<Store> open() const { return std::move(*open_store(file())); }

  std::filesystem::path folder_;
};

TEST_F(CommitterTest, DeliversAllOnceInOrderToWhoSentIt) {
  constexpr Sequence events = 50;
  std::vector<std::vector<std::uint64_t>> delivered(senders);  // written by the committer's thread alone
  {
    Committer committer(open(), [&](int sender, std::vector<Committer::Committed> committed) {
      EXPECT_FALSE(committed.empty());
      for (const auto& [ticket, append, outcome] : committed) {
        EXPECT_TRUE(outcome && *outcome == Appended::done);
        delivered[static_cast<std::size_t>(sender)].push_back(ticket);
      }
    });
    std::vector<std::thread> threads;
    for (int sender = 0; sender < senders; ++sender) {
      threads.emplace_back([&committer, sender] {
        std::uint64_t ticket = 0;
        for (Sequence expected = 0; expected < events; ++expected) {
          for (int match = 0; match < matches_each; ++match) {
            committer.append(sender, ticket++, append_of(fmt::format("{}-{}", sender, match), expected));
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }  // what was still waiting is committed here
  std::vector<std::uint64_t> all(events * matches_each);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  for (const auto& tickets : delivered) EXPECT_EQ(tickets, all);
  const auto store = open();
  for (int sender = 0; sender < senders; ++sender) {
    EXPECT_EQ(store->events(fmt::format("{}-0", sender))->size(), events);
  }
}

TEST_F(CommitterTest, WhatGathersDuringACommitIsOneCommit) {
  std::promise<void> delivering;
  std::promise<void> go_on;
  std::vector<std::size_t> sizes;
  {
    Committer committer(open(), [&](int, const std::vector<Committer::Committed>& committed) {
      sizes.push_back(committed.size());
      if (sizes.size() > 1) return;
      delivering.set_value();
      go_on.get_future().wait();
    });
    committer.append(0, 0, append_of("m", 0));
    delivering.get_future().wait();
    for (Sequence expected = 1; expected <= 30; ++expected) committer.append(0, expected, append_of("m", expected));
    go_on.set_value();
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 30}));
}

TEST_F(CommitterTest, WhoeverComesAloneAfterManyNeedNotWaitForThem) {
  constexpr Sequence many = 30;
  std::promise<void> delivering;
  std::promise<void> go_on;
  std::promise<void> last;
  Committer committer(open(), [&](int, const std::vector<Committer::Committed>& committed) {
    if (committed.front().ticket == 0) {
      delivering.set_value();
      go_on.get_future().wait();
    } else if (committed.back().ticket == many) {
      EXPECT_EQ(committed.size(), many);
      committer.append(0, many + 1, append_of("m", many + 1));
    } else if (committed.back().ticket == many + 1) {
      last.set_value();
    }
  });
  committer.append(0, 0, append_of("m", 0));
  delivering.get_future().wait();
  for (Sequence expected = 1; expected <= many; ++expected) committer.append(0, expected, append_of("m", expected));
  go_on.set_value();
  EXPECT_EQ(last.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
}

TEST_F(CommitterTest, AStaleAppendHarmsNoOther) {
  std::map<std::uint64_t, Appended> outcomes;
  {
    Committer committer(open(), [&](int, const std::vector<Committer::Committed>& committed) {
      for (const auto& [ticket, append, outcome] : committed) outcomes.emplace(ticket, *outcome);
    });
    committer.append(1, 1, append_of("m", 0));
    committer.append(2, 2, append_of("m", 3));
    committer.append(1, 3, append_of("m", 1));
  }
  EXPECT_EQ(outcomes,
            (std::map<std::uint64_t, Appended>{{1, Appended::done}, {2, Appended::stale}, {3, Appended::done}}));
}

TEST_F(CommitterTest, AnErrorOfTheDatabaseReachesAll) {
  auto store = open();
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &connection), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(connection, "DROP TABLE entries", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(connection);
  std::vector<std::uint64_t> refused;
  {
    Committer committer(std::move(store), [&](int, const std::vector<Committer::Committed>& committed) {
      for (const auto& [ticket, append, outcome] : committed) {
        if (!outcome) refused.push_back(ticket);
      }
    });
    committer.append(0, 1, append_of("m", 0));
    committer.append(0, 2, append_of("n", 0));
  }
  EXPECT_EQ(refused, (std::vector<std::uint64_t>{1, 2}));
}

}  // namespace
}  // namespace tessera
