#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "store/store.hpp"

namespace tessera::server {

/// Whoever has changed something in the database that running servers keep in memory (bans, settings, session keys, names,
/// a log that was theirs) gives notice: the fact "notice" has a new value, and servers look again.
std::optional<Error> give_notice(Store& store);

/// Replaces such a fact by what `change` makes of it, or of `otherwise` where there is none, whoever else does so at the
/// same time, and gives notice. Returns what it is now.
Expected<std::string> change_fact(Store& store, std::string_view name, std::string_view otherwise,
                                  const std::function<Expected<std::string>(const std::string&)>& change);

}  // namespace tessera::server
