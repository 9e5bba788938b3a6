#pragma once

#include <cstdint>
#include <string>

#include "bench/load.hpp"

/// The proof that what a server has acknowledged outlives it: killed at random moments under load, again and again.
namespace tessera::bench {

struct DurabilityReport {
  int kills = 0;
  int matches = 0;
  std::uint64_t moves_acknowledged = 0;
  std::uint64_t lost = 0;       ///< moves that a seat had seen and that its log lacks or tells otherwise
  std::uint64_t doubled = 0;    ///< moves in the log beyond those that were acknowledged
  double resumed_s_median = 0;  ///< from the kill to a new move at a match
  double resumed_s_worst = 0;

  bool passed() const { return lost == 0 && doubled == 0; }
};

/// race2 in a closed loop. The Error says which match did not go on, or what else kept it from its end.
Expected<DurabilityReport> run_durability(int kills, int matches, const Progress& progress);

std::string report_text(const DurabilityReport& report);
std::string report_json(const DurabilityReport& report);

}  // namespace tessera::bench
