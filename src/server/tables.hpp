#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/loop.hpp"
#include "server/table.hpp"
#include "store/committer.hpp"

namespace tessera::server {

/// Whether a line of a log may be about somebody who sits down, and has a name.
inline bool seats_somebody(std::string_view line) { return line.find("\"sat\":") != std::string_view::npos; }

/// Names of those who sit down in `events`.
Table::Names newcomers(Store& store, std::span<const std::string> events);

/// The live tables of one loop: loads them from the database when somebody asks, forgets them when nobody does.
class Tables {
 public:
  Tables(Site& site, Loop& loop);

  void start();  ///< the loop's clock, once a second

  /// Hands the table to `use`, on this loop, or why that cannot be.
  using Use = std::function<void(const Expected<Table*>&)>;
  void with(const std::string& id, Use use);
  Table* find(const std::string& id);  ///< null: it is not loaded
  /// A new table, whose first events are written at once; `made` is told when they are, or why they are not.
  void create(Match match, const Match::Happenings& happened, std::string code, Table::Names names,
              std::function<void(std::optional<Error>)> made);

  void commit_soon(Table& table, Append append);
  void committed(std::vector<Committer::Committed>& committed);
  void dismiss(const std::function<bool(const Member&)>& whom);
  void look_who_is_forgotten();  ///< the owner may have had people forgotten since their names were read
  template <class Task>
  void after(std::chrono::milliseconds wait, Task task) {
    auto timer = std::make_shared<Timer>(loop_.context().get_executor(), wait);
    timer->async_wait([timer, task = std::move(task)](const boost::system::error_code& stopped) {
      if (!stopped) task();
    });
  }

  // ── Other processes ──

  /// Asks the database whether a log has grown; the table is told.
  void look_soon(Known known);
  void look_at_all();  ///< that somebody watches
  /// Whether somebody who is no longer here can be reached through another process; the table is told.
  void ask_whether_gone(Presence presence) { gone_.push_back(std::move(presence)); }

  Site& site() { return site_; }
  Loop& loop() { return loop_; }

 private:
  void load(const std::string& id);
  void tick();
  void look(std::vector<Known> known);
  void ask_who_has_gone(std::vector<Presence> gone);
  void forget_unknown(std::vector<std::string> people);

  Site& site_;
  Loop& loop_;
  std::unordered_map<std::string, std::unique_ptr<Table>> tables_;
  std::unordered_map<std::string, std::vector<Use>> loading_;
  std::vector<std::pair<std::uint64_t, Append>> to_commit_;  ///< tickets and what they are for
  std::vector<Known> to_look_at_;
  std::vector<Presence> gone_;
};

}  // namespace tessera::server
