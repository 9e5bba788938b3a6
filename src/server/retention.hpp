#pragma once

namespace tessera::server {

struct Site;

/// Soon, and then once a minute, drops the matches that have been over for longer than `Settings::keep_days`, some at a
/// time so that nobody waits. Several servers may do so on one database.
void start_retention(Site& site);

}  // namespace tessera::server
