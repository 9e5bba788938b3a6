#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "rules/game.hpp"

namespace tessera::server {

class Log;

/// A message on its way to one or many: as text, and compressed when that is worth it.
struct Message {
  std::string text;
  std::string compressed{};  ///< empty: send the text
  int status = 200;          ///< what a request that it answers is answered with
};
using SharedMessage = std::shared_ptr<const Message>;

SharedMessage message(std::string text);
/// {"refused":ID,"why":"…","say":[…]}: the command cannot be carried out now.
SharedMessage refusal(std::uint64_t command, const Error& why);
/// The same when it may have failed for a reason that is the owner's to know: the log has that.
SharedMessage failure(Log& log, const std::string& table, const std::string& person, std::uint64_t command,
                      const Error& why);
/// {"error":"…","say":[…]}: of no command in particular; with 503 when only the owner may know why.
SharedMessage complaint(int status, const Error& why);

/// Somebody who is told what happens at a table: a socket, or one waiting request. A table keeps its members on its own
/// loop; `tell` and `dismiss` may be called from there whatever loop the member lives on.
class Member {
 public:
  virtual ~Member() = default;
  virtual void tell(SharedMessage message) = 0;
  virtual void dismiss() = 0;  ///< the server stops, or the person is banned: after what was told, goodbye

  std::string person;  ///< empty: a visitor without a name
  std::string name;
  std::string address;
  bool left = false;  ///< is no longer there; only for the table's loop
};

}  // namespace tessera::server
