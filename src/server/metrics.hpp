#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <string>

namespace tessera::server {

/// Counts for Prometheus. Everything may be called from any thread.
class Metrics {
 public:
  Metrics();

  void events(std::size_t count) { events_.Increment(static_cast<double>(count)); }
  void refused() { refused_.Increment(); }
  void request() { requests_.Increment(); }
  void turned_away() { turned_away_.Increment(); }
  void dropped() { dropped_.Increment(); }
  void socket(int change) { sockets_.Increment(change); }
  void table(int change) { tables_.Increment(change); }
  void append_failed() { failed_appends_.Increment(); }
  void bus(bool up) { bus_.Set(up ? 1 : 0); }
  void database(bool up) { database_.Set(up ? 1 : 0); }

  std::string text();  ///< as Prometheus reads it, with the process's CPU time and memory as they are now

 private:
  prometheus::Registry registry_;
  prometheus::Counter& events_;
  prometheus::Counter& refused_;
  prometheus::Counter& requests_;
  prometheus::Counter& turned_away_;
  prometheus::Counter& dropped_;
  prometheus::Gauge& sockets_;
  prometheus::Gauge& tables_;
  prometheus::Counter& failed_appends_;
  prometheus::Gauge& bus_;
  prometheus::Gauge& database_;
  prometheus::Gauge& started_;
  prometheus::Gauge& cpu_;
  prometheus::Gauge& memory_;
};

}  // namespace tessera::server
