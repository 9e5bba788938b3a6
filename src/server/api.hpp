#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "server/http.hpp"
#include "server/site.hpp"

namespace tessera::server {

/// Everything under /api but the sockets themselves. docs/protocol.md lists it.
class Api {
 public:
  explicit Api(Site& site);

  /// Answers on some thread, now or later.
  void handle(Request request, Answer answer);

  /// Who asks for a socket at which table.
  struct Visitor {
    std::string person;  ///< empty: nobody
    std::string name;
  };
  /// The visitor, or a problem to answer with.
  void identify(const Request& request, std::function<void(std::optional<Response>, Visitor)> then);

  /// A message of a member to its table: a command, chat, or a mute. `table` lives on its own loop.
  void message(const std::shared_ptr<Member>& member, const std::string& table, std::string_view text);

  /// True when a browser may use a cookie here: no Origin, or one of ours.
  bool origin_allowed(const Request& request) const;

 private:
  struct Call;  ///< a request on a worker's thread, with what handlers need
  using Handler = void (Api::*)(Call&);
  struct Route {
    std::string_view method;
    std::string_view path;  ///< "*" stands for one part, handed on as Call::parts
    Handler handler;
  };
  static const std::vector<Route>& routes();

  /// Who a request is from, perhaps nobody; or what to answer instead: the token is not known, or the name is banned.
  std::variant<std::optional<Person>, Response> sender(const Request& request, Store& store) const;
  std::optional<Person> caller(Call& call);

  void greeting(Call& call);
  void health(Call& call);
  void metrics(Call& call);
  void games(Call& call);
  void opponents(Call& call);

  void me(Call& call);
  void name_me(Call& call);
  void new_bot(Call& call);
  void set_password(Call& call);
  void login(Call& call);
  void logout(Call& call);
  void private_link(Call& call);
  void come_back(Call& call);
  void new_feed(Call& call);
  void feed(Call& call);
  void webhook(Call& call);
  void guest(Call& call);

  void tables(Call& call);
  void my_tables(Call& call);
  void new_table(Call& call);
  void code(Call& call);
  void check(Call& call);
  void command(Call& call);
  void hint(Call& call);
  static bool over(Call& call);
  void review(Call& call);
  void record(Call& call);

  void speech(const std::shared_ptr<Member>& member, const std::string& id, std::string_view text,
              const Error& unknown);
  void at_table(const std::shared_ptr<Member>& member, const std::string& id, std::function<void(Table&)> use);

  void owner(Call& call);

  Site& site_;
  std::string games_json_;
};

}  // namespace tessera::server
