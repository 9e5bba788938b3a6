#pragma once

#include <memory>
#include <string>
#include <vector>

#include "match/match.hpp"
#include "server/config.hpp"
#include "server/reviews.hpp"
#include "server/tables.hpp"
#include "server/workers.hpp"
#include "store/committer.hpp"

namespace tessera::server {

class Identity;
class Gate;
class Log;
class Metrics;
class Peers;
class Webhooks;

/// What all parts of a running server share. Made and owned by Server; everything in it may be used from any thread,
/// but a Tables only on its loop.
struct Site {
  Config config;
  std::string process;  ///< this process's name among others
  bool shared = false;  ///< others may be at work on the same database
  World world;
  std::unique_ptr<Log> log;
  std::unique_ptr<Metrics> metrics;
  std::unique_ptr<Gate> gate;
  std::unique_ptr<Identity> identity;
  std::unique_ptr<Webhooks> webhooks;
  std::unique_ptr<Reviews> reviews;
  std::vector<std::unique_ptr<Loop>> loops;
  std::vector<std::unique_ptr<Tables>> tables;  ///< one a loop
  std::unique_ptr<Workers> readers;             ///< the database
  std::unique_ptr<Workers> followers;           ///< what other processes have written in it
  std::unique_ptr<Workers> thinkers;            ///< bots
  std::unique_ptr<Workers> reviewers;           ///< of games that are over
  std::unique_ptr<Workers> hashers;             ///< passwords, which are slow to hash on purpose
  std::unique_ptr<Workers> callers;             ///< webhooks, whose other ends may be slow
  std::unique_ptr<Committer> committer;
  std::unique_ptr<Peers> peers;

  Tables& home_of(std::string_view match) { return *tables[std::hash<std::string_view>{}(match) % tables.size()]; }
};

/// Milliseconds since 1970.
Time now();

}  // namespace tessera::server
