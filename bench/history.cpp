#include "bench/history.hpp"

#include <fmt/format.h>
#include <iterator>

#include "core/text.hpp"

namespace tessera::bench {
namespace {

constexpr std::size_t flush_at = std::size_t{1} << 20;
constexpr std::chrono::seconds flush_after{1};  // whoever waits for a line reads it soon

/// The name in `"do":"roll"`, with its quotes; moves are written in several ways, so that no more can be compared.
std::string_view what_is_done(std::string_view command) {
  constexpr std::string_view key = R"("do":)";
  const std::size_t begin = key.size();
  return command.starts_with(key) ? command.substr(begin, command.find('"', begin + 1) + 1 - begin) : R"("")";
}

}  // namespace

Expected<std::unique_ptr<History>> History::open(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return Error{"cannot write " + path};
  return std::unique_ptr<History>(new History(file));
}

History::~History() {
  flush();
  std::fclose(file_);
}

void History::opened(Place place, std::string_view person, std::uint64_t seq) {
  begin(place);
  fmt::format_to(std::back_inserter(lines_), R"(,"opened":{},"you":{})", seq, json_string(person));
  end();
}

void History::resumed(Place place, std::uint64_t after, std::uint64_t seq, std::string_view events) {
  begin(place);
  fmt::format_to(std::back_inserter(lines_), R"(,"resumed":{},"after":{})", seq, after);
  if (!events.empty()) (lines_ += R"(,"events":)") += events;
  end();
}

void History::lost(Place place, std::string_view why) {
  begin(place);
  (lines_ += R"(,"lost":)") += json_string(why);
  end();
}

void History::told(Place place, std::uint64_t seq, std::string_view events, std::optional<std::uint64_t> ack,
                   std::string_view command) {
  begin(place);
  fmt::format_to(std::back_inserter(lines_), R"(,"seq":{})", seq);
  if (ack) fmt::format_to(std::back_inserter(lines_), R"(,"ack":{},"do":{})", *ack, what_is_done(command));
  if (!events.empty()) (lines_ += R"(,"events":)") += events;
  end();
}

void History::refused(Place place, std::uint64_t id, std::string_view why) {
  begin(place);
  fmt::format_to(std::back_inserter(lines_), R"(,"refused":{},"why":{})", id, json_string(why));
  end();
}

void History::begin(Place place) {
  now_ = std::chrono::system_clock::now();
  fmt::format_to(std::back_inserter(lines_), R"({{"t":{:.6f},"match":"{}","seat":{})",
                 std::chrono::duration<double>(now_.time_since_epoch()).count(), place.match, place.seat);
}

void History::end() {
  lines_ += "}\n";
  if (lines_.size() >= flush_at || now_ - flushed_ >= flush_after) flush();
}

void History::flush() {
  std::fwrite(lines_.data(), 1, lines_.size(), file_);
  std::fflush(file_);
  lines_.clear();
  flushed_ = now_;
}

}  // namespace tessera::bench
