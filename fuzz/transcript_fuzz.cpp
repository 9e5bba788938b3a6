/// Input: a transcript, or a seat transcript. A line that is accepted has been written as it was read.
#include <cstdlib>

#include "core/text.hpp"
#include "games/registry.hpp"
#include "rules/transcript.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  TranscriptReader reader(all_games());
  std::unique_ptr<Knowledge> knowledge;
  for (const std::string_view text : split({reinterpret_cast<const char*>(data), size}, '\n')) {
    if (const auto line = parse_line(text); line && knowledge) knowledge->observe(*line);
    const int games = reader.games();
    if (const auto problem = reader.read(text)) {
      if (problem->sentence.empty()) std::abort();
    } else if (reader.games() > games) {
      knowledge = reader.play()->know_nothing(Viewer::seat(0));
    }
  }
  return 0;
}
