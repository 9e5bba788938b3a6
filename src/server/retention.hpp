#pragma once

namespace tessera::server {

struct Site;

/// Soon, and then once an hour, drops the matches that have been over for longer than `Config::keep_days`, some at a
/// time so that nobody waits. Several servers may do so on one database.
void start_retention(Site& site);

}  // namespace tessera::server
