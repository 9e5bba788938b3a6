#include "store/sql_store.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cassert>

#include "core/text.hpp"

namespace tessera {

std::int64_t integer(const Answer::Cell& cell) { return cell ? parse_int<std::int64_t>(*cell).value_or(0) : 0; }

std::string entry_lines(std::span<const std::string> events) {
  assert(std::ranges::none_of(events, [](const std::string& event) { return event.find('\n') != event.npos; }));
  return join(events, "\n");
}

void read_entry(std::string_view lines, std::size_t skipped, std::vector<std::string>& out) {
  for (const std::string_view line : split(lines, '\n')) {
    if (skipped > 0) {
      --skipped;
    } else {
      out.emplace_back(line);
    }
  }
}

std::optional<Error> SqlStore::migrate(Backend backend) {
  if (auto error = run_for_error({"CREATE TABLE IF NOT EXISTS tessera_schema (version BIGINT NOT NULL)"})) return error;
  const auto version_text = run_for_text({"SELECT MAX(version) FROM tessera_schema"});
  if (!version_text) return version_text.error();
  const auto version = static_cast<std::size_t>(integer(*version_text));
  const auto steps = migrations(backend);
  if (version > steps.size()) {
    return Error{
        fmt::format("This database was written by a newer Tessera (schema {}; this one knows up to {}). "
                    "Upgrade Tessera, or give another --database.",
                    version, steps.size())};
  }
  if (version == steps.size()) return std::nullopt;
  for (const auto& step : std::span(steps).subspan(version)) {
    for (const std::string& statement : step) {
      if (auto error = run_for_error({statement})) return error;
    }
  }
  if (auto error = run_for_error({"DELETE FROM tessera_schema"})) return error;
  return run_for_error({"INSERT INTO tessera_schema VALUES ($1)", {static_cast<std::int64_t>(steps.size())}});
}

std::optional<Error> SqlStore::run_for_error(const Statement& statement) {
  const auto result = run(statement);
  return result ? std::nullopt : std::optional(result.error());
}

Expected<std::optional<std::string>> SqlStore::run_for_text(const Statement& statement) {
  auto result = run(statement);
  if (!result) return result.error();
  return result->rows.empty() ? std::nullopt : std::move(result->rows.front().front());
}

Expected<std::vector<std::string>> SqlStore::run_for_texts(const Statement& statement) {
  auto result = run(statement);
  if (!result) return result.error();
  std::vector<std::string> texts;
  for (Answer::Row& row : result->rows) texts.push_back(std::move(*row.front()));
  return texts;
}

Expected<std::int64_t> SqlStore::run_for_number(const Statement& statement) {
  const auto text = run_for_text(statement);
  if (!text) return text.error();
  return integer(*text);
}

std::optional<Error> SqlStore::ping() { return run_for_error({"SELECT version FROM tessera_schema"}); }

}  // namespace tessera
