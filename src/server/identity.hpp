#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fair/fair.hpp"
#include "server/http.hpp"
#include "store/store.hpp"

namespace tessera::server {

/// Who a request is from: a signed cookie for browsers, a token for programs. May be used from any thread.
class Identity {
 public:
  /// Reads the session keys from the database. The first is made by whichever server comes first.
  static Expected<std::unique_ptr<Identity>> open(Store& store);
  std::optional<Error> read_keys(Store& store);  ///< as they are now: somebody may have rotated them
  /// Puts a new key in front; cookies signed with the one before still count, older ones do not.
  static std::optional<Error> rotate(Store& store);

  /// The value of Set-Cookie.
  std::string cookie(std::string_view person, bool secure) const;
  static std::string no_cookie();

  /// The person, or nobody. Reads the database.
  Expected<std::optional<Person>> of(const Request& request, Store& store) const;

  /// A new key of a person: a private link, a program's token, a feed. The database keeps only its hash.
  static Expected<std::string> new_key(Store& store, std::string_view person, std::string_view kind);
  static Expected<std::optional<Person>> with_key(Store& store, std::string_view key, std::string_view kind);

 private:
  using Keys = std::vector<fair::Bytes32>;

  explicit Identity(Keys keys) : keys_(std::move(keys)) {}
  Keys keys() const;
  std::optional<std::string> person_of_cookie(std::string_view value) const;

  mutable std::mutex mutex_;
  Keys keys_;
};

}  // namespace tessera::server
