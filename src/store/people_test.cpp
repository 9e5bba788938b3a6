#include "store/contract_test.hpp"

#include <thread>

/// People, their keys, and what they say.
namespace tessera {
namespace {

TEST_P(Contract, PeopleAreKeptAndChanged) {
  const auto store = open();
  Person ann{.id = "1", .name = "Ann", .webhook = "https://example.org", .created = 5};
  const Person bot{.id = "2", .name = "Bot", .bot = true, .created = 6};
  EXPECT_GOOD(store->put_person(ann));
  EXPECT_GOOD(store->put_person(bot));
  ann.name = "Anna";
  ann.webhook = "";
  EXPECT_GOOD(store->put_person(ann));
  EXPECT_EQ(good(store->person("1")), ann);
  EXPECT_EQ(good(store->person("3")), std::nullopt);
  EXPECT_EQ(good(store->people(Ids{"2", "3", "1"})), (std::vector{bot, ann}));
}

TEST_P(Contract, PeopleAreFoundByTheirPresentName) {
  const auto store = open();
  for (const char* id : {"2", "1", "3"}) EXPECT_GOOD(store->put_person({.id = id, .name = "Zoë"}));
  EXPECT_GOOD(store->put_person({.id = "1", .name = "ZOë"}));
  EXPECT_GOOD(store->put_person({.id = "3", .name = "Zed"}));
  EXPECT_EQ(good(store->people_named("zOë")), (Ids{"1", "2"}));
  EXPECT_EQ(good(store->people_named("nobody")), Ids{});
}

TEST_P(Contract, NamesAreUniqueAmongThoseWithAPassword) {
  const auto store = open();
  const Person visitor{.id = "1", .name = "Zoë"};
  Person owner{.id = "2", .name = "ZOë", .password = "hash"};
  Person late{.id = "3", .name = "zoë", .password = "other hash"};
  EXPECT_GOOD(store->put_person(visitor));
  EXPECT_EQ(good(store->person_with_password("zoë")), std::nullopt);
  EXPECT_GOOD(store->put_person(owner));
  EXPECT_EQ(good(store->person_with_password("zoë")), owner);
  EXPECT_NE(store->put_person(late), std::nullopt);
  EXPECT_EQ(good(store->person("3")), std::nullopt);
  owner.password = "new hash";
  EXPECT_GOOD(store->put_person(owner));
  EXPECT_EQ(good(store->person_with_password("Zoë")), owner);
  owner.name = "Zed";
  EXPECT_GOOD(store->put_person(owner));
  EXPECT_GOOD(store->put_person(late));
  EXPECT_NE(store->put_person({.id = "2", .name = "ZOë", .password = "hash"}), std::nullopt);
  EXPECT_EQ(good(store->person("2")), owner);
}

TEST_P(Contract, KeysBringAPersonBack) {
  const auto store = open();
  EXPECT_GOOD(store->put_key("h1", "ann", "link"));
  EXPECT_GOOD(store->put_key("h1", "bob", "feed"));
  EXPECT_GOOD(store->put_key("h2", "ann", "feed"));
  EXPECT_GOOD(store->put_key("h2", "ann", "feed"));
  EXPECT_EQ(good(store->person_with_key("h1", "link")), "ann");
  EXPECT_EQ(good(store->person_with_key("h1", "feed")), "bob");
  EXPECT_EQ(good(store->person_with_key("h3", "feed")), std::nullopt);
  EXPECT_GOOD(store->drop_keys("ann", "link"));
  EXPECT_EQ(good(store->person_with_key("h1", "link")), std::nullopt);
  EXPECT_EQ(good(store->person_with_key("h2", "feed")), "ann");
}

TEST_P(Contract, ChatCountsUpAndKeepsARepeatedLineOnce) {
  const auto store = open();
  ChatLine line{.match = "m", .person = "ann", .command = 7, .gallery = true, .text = "hello", .at = 3};
  ChatLine kept = line;
  kept.number = 1;
  EXPECT_EQ(good(store->say(line)), kept);
  line.text = "again";
  EXPECT_EQ(good(store->say(line)), kept);
  line.command = ~std::uint64_t{0};
  EXPECT_EQ(good(store->say(line)).number, 2);
  line.match = "other";
  EXPECT_EQ(good(store->say(line)).number, 1);
  line.match = "m";
  line.person = "bob";
  EXPECT_EQ(good(store->say(line)).number, 3);

  const auto all = good(store->chat("m", 0, 10));
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[0], kept);
  EXPECT_EQ(all[1].command, ~std::uint64_t{0});
  EXPECT_EQ(good(store->chat("m", 0, 2)), std::vector(all.begin() + 1, all.end()));
  EXPECT_EQ(good(store->chat("m", 2, 10)), std::vector(all.begin() + 2, all.end()));
}

TEST_P(Contract, TwoStoresNeverGiveTwoLinesOneNumber) {
  constexpr int lines = 40;
  open();
  auto speak = [&](const std::string& person) {
    const auto store = open();
    for (std::uint64_t i = 0; i < lines; ++i) {
      good(store->say({.match = "m", .person = person, .command = i, .text = "x"}));
    }
  };
  std::thread other([&] { speak("bob"); });
  speak("ann");
  other.join();
  const auto all = good(open()->chat("m", 0, 1000));
  ASSERT_EQ(all.size(), 2 * lines);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].number, i + 1);
}

}  // namespace
}  // namespace tessera
