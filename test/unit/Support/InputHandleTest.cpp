//===- InputHandleTest.cpp - Tests of opening files -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A test that waits for ever is one that fails.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/InputHandle.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace ptxpredict;
namespace fs = llvm::sys::fs;

namespace {

class InputHandleTest : public ::testing::Test {
protected:
  InputHandleTest() {
    EXPECT_FALSE(fs::createUniqueDirectory("ptx-predict-handle", Folder));
  }
  ~InputHandleTest() override {
    (void)::unlink(in("socket").c_str()); // which remove_directories leaves
    (void)fs::remove_directories(Folder);
  }

  std::string in(StringRef Name) const { return (Folder + "/" + Name).str(); }
  std::string fifo(StringRef Name) const {
    std::string Path = in(Name);
    EXPECT_EQ(::mkfifo(Path.c_str(), 0600), 0);
    return Path;
  }

private:
  llvm::SmallString<64> Folder;
};

/// "" if it can be opened, and why not otherwise.
std::string whyNot(StringRef Path, Streams Allowed = Streams::Given) {
  Expected<InputHandle> File = InputHandle::open(Path, Allowed);
  return File ? "" : llvm::toString(File.takeError());
}

constexpr const char *Fifo =
    "is a pipe (FIFO), not a file; read it as standard input: - < PATH";

TEST_F(InputHandleTest, OpensRegularFiles) {
  std::string Path = in("file");
  std::error_code EC;
  llvm::raw_fd_ostream(Path, EC) << "text";
  ASSERT_FALSE(EC);
  Expected<InputHandle> File = InputHandle::open(Path, Streams::None);
  ASSERT_TRUE(bool(File));
  EXPECT_TRUE(File->isRegular());
  EXPECT_EQ(File->size(), 4u);
  // Reading it may wait as any reading does.
  EXPECT_EQ(::fcntl(File->get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_NE(::fcntl(File->get(), F_GETFD) & FD_CLOEXEC, 0);
  ASSERT_EQ(::symlink("file", in("link").c_str()), 0);
  EXPECT_EQ(whyNot(in("link")), "");
}

TEST_F(InputHandleTest, WaitsForNoFifo) {
  std::string Path = fifo("pipe");
  EXPECT_EQ(whyNot(Path), Fifo);
  EXPECT_EQ(whyNot(Path, Streams::None), Fifo);
  ASSERT_EQ(::symlink("pipe", in("link").c_str()), 0);
  EXPECT_EQ(whyNot(in("link")), Fifo);
  EXPECT_EQ(readFoundFile(Path, 1 << 20), nullptr);
}

TEST_F(InputHandleTest, TakesNoBytesFromAFifo) {
  std::string Path = fifo("pipe");
  int Both = ::open(Path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(Both, 0);
  ASSERT_EQ(::write(Both, "abc", 3), 3);
  EXPECT_EQ(whyNot(Path), Fifo);
  char Data[4] = {};
  EXPECT_EQ(::read(Both, Data, 4), 3);
  EXPECT_STREQ(Data, "abc");
  ::close(Both);
}

TEST_F(InputHandleTest, RefusesSocketsDevicesAndFolders) {
  std::string Path = in("socket");
  sockaddr_un Address{};
  Address.sun_family = AF_UNIX;
  ASSERT_LT(Path.size(), sizeof Address.sun_path);
  Path.copy(Address.sun_path, Path.size());
  int Socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_GE(Socket, 0);
  ASSERT_EQ(
      ::bind(Socket, reinterpret_cast<sockaddr *>(&Address), sizeof Address),
      0);
  EXPECT_EQ(whyNot(Path), "is a socket, not a file");
  ::close(Socket);
  EXPECT_EQ(whyNot("/dev/zero"), "is a device, not a file");
  EXPECT_EQ(whyNot("/"), "is a folder, not a file");
  EXPECT_EQ(whyNot("/dev/null"), "");
}

TEST_F(InputHandleTest, OpensDescriptorsThatAUserNames) {
  int Ends[2];
  ASSERT_EQ(::pipe2(Ends, O_CLOEXEC), 0);
  ASSERT_EQ(::write(Ends[1], "abc", 3), 3);
  ::close(Ends[1]);
  std::string Path = "/dev/fd/" + std::to_string(Ends[0]);
  EXPECT_EQ(whyNot(Path, Streams::None), Fifo);
  // Under another spelling, such as that of a link, nobody asked for it.
  ASSERT_EQ(::symlink(Path.c_str(), in("link").c_str()), 0);
  EXPECT_EQ(whyNot(in("link")), Fifo);
  {
    Expected<InputHandle> File = InputHandle::open(Path, Streams::Given);
    ASSERT_TRUE(bool(File));
    EXPECT_FALSE(File->isRegular());
    EXPECT_EQ(::fcntl(File->get(), F_GETFL) & O_NONBLOCK, 0);
    char Data[4] = {};
    EXPECT_EQ(::read(File->get(), Data, 4), 3);
    EXPECT_STREQ(Data, "abc");
  }
  EXPECT_EQ(whyNot("/proc/self/fd/" + std::to_string(Ends[0])), "");
  ::close(Ends[0]);
  EXPECT_NE(whyNot(Path), "");
}

TEST_F(InputHandleTest, SaysWhatTheSystemSays) {
  Expected<InputHandle> File = InputHandle::open(in("none"), Streams::Given);
  ASSERT_FALSE(bool(File));
  Error E = File.takeError();
  EXPECT_TRUE(E.isA<llvm::ECError>());
  EXPECT_EQ(llvm::toString(std::move(E)), "No such file or directory");
}

TEST_F(InputHandleTest, ReadsFoundFilesUpToASize) {
  std::string Path = in("file");
  std::error_code EC;
  llvm::raw_fd_ostream(Path, EC) << "text";
  ASSERT_FALSE(EC);
  std::unique_ptr<llvm::MemoryBuffer> Text = readFoundFile(Path, 4);
  ASSERT_TRUE(Text);
  EXPECT_EQ(Text->getBuffer(), "text");
  EXPECT_EQ(Text->getBufferIdentifier(), Path);
  EXPECT_EQ(readFoundFile(Path, 3), nullptr);
  EXPECT_EQ(readFoundFile(in("none"), 3), nullptr);
}

} // namespace
