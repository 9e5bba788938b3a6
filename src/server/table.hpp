#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "match/match.hpp"
#include "server/http.hpp"
#include "server/member.hpp"
#include "server/thinking.hpp"
#include "store/store.hpp"

namespace tessera::server {

struct Site;
class Tables;
class Workers;

/// A line of chat that somebody wants to say.
struct Saying {
  std::uint64_t id = 0;
  std::string text;
  bool gallery = false;
};

/// What another process says that it has written.
struct News {
  std::string_view match;
  Sequence after;
  Sequence last;
  std::string_view lines;  ///< the events; none: whoever wants them looks into the log
};

/// The last happenings of a match: whoever was away for a moment is told them without reading the whole log.
class Recent {
 public:
  void add(Happening happening) { kept_[happening.sequence % kept_.size()] = std::move(happening); }
  /// As `viewer` sees those after `after` up to `last`: a JSON list. Nothing: they are not all here, or the game began
  /// among them (the first position then goes with them, which only the log has).
  std::optional<std::string> seen(Sequence after, Sequence last, Viewer viewer) const;

 private:
  std::array<Happening, 8> kept_{};
};

/// A match and everybody who is told about it. Lives on one loop.
///
/// What happens is written before anyone sees it: while one append is on its way to the disk, everything else waits in
/// the inbox. So the match in memory is never more than one append ahead of the database.
class Table {
 public:
  using Names = std::map<std::string, std::string>;  ///< of people, by id

  Table(Tables& home, Match match, Recent recent, std::string code, Names names, std::uint64_t last_chat);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table();
  /// A new table's first events: `made` is told once they are written, or why they are not.
  void write_first(const Match::Happenings& happened, std::function<void(std::optional<Error>)> made);

  /// What somebody has already: of the log, and of the chat.
  struct Since {
    std::optional<Sequence> event;
    std::uint64_t chat = 0;
  };
  /// A new member: is greeted with what came since, then told everything.
  void join(std::shared_ptr<Member> member, Since since);
  void leave(const Member& member);
  /// Tells `answer` what a greeting would say; with `until` only once something is newer, or then.
  void check(const std::string& person, Since since, std::optional<Time> until,
             std::function<void(SharedMessage)> answer);

  void command(const std::shared_ptr<Member>& member, Command command, std::string guest_name) {
    carry_out(member, std::move(command), std::move(guest_name), {written_, commands_elsewhere(member->person)}, false);
  }
  void say(const std::shared_ptr<Member>& member, Saying saying);
  void mute(const std::shared_ptr<Member>& member, std::uint64_t id, const std::string& person, bool on);
  void bot_moves(int seat, Sequence thought_at, const std::string& move);
  /// What the strongest bot would do in the place of a person who is to move.
  void hint(const std::string& person, const Answer& answer);
  void close_by_owner();
  void dismiss(const std::function<bool(const Member&)>& whom);
  void forget(const std::set<std::string>& people);

  void committed(Append append, const Expected<Appended>& outcome);
  void tick(Time now);
  void wake() { ask_bot(); }  ///< after loading: a bot may be awaited

  // ── Other processes ──

  void heard(const News& news);
  void look();  ///< whether the log has grown
  bool wants_look() const { return !when_current_.empty(); }
  void news(const Known& known, std::span<const std::string> events, const Names& names);
  void no_news();
  void look_for_chat();
  void keep();  ///< this process is to act when something is due
  /// Another process has died through which a person could be reached.
  void look_after(const std::string& person);
  void has_gone(const std::string& person, std::optional<bool> everywhere);  ///< nothing: it is not known

  const Match& match() const { return match_; }
  const std::string& code() const { return code_; }
  const Names& names() const { return names_; }
  bool watched() const { return !members_.empty() || !waiting_.empty(); }
  bool idle(Time now) const;  ///< nobody would miss it if it were forgotten: all of it is in the database

 private:
  struct Present {
    std::shared_ptr<Member> member;
    Viewer viewer;
    bool catching_up = false;  ///< its greeting is being made: what it is told meanwhile is held back
    std::vector<SharedMessage> held{};
    std::size_t held_written = 0;  ///< how many of these tell of what is written
  };
  struct Departure {
    Time at = 0;
    bool asked = false;  ///< whether the person can still be reached through another process
  };
  struct Waiting {
    std::string person;
    Since since;
    Time until;
    std::function<void(SharedMessage)> answer;
  };
  struct Letter {
    std::shared_ptr<Member> to;
    SharedMessage message;
  };
  /// Returns false when it must wait until everything is written.
  using Task = std::function<bool()>;

  /// Runs the task now, or, when an append is on its way, after it.
  template <class Act>
  void enqueue(Act task);
  void when_written(std::function<void()> task);
  void drain();
  void finish();
  void submit();
  void settled();
  void when_current(std::function<void()> task);
  /// How far the log was, and a person's commands through other processes, when a command came.
  struct Arrival {
    Sequence written;
    std::size_t elsewhere;
  };
  /// `current`: what other processes have written is known.
  void carry_out(const std::shared_ptr<Member>& member, Command command, std::string guest_name, Arrival came,
                 bool current);
  std::size_t commands_elsewhere(const std::string& person) const {
    const auto known = elsewhere_.find(person);
    return known == elsewhere_.end() ? 0 : known->second;
  }
  std::optional<Error> follow(std::span<const std::string> events);
  std::optional<Error> catch_up(std::span<const std::string> events, const Names& names);
  /// Others have written what this process has not read, and is free to.
  bool behind() const { return heard_ > written_ && !in_flight_ && !reloading_; }
  void read_again(int status, const Error& why);
  void read_log();
  void cannot_go_on(const Error& why);
  /// Due clocks and bots are this process's: it has written last, or was told to.
  bool acts() const;
  /// Grows with what a task brings about that must be written before it is seen.
  std::size_t outcome_size() const { return append_.events.size() + letters_.size(); }

  void write(const Match::Happenings& happened);
  void log_written();
  template <class Act>
  std::optional<Error> happen(const std::shared_ptr<Member>& sender, std::optional<std::uint64_t> id, Act&& act);
  template <class Act>
  void happen_by_itself(Act act);
  void show(const Match::Happenings& happened, const std::shared_ptr<Member>& sender, std::optional<std::uint64_t> id);
  void refuse(const std::shared_ptr<Member>& to, std::uint64_t id, const Error& why);
  void post(const std::shared_ptr<Member>& to, SharedMessage message);
  static void tell(Present& present, const SharedMessage& message);
  void greet(const std::string& person, Since since, std::function<void(SharedMessage)> answer);
  std::string greeting(const std::string& person, Time now) const;
  std::optional<Error> append_events(std::string& text, Store& store, const std::string& id, Sequence after,
                                     Sequence last, Viewer viewer) const;
  /// Runs `work(Store&)` on another thread, and what it returns back here. The table stays that long.
  template <class Work>
  void in_background(Workers& workers, Work work);
  void tell_waiting();
  void came(const std::string& person);
  void count_as_connected(const std::string& person, bool connected);
  void see_who_has_gone(Time now);
  static std::optional<Error> append_chat(std::string& text, Store& store, const std::string& match,
                                          std::uint64_t after, bool hears_gallery);
  void tell_chat(const ChatLine& line, const std::string& json, const Member* speaker);
  Decision decision() const;
  void ask_bot();
  void rematch(const std::shared_ptr<Member>& member, std::uint64_t id);
  void write_row_if_due(Append& append, Time now);
  void call_awaited();
  std::string people_json() const;
  std::string seats_json(std::string_view person) const;

  Tables& home_;
  Site& site_;
  Match match_;
  Recent recent_;
  std::string code_;
  std::map<std::string, std::string> names_;

  std::vector<Present> members_;
  std::vector<Waiting> waiting_;
  std::map<std::string, int> connections_;  ///< of each person
  std::map<std::string, Departure> gone_;   ///< whose last connection closed a moment ago

  std::deque<Task> inbox_;
  Append append_;                ///< what has happened and is not yet written; away while it is being
  std::vector<Event> to_log_;    ///< those of them that the log tells, once they are
  std::vector<Letter> letters_;  ///< to be sent once they are
  std::deque<Task> unwritten_;   ///< what brought them about, to be tried again; only with several processes
  int failures_ = 0;             ///< of the database since an append was last written
  bool draining_ = false;
  bool in_flight_ = false;
  bool reloading_ = false;
  std::optional<Error> hopeless_;  ///< its log cannot be read: to be forgotten
  int in_background_ = 0;
  std::function<void(std::optional<Error>)> made_;
  Sequence thinking_at_ = 0;  ///< the sequence that a bot was last asked at
  bool hinting_ = false;      ///< a hint is being worked out
  Sequence written_ = 0;
  std::map<std::string, std::size_t> elsewhere_;  ///< commands of people that other processes have carried out
  Sequence heard_ = 0;                            ///< as far as another process has written
  bool looking_ = false;
  Sequence looking_for_ = 0;                         ///< what was heard when the look began
  std::vector<std::function<void()>> when_current_;  ///< after the next look
  std::vector<std::function<void()>> now_current_;   ///< after the one that is being taken
  bool keeps_ = false;
  std::uint64_t last_chat_;  ///< that members were told
  bool looking_for_chat_ = false;
  bool chat_once_more_ = false;  ///< there may be some since that look began
  std::optional<Time> row_due_;
  Time row_written_ = 0;
  bool row_stale_ = false;
  bool row_urgent_ = false;
  std::vector<std::string> awaited_;  ///< people, as of the last row
  std::vector<std::string> called_;   ///< those of them who have been called
};

}  // namespace tessera::server
