#pragma once

#include <algorithm>
#include <limits>

#include "store/sql_store.hpp"

/// The columns that several parts of SqlStore read, and what they are in C++.
namespace tessera {

// ── Matches: one result row for each seat, or one with nulls ──

#define MATCH_COLUMNS \
  "m.id, m.code, m.game, m.stage, m.listed, m.created, m.changed, m.due, m.summary, s.person, s.awaited"

inline std::vector<MatchRow> matches_from(std::vector<Answer::Row> rows) {
  std::vector<MatchRow> matches;
  for (Answer::Row& row : rows) {
    if (matches.empty() || matches.back().id != *row[0]) {
      matches.push_back({.id = std::move(*row[0]),
                         .code = std::move(*row[1]),
                         .game = std::move(*row[2]),
                         .stage = static_cast<MatchRow::Stage>(integer(row[3])),
                         .listed = integer(row[4]) != 0,
                         .created = integer(row[5]),
                         .changed = integer(row[6]),
                         .due = row[7] ? std::optional(integer(row[7])) : std::nullopt,
                         .summary = std::move(*row[8]),
                         .people = {},
                         .awaited = {}});
    }
    if (!row[9]) continue;
    if (integer(row[10]) != 0) matches.back().awaited.push_back(*row[9]);
    matches.back().people.push_back(std::move(*row[9]));
  }
  return matches;
}

inline std::int64_t before(const Page& page) { return page.before.value_or(std::numeric_limits<Time>::max()); }

// ── People ──

#define PERSON_COLUMNS "id, name, password, webhook, bot, created"

inline std::string fold_case(std::string_view name) {
  std::string folded(name);
  std::ranges::transform(folded, folded.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return folded;
}

inline Person person_from(Answer::Row& row) {
  return {.id = std::move(*row[0]),
          .name = std::move(*row[1]),
          .password = std::move(*row[2]),
          .webhook = std::move(*row[3]),
          .bot = integer(row[4]) != 0,
          .created = integer(row[5])};
}

// ── Chat ──

#define CHAT_COLUMNS "number, match, person, command, gallery, text, at"

/// Numbers without a sign are kept with the same bits.
inline std::int64_t kept(std::uint64_t unsigned_number) { return static_cast<std::int64_t>(unsigned_number); }

inline ChatLine chat_line_from(Answer::Row& row) {
  return {.number = static_cast<std::uint64_t>(integer(row[0])),
          .match = std::move(*row[1]),
          .person = std::move(*row[2]),
          .command = static_cast<std::uint64_t>(integer(row[3])),
          .gallery = integer(row[4]) != 0,
          .text = std::move(*row[5]),
          .at = integer(row[6])};
}

}  // namespace tessera
