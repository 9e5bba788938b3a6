#include "server/log.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace tessera::server {

namespace {

/// Of any bytes: what is no UTF-8 is replaced.
std::string json_of(const std::string& value) {
  return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Log::Log(bool json, std::string process)
    : json_(json),
      process_(std::move(process)),
      logger_(std::make_shared<spdlog::logger>("tessera", std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
  logger_->set_pattern("%v");
  logger_->flush_on(spdlog::level::info);
}

void Log::write(spdlog::level::level_enum level, std::string_view what, Fields fields) {
  const std::string_view level_name =
      level == spdlog::level::info ? "info" : (level == spdlog::level::warn ? "warning" : "error");
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const std::string time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
  std::string line = json_ ? fmt::format(R"({{"time":"{}","level":"{}","process":"{}","event":{})", time, level_name,
                                         process_, json_string(what))
                           : fmt::format("{} {} {:7} {}", time, process_, level_name, what);
  for (const auto& [key, value] : fields) {
    if (value.empty()) continue;
    line += json_ ? fmt::format(R"(,"{}":{})", key, json_of(value)) : fmt::format("  {}={}", key, in_quotes(value));
  }
  if (json_) line += '}';
  logger_->log(level, line);
}

}  // namespace tessera::server
