#pragma once

#include <spdlog/logger.h>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tessera::server {

/// One line an event on standard error, for people or as JSON; a field without a value is left out. Never holds secrets,
/// keys or chat, nor hands, but for the line of a match that cannot be read.
class Log {
 public:
  using Fields = std::initializer_list<std::pair<std::string_view, std::string>>;

  Log(bool json, std::string process);

  void info(std::string_view what, Fields fields = {}) { write(spdlog::level::info, what, fields); }
  void warning(std::string_view what, Fields fields = {}) { write(spdlog::level::warn, what, fields); }
  void error(std::string_view what, Fields fields = {}) { write(spdlog::level::err, what, fields); }

 private:
  void write(spdlog::level::level_enum level, std::string_view what, Fields fields);

  bool json_;
  std::string process_;  ///< stands in every line
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace tessera::server
