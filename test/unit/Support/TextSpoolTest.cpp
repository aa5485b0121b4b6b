//===- TextSpoolTest.cpp - Many texts that wait to be printed -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/TextSpool.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <thread>

using namespace ptxpredict;

namespace {

/// Long texts and short ones, and one that is empty.
std::string textOf(size_t Number) {
  size_t Length = Number % 7 == 0 ? 100'000 + Number : Number % 50;
  std::string Text(Length, char('a' + Number % 26));
  return Number == 3 ? "" : Text + std::to_string(Number);
}

std::string all(TextSpool &Spool) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (size_t N = 0; N != Spool.size(); ++N)
    EXPECT_FALSE(Spool.print(N, OS));
  return Text;
}

constexpr size_t NumTexts = 60; // without every fourth

std::string expected() {
  std::string Text;
  for (size_t N = 0; N != NumTexts; ++N)
    if (N % 4 != 1)
      Text += textOf(N);
  return Text;
}

void fill(TextSpool &Spool) {
  // Two threads, one from each end.
  auto Add = [&](size_t N) {
    if (N % 4 != 1)
      Spool.add(N, textOf(N));
  };
  std::thread Other([&] {
    for (size_t N = NumTexts; N-- != NumTexts / 2;)
      Add(N);
  });
  for (size_t N = 0; N != NumTexts / 2; ++N)
    Add(N);
  Other.join();
}

TEST(TextSpool, PrintsInTheOrderOfNumbers) {
  for (size_t MemoryBytes : {size_t(0), size_t(1000), size_t(150'000),
                             TextSpool::DefaultMemoryBytes}) {
    TextSpool Spool(MemoryBytes);
    fill(Spool);
    EXPECT_EQ(Spool.size(), NumTexts - NumTexts / 4);
    EXPECT_EQ(all(Spool), expected());
    EXPECT_EQ(all(Spool), expected()); // again
    EXPECT_EQ(Spool.fileBytes() != 0,
              MemoryBytes != TextSpool::DefaultMemoryBytes);
  }
}

TEST(TextSpool, NeedsNoFolderForTemporaryFiles) {
  const char *Before = ::getenv("TMPDIR");
  std::string Saved = Before ? Before : "";
  ASSERT_EQ(::setenv("TMPDIR", "/nonexistent/folder", 1), 0);
  {
    TextSpool Spool(1000);
    fill(Spool);
    EXPECT_EQ(Spool.fileBytes(), 0U);
    EXPECT_EQ(all(Spool), expected());
  }
  Before ? ::setenv("TMPDIR", Saved.c_str(), 1) : ::unsetenv("TMPDIR");
}

} // namespace
