//===- ContentCacheTest.cpp -----------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/ContentCache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <thread>

using namespace ptxpredict;
namespace fs = llvm::sys::fs;

namespace {

/// A cache in a folder that goes with the test.
struct ContentCacheTest : testing::Test {
  ContentCacheTest() {
    EXPECT_FALSE(fs::createUniqueDirectory("content-cache", Root));
    Cache = ContentCache((Root + "/below/there").str());
  }
  ~ContentCacheTest() override { (void)fs::remove_directories(Root); }

  std::vector<std::string> entries() const {
    std::vector<std::string> Paths;
    std::error_code EC;
    for (fs::directory_iterator It(Cache.folder(), EC), End; It != End && !EC;
         It.increment(EC))
      if (!StringRef(It->path()).ends_with("timestamp"))
        Paths.push_back(It->path());
    return Paths;
  }

  llvm::SmallString<128> Root;
  ContentCache Cache;
};

TEST_F(ContentCacheTest, GivesBackWhatWasStored) {
  std::string Key = ContentCache::hash({"a question"});
  EXPECT_EQ(Key.size(), 64U);
  EXPECT_EQ(Cache.find(Key), std::nullopt);
  std::string Answer = "lines\nand";
  Answer += std::string(2, 0) + "bytes";
  Cache.store(Key, Answer);
  EXPECT_EQ(Cache.find(Key), Answer);
  Cache.store(Key, "");
  EXPECT_EQ(Cache.find(Key), "");
  EXPECT_EQ(entries().size(), 1U) << "nothing else is left";
}

TEST_F(ContentCacheTest, DoesNotConfuseParts) {
  EXPECT_NE(ContentCache::hash({"ab", "c"}), ContentCache::hash({"a", "bc"}));
  EXPECT_NE(ContentCache::hash({"ab"}), ContentCache::hash({"ab", ""}));
  EXPECT_EQ(ContentCache::hash({"ab", "c"}), ContentCache::hash({"ab", "c"}));
}

TEST_F(ContentCacheTest, FindsDamage) {
  std::string Key = ContentCache::hash({"a question"});
  Cache.store(Key, "the answer");
  std::string Path = entries().front();
  for (StringRef Damaged : {"", "the answer", "0\nthe answer", "\n"}) {
    std::error_code EC;
    llvm::raw_fd_ostream(Path, EC) << Damaged;
    EXPECT_EQ(Cache.find(Key), std::nullopt);
  }
  Cache.store(Key, "the answer");
  EXPECT_EQ(Cache.find(Key), "the answer") << "it is made anew";
}

TEST_F(ContentCacheTest, SharedByThreads) {
  auto Work = [&] {
    for (int I = 0; I != 50; ++I) {
      std::string N = std::to_string(I), Key = ContentCache::hash({N});
      std::optional<std::string> Before = Cache.find(Key);
      EXPECT_TRUE(!Before || *Before == N);
      Cache.store(Key, N);
    }
  };
  std::thread Other(Work);
  Work();
  Other.join();
  EXPECT_EQ(entries().size(), 50U);
}

TEST_F(ContentCacheTest, IsBounded) {
  std::string Large(1 << 16, 'x');
  for (int I = 0; I != 8; ++I)
    Cache.store(ContentCache::hash({std::to_string(I)}), Large);
  Cache.prune(/*MaxBytes=*/3 << 16, /*Now=*/true);
  EXPECT_EQ(entries().size(), 2U) << "a third one and its hash are too much";
  Cache.prune(/*MaxBytes=*/1, /*Now=*/false);
  EXPECT_EQ(entries().size(), 2U) << "it looked a moment ago";
}

TEST_F(ContentCacheTest, WithoutFolder) {
  ContentCache None;
  None.store(ContentCache::hash({"q"}), "a");
  EXPECT_EQ(None.find(ContentCache::hash({"q"})), std::nullopt);
  None.prune();
  ContentCache Nowhere("/dev/null/there");
  Nowhere.store(ContentCache::hash({"q"}), "a");
  EXPECT_EQ(Nowhere.find(ContentCache::hash({"q"})), std::nullopt);
}

} // namespace
