#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rules/handle.hpp"

/// Transcripts: a whole game as text, one JSON object a line, and what one seat has seen of it. docs/transcripts.md has
/// the form.
namespace tessera {

// ── Writing ──

std::string header_text(const Play& play);
std::string line_text(const Line& line);
std::string result_text(const Play& play);

/// An event of a game, with the position that it happened in.
struct Step {
  std::shared_ptr<const Play> before;
  Line line;  ///< in full
};

/// The full lines of the event that `play` waits for.
Line chance_line(const Play& play, const OutcomeText& outcome);
Line move_line(const Play& play, Move move);

/// The same event as `viewer` sees it: hidden pieces written `?`, `legal` only on the viewer's own decisions, what the
/// event lays open added. `after` is the play once the event has happened.
Line seen_line(const Play& before, const Line& full, const Play& after, Viewer viewer);

/// The open end of a seat transcript: it is this seat that is to decide.
Line ask_line(const Play& play);

/// The event of a full line happens. The Error says why it cannot.
std::optional<Error> follow(Play& play, const Line& line);

/// Plays on to the end: chance from its streams, every decision uniformly at random from its seat's choice stream.
/// Each full line is handed to `tell`.
template <class Tell>
void play_randomly(Play& play, Streams& streams, Tell&& tell);

// ── Reading ──

/// A line between header and result, as full and seat transcripts have it.
Expected<Line> parse_line(std::string_view text);

/// Reads transcripts line by line, playing them: each line must be, to the byte, what the rules and the form say.
class TranscriptReader {
 public:
  explicit TranscriptReader(std::span<const GameInfo* const> games) : games_(games) {}

  /// The Error names what the line holds and what was expected. After it, nothing more can be read.
  std::optional<Error> read(std::string_view line);

  int games() const { return games_read_; }  ///< games begun
  int unfinished() const { return games_read_ - finished_; }
  const Play* play() const { return play_.get(); }  ///< the present game; null before the first header
  bool finished() const { return has_result_; }     ///< the present game has its result line

 private:
  std::optional<Error> read_header(std::string_view line);
  std::optional<Error> read_result(std::string_view line);
  std::optional<Error> read_event(std::string_view line);

  std::span<const GameInfo* const> games_;
  std::unique_ptr<Play> play_;
  bool has_result_ = false;
  int games_read_ = 0;
  int finished_ = 0;
};

// ── Detail ──

/// Adapts any Uniform to the handle's interface.
template <Uniform U>
class UniformOf final : public UniformSource {
 public:
  explicit UniformOf(U& uniform) : uniform_(&uniform) {}
  std::uint32_t operator()(std::uint32_t n) override { return (*uniform_)(n); }

 private:
  U* uniform_;
};

template <class Tell>
void play_randomly(Play& play, Streams& streams, Tell&& tell) {
  for (Turn turn = play.turn(); turn.phase != Phase::over; turn = play.turn()) {
    if (turn.phase == Phase::chance) {
      UniformOf uniform(streams[play.stream()]);
      const OutcomeText outcome = play.draw(uniform);
      tell(chance_line(play, outcome));
      play.apply(outcome);
    } else {
      const std::vector<Move> moves = play.legal();
      auto& choice = streams[{Stream::Kind::choice, static_cast<std::uint8_t>(turn.seat)}];
      const Move move = moves[choice(static_cast<std::uint32_t>(moves.size()))];
      tell(move_line(play, move));
      play.play(move);
    }
  }
}

}  // namespace tessera
