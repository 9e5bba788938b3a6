#include "bench/relay.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <vector>

#include "bench/network.hpp"

namespace tessera::bench {
namespace {

constexpr std::size_t frame_bytes = 117;

/// The relay in a process of its own, as in a load.
class RelayTest : public testing::Test {
 protected:
  RelayTest() {
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0) std::abort();
    pid_ = fork();
    if (pid_ == 0) {
      run_relay(frame_bytes, [&](const std::string& url) {
        if (write(pipe_ends[1], url.data(), url.size()) < 0) std::abort();
        close(pipe_ends[1]);
      });
      _exit(0);
    }
    close(pipe_ends[1]);
    char url[100];
    const ssize_t length = read(pipe_ends[0], url, sizeof url);
    address_ = *parse_address({url, static_cast<std::size_t>(std::max<ssize_t>(length, 0))});
    close(pipe_ends[0]);
  }
  ~RelayTest() override {
    kill(pid_, SIGTERM);
    waitpid(pid_, &status_, 0);
    EXPECT_TRUE(WIFEXITED(status_) && WEXITSTATUS(status_) == 0);
  }

  pid_t pid_ = 0;
  int status_ = 0;
  Address address_;
};

struct Member : Receiver {
  void opened() override { open = true; }
  void received(std::string_view frame, bool binary) override {
    EXPECT_EQ(frame.size(), frame_bytes);
    EXPECT_FALSE(binary);
    ++frames;
  }
  void lost(const std::string& why) override { ADD_FAILURE() << why; }

  bool open = false;
  int frames = 0;
  std::unique_ptr<Connection> connection;
};

TEST_F(RelayTest, AFrameReachesItsWholeGroupAndNobodyElse) {
  Network network;
  std::vector<Member> members(4);
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].connection = network.connect(address_, i < 2 ? "/0" : "/1", "", members[i]);
  }
  for (const Member& member : members) ASSERT_TRUE(network.run_until([&] { return member.open; }));
  constexpr int sent = 20;  // at once: more than one write is under way
  for (int i = 0; i < sent; ++i) members[i % 2].connection->send("a command");
  ASSERT_TRUE(network.run_until([&] { return members[0].frames == sent && members[1].frames == sent; }));
  members[2].connection->send("a command");
  ASSERT_TRUE(network.run_until([&] { return members[3].frames == 1; }));
  EXPECT_EQ(members[0].frames, sent);
}

TEST_F(RelayTest, AnswersThatNeverComeAreSaidToBeLost) {
  Network network;
  std::optional<Answer> answer;
  network.request({"127.0.0.1", 1}, {"GET", "/api"}, [&](const Answer& got) { answer = got; });
  ASSERT_TRUE(network.run_until([&] { return answer.has_value(); }));
  EXPECT_EQ(answer->status, 0);
  EXPECT_NE(answer->body, "");
}

TEST(Address, IsAnIpAddressAndAPort) {
  EXPECT_EQ(parse_address("http://127.0.0.1:8080")->port, 8080);
  EXPECT_EQ(parse_address("http://127.0.0.1:8080/")->host, "127.0.0.1");
  for (const char* wrong : {"", "127.0.0.1:80", "http://127.0.0.1", "http://127.0.0.1:70000", "http://home:80"}) {
    EXPECT_FALSE(parse_address(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace tessera::bench
