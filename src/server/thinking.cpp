#include "server/thinking.hpp"

#include <fmt/format.h>

#include "bots/bots.hpp"
#include "core/text.hpp"
#include "match/view.hpp"

namespace tessera::server {

Expected<Thought> think(const World& world, Store& store, const Decision& decision, std::string_view bot) {
  // 1. What the seat knows: where hands are hidden, folded from what it was told.
  const Play& play = *decision.play;
  std::unique_ptr<Knowledge> knowledge = play.known_to_all();
  if (!knowledge) {
    const auto log = store.events(decision.table);
    if (!log) return log.error();
    if (log->size() < decision.at) return Error::for_owner("The log ends before the decision.");
    auto folded = seat_knowledge(world, decision.table, std::span(*log).first(decision.at), play.turn().seat);
    if (!folded) return folded.error();
    knowledge = std::move(*folded);
  }
  // 2. A bot that this server does not have, or a game that nobody has learned: any move.
  Random random(fnv1a(decision.table) + decision.at, "choice");
  auto player = make_player(bot, play.info());
  if (player) return (*player)->think(*knowledge, random);
  std::vector<MoveChance> moves;
  for (const Move move : play.legal()) moves.push_back({move, 0});
  const std::size_t any = random(static_cast<std::uint32_t>(moves.size()));
  return conclude(std::move(moves), any, 0);
}

Expected<std::string> hint_json(const World& world, Store& store, const Decision& decision) {
  const auto thought = think(world, store, decision, all_bots().back().name);
  if (!thought) return thought.error();
  std::vector<std::string> moves;
  for (const MoveChance& one : thought->moves) {
    std::vector<std::string> choices;
    for (const std::string& choice : decision.play->choices(one.move)) choices.push_back(json_string(choice));
    moves.push_back(fmt::format(R"({{"move":{},"choices":[{}],"chance":{:.4f}}})",
                                json_string(decision.play->text(one.move, Viewer::all())), join(choices, ","),
                                one.chance));
  }
  return fmt::format(R"({{"seq":{},"seat":{},"chance":{:.4f},"moves":[{}]}})", decision.at, decision.play->turn().seat,
                     thought->chance, join(moves, ","));
}

}  // namespace tessera::server
