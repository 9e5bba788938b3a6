#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

enum class Backend : std::uint8_t { sqlite, postgres };

/// The statements that bring a database from schema version n to n + 1, for n = 0 (an empty database), 1, …
/// A version that has been released is never changed: append the next one.
std::vector<std::vector<std::string>> migrations(Backend backend);

}  // namespace tessera
