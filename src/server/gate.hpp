#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

#include "core/expected.hpp"
#include "server/settings.hpp"
#include "store/store.hpp"

namespace tessera::server {

/// So many a second, and four seconds' worth at once.
class Allowance {
 public:
  explicit Allowance(int per_s) : per_s_(per_s), left_(4.0 * per_s) {}
  bool take() {
    refill();
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }
  /// Takes one in any case, and says how long to wait until there is one.
  std::chrono::duration<double> take_soon() {
    refill();
    left_ -= 1;
    return std::chrono::duration<double>(std::max(0.0, -left_ / per_s_));
  }
  bool full() const {  ///< nothing was taken for a while
    return std::chrono::steady_clock::now() - last_ > std::chrono::seconds(10);
  }

 private:
  void refill() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    left_ = std::min(4.0 * per_s_, left_ + passed.count() * per_s_);
  }

  double per_s_;
  double left_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// As names are compared: a banned name is kept like this.
std::string lower_case(std::string text);

/// Who is not let in, and who may not speak. Kept in the database, so that it outlives the process.
struct Bans {
  std::set<std::string> addresses;
  std::set<std::string> names;   ///< in lower case
  std::set<std::string> silent;  ///< people, by id

  /// Bans and mutes, or no longer; what is empty is passed over.
  void set(bool on, const std::string& address, const std::string& name, const std::string& person);

  std::string json() const;
  static Expected<Bans> parse(std::string_view json);

  static Expected<Bans> read(Store& store);
  /// Changes what the database has, whoever else does so at the same time, and gives servers notice.
  static Expected<Bans> change(Store& store, const std::function<void(Bans&)>& change);
};

/// The settings, whom they keep out, and bans. May be used from any thread.
class Gate {
 public:
  Gate(const Settings& settings, bool open) : open_(open), settings_(settings) {}

  bool connect(const std::string& address);  ///< false: turn it away; true: call disconnect later
  void disconnect(const std::string& address);
  bool request(const std::string& address);

  Settings settings();
  void set_settings(const Settings& settings);

  Bans bans();
  void set_bans(Bans bans);
  bool name_banned(const std::string& name);
  bool silent(const std::string& person);

 private:
  struct Visitor {
    int connections = 0;
    Allowance requests;
  };
  Visitor& visitor(const std::string& address);

  const bool open_;  ///< for benchmarks: no limits
  std::mutex mutex_;
  Settings settings_;
  std::unordered_map<std::string, Visitor> visitors_;
  std::size_t sweep_at_ = 1024;
  Bans bans_;
};

}  // namespace tessera::server
