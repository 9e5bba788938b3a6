#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "fair/fair.hpp"
#include "server/bus.hpp"
#include "server/gate.hpp"
#include "store/committer.hpp"

namespace tessera::server {

struct Site;

/// This process among those at the same database. Once a second it says that it lives, hears who else does, takes over
/// what the dead have left and what is due, and looks whether the owner has decided something.
///
/// On the bus it says what it has written, and where somebody has spoken. Whoever has missed something looks for itself.
/// docs/reliability.md has the whole picture.
class Peers {
 public:
  Peers(Site& site, std::unique_ptr<Store> store);
  ~Peers() { stop(); }

  std::optional<Error> open_bus(const std::string& url);
  void start();
  void stop();  ///< the rounds; the bus stays as long as loops use it

  // ── From any thread ──

  void wrote(std::span<const Committer::Committed> committed);
  void said(const std::string& match);
  /// The database had more than was heard of: others may have missed it too, for whoever wrote it may have died.
  void found(const std::string& match, Sequence last);
  void arrived(Presence presence);
  /// From now on these count, and who is newly banned is put out of this process. After an Error nothing has changed.
  std::optional<Error> heed_bans(const Bans& bans, Store& store);

  std::string_view bus() const;  ///< "up", "down", or "none"
  /// The database has not answered for so long that others act in this process's place.
  bool cut_off() const;

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;
  struct Other {
    std::int64_t signs;
    SteadyTime since;
  };

  void work();
  std::optional<Error> round();
  std::optional<Error> live_among();
  std::optional<Error> take_over(const std::string& dead);
  std::optional<Error> do_what_is_due();
  std::optional<Error> heed_owner();
  void say(std::string_view text);
  void heard(std::string_view sealed);
  void look_at_all();
  void dismiss_all();

  Site& site_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Bus> bus_;
  /// What is said on the bus is sealed with it: whoever gets into the bus can neither read nor lie.
  fair::Bytes32 bus_key_{};

  std::mutex mutex_;
  std::condition_variable stopping_changed_;
  bool stopping_ = false;
  std::vector<Presence> arrived_;  ///< and not yet written

  std::map<std::string, Other> others_;
  std::int64_t own_signs_ = 0;
  std::string notice_;  ///< the owner's last
  int rounds_ = 0;
  bool failing_ = false;
  std::atomic<SteadyTime> answered_{std::chrono::steady_clock::now()};
  std::thread thread_;
};

}  // namespace tessera::server
