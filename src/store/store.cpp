#include "store/store.hpp"

#include "store/sql_store.hpp"

namespace tessera {

Expected<std::unique_ptr<Store>> open_store(const std::string& where) {
  if (where.starts_with("postgresql://") || where.starts_with("postgres://")) return open_postgres(where);
  return open_sqlite(where);
}

}  // namespace tessera
