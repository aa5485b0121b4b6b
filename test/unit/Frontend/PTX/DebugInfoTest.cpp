//===- DebugInfoTest.cpp - Tests of parameters in debug information -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ParsedText.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "gtest/gtest.h"

namespace ptxpredict {
namespace {

using Bytes = std::vector<uint8_t>;

/// Tag, whether there are entries within, attributes and forms.
void abbreviate(Bytes &To, uint8_t Code, std::vector<uint8_t> Rest) {
  To.push_back(Code);
  To.insert(To.end(), Rest.begin(), Rest.end());
  To.insert(To.end(), {0, 0});
}

/// The abbreviations of \ref unit.
Bytes abbreviations() {
  Bytes B;
  abbreviate(B, 1, {0x11, 1, 0x03, 0x08});                         // unit
  abbreviate(B, 2, {0x2e, 1, 0x03, 0x08});                         // function
  abbreviate(B, 3, {0x05, 0, 0x03, 0x08, 0x49, 0x13});             // parameter
  abbreviate(B, 4, {0x13, 1, 0x03, 0x08, 0x0b, 0x0b});             // structure
  abbreviate(B, 5, {0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0a}); // member
  abbreviate(B, 6, {0x24, 0, 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b}); // number
  abbreviate(B, 7, {0x16, 0, 0x03, 0x08, 0x49, 0x13});             // typedef
  abbreviate(B, 8, {0x1c, 0, 0x49, 0x13, 0x38, 0x0b});             // base class
  B.push_back(0);
  return B;
}

/// Entries of a unit of DWARF 2 as they are written.
class Unit {
public:
  Unit() : B{0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 8} { entry(1, "u"); }

  /// Where the next entry stands.
  uint32_t next() const { return uint32_t(B.size()); }
  void entry(uint8_t Code, StringRef Name) {
    B.push_back(Code);
    B.insert(B.end(), Name.begin(), Name.end());
    B.push_back(0);
  }
  void reference(uint32_t Offset) {
    for (unsigned N = 0; N != 4; ++N)
      B.push_back(uint8_t(Offset >> 8 * N));
  }
  void put(std::vector<uint8_t> Values) {
    B.insert(B.end(), Values.begin(), Values.end());
  }
  Bytes finish() {
    B.push_back(0);
    B[0] = uint8_t(B.size() - 4);
    B[1] = uint8_t((B.size() - 4) >> 8);
    return B;
  }

private:
  Bytes B;
};

/// `k(S p, int n)` with `struct S { int a; T b; }` of 8 bytes and
/// `typedef int T`.
Bytes unit() {
  Unit U;
  const uint32_t Int = U.next();
  U.entry(6, "int");
  U.put({0x05, 4});
  const uint32_t Typedef = U.next();
  U.entry(7, "T");
  U.reference(Int);
  const uint32_t Structure = U.next();
  U.entry(4, "S");
  U.put({8});
  U.entry(5, "a");
  U.reference(Int);
  U.put({2, 0x23, 0});
  U.entry(5, "b");
  U.reference(Typedef);
  U.put({2, 0x23, 4});
  U.put({0});
  U.entry(2, "k");
  U.entry(3, "p");
  U.reference(Structure);
  U.entry(3, "n");
  U.reference(Int);
  U.put({0});
  return U.finish();
}

std::string section(StringRef Name, const Bytes &B) {
  std::string Text = (".section " + Name + " {\n").str();
  for (uint8_t Byte : B)
    Text += ".b8 " + std::to_string(Byte) + "\n";
  return Text + "}\n";
}

/// What is known of the kernel's parameters, as "p:8 n:-".
std::string read(const Bytes &Info, const Bytes &Abbreviations,
                 std::string *Member = nullptr) {
  ptx::ParsedText Parsed(ptx::inModule(
      ".visible .entry k(.param .align 4 .b8 k_param_0[8], .param .u32 "
      "k_param_1)\n{\nret;\n}\n" +
      section(".debug_info", Info) + section(".debug_abbrev", Abbreviations)));
  EXPECT_EQ(Parsed.messages(), "");
  std::unique_ptr<Module> M = ptx::lowerLazily(*Parsed.Tree, *Parsed.Diags);
  std::string Text;
  for (const SourceParameter &P : M->sourceParameters(*M->Functions.front())) {
    Text += P.Name.str() + ":" +
            (P.Layout ? std::to_string(P.Layout->Bytes) : "-") + " ";
    MemberPlace At;
    std::string Why;
    if (P.Layout && !findMember(*P.Layout, "b", At, Why) && Member)
      *Member = std::to_string(At.Offset) + ":" + At.Type->Scalar.str();
  }
  return Text;
}

TEST(DebugInfo, NamesAndMembers) {
  std::string Member;
  EXPECT_EQ(read(unit(), abbreviations(), &Member), "p:8 n:- ");
  EXPECT_EQ(Member, "4:s32");
  EXPECT_EQ(read({}, {}), "");
}

TEST(DebugInfo, SecondUnit) {
  Unit First;
  First.entry(6, "int");
  First.put({0x05, 4});
  Bytes Both = First.finish();
  for (uint8_t B : unit())
    Both.push_back(B);
  EXPECT_EQ(read(Both, abbreviations()), "p:8 n:- ");
}

// Whatever is in the sections, reading ends, and nothing lies outside of them.
TEST(DebugInfo, WrongBytes) {
  const Bytes Info = unit(), Abbreviations = abbreviations();
  for (uint8_t Value : {0x00, 0x01, 0x15, 0x16, 0x19, 0x7f, 0x80, 0xff}) {
    for (size_t N = 0; N != Info.size(); ++N) {
      Bytes Wrong = Info;
      Wrong[N] = Value;
      read(Wrong, Abbreviations);
    }
    for (size_t N = 0; N != Abbreviations.size(); ++N) {
      Bytes Wrong = Abbreviations;
      Wrong[N] = Value;
      read(Info, Wrong);
    }
  }
  for (size_t N = 0; N != Info.size(); ++N)
    read(Bytes(Info.begin(), Info.begin() + N), Abbreviations);
  for (size_t N = 0; N != Abbreviations.size(); ++N)
    read(Info, Bytes(Abbreviations.begin(), Abbreviations.begin() + N));
}

TEST(DebugInfo, TypesThatHoldThemselves) {
  Unit U;
  const uint32_t Typedef = U.next();
  U.entry(7, "T");
  U.reference(Typedef);
  const uint32_t Structure = U.next();
  U.entry(4, "S");
  U.put({8});
  U.entry(5, "b");
  U.reference(Structure);
  U.put({2, 0x23, 0});
  U.entry(5, "c");
  U.reference(Typedef);
  U.put({2, 0x23, 0});
  U.put({0});
  U.entry(2, "k");
  U.entry(3, "p");
  U.reference(Structure);
  U.entry(3, "n");
  U.reference(Typedef);
  U.put({0});
  std::string Member = "none";
  EXPECT_EQ(read(U.finish(), abbreviations(), &Member), "p:8 n:- ");
  EXPECT_EQ(Member, "none");
}

// Each structure has the former one twice, so that paths to the innermost are
// more than can be walked.
TEST(DebugInfo, ManyPaths) {
  Unit U;
  uint32_t Inner = U.next();
  U.entry(6, "i");
  U.put({0x05, 0});
  for (unsigned N = 0; N != 60; ++N) {
    const uint32_t This = U.next();
    U.entry(4, "");
    U.put({8});
    for (unsigned Twice = 0; Twice != 2; ++Twice) {
      U.put({8});
      U.reference(Inner);
      U.put({0});
    }
    U.put({0});
    Inner = This;
  }
  U.entry(2, "k");
  U.entry(3, "p");
  U.reference(Inner);
  U.entry(3, "n");
  U.reference(Inner);
  U.put({0});
  EXPECT_EQ(read(U.finish(), abbreviations()), "p:8 n:- ");
}

} // namespace
} // namespace ptxpredict
