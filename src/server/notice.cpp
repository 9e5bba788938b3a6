#include "server/notice.hpp"

#include "crypto/crypto.hpp"

namespace tessera::server {

std::optional<Error> give_notice(Store& store) { return store.put_fact("notice", crypto::random_name(16)); }

Expected<std::string> change_fact(Store& store, std::string_view name, std::string_view otherwise,
                                  const std::function<Expected<std::string>(const std::string&)>& change) {
  while (true) {
    const auto kept = store.first_fact(name, otherwise);
    if (!kept) return kept.error();
    const auto changed = change(*kept);
    if (!changed) return changed.error();
    const auto replaced = store.replace_fact(name, *kept, *changed);
    if (!replaced) return replaced.error();
    if (!*replaced) continue;
    if (const auto problem = give_notice(store)) return *problem;
    return *changed;
  }
}

}  // namespace tessera::server
