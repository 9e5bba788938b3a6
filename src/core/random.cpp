#include "core/random.hpp"

#include <cassert>
#include <cstddef>

namespace tessera {
namespace {

constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

std::string stream_name(Stream stream) {
  constexpr std::array kinds{"dice ", "bag ", "choice "};
  return kinds[static_cast<std::size_t>(stream.kind)] + std::to_string(stream.index);
}

Random::Random(std::uint64_t seed, std::string_view stream) : words_(splitmix64(seed), fnv1a(stream)) {}

Random& Streams::operator[](Stream stream) {
  assert(stream.index <= Stream::max_index);
  auto& made = made_[static_cast<std::size_t>(stream.kind)][stream.index];
  if (!made) made.emplace(seed_, stream);
  return *made;
}

}  // namespace tessera
