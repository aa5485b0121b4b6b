//===- PTXOpcodeTest.cpp - Names, classes and predicates of PTX opcodes ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::ptx;

namespace {
struct NamedOpcode {
  Opcode Op;
  StringRef Name;
};
} // namespace

static constexpr NamedOpcode AllOpcodes[] = {
#define PTX_OPCODE(NAME, TEXT, ...) {Opcode::NAME, TEXT},
#include "ptxpredict/ISA/PTXOpcodes.def"
};

TEST(PTXOpcodeTest, EveryNameDecodesToItsRow) {
  std::set<std::string> Names;
  for (const NamedOpcode &O : AllOpcodes) {
    EXPECT_TRUE(Names.insert(O.Name.str()).second) << O.Name.str() << " twice";
    EXPECT_EQ(name(O.Op), O.Name);
    DecodedOpcode Alone = decode(O.Name);
    EXPECT_EQ(Alone.Op, O.Op) << O.Name.str();
    EXPECT_TRUE(Alone.Modifiers.empty());
    std::string Longer = O.Name.str() + ".zzz.u32";
    DecodedOpcode D = decode(Longer);
    EXPECT_EQ(D.Op, O.Op) << O.Name.str();
    EXPECT_EQ(D.Modifiers, ".zzz.u32");
    EXPECT_NE(decode(O.Name.str() + "q").Op, O.Op);
  }
  EXPECT_GT(Names.size(), 180u);
}

TEST(PTXOpcodeTest, TheLongestNameWins) {
  auto Check = [](StringRef Mnemonic, Opcode Op, StringRef Modifiers) {
    DecodedOpcode D = decode(Mnemonic);
    EXPECT_EQ(D.Op, Op) << Mnemonic.str();
    EXPECT_EQ(D.Modifiers, Modifiers) << Mnemonic.str();
  };
  Check("ld.global.v2.f32", Opcode::Ld, ".global.v2.f32");
  Check("cp.async.ca.shared.global", Opcode::CpAsync, ".ca.shared.global");
  Check("cp.async.bulk.shared::cluster.global", Opcode::CpAsyncBulk,
        ".shared::cluster.global");
  Check("cp.async.bulk.tensor.2d.global", Opcode::CpAsyncBulkTensor,
        ".2d.global");
  Check("mma.sp::ordered_metadata.sync", Opcode::MmaSpOrdered, ".sync");
  Check("mma.sp.sync", Opcode::MmaSp, ".sync");
  Check("mma.sync", Opcode::Mma, ".sync");
  Check("st.async.weak", Opcode::StAsync, ".weak");
  Check("st.asynchronous", Opcode::St, ".asynchronous");
  Check("bar.warp.sync", Opcode::BarWarp, ".sync");
  Check("bar.sync", Opcode::Bar, ".sync");
  Check("tcgen05.wait::ld.sync.aligned", Opcode::Tcgen05WaitLd,
        ".sync.aligned");
  Check("foo.bar", Opcode::Unknown, ".bar");
  Check("cp.sync", Opcode::Unknown, ".sync");
  Check("tcgen05", Opcode::Unknown, "");
  Check("", Opcode::Unknown, "");
  Check(".", Opcode::Unknown, ".");
  Check("addx.u32", Opcode::Unknown, ".u32");
  EXPECT_EQ(decode(std::string(100000, 'a')).Op, Opcode::Unknown);
  EXPECT_EQ(name(Opcode::Unknown), "");
}

TEST(PTXOpcodeTest, Modifiers) {
  EXPECT_TRUE(hasModifier(".rn.ftz.f32", "ftz"));
  EXPECT_TRUE(hasModifier(".rn.ftz.f32", "rn"));
  EXPECT_TRUE(hasModifier(".rn.ftz.f32", "f32"));
  EXPECT_FALSE(hasModifier(".rn.ftz.f32", "ft"));
  EXPECT_FALSE(hasModifier(".rn.ftz.f32", ""));
  EXPECT_FALSE(hasModifier("", "rn"));
  EXPECT_TRUE(hasAnyModifier(".rn.ftz.f32", {"sat", "f32"}));
  EXPECT_TRUE(hasAnyModifier("ld.global.cg.f32", {"cv", "cg"}));
  EXPECT_FALSE(hasAnyModifier(".rn.ftz.f32", {"ft", "f3", "tz", ""}));
  EXPECT_FALSE(hasAnyModifier("ld", {"ld"}));
  EXPECT_FALSE(hasAnyModifier("..", {""}));
  EXPECT_FALSE(hasAnyModifier("", {"rn"}));

  EXPECT_EQ(loadCaching("ld.global.f32"), LoadCaching::ByDevice);
  EXPECT_EQ(loadCaching("ld.global.nc.v4.f32"), LoadCaching::InL1);
  EXPECT_EQ(loadCaching("ld.global.ca.f32"), LoadCaching::InL1);
  for (StringRef Past : {"ld.global.cg.u8", "ld.cv.u32", "ld.volatile.u32",
                         "ld.relaxed.gpu.u32", "ld.acquire.sys.global.u64"})
    EXPECT_EQ(loadCaching(Past), LoadCaching::PastL1) << Past.str();
  EXPECT_EQ(loadCaching(""), LoadCaching::ByDevice);

  EXPECT_EQ(operationType(".global.v4.f32"), ScalarType::F32);
  EXPECT_EQ(operationType(".rn.f16.f64"), ScalarType::F64);
  EXPECT_EQ(operationType(".eq.pred"), ScalarType::Pred);
  EXPECT_EQ(operationType(".f32.zero"), ScalarType::F32);
  EXPECT_EQ(operationType(".rn.bf16"), ScalarType::B16);
  EXPECT_EQ(operationType(".rn.e4m3x2"), ScalarType::B16);
  EXPECT_EQ(operationType(".sync.aligned"), std::nullopt);
  EXPECT_EQ(operationType(""), std::nullopt);
  EXPECT_EQ(operationType("."), std::nullopt);
}

// The table of docs/internals/ISA.md is what users read; it names every row and
// agrees with the code.
TEST(PTXOpcodeTest, ClassesAreAsDocumented) {
  auto Buffer = llvm::MemoryBuffer::getFile(PTXPREDICT_SOURCE_DIR
                                            "/docs/internals/ISA.md");
  ASSERT_TRUE(bool(Buffer));
  std::set<Opcode> Seen;
  unsigned Classes = 0;
  SmallVector<StringRef, 0> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (!Line.consume_front("| `"))
      continue;
    auto [Class, Rest] = Line.split('`');
    ++Classes;
    SmallVector<StringRef, 0> Parts;
    Rest.split(Parts, '`');
    for (unsigned I = 1; I < Parts.size(); I += 2) {
      DecodedOpcode D = decode(Parts[I]);
      EXPECT_EQ(toString(classify(D.Op, D.Modifiers)), Class) << Parts[I].str();
      Seen.insert(D.Op);
    }
  }
  EXPECT_EQ(Classes, NumOpClasses);
  for (const NamedOpcode &O : AllOpcodes)
    EXPECT_TRUE(Seen.count(O.Op)) << O.Name.str() << " is not in the table";
  EXPECT_EQ(classify(Opcode::Unknown, ".f32"), OpClass::Other);
}

TEST(PTXOpcodeTest, Predicates) {
  for (const NamedOpcode &O : AllOpcodes) {
    EXPECT_EQ(isBranch(O.Op), O.Name == "bra" || O.Name == "brx.idx");
    EXPECT_EQ(isExit(O.Op),
              O.Name == "ret" || O.Name == "exit" || O.Name == "trap");
    EXPECT_EQ(isCall(O.Op), O.Name == "call");
    EXPECT_EQ(isMemoryBarrier(O.Op), O.Name == "membar" || O.Name == "fence");
    EXPECT_EQ(isBlockBarrier(O.Op), O.Name == "bar" || O.Name == "barrier" ||
                                        O.Name == "barrier.cluster")
        << O.Name.str();
    EXPECT_EQ(isAsyncWait(O.Op), O.Name.contains("wait")) << O.Name.str();
    bool Lanes = O.Name == "shfl" || O.Name == "vote" || O.Name == "match" ||
                 O.Name == "redux" || O.Name == "activemask" ||
                 O.Name == "elect";
    EXPECT_EQ(isCrossLane(O.Op), Lanes) << O.Name.str();
  }
  EXPECT_FALSE(isExit(Opcode::Unknown));
  EXPECT_FALSE(isBranch(Opcode::Unknown));
}
