#include "store/store.hpp"

#include <fmt/format.h>

#include "store/sql_store.hpp"

namespace tessera {

std::string muted_fact(std::string_view match, std::string_view person) {
  return fmt::format("muted {} {}", match, person);
}

Expected<std::unique_ptr<Store>> open_store(const std::string& where) {
  if (where.starts_with("postgresql://") || where.starts_with("postgres://")) return open_postgres(where);
  return open_sqlite(where);
}

}  // namespace tessera
