/// Servers whose database is away, slow or in disorder at the worst moment, and people who go just then.
#include <thread>

#include "server/several_test.hpp"

namespace tessera::server {
namespace {

class Outage : public Several {
 protected:
  /// A game of marbles between a player at each of two servers that has begun, with the first seat to roll.
  void begin() {
    start_with_bus(2);
    id_ = table({{"game", "marbles"}, {"seats", 2}, {"first", 1}, {"options", {{"spaces", 8}}}}, 2);
    first_.emplace(at(people_[0], 0), id_, 1, "plain=1", true);
    second_.emplace(at(people_[1], 1), id_, 2, "plain=1", true);
    play_until({&*first_, &*second_}, [&] { return first_->begun() && second_->begun(); });
  }
  Json check(int server) const { return at({}, server).get("/api/tables/" + id_ + "/check?after=0").json(); }
  bool is_awaited(int seat, const char* what) const { return check(0)["turn"].value(what, -1) == seat; }

  std::string id_;
  std::optional<Player> first_;
  std::optional<Player> second_;
};

TEST_F(Outage, WhatWasRefusedIsNotCarriedOutLater) {
  begin();
  ASSERT_TRUE(first_->command({{"do", "roll"}, {"seat", 0}}).contains("refused")) << "it is seat 1's turn";
  second_->play_on();
  play_until({&*first_, &*second_}, [&] { return is_awaited(0, "roll"); });
  database_goes();
  const std::uint64_t pause = first_->fresh_id();
  first_->live().command({{"do", "pause"}, {"id", pause}});
  ::usleep(100'000);
  database_comes();
  ASSERT_TRUE(first_->repeat({{"do", "pause"}, {"id", pause}}).contains("ack"));
  const Json events = check(0)["events"];
  const auto mine = std::count_if(events.begin(), events.end(), [](const Json& event) {
    return event.contains("chance") && event.value("seat", -1) == 0;
  });
  EXPECT_EQ(mine, 0) << events;
}

TEST_F(Outage, WhoGoesBeforeTheDatabaseHasAnsweredIsGone) {
  begin();
  second_->drop();
  EXPECT_TRUE(soon([&] { return metric("tessera_sockets", 1) == 0; }));
  std::thread lock([&] { sql("BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(1.5); COMMIT"); });
  ::usleep(300'000);
  {
    const Live live = at(people_[1], 1).live(id_);
    EXPECT_EQ(live.handshake().status, 101);
  }
  lock.join();
  EXPECT_TRUE(soon([&] { return metric("tessera_sockets", 1) == 0; }));
  EXPECT_TRUE(soon([&] { return !check(0)["table"]["seats"][1].value("connected", true); }));
}

TEST_F(Outage, WhatNobodyHasWrittenIsNotAwaitedForEver) {
  begin();
  const auto key = fair::from_hex(*good(opened(config_.database)->fact("bus_key")));
  const std::string lie = crypto::sealed(*key, id_ + " 500 500 0\n");  // as if its writer had died before the commit
  Wire spy(nats_->port());
  ASSERT_TRUE(spy.send(fmt::format("CONNECT {{}}\r\nPUB tessera {}\r\n{}\r\n", lie.size(), lie)));
  first_->play_on();
  second_->play_on();
  play_until({&*first_, &*second_}, [&] { return first_->over() && second_->over(); });
  first_.reset();
  second_.reset();
  for (const int server : {0, 1}) {
    EXPECT_TRUE(soon([&] { return metric("tessera_tables_live", server) == 0; })) << "it still looks for more";
  }
}

TEST_F(Outage, BotsWithHandsPlayOnAfterTheirConnectionIsLost) {
  start(1);
  const Visitor host = program("Host");
  const std::string id = make_table(host, {{"game", "cubed"}, {"seats", 2}, {"options", {{"rounds", 1}}}});
  for (const int seat : {0, 1}) {
    EXPECT_EQ(host.command(id, {{"id", seat + 1}, {"do", "bot"}, {"seat", seat}, {"bot", "1"}}).status, 200);
  }
  // Those who read the log to think are cut off while they wait for it.
  for (int times = 0; times < 20; ++times) {
    sql("BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(0.05);"
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND"
        " query LIKE 'SELECT follows, lines FROM entries%' AND wait_event_type = 'Lock'; COMMIT");
  }
  const auto store = opened(config_.database);
  EXPECT_TRUE(soon([&] { return (*good(store->row(id))).stage == MatchRow::Stage::over; }));
}

TEST_F(Outage, ATableThatCannotBeReadNowIsNotSaidToBeNone) {
  start(2);
  const std::string id = make_table(program("Host"), {{"game", "cybo"}});
  database_goes();
  EXPECT_EQ(at({}, 1).get("/api/tables/" + id + "/check").status, 503);
  database_comes();
  EXPECT_TRUE(soon([&] { return at({}, 1).get("/api/tables/" + id + "/check").status == 200; }));
}

TEST_F(Outage, ALogWithAnEventThatNobodyKnowsEndsInASentence) {
  begin();
  const std::string sequence = std::to_string(first_->sequence());
  sql("INSERT INTO entries VALUES ('" + id_ + "', " + sequence + ", " + sequence + " + 1, '{\"at\":1,\"unknown\":1}')");
  const Reply asked = at({}, 1).get("/api/tables/" + id_ + "/check");
  EXPECT_EQ(asked.status, 503) << asked.body;
  while (second_->live().text()) {
  }
  EXPECT_EQ(second_->live().close_code(), 1012);
  EXPECT_TRUE(soon([&] { return metric("tessera_tables_live", 1) == 0; }));
  Live again(at({}, 1).port, id_, "plain=1");
  EXPECT_TRUE(again.next_with("error"));
  while (again.text()) {
  }
  EXPECT_EQ(again.close_code(), 1012);
}

TEST_F(Outage, ARowThatSaysThatSomethingIsDueIsCorrected) {
  start(1);
  const std::string id = table({{"game", "marbles"}, {"seats", 2}}, 2);
  const auto store = opened(config_.database);
  ::usleep(1'500'000);  // until what the row lags behind is written
  sql("UPDATE matches SET due = 1, keeper = ''");
  EXPECT_TRUE(soon([&] { return !(*good(store->row(id))).due; }));
}

TEST_F(Outage, WhoComesBackFirstDoesNotTakeTheOthersForDead) {
  start(1);
  const auto lives = [&] {  // another process, whose first sign of life is 1
    for (const Sign& sign : good(opened(config_.database)->sign_of_life("other"))) {
      if (sign.process == "other") return sign.count;
    }
    return std::int64_t{0};
  };
  for (int second = 1; second <= 3; ++second) {
    EXPECT_EQ(lives(), second);
    ::usleep(1'000'000);
  }
  database_goes();
  ::usleep(6'000'000);  // longer than the dead are waited for
  database_comes();
  ::usleep(2'500'000);
  EXPECT_EQ(lives(), 4) << "it was buried before it could come back";
}

}  // namespace
}  // namespace tessera::server
