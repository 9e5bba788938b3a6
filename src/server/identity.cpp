#include "server/identity.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "crypto/crypto.hpp"
#include "server/notice.hpp"

namespace tessera::server {
namespace {

constexpr std::string_view cookie_name = "tessera";
constexpr int cookie_days = 400;
constexpr std::string_view session_keys = "session_keys";  ///< a fact: the newest first

std::string hash_of(std::string_view key) { return fair::hex(crypto::hash().sha256(key)); }

std::vector<fair::Bytes32> keys_in(const std::string& fact) {
  std::vector<fair::Bytes32> keys;
  for (const std::string_view word : split(fact, ' ')) {
    if (const auto key = fair::from_hex(word)) keys.push_back(*key);
  }
  return keys;
}

}  // namespace

Expected<std::unique_ptr<Identity>> Identity::open(Store& store) {
  const auto kept = store.first_fact(session_keys, fair::hex(crypto::random_bytes()));
  if (!kept) return kept.error();
  Keys keys = keys_in(*kept);
  if (keys.empty()) return Error::for_owner("The session keys in the database cannot be read.");
  return std::unique_ptr<Identity>(new Identity(std::move(keys)));
}

std::optional<Error> Identity::read_keys(Store& store) {
  const auto kept = store.fact(session_keys);
  if (!kept) return kept.error();
  const std::lock_guard lock(mutex_);
  if (*kept) keys_ = keys_in(**kept);
  return std::nullopt;
}

Identity::Keys Identity::keys() const {
  const std::lock_guard lock(mutex_);
  return keys_;
}

std::optional<Error> Identity::rotate(Store& store) {
  const std::string fresh = fair::hex(crypto::random_bytes());
  const auto rotated = change_fact(store, session_keys, fresh, [&](const std::string& kept) {
    return Expected(fmt::format("{} {}", fresh, split(kept, ' ').front()));
  });
  return rotated ? std::nullopt : std::optional(rotated.error());
}

std::string Identity::cookie(std::string_view person, bool secure) const {
  const std::string signature = crypto::signature(keys().front(), fmt::format("cookie {}", person));
  return fmt::format("{}={}.{}; Path=/; Max-Age={}; HttpOnly; SameSite=Lax{}", cookie_name, person, signature,
                     cookie_days * 86400, secure ? "; Secure" : "");
}

std::string Identity::no_cookie() { return fmt::format("{}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax", cookie_name); }

std::optional<std::string> Identity::person_of_cookie(std::string_view value) const {
  const auto dot = value.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view person = value.substr(0, dot);
  for (const auto& key : keys()) {
    if (crypto::signature_fits(key, fmt::format("cookie {}", person), value.substr(dot + 1)))
      return std::string(person);
  }
  return std::nullopt;
}

Expected<std::optional<Person>> Identity::of(const Request& request, Store& store) const {
  constexpr std::string_view bearer = "Bearer ";
  if (request.authorization.starts_with(bearer)) {
    return with_key(store, std::string_view(request.authorization).substr(bearer.size()), "token");
  }
  const auto person = person_of_cookie(cookie_value(request.cookie, cookie_name));
  if (!person) return std::optional<Person>();
  return store.person(*person);
}

Expected<std::string> Identity::new_key(Store& store, std::string_view person, std::string_view kind) {
  if (auto problem = store.drop_keys(person, kind)) return *problem;
  const std::string key = crypto::random_name(32);
  if (auto problem = store.put_key(hash_of(key), person, kind)) return *problem;
  return key;
}

Expected<std::optional<Person>> Identity::with_key(Store& store, std::string_view key, std::string_view kind) {
  const auto person = store.person_with_key(hash_of(key), kind);
  if (!person) return person.error();
  if (!*person) return std::optional<Person>();
  return store.person(**person);
}

}  // namespace tessera::server
