#include "server/notice.hpp"

#include "crypto/crypto.hpp"

namespace tessera::server {

std::optional<Error> give_notice(Store& store) { return store.put_fact("notice", crypto::random_name(16)); }

}  // namespace tessera::server
