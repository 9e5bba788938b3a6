/// No game allocates while it is played.
#include <gtest/gtest.h>
#include <cstdlib>
#include <new>

#include "games/registry.hpp"

namespace {
std::uint64_t allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tessera {
namespace {

TEST(Allocation, TheCountCounts) {
  const std::uint64_t before = allocations;
  const auto kept = std::make_unique<Setting>(Setting{"a name", "a value that is too long to fit inside a string"});
  EXPECT_FALSE(kept->name.empty());
  EXPECT_GT(allocations, before);
}

TEST(Allocation, PlayingAllocatesNothing) {
  for (const GameInfo* game : all_games()) {
    for (const int seats : game->seat_counts) {
      const Setting limit{"turn_limit", "2000"};
      const auto play = std::move(*game->start(seats, {&limit, 1}));
      Random random(1, "allocation");
      play->playouts(1, random);
      const std::uint64_t before = allocations;
      const PlayoutCount counted = play->playouts(3, random);
      EXPECT_EQ(allocations, before) << game->name << " with " << seats << " seats";
      EXPECT_GT(counted.transitions, 0U);
    }
  }
}

}  // namespace
}  // namespace tessera
