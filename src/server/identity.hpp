#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fair/fair.hpp"
#include "server/http.hpp"
#include "store/store.hpp"

namespace tessera::server {

/// Who a request is from: a signed cookie for browsers, a token for programs.
class Identity {
 public:
  /// Reads the session keys from the database. The first is made by whichever server comes first.
  static Expected<Identity> open(Store& store);
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
  explicit Identity(std::vector<fair::Bytes32> keys) : keys_(std::move(keys)) {}
  std::optional<std::string> person_of_cookie(std::string_view value) const;

  std::vector<fair::Bytes32> keys_;
};

}  // namespace tessera::server
