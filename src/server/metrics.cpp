#include "server/metrics.hpp"

#include <prometheus/text_serializer.h>
#include <sys/resource.h>
#include <unistd.h>
#include <fstream>

namespace tessera::server {
namespace {

prometheus::Counter& counter(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add({});
}

prometheus::Gauge& gauge(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double pages_all = 0;
  double pages_resident = 0;
  statm >> pages_all >> pages_resident;
  return pages_resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

Metrics::Metrics()
    : events_(counter(registry_, "tessera_events_total", "Events that happened at tables")),
      refused_(counter(registry_, "tessera_commands_refused_total", "Commands that were refused with a sentence")),
      requests_(counter(registry_, "tessera_requests_total", "HTTP requests")),
      turned_away_(counter(registry_, "tessera_turned_away_total", "Requests and connections over a limit, or banned")),
      dropped_(counter(registry_, "tessera_sockets_dropped_total", "Sockets closed because they read too slowly")),
      sockets_(gauge(registry_, "tessera_sockets", "Open WebSockets")),
      tables_(gauge(registry_, "tessera_tables_live", "Tables in memory")),
      failed_appends_(counter(registry_, "tessera_appends_failed_total",
                              "Appends that another process was quicker than, or the database did not take")),
      bus_(gauge(registry_, "tessera_bus_up", "1 while the bus carries; always 0 without one")),
      database_(gauge(registry_, "tessera_database_up", "1 while the database answers")),
      started_(gauge(registry_, "process_start_time_seconds", "When the server started, in seconds since 1970")),
      cpu_(gauge(registry_, "process_cpu_seconds_total", "CPU time of the process")),
      memory_(gauge(registry_, "process_resident_memory_bytes", "Resident memory of the process")) {
  database(true);  // or the server does not start
  started_.SetToCurrentTime();
}

std::string Metrics::text() {
  cpu_.Set(cpu_seconds());
  memory_.Set(resident_bytes());
  return prometheus::TextSerializer().Serialize(registry_.Collect());
}

}  // namespace tessera::server
