#include "store/sql_store.hpp"

namespace tessera {

Expected<std::optional<std::string>> SqlStore::fact(std::string_view name) {
  return run_for_text({"SELECT value FROM facts WHERE name = $1", {name}});
}

std::optional<Error> SqlStore::put_fact(std::string_view name, std::string_view value) {
  return run_for_error(
      {"INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
       {name, value}});
}

Expected<std::string> SqlStore::first_fact(std::string_view name, std::string_view value) {
  if (auto error = run_for_error(
          {"INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", {name, value}})) {
    return *error;
  }
  const auto kept = fact(name);
  if (!kept) return kept.error();
  return kept->value_or(std::string(value));
}

Expected<bool> SqlStore::replace_fact(std::string_view name, std::string_view old, std::string_view value) {
  const auto result = run({"UPDATE facts SET value = $3 WHERE name = $1 AND value = $2", {name, old, value}});
  if (!result) return result.error();
  return result->changed > 0;
}

}  // namespace tessera
