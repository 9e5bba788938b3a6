#include "server/retention.hpp"

#include <memory>

#include "server/gate.hpp"
#include "server/log.hpp"
#include "server/site.hpp"

namespace tessera::server {
namespace {

constexpr Time day_ms = 86'400'000;
constexpr int at_a_time = 20;

/// Lives as long as its timer, or the work that the timer waits for, has to do.
class Retention : public std::enable_shared_from_this<Retention> {
 public:
  explicit Retention(Site& site) : site_(site), timer_(site.loops.front()->context().get_executor()) {}

  void after(Timer::duration wait) {
    timer_.expires_after(wait);
    timer_.async_wait([self = shared_from_this()](const boost::system::error_code& stopped) {
      if (!stopped) self->site_.readers->run([self](Store& store) { self->drop_some(store); });
    });
  }

 private:
  void drop_some(Store& store) {
    const int days = site_.gate->settings().keep_days;
    if (days == 0) return wait_for_the_next({});
    const Filter old{.stage = MatchRow::Stage::over, .changed_before = now() - days * day_ms};
    const auto rows = store.matches_after(last_, old, at_a_time);
    if (!rows) return wait_for_the_next(rows.error());
    std::vector<std::string> ids;
    for (const MatchRow& row : *rows) ids.push_back(row.id);
    const auto dropped = store.drop(ids);
    if (!dropped) return wait_for_the_next(dropped.error());
    dropped_ += *dropped;
    if (std::ssize(ids) < at_a_time) return wait_for_the_next({});
    last_ = ids.back();
    again(std::chrono::milliseconds(100));  // whoever reads goes first
  }

  void wait_for_the_next(const std::optional<Error>& problem) {
    if (problem) site_.log->error("old matches cannot be dropped", {{"why", problem->sentence}});
    if (dropped_ > 0) site_.log->info("old matches were dropped", {{"matches", std::to_string(dropped_)}});
    dropped_ = 0;
    last_.clear();
    again(std::chrono::minutes(1));
  }

  void again(Timer::duration wait) {
    site_.loops.front()->post([self = shared_from_this(), wait] { self->after(wait); });
  }

  Site& site_;
  Timer timer_;
  std::string last_;  ///< id of the match up to which this round has come
  std::int64_t dropped_ = 0;
};

}  // namespace

void start_retention(Site& site) {
  site.loops.front()->post(
      [retention = std::make_shared<Retention>(site)] { retention->after(std::chrono::seconds(1)); });
}

}  // namespace tessera::server
