/// Input: lines of the engine protocol, from both sides. Senseless ones are answered with a sentence; what was understood
/// is written as it was read; a session survives all of them.
#include <cstdlib>

#include "core/text.hpp"
#include "engine/session.hpp"
#include "games/registry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  double now = 0;
  EngineSession session(all_games(), "1", [&] { return now += 1; });
  for (const std::string_view line : split(text, '\n')) {
    const auto request = parse_request(line);
    if (!request && request.error().sentence.empty()) std::abort();
    if (request && request->kind != Request::Kind::unknown &&
        parse_request(request_text(*request))->kind != request->kind) {
      std::abort();
    }
    const auto answer = parse_answer(line);
    if (answer && answer->kind != EngineAnswer::Kind::unknown &&
        parse_answer(answer_text(*answer))->kind != answer->kind) {
      std::abort();
    }
    // Else it would think for long.
    if (request &&
        (request->simulations > 10 || request->text.starts_with("search") || request->text.starts_with("uct"))) {
      continue;
    }
    session.answer(line);
  }
  return 0;
}
