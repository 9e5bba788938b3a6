#include "core/real.hpp"

#include <gtest/gtest.h>
#include <cmath>

namespace tessera {
namespace {

TEST(Real, ExpIsWhatTheStandardLibrarySays) {
  for (double x = -690; x <= 690; x += 0.37) EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-11) << x;
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(1e9), portable_exp(700));
  EXPECT_EQ(portable_exp(-1e9), portable_exp(-700));
}

TEST(Real, LogIsWhatTheStandardLibrarySays) {
  for (double x = 1e-9; x < 1e9; x *= 1.1) EXPECT_NEAR(portable_log(x), std::log(x), 1e-8) << x;
  EXPECT_EQ(portable_log(1), 0);
}

TEST(Real, LogisticIsEven) {
  EXPECT_EQ(logistic(0), 0.5);
  EXPECT_NEAR(logistic(2) + logistic(-2), 1, 1e-12);
}

}  // namespace
}  // namespace tessera
