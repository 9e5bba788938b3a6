/// Input: a game's name, the number of seats, then a setting a line. Whatever is accepted must come out of a
/// transcript's header as it went in.
#include <cstdlib>

#include "core/text.hpp"
#include "games/registry.hpp"
#include "rules/transcript.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  const auto lines = split({reinterpret_cast<const char*>(data), size}, '\n');
  if (lines.size() < 2) return 0;
  for (const GameInfo* game : all_games()) {
    if (game->name != lines[0]) continue;
    std::vector<Setting> settings;
    for (std::size_t i = 2; i < lines.size(); ++i) {
      if (const auto setting = parse_setting(lines[i])) settings.push_back(*setting);
    }
    const auto play = game->start(parse_int(lines[1]).value_or(2), settings);
    if (!play) {
      if (play.error().sentence.empty()) std::abort();
      continue;
    }
    TranscriptReader reader(all_games());
    if (reader.read(header_text(**play)) || !reader.play()->equals(**play)) std::abort();
  }
  return 0;
}
