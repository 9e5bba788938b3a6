#pragma once

#include <optional>

#include "store/store.hpp"

namespace tessera::server {

/// Whoever has changed something in the database that running servers keep in memory (bans, settings, session keys, names,
/// a log that was theirs) gives notice: the fact "notice" has a new value, and servers look again.
std::optional<Error> give_notice(Store& store);

}  // namespace tessera::server
