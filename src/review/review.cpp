#include "review/review.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "rules/witness.hpp"

namespace tessera {
namespace {

/// Moves that gave away less are not worth telling of.
constexpr double least_loss = 0.005;
constexpr std::size_t most_worst_moves = 3;

double chance_of(const Thought& thought, Move move) {
  for (const MoveChance& judged : thought.moves) {
    if (judged.move == move) return judged.chance;
  }
  return 0;
}

ReviewedEvent review_move(const Play& before, const Line& line, const Thought& thought) {
  const double chosen = chance_of(thought, *before.parse(line.text));
  return {.seat = line.seat,
          .text = line.text,
          .loss = std::max(0.0, thought.chance - chosen),
          .judged = chosen,
          .best = before.text(thought.move, Viewer::all()),
          .best_judged = thought.chance};
}

/// What the events together gave to each seat.
std::vector<ReviewedSeat> add_up(const Review& review, const Chances& start, const Play& end, const Chances& last) {
  const auto seats = static_cast<std::size_t>(end.seats());
  std::set<int> sides;
  for (int seat = 0; seat < end.seats(); ++seat) sides.insert(end.side(seat));
  std::vector<ReviewedSeat> found(seats);
  for (std::size_t seat = 0; seat < seats; ++seat) {
    ReviewedSeat& sums = found[seat];
    sums.start = start[seat];
    sums.end = last[seat];
    for (std::size_t i = 0; i < review.events.size(); ++i) {
      const ReviewedEvent& event = review.events[i];
      sums.luck += event.luck[seat];
      if (event.loss == 0) continue;
      if (end.side(event.seat) == end.side(static_cast<int>(seat))) {
        sums.decisions -= event.loss;
      } else {
        sums.others += event.loss / static_cast<double>(sides.size() - 1);
      }
      if (event.seat == static_cast<int>(seat) && event.loss >= least_loss) sums.worst.push_back(static_cast<int>(i));
    }
    sums.rest = sums.end - sums.start - sums.luck - sums.decisions - sums.others;
    std::sort(sums.worst.begin(), sums.worst.end(), [&](int a, int b) {
      const double one = review.events[static_cast<std::size_t>(a)].loss;
      const double other = review.events[static_cast<std::size_t>(b)].loss;
      return one != other ? one > other : a < b;
    });
    if (sums.worst.size() > most_worst_moves) sums.worst.resize(most_worst_moves);
  }
  return found;
}

}  // namespace

Expected<Review> review(std::span<const Step> steps, const Play& end, const Reviewing& reviewing) {
  const Play& beginning = steps.empty() ? end : *steps.front().before;
  const auto judge = make_judge(end);
  const std::string_view usual = end.hidden() ? "ahead" : all_bots().back().name;
  const std::string_view name = reviewing.reviewer.empty() ? usual : reviewing.reviewer;
  std::vector<std::unique_ptr<Player>> reviewers;  // one a seat: each remembers its own
  for (int seat = 0; seat < end.seats(); ++seat) {
    auto made = make_player(name, end.info(), reviewing.means);
    if (!made) return made.error();
    reviewers.push_back(std::move(*made));
  }
  Random random(reviewing.seed, "review");
  Witnesses witnesses(beginning);
  Review found{.over = end.turn().phase == Phase::over, .events = {}, .seats = {}};
  const Chances start = judge->chances(beginning, random);
  Chances now = start;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (reviewing.progress && !reviewing.progress(i)) break;
    const Play& before = *steps[i].before;
    const Play& after = i + 1 < steps.size() ? *steps[i + 1].before : end;
    const Line& line = steps[i].line;
    ReviewedEvent event{.seat = line.seat, .chance = line.kind == Line::Kind::chance, .text = line.text};
    if (!event.chance) {
      const auto& reviewer = reviewers[static_cast<std::size_t>(line.seat)];
      event = review_move(before, line, reviewer->think(*witnesses.asked(before), random));
    }
    event.chances = judge->chances(after, random);
    if (event.chance) {
      for (int seat = 0; seat < end.seats(); ++seat) event.luck[seat] = event.chances[seat] - now[seat];
    }
    now = event.chances;
    witnesses.saw(before, line, after);
    found.events.push_back(std::move(event));
  }
  found.seats = add_up(found, start, end, now);
  return found;
}

std::string review_json(const Review& review) {
  using Json = nlohmann::ordered_json;
  const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
  const auto per_seat = [&](const Chances& values) {
    Json list = Json::array();
    for (std::size_t seat = 0; seat < review.seats.size(); ++seat) list.push_back(rounded(values[seat]));
    return list;
  };
  Json events = Json::array();
  for (const ReviewedEvent& event : review.events) {
    Json json = Json::object();
    if (event.seat >= 0) json["seat"] = event.seat;
    json[event.chance ? "chance" : "move"] = event.text;
    json["chances"] = per_seat(event.chances);
    if (event.chance) {
      json["luck"] = per_seat(event.luck);
    } else {
      json["loss"] = rounded(event.loss);
      json["judged"] = rounded(event.judged);
      json["best"] = event.best;
      json["best_judged"] = rounded(event.best_judged);
    }
    events.push_back(std::move(json));
  }
  Json seats = Json::array();
  for (const ReviewedSeat& seat : review.seats) {
    seats.push_back({{"start", rounded(seat.start)},
                     {"luck", rounded(seat.luck)},
                     {"decisions", rounded(seat.decisions)},
                     {"others", rounded(seat.others)},
                     {"rest", rounded(seat.rest)},
                     {"end", rounded(seat.end)},
                     {"worst", seat.worst}});
  }
  return Json{{"over", review.over}, {"events", events}, {"seats", seats}}.dump();
}

}  // namespace tessera
