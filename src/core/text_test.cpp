#include "core/text.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Text, ParsesPlainIntegersOnly) {
  EXPECT_EQ(parse_int("0"), 0);
  EXPECT_EQ(parse_int("-17"), -17);
  EXPECT_EQ(parse_int("2147483647"), 2147483647);
  for (const char* wrong : {"", "-", "+1", " 1", "1 ", "01", "-0", "-01", "1.0", "1e3", "0x1", "2147483648", "one"}) {
    EXPECT_EQ(parse_int(wrong), std::nullopt) << wrong;
  }
  EXPECT_EQ(parse_int<std::uint64_t>("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(parse_int<std::uint64_t>("-1"), std::nullopt);
}

TEST(Text, SplitsAndJoins) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
  EXPECT_EQ(join(split("a,b", ',')), "a, b");
}

TEST(Text, WritesJsonStrings) { EXPECT_EQ(json_string("a\"b\\c\n"), R"("a\"b\\c\u000a")"); }

TEST(Text, QuotesWhatSomebodyTypedWithoutHarm) {
  EXPECT_EQ(in_quotes("p12"), "'p12'");
  EXPECT_EQ(in_quotes("Zug \xc3\xbc"), "'Zug \xc3\xbc'");
  EXPECT_EQ(in_quotes("\x1b[2J\xff"), "'\\x1b[2J\\xff'");
  EXPECT_EQ(in_quotes("\xc3"), "'\\xc3'") << "a sequence that breaks off";
  EXPECT_EQ(in_quotes("\xed\xa0\x80"), "'\\xed\\xa0\\x80'") << "a surrogate";
  EXPECT_LT(in_quotes(std::string(1000, 'x')).size(), 130U);
}

}  // namespace
}  // namespace tessera
