#include <fmt/format.h>
#include <ctime>
#include <vector>
#include "games/registry.hpp"
int main(int argc, char** argv) {
  using namespace tessera;
  for (auto* g : all_games()) {
    if (argc > 1 && g->name != argv[1]) continue;
    for (int seats : g->seat_counts) {
      std::vector<Setting> settings;
      for (int i = 2; i < argc; ++i) { auto s = parse_setting(argv[i]); if (s) settings.push_back(*s); }
      auto p = g->start(seats, settings);
      if (!p) { fmt::print("{}\n", p.error().sentence); continue; }
      Random r(1, "x");
      auto t0 = clock();
      PlayoutCount c; 
      while (double(clock() - t0) / CLOCKS_PER_SEC < 0.7) { auto d = (*p)->playouts(20, r); c.playouts += d.playouts; c.transitions += d.transitions; }
      auto dt = double(clock() - t0) / CLOCKS_PER_SEC;
      fmt::print("{} {}: {:.0f} playouts/s {:.2f} M transitions/s length {:.1f} bytes {}\n", g->name, seats, c.playouts / dt, c.transitions / dt / 1e6, double(c.transitions) / c.playouts, (*p)->state_bytes());
    }
  }
}
