#pragma once

#include <fmt/format.h>

#include "serving.hpp"

/// A database with something of everything, filled by people at a server.
namespace tessera {

class Filled : public Serve {
 protected:
  /// A server's database with a game that was played to its end, one that goes on, one that nobody has come to, chat,
  /// a guest, a password, a mute, a person who was forgotten, a ban.
  void fill() {
    auto serving = serve();
    const int port = serving->port();
    ann_ = server::new_person(port, "Ann");
    bob_ = server::new_person(port, "Bob ☃");
    const server::Visitor zoe = server::new_person(port, "Zoe");
    EXPECT_EQ(ann_.post("/api/me/password", {{"password", "correct horse"}}).status, 200);
    EXPECT_EQ(ann_.post("/api/guests", {{"name", "Gus"}}).status, 200);
    EXPECT_EQ(bob_.post("/api/me/link").status, 200);
    played_ = table("cybo");
    server::Player first(ann_, played_, 1);
    server::Player second(bob_, played_, 2);
    server::play_to_the_end({&first, &second});
    playing_ = table("marbles");
    server::Player third(ann_, playing_, 3);
    server::Player fourth(bob_, playing_, 4);
    server::play_until({&third, &fourth}, [&] { return third.moves() > 2; });
    for (const server::Visitor& who : {ann_, zoe, bob_}) {
      EXPECT_EQ(who.command(playing_, {{"id", 1'000'000'007}, {"do", "say"}, {"text", "hello"}}).status, 200);
    }
    EXPECT_EQ(ann_.command(playing_, {{"id", 1'000'000'008}, {"do", "mute"}, {"person", zoe.id}}).status, 200);
    EXPECT_EQ(ann_.post("/api/tables", {{"game", "cubed"}}).status, 201);
    serving->signal(SIGTERM);
    EXPECT_EQ(serving->ended(), 0);
    EXPECT_EQ(run("admin forget " + zoe.id + database()).exit_code, 0);
    EXPECT_EQ(run("admin ban --name rude" + database()).exit_code, 0);
  }

  /// So many matches more, with the log of the one that was played.
  void multiply(int matches) const {
    const auto store = this->store();
    const auto log = good(store->events(played_));
    MatchRow row = *good(store->row(played_));
    for (int i = 0; i < matches; ++i) {
      row.id = fmt::format("copy{}", i);
      const Append append{.match = row.id, .expected = 0, .events = log, .row = row};
      EXPECT_EQ(good(store->append({&append, 1})), std::vector{Appended::done});
    }
  }

  static std::string everything(const std::string& where) {
    const auto store = opened(where);
    constexpr int all = 1'000'000;
    std::string text;
    for (const MatchRow& row : good(store->matches_after("", {}, all))) {
      text += fmt::format("{} {} {} {} {} {} {} {} {} {} {}\n", row.id, row.code, row.game, static_cast<int>(row.stage),
                          row.listed, row.created, row.changed, row.due.value_or(-1), row.summary,
                          fmt::join(row.people, ","), fmt::join(row.awaited, ","));
      for (const std::string& event : good(store->events(row.id))) text += event + '\n';
    }
    for (const Person& person : good(store->people_after("", all))) {
      text += fmt::format("{} {} {} {} {} {}\n", person.id, person.name, person.password, person.webhook, person.bot,
                          person.created);
    }
    for (const Key& key : good(store->keys_after("", "", all))) {
      text += fmt::format("{} {} {}\n", key.hash, key.kind, key.person);
    }
    for (const Fact& fact : good(store->facts_after("", all))) text += fmt::format("{} {}\n", fact.name, fact.value);
    for (const ChatLine& line : good(store->chat_after("", 0, all))) {
      text += fmt::format("{} {} {} {} {} {} {}\n", line.match, line.number, line.person, line.command, line.gallery,
                          line.text, line.at);
    }
    return text;
  }

  /// Both sit down, and it begins.
  std::string table(const char* game) const {
    const std::string id = ann_.post("/api/tables", {{"game", game}, {"seats", 2}}).json().value("id", "");
    EXPECT_EQ(ann_.command(id, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
    EXPECT_EQ(bob_.command(id, {{"id", 1}, {"do", "sit"}, {"seat", 1}}).status, 200);
    return id;
  }

  server::Visitor ann_{};
  server::Visitor bob_{};
  std::string played_;
  std::string playing_;
};

}  // namespace tessera
