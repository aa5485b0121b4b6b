//===- InputFileTest.cpp - Tests of reading inputs ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/InputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <zlib.h>

using namespace ptxpredict;

namespace {

/// A file in the temporary folder that goes with the test.
class TempFile {
public:
  explicit TempFile(StringRef Content) {
    int FD;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("ptx-predict-input", "ptx",
                                                    FD, Path));
    llvm::raw_fd_ostream(FD, /*shouldClose=*/true) << Content;
  }
  ~TempFile() { (void)llvm::sys::fs::remove(Path); }
  StringRef path() const { return Path; }

private:
  llvm::SmallString<64> Path;
};

/// \p Text as one gzip member, \p Repeat times the text.
std::string gzip(StringRef Text, size_t Repeat = 1) {
  z_stream Stream{};
  EXPECT_EQ(deflateInit2(&Stream, 1, Z_DEFLATED, 15 + 16, 9, Z_FILTERED), Z_OK);
  std::string Out;
  std::string Chunk(1 << 16, '\0');
  for (size_t I = 0; I != Repeat; ++I) {
    Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Text.data()));
    Stream.avail_in = uInt(Text.size());
    do {
      Stream.next_out = reinterpret_cast<Bytef *>(Chunk.data());
      Stream.avail_out = uInt(Chunk.size());
      deflate(&Stream, I + 1 == Repeat ? Z_FINISH : Z_NO_FLUSH);
      Out.append(Chunk, 0, Chunk.size() - Stream.avail_out);
    } while (Stream.avail_out == 0);
  }
  deflateEnd(&Stream);
  return Out;
}

/// What reading gives: the text, or "error: " and the message.
std::string read(StringRef Path) {
  auto Buffer = readInputFile(Path);
  if (!Buffer)
    return "error: " + llvm::toString(Buffer.takeError());
  return (*Buffer)->getBuffer().str();
}

std::string readContent(StringRef Content) {
  return read(TempFile(Content).path());
}

TEST(InputFile, ReadsPlainText) {
  TempFile File(".version 9.0\n");
  auto Buffer = readInputFile(File.path());
  ASSERT_TRUE(bool(Buffer));
  EXPECT_EQ((*Buffer)->getBuffer(), ".version 9.0\n");
  EXPECT_EQ((*Buffer)->getBufferIdentifier(), File.path());
  EXPECT_EQ(*(*Buffer)->getBufferEnd(), '\0'); // lexers rely on it
}

TEST(InputFile, FillsAnEngine) {
  TempFile File(".version 9.0\n");
  DiagnosticEngine Diags;
  EXPECT_FALSE(readInputFile(File.path(), Diags));
  EXPECT_EQ(Diags.text(), ".version 9.0\n");
  EXPECT_EQ(Diags.path(), File.path());
  EXPECT_TRUE(readInputFile("no/such/file.ptx", Diags));
  EXPECT_EQ(Diags.path(), "no/such/file.ptx");
  ASSERT_EQ(Diags.numErrors(), 1u);
  EXPECT_TRUE(StringRef(Diags.diagnostics()[0].Message)
                  .starts_with("cannot read the file: "));
}

TEST(InputFile, ReadsAnEmptyFile) { EXPECT_EQ(readContent(""), ""); }

TEST(InputFile, ExpandsGzip) {
  TempFile File(gzip(".version 9.0\n"));
  auto Buffer = readInputFile(File.path());
  ASSERT_TRUE(bool(Buffer));
  EXPECT_EQ((*Buffer)->getBuffer(), ".version 9.0\n");
  EXPECT_EQ((*Buffer)->getBufferIdentifier(), File.path());
  EXPECT_EQ(*(*Buffer)->getBufferEnd(), '\0');
}

TEST(InputFile, ExpandsMoreThanOneChunk) {
  std::string Text = readContent(gzip("0123456789abcdef", 1 << 17)); // 2 MiB
  EXPECT_EQ(Text.size(), size_t(1) << 21);
  EXPECT_EQ(StringRef(Text).take_back(16), "0123456789abcdef");
}

TEST(InputFile, JoinsTheMembersOfAGzipFile) {
  EXPECT_EQ(readContent(gzip("one\n") + gzip("") + gzip("two\n")),
            "one\ntwo\n");
}

TEST(InputFile, ExpandsAnEmptyMember) { EXPECT_EQ(readContent(gzip("")), ""); }

constexpr const char *Damaged = "error: the gzip data is damaged or cut off";

TEST(InputFile, RefusesGzipThatIsCutOffAnywhere) {
  std::string Whole = gzip(".version 9.0\n.target sm_90\n");
  for (size_t Size = 2; Size != Whole.size(); ++Size)
    EXPECT_EQ(readContent(StringRef(Whole).take_front(Size)), Damaged) << Size;
}

TEST(InputFile, RefusesGzipWithAWrongChecksum) {
  std::string Wrong = gzip("text that is checked");
  Wrong[Wrong.size() - 6] ^= 1;
  EXPECT_EQ(readContent(Wrong), Damaged);
}

TEST(InputFile, RefusesWhatFollowsAMemberAndIsNone) {
  EXPECT_EQ(readContent(gzip("text") + "no member"), Damaged);
}

TEST(InputFile, BoundsWhatAGzipFileExpandsTo) {
  // 1 MiB of zeros, 260 times.
  std::string Zeros(size_t(1) << 20, '\0');
  EXPECT_EQ(readContent(gzip(Zeros, 260)),
            "error: the gzip data expands to more than 256 MiB");
}

/// Sparse, with what it has at its beginning.
void makeHuge(StringRef Path) {
  int FD;
  ASSERT_FALSE(llvm::sys::fs::openFileForReadWrite(
      Path, FD, llvm::sys::fs::CD_OpenExisting, llvm::sys::fs::OF_None));
  ASSERT_FALSE(llvm::sys::fs::resize_file(FD, MaxInputBytes + 1));
  llvm::sys::fs::file_t Handle = llvm::sys::fs::convertFDToNativeFile(FD);
  ASSERT_FALSE(llvm::sys::fs::closeFile(Handle));
}

TEST(InputFile, RefusesAHugeFileUnread) {
  TempFile File("");
  ASSERT_NO_FATAL_FAILURE(makeHuge(File.path()));
  EXPECT_EQ(read(File.path()), "error: the file has more than 256 MiB");
}

TEST(InputFile, MapsALargeLibrary) {
  std::string Head("\x7f"
                   "ELF\2\1\1",
                   7);
  Head.resize(64);
  Head[16] = 3; // a shared object
  TempFile File(Head);
  ASSERT_NO_FATAL_FAILURE(makeHuge(File.path()));
  auto Buffer = readInputFile(File.path());
  ASSERT_TRUE(bool(Buffer));
  EXPECT_EQ((*Buffer)->getBufferSize(), MaxInputBytes + 1);
}

TEST(InputFile, SaysWhyAFileCannotBeRead) {
  TempFile File("");
  std::string Missing = (File.path() + ".missing").str();
  EXPECT_EQ(read(Missing),
            "error: cannot read the file: No such file or directory");
  EXPECT_EQ(read("/"), "error: is a folder, not a file");
}

} // namespace

TEST(InputFile, RefusesDevices) {
  EXPECT_EQ(read("/dev/zero"), "error: is a device, not a file");
}

TEST(InputFile, EmptyDevice) { EXPECT_EQ(read("/dev/null"), ""); }
