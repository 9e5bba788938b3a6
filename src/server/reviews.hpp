#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "match/match.hpp"
#include "server/http.hpp"
#include "server/workers.hpp"

namespace tessera::server {

/// Reviews of matches that are over. Each is worked out when it is first asked for, one after the other, and kept until
/// many others have been.
class Reviews {
 public:
  Reviews(Workers& workers, const World& world) : workers_(workers), world_(world) {}

  /// The review, or (202) how much of it is done: {"reviewed":0.4}.
  Response of(const std::string& table);
  void stop() { stopping_ = true; }  ///< gives up the one that is being worked out

 private:
  struct Entry {
    double reviewed = 0;  ///< from 0 to 1
    std::string json{};   ///< empty: not done
    std::optional<Error> problem{};
  };

  void work_out(const std::string& table, Store& store);
  Expected<std::string> made(const std::string& table, Store& store);

  Workers& workers_;
  const World& world_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;  ///< by table
  std::deque<std::string> finished_;      ///< the oldest first
};

}  // namespace tessera::server
