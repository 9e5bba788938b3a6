#include "store/sql_store.hpp"

namespace tessera {
Expected<std::unique_ptr<Store>> open_postgres(const std::string&) { return Error{"not yet"}; }
}  // namespace tessera
