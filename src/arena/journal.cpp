#include "arena/journal.hpp"

#include <fmt/format.h>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "rules/transcript.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;

std::string contest_text(const Contest& contest) {
  return fmt::format(R"({{"contest":{},"players":{},"seed":{}}})", header_text(*contest.start),
                     Json(contest.players).dump(), contest.seed);
}

std::string block_text(const Block& block) {
  Json players = Json::array();
  for (const Block::Tally& tally : block.players) {
    Json json{{"score", tally.score}, {"moves", tally.moves}, {"seconds", tally.seconds}};
    if (tally.forfeits > 0) json.update({{"forfeits", tally.forfeits}, {"reason", tally.reason}});
    players.push_back(std::move(json));
  }
  return Json{{"block", block.number}, {"players", players}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Block> parse_block(const Json& json) {
  if (!json.contains("block") || !json["block"].is_number_unsigned()) return std::nullopt;
  if (!json.contains("players") || !json["players"].is_array()) return std::nullopt;
  Block block{json["block"].get<std::uint64_t>(), {}};
  for (const Json& player : json["players"]) {
    const auto number = [&](const char* key) { return player.contains(key) && player[key].is_number(); };
    if (!player.is_object() || !number("score") || !number("moves") || !number("seconds")) return std::nullopt;
    Block::Tally tally{.score = player["score"].get<double>(),
                       .moves = player["moves"].get<std::uint64_t>(),
                       .seconds = player["seconds"].get<double>()};
    if (number("forfeits")) tally.forfeits = player["forfeits"].get<std::uint64_t>();
    if (player.contains("reason") && player["reason"].is_string()) tally.reason = player["reason"].get<std::string>();
    block.players.push_back(std::move(tally));
  }
  return block;
}

}  // namespace

Expected<Journal> Journal::open(const std::string& path) {
  Journal journal(path);
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  // 1. What was being written when the program ended is cut off.
  const std::size_t whole = text.rfind('\n') + 1;  // 0 where there is no whole line
  std::error_code problem;
  if (whole < text.size()) std::filesystem::resize_file(path, whole, problem);
  if (problem) return Error{fmt::format("cannot write {}", in_quotes(path))};
  text.resize(whole);
  // 2. The blocks so far.
  std::string contest;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    if (const auto wrong = journal.read_line(std::string(line), contest)) {
      return Error{fmt::format("{}, line {}: {}", path, number, wrong->sentence)};
    }
  }
  // 3. More is written behind them.
  journal.file_.open(path, std::ios::app | std::ios::binary);
  if (!journal.file_) return Error{fmt::format("cannot write {}", in_quotes(path))};
  return journal;
}

std::optional<Error> Journal::read_line(const std::string& line, std::string& contest) {
  const Json json = Json::parse(line, nullptr, false);
  if (json.is_object() && json.contains("contest")) {
    contest = line;
    return std::nullopt;
  }
  auto block = json.is_object() ? parse_block(json) : std::nullopt;
  if (!block || contest.empty()) return Error{"this is no file of `tessera arena --resume`"};
  found_[contest].push_back(std::move(*block));
  return std::nullopt;
}

std::vector<Block> Journal::blocks(const Contest& contest) const {
  const auto found = found_.find(contest_text(contest));
  if (found == found_.end()) return {};
  std::vector<Block> blocks;
  for (const Block& block : found->second) {
    if (block.players.size() == contest.players.size()) blocks.push_back(block);
  }
  return blocks;
}

void Journal::begin(const Contest& contest) { file_ << contest_text(contest) << '\n'; }

std::optional<Error> Journal::add(const Block& block) {
  file_ << block_text(block) << '\n';
  file_.flush();
  if (!file_) return Error{fmt::format("cannot write {}", in_quotes(path_))};
  return std::nullopt;
}

}  // namespace tessera
