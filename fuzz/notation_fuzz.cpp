/// Input: two bytes that choose a game, seats and how far to play, then moves and chance events, one a line. Whatever
/// parses is legal and is written as it was read.
#include <algorithm>
#include <cstdlib>

#include "core/text.hpp"
#include "games/registry.hpp"
#include "rules/transcript.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  if (size < 2) return 0;
  const GameInfo& game = *all_games()[data[0] % all_games().size()];
  const int seats = game.seat_counts[data[0] / 8 % game.seat_counts.size()];
  const auto play = std::move(*game.start(seats, {}));
  Streams streams(data[1]);
  for (int events = data[1] % 32; events > 0 && play->turn().phase != Phase::over; --events) {
    if (play->turn().phase == Phase::chance) {
      UniformOf uniform(streams[play->stream()]);
      play->apply(play->draw(uniform));
    } else {
      const auto moves = play->legal();
      play->play(moves[data[1] % moves.size()]);
    }
  }
  for (const std::string_view line : split({reinterpret_cast<const char*>(data) + 2, size - 2}, '\n')) {
    if (play->turn().phase == Phase::decision) {
      const auto move = play->parse(line);
      if (!move) continue;
      const auto legal = play->legal();
      if (std::find(legal.begin(), legal.end(), *move) == legal.end()) std::abort();
      if (play->text(*move, Viewer::all()) != line) std::abort();
      play->play(*move);
    } else if (play->turn().phase == Phase::chance) {
      const std::size_t tab = line.find('\t');
      const OutcomeText outcome{std::string(line.substr(0, tab)),
                                tab == std::string_view::npos ? "" : std::string(line.substr(tab + 1))};
      const auto seen = play->seen(outcome, Viewer::all());
      if (seen && seen->text != outcome.text) std::abort();
      play->apply(outcome);
    }
  }
  return 0;
}
