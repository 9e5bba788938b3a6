#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/api.hpp"

/// What the files that Api is written in share.
namespace tessera::server {

inline Error name_not_welcome() { return Error::of("This name is not welcome here."); }

struct Api::Call {
  Request request;
  std::vector<std::string> parts;  ///< of the path, where its route has "*"
  Store& store;
  Answer answer;

  void ok(std::string json) const { answer({.body = std::move(json)}); }
  void no(int status, const Error& why) const { answer(problem(status, why)); }
  void no(const Error& database) const { no(503, database); }

  /// A member of the request's body that must be a string; else answers and is nothing.
  std::optional<std::string> text(const char* member) const;
};

}  // namespace tessera::server
