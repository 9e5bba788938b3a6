/// Input: commands, settings, events, a record or a log, line by line. All are refused with a sentence or read; a log
/// that folds can be shown to anybody. Every secret and contribution fits its hash here, so that the fuzzer gets past
/// the draw.
#include <cstdlib>

#include "core/text.hpp"
#include "games/registry.hpp"
#include "match/record.hpp"
#include "match/view.hpp"

namespace {

using namespace tessera;

fair::Bytes32 same_hash(std::string_view) { return {}; }

/// Dice that depend on nothing but their place in their stream.
fair::Bytes32 cheap_dice(const fair::Bytes32&, std::string_view place) {
  fair::Bytes32 words{};
  std::uint64_t state = fnv1a(place);
  for (std::uint8_t& byte : words) {
    state = state * 6364136223846793005 + 1442695040888963407;
    byte = static_cast<std::uint8_t>(state >> 56);
  }
  return words;
}

constexpr fair::Hash hash{same_hash, cheap_dice};
constexpr std::array<std::string_view, 2> bots{"random", "simple"};

template <class T>
void expect_sentence(const Expected<T>& read) {
  if (!read && read.error().sentence.empty()) std::abort();
}

void show(const Match& match) {
  table_json(match, 0);
  turn_json(match);
  clocks_json(match, 0);
  for (int seat = -1; seat < std::ssize(match.seats()); ++seat) {
    const Viewer viewer = seat < 0 ? Viewer::spectator() : Viewer::seat(seat);
    legal_json(match, viewer);
    pieces_json(match, viewer);
    if (seat >= 0 && match.time_left(seat, 1) < 0) std::abort();
  }
  match.due();
  match.awaited();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const World world{all_games(), bots, &hash, [] { return fair::Bytes32{}; }};
  expect_sentence(parse_record(text));
  std::vector<std::string> log;
  for (const std::string_view line : split(text, '\n')) {
    expect_sentence(parse_command(line));
    expect_sentence(parse_settings(line, world.games, bots));
    const auto event = parse_event(line);
    expect_sentence(event);
    if (event && parse_event(event_json(*event))->kind != event->kind) std::abort();
    log.emplace_back(line);
  }
  const auto match = Match::fold(world, "m1", log, [](const Happening& happening) {
    seen_json(happening, Viewer::spectator());
    seen_json(happening, Viewer::seat(0));
  });
  expect_sentence(match);
  if (match) show(*match);
  return 0;
}
