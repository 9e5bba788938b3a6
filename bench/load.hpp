#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/process.hpp"
#include "core/expected.hpp"

/// A load on a server, measured from outside. docs/load.md says what each figure means.
namespace tessera::bench {

struct LoadSettings {
  std::string url{};  ///< of a running server; empty: servers of its own
  ServerSettings server{};
  int processes = 1;      ///< servers of its own, on one database
  bool by_table = false;  ///< everybody of a table is at the same one of them, else at any
  std::string game = "race2";
  int seats = 2;
  std::string options = "{}";  ///< of the game, as JSON
  int matches = 100;
  double think_s = 0;  ///< before a move; 0: none, a closed loop
  double seconds = 10;
  int idle = 0;             ///< further sockets that are held and do nothing
  bool lobby = false;       ///< also measures the list of tables
  int bot_games = 0;        ///< further matches, in which the strongest bots play each other
  bool comes_back = false;  ///< players whose server dies come back and go on
  std::string history{};    ///< the file that gets what the players are told; empty: none
};

/// Figures that were not measured are absent.
struct LoadReport {
  std::string game;
  int matches = 0;
  int seats = 0;
  int sockets = 0;
  std::optional<int> processes{};
  double seconds = 0;  ///< in which moves were made
  std::uint64_t moves = 0;
  std::uint64_t games = 0;  ///< that came to their end, each followed by another
  double moves_per_s = 0;
  double p50_ms = 0;
  double p99_ms = 0;
  double bytes_per_update = 0;
  std::uint64_t bytes_largest_update = 0;
  double bytes_per_command = 0;
  std::optional<double> server_cpu_us_per_move{};
  std::optional<double> floor_cpu_us_per_move{};
  std::optional<double> floor_moves_per_s{};
  std::optional<double> ratio_to_floor{};
  std::optional<int> bot_games{};
  std::optional<double> rss_kb_per_match{};
  std::optional<double> rss_kb_per_idle_socket{};
  std::optional<double> lobby_p50_ms{};
  std::optional<double> lobby_p99_ms{};
};

/// Is told what is being done, for a line that changes.
using Progress = std::function<void(const std::string&)>;

/// Ends early, with the figures so far, on Ctrl-C.
Expected<LoadReport> run_load(const LoadSettings& settings, const Progress& progress);

std::string report_text(const LoadReport& report);
std::string report_json(const LoadReport& report);

/// The value below which so much of all lies, 0 ≤ part < 1. Sorts what it must; 0 of nothing.
double quantile(std::vector<float>& values, double part);

}  // namespace tessera::bench
