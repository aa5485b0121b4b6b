//===- CubinTest.cpp - Tests of cubins and fat binaries -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/Cubin.h"
#include "ptxpredict/Frontend/SASS/CodeLines.h"
#include "ptxpredict/Frontend/SASS/ObjectList.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {

std::string contents(StringRef Name) {
  auto File =
      readInputFile((PTXPREDICT_TEST_INPUTS "/cubins/" + Twine(Name)).str());
  return File ? (*File)->getBuffer().str() : std::string();
}

const CubinFunction *find(const Cubin &C, StringRef Name) {
  auto It = llvm::find_if(
      C.Functions, [&](const CubinFunction &F) { return F.Name == Name; });
  return It == C.Functions.end() ? nullptr : &*It;
}

/// What ptxas -v says, and where the parameters lie.
TEST(Cubin, ReadsBothLayouts) {
  struct {
    StringRef File, Target;
    unsigned Architecture, ABIVersion, Base;
  } const Cubins[] = {{"two-70.cubin", "sm_70", 70, 7, 0x160},
                      {"two-80.cubin", "sm_80", 80, 8, 0x160},
                      {"two-90a.cubin", "sm_90a", 90, 8, 0x210},
                      {"two-120.cubin", "sm_120", 120, 8, 0x380}};
  for (const auto &Of : Cubins) {
    SCOPED_TRACE(Of.File.str());
    const std::string Bytes = contents(Of.File);
    Expected<Cubin> C = readCubin(Bytes);
    ASSERT_TRUE(bool(C));
    EXPECT_TRUE(C->Problems.empty());
    EXPECT_EQ(C->Architecture, Of.Architecture);
    EXPECT_EQ(C->Target, Of.Target);
    EXPECT_EQ(C->ABIVersion, Of.ABIVersion);
    EXPECT_EQ(C->numKernels(), 2u);
    const CubinFunction *F = find(*C, "scale");
    ASSERT_TRUE(F);
    EXPECT_TRUE(F->IsKernel);
    EXPECT_TRUE(F->Registers);
    EXPECT_EQ(F->SharedBytes, 1024u);
    EXPECT_EQ(F->FrameBytes, 0u);
    EXPECT_EQ(F->Barriers, 1u);
    EXPECT_EQ(F->ParameterBase, Of.Base);
    EXPECT_EQ(F->ParameterBytes, 16u);
    ASSERT_EQ(F->Parameters.size(), 3u);
    EXPECT_EQ(F->Parameters[1].Offset, 8u);
    EXPECT_EQ(F->Parameters[1].Bytes, 4u);
    EXPECT_EQ(F->Parameters[2].Offset, 12u);
    ASSERT_TRUE(F->Bounds.MaxThreads);
    EXPECT_EQ((*F->Bounds.MaxThreads)[0], 256u);
    EXPECT_GT(F->CodeBytes, 0u);
    EXPECT_EQ(F->CodeBytes % 128, 0u);
    EXPECT_LE(F->Offset + F->CodeBytes, Bytes.size());
    const CubinFunction *Empty = find(*C, "empty");
    ASSERT_TRUE(Empty);
    EXPECT_EQ(Empty->Barriers, 0u);
    EXPECT_EQ(Empty->SharedBytes, 0u);
    EXPECT_TRUE(Empty->Parameters.empty());
  }
}

/// Whatever is cut off or damaged, nothing beyond the bytes is read, and code
/// lies within them.
TEST(Cubin, TrustsNothing) {
  auto Check = [](const std::string &Bytes) {
    Expected<Cubin> C = readCubin(Bytes);
    if (!C) {
      EXPECT_FALSE(llvm::toString(C.takeError()).empty());
      return;
    }
    for (const CubinFunction &F : C->Functions) {
      if (F.CodeBytes == 0) // its section is damaged
        continue;
      EXPECT_LE(F.Offset, Bytes.size());
      EXPECT_LE(F.CodeBytes, Bytes.size() - F.Offset);
    }
  };
  const std::string Whole = contents("two-75.cubin");
  ASSERT_FALSE(Whole.empty());
  const size_t Step = PTXPREDICT_IS_SANITIZED ? 7 : 1;
  for (size_t Size = 0; Size < Whole.size(); Size += Step)
    Check(Whole.substr(0, Size));
  for (size_t At = 0; At < Whole.size(); At += Step)
    for (char Value : {'\0', '\x7f', '\xff'}) {
      std::string Damaged = Whole;
      Damaged[At] = Value;
      Check(Damaged);
    }
}

TEST(FatBinary, UnpacksToTheSameCode) {
  const std::string Plain = contents("two-75.cubin");
  for (StringRef Name : {"stored.fatbin", "lz4.fatbin", "zstd.fatbin"}) {
    SCOPED_TRACE(Name.str());
    const std::string File = contents(Name);
    const CodeEntries Found = findCode(File);
    EXPECT_TRUE(Found.Problems.empty());
    ASSERT_EQ(Found.Entries.size(), 3u);
    EXPECT_EQ(Found.Entries[0].Container, 0u);
    EXPECT_EQ(Found.Entries[0].Kind, CodeKind::Machine);
    EXPECT_EQ(Found.Entries[2].Kind, CodeKind::PTX);
    EXPECT_EQ(Found.Entries[1].Architecture, 90u);
    auto Code = unpack(Found.Entries[0]);
    ASSERT_TRUE(bool(Code));
    EXPECT_EQ((*Code)->getBuffer(), Plain);
    auto PTX = unpack(Found.Entries[2]);
    ASSERT_TRUE(bool(PTX));
    EXPECT_TRUE((*PTX)->getBuffer().contains(".visible .entry scale"));
    EXPECT_FALSE((*PTX)->getBuffer().contains('\0'));
  }
}

TEST(ObjectList, SaysWhereTheDamageIs) {
  std::string File = contents("zstd.fatbin");
  for (size_t I = 0; I != 16; ++I)
    File[96 + I] = '\xff';
  const ObjectList List = listObjects(File);
  ASSERT_EQ(List.Entries.size(), 3u);
  EXPECT_FALSE(List.Entries[0].Code);
  EXPECT_TRUE(List.Entries[1].Code);
  ASSERT_EQ(List.Problems.size(), 1u);
  EXPECT_TRUE(StringRef(List.Problems[0]).starts_with("offset 0x50: "));
}

/// The version of the table stands behind its length.
TEST(CodeLines, SaysThatTheTableIsDamaged) {
  std::string File = contents("lines-80.cubin");
  const size_t Name = File.find("/src");
  ASSERT_NE(Name, std::string::npos);
  Expected<CodeLines> Whole = readCodeLines(File);
  ASSERT_TRUE(bool(Whole));
  const auto First = Whole->of("matmul", 0);
  ASSERT_TRUE(First);
  EXPECT_EQ(First->Line, 16u);
  EXPECT_EQ(First->File, "/src/matmul.cu");
  EXPECT_FALSE(Whole->of("other", 0));
  // A head of version 2: length, version, length of the head.
  const size_t Version = File.rfind(StringRef("\x02\0", 2).str(), Name);
  ASSERT_NE(Version, std::string::npos);
  File[Version] = 77;
  Expected<CodeLines> Damaged = readCodeLines(File);
  ASSERT_FALSE(bool(Damaged));
  EXPECT_TRUE(StringRef(llvm::toString(Damaged.takeError()))
                  .starts_with("section .debug_line: "));
}

TEST(CodeLines, FollowsCallsThatCodeWasInlinedAt) {
  const std::string File = contents("schedule-80.cubin");
  Expected<CodeLines> Lines = readCodeLines(File);
  ASSERT_TRUE(bool(Lines));
  constexpr uint64_t Root = 0xa0; // MUFU.SQRT
  const CodeLine *Inner = Lines->of("waitsForBoth", Root);
  ASSERT_TRUE(Inner);
  EXPECT_EQ(Inner->File, "/src/roots.cuh");
  EXPECT_EQ(Inner->Line, 3u);
  EXPECT_EQ(Inner->Function, "_Z5innerf");
  const CodeLine *Outer = Inner->InlinedAt;
  ASSERT_TRUE(Outer);
  EXPECT_EQ(Outer->Line, 10u);
  EXPECT_EQ(Outer->Function, "_Z5outerPf");
  const CodeLine *Kernel = Outer->InlinedAt;
  ASSERT_TRUE(Kernel);
  EXPECT_EQ(Kernel->File, "/src/schedule.cu");
  EXPECT_EQ(Kernel->Line, 22u);
  EXPECT_TRUE(Kernel->Function.empty());
  EXPECT_FALSE(Kernel->InlinedAt);
}

TEST(CodeLines, TrustsNothing) {
  for (auto [File, Function] : {std::pair("lines-80.cubin", "matmul"),
                                {"schedule-80.cubin", "waitsForBoth"}}) {
    const std::string Whole = contents(File);
    ASSERT_FALSE(Whole.empty());
    auto Check = [Function = StringRef(Function)](const std::string &Bytes) {
      Expected<CodeLines> Lines = readCodeLines(Bytes);
      if (!Lines) {
        EXPECT_FALSE(llvm::toString(Lines.takeError()).empty());
        return;
      }
      for (uint64_t At = 0; At < 2048; At += 16)
        for (const CodeLine *L = Lines->of(Function, At); L; L = L->InlinedAt)
          EXPECT_GT(L->Line, 0u);
    };
    const size_t Step = PTXPREDICT_IS_SANITIZED ? 7 : 1;
    for (size_t At = 0; At < Whole.size(); At += Step) {
      Check(Whole.substr(0, At));
      for (char Value : {'\0', '\x7f', '\xff'}) {
        std::string Damaged = Whole;
        Damaged[At] = Value;
        Check(Damaged);
      }
    }
  }
}

} // namespace
