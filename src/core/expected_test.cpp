#include "core/expected.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(ErrorTest, ASentenceIsItsOwnTemplate) {
  const Error error = Error::of("Say which seat: {\"seat\":0}, for example.");
  EXPECT_EQ(error.sentence, "Say which seat: {\"seat\":0}, for example.");
  EXPECT_EQ(error.say, "");
}

TEST(ErrorTest, KnowsTemplateAndArguments) {
  const Error error = Error::of("{} is not yours, but seat {}'s.", "the \"hand\"", 1);
  EXPECT_EQ(error.sentence, "the \"hand\" is not yours, but seat 1's.");
  EXPECT_EQ(error.say, R"(["{} is not yours, but seat {}'s.","the \"hand\"",1])");
}

TEST(ErrorTest, APhraseIsAList) {
  const Error error = Error::of("{} takes {}, not {}", "arm", Phrase::of("{} to {}", 6, 12), Phrase::of("nothing"));
  EXPECT_EQ(error.sentence, "arm takes 6 to 12, not nothing");
  EXPECT_EQ(error.say, R"(["{} takes {}, not {}","arm",["{} to {}",6,12],["nothing"]])");
}

}  // namespace
}  // namespace tessera
