#include "store/contract_test.hpp"

#include <barrier>
#include <set>
#include <thread>

namespace tessera {
namespace {

TEST_P(Contract, FactsAreReplaced) {
  const auto store = open();
  EXPECT_EQ(good(store->fact("keys")), std::nullopt);
  EXPECT_GOOD(store->put_fact("keys", "a"));
  EXPECT_GOOD(store->put_fact("keys", ""));
  EXPECT_EQ(good(store->fact("keys")), "");
  EXPECT_GOOD(store->ping());
}

TEST_P(Contract, TheFirstFactStays) {
  const auto store = open();
  EXPECT_EQ(good(store->first_fact("keys", "a")), "a");
  EXPECT_EQ(good(open()->first_fact("keys", "b")), "a");
  EXPECT_TRUE(good(store->replace_fact("keys", "a", "c")));
  EXPECT_FALSE(good(store->replace_fact("keys", "a", "d")));
  EXPECT_FALSE(good(store->replace_fact("absent", "", "d")));
  EXPECT_EQ(good(store->fact("keys")), "c");
  EXPECT_EQ(good(store->fact("absent")), std::nullopt);
}

TEST_P(Contract, ManyAgreeOnTheFirstFact) {
  constexpr int stores = 6;
  open();
  std::barrier together(stores);
  std::vector<std::string> found(stores);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < stores; ++i) {
    threads.emplace_back([&, i] {
      const auto store = open();
      together.arrive_and_wait();
      found[i] = good(store->first_fact("keys", fmt::format("{}", i)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set(found.begin(), found.end()), std::set{good(open()->fact("keys")).value_or("")});
}

}  // namespace
}  // namespace tessera
