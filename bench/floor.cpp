#include "bench/floor.hpp"

#include <fmt/format.h>

namespace tessera::bench {

/// Sockets that the relay answers together. Each frame reaches all; the one after the sender is next.
class Floor::Group {
 public:
  Group(Floor& floor, Network& network, int number, int seats) : floor_(floor) {
    for (int seat = 0; seat < seats; ++seat) {
      members_.push_back(std::make_unique<Member>(*this, seat));
      members_.back()->connection =
          network.connect(floor.relay_->address(), fmt::format("/{}", number), "", *members_.back());
    }
  }

  void go_on() {
    floor_.under_way_ += members_.size();
    members_[frames_ % members_.size()]->connection->send(floor_.command_);
  }

 private:
  struct Member : Receiver {
    Member(Group& of_group, int at_seat) : group(of_group), seat(at_seat) {}
    void opened() override { ++group.floor_.open_; }
    void received(std::string_view, bool) override {
      ++frames;
      group.arrived(*this);
    }
    void lost(const std::string& why) override { group.floor_.failure_ = Error{"the relay lost a connection: " + why}; }

    Group& group;
    int seat;
    std::uint64_t frames = 0;
    std::unique_ptr<Connection> connection{};
  };

  void arrived(const Member& member) {
    --floor_.under_way_;
    if (member.frames > frames_) {
      frames_ = member.frames;
      ++floor_.moves_;
    }
    const bool is_next = member.frames % members_.size() == static_cast<std::uint64_t>(member.seat);
    if (floor_.playing_ && is_next) go_on();
  }

  Floor& floor_;
  std::vector<std::unique_ptr<Member>> members_{};
  std::uint64_t frames_ = 0;
};

Floor::Floor(std::unique_ptr<Child> relay, std::size_t command_bytes)
    : relay_(std::move(relay)), command_(command_bytes, '.') {}
Floor::~Floor() = default;

Expected<std::unique_ptr<Floor>> Floor::open(Network& network, const Traffic& traffic, const std::string& log) {
  auto relay = Child::start({"load", "--relay", std::to_string(traffic.update_bytes)}, log);
  if (!relay) return relay.error();
  std::unique_ptr<Floor> floor(new Floor(std::move(*relay), traffic.command_bytes));
  for (int group = 0; group < traffic.groups; ++group) {
    floor->groups_.push_back(std::make_unique<Group>(*floor, network, group, traffic.seats));
  }
  const auto all = static_cast<std::uint64_t>(traffic.groups) * traffic.seats;
  network.run_until([&] { return floor->open_ == all || floor->failure_.has_value(); });
  if (floor->failure_) return *floor->failure_;
  return floor;
}

void Floor::go_on() {
  playing_ = true;
  for (const auto& group : groups_) group->go_on();
}

}  // namespace tessera::bench
