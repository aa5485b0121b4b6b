//===- RegisterSlots.cpp - Where virtual registers lie in a frame ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Compilers write thousands of virtual registers, most of which live within one
// block. Those share their places, so that a warp's registers stay in the
// processor's cache.
//===----------------------------------------------------------------------===//
#include "Decoder.h"
#include "ptxpredict/Graph/InstructionGraph.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

struct RegisterUse {
  const Block *In = nullptr; ///< the only block with accesses
  bool Everywhere = false;   ///< lives across blocks, or perhaps does
  unsigned Accesses = 0;     ///< not yet passed
};

/// Places of one width that nobody uses at the moment.
class SlotPool {
public:
  explicit SlotPool(uint32_t &Size) : Size(Size) {}

  uint32_t take(unsigned ElementBytes) {
    std::vector<uint32_t> &Free = FreeOf[widthClass(ElementBytes)];
    if (!Free.empty()) {
      uint32_t Offset = Free.back();
      Free.pop_back();
      return Offset;
    }
    uint32_t Offset = Size;
    // Predicates are one word; they too are aligned, as vectors would be.
    Size += ElementBytes ? ElementBytes * WarpSize : 32;
    return Offset;
  }
  void give(uint32_t Offset, unsigned ElementBytes) {
    FreeOf[widthClass(ElementBytes)].push_back(Offset);
  }

private:
  static unsigned widthClass(unsigned ElementBytes) {
    return ElementBytes <= 2   ? ElementBytes / 2
           : ElementBytes <= 4 ? 2
           : ElementBytes <= 8 ? 3
                               : 4;
  }
  uint32_t &Size;
  std::array<std::vector<uint32_t>, 5> FreeOf;
};

} // namespace

/// Calls \p Fn with each register that the instruction reads.
template <typename FnT>
static void forEachRead(const Instruction &I, FnT Fn) {
  for (const Value *V : I.Uses)
    Fn(V->Register);
}

void Decoder::assignRegisters(const InstructionGraph &G, Function &F) {
  std::vector<RegisterUse> Uses(G.Registers.size());
  auto Access = [&](unsigned R, const Block *B, bool IsFirstWrite) {
    RegisterUse &U = Uses[R];
    if (U.Accesses++ == 0) {
      U.In = B;
      U.Everywhere |= !IsFirstWrite;
    } else if (U.In != B) {
      U.Everywhere = true;
    }
  };
  for (const FormalRegister &R : G.FormalRegisters)
    Uses[R.Register].Everywhere = true;
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      if (I->isPseudo())
        continue;
      forEachRead(*I, [&](unsigned R) { Access(R, B, false); });
      for (const Value *V : I->Defs)
        Access(V->Register, B, !I->HasGuard);
    }

  Slots.assign(G.Registers.size(), LaneOperand());
  SlotPool Pool(F.RegisterBytes);
  for (unsigned R = 0; R != Uses.size(); ++R) {
    unsigned Bytes = elementBytes(bitWidth(G.Registers[R].Type));
    Slots[R].Bytes = Slots[R].Wanted = uint8_t(Bytes);
    if (Uses[R].Everywhere)
      Slots[R].Offset = Pool.take(Bytes);
  }
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      if (I->isPseudo())
        continue;
      auto Pass = [&](unsigned R) {
        RegisterUse &U = Uses[R];
        if (!U.Everywhere && --U.Accesses == 0)
          Pool.give(Slots[R].Offset, Slots[R].Bytes);
      };
      // What is written gets its place before what is read gives its own back,
      // so that an instruction never writes over its operands.
      SmallVector<unsigned, 4> Written;
      for (const Value *V : I->Defs) {
        RegisterUse &U = Uses[V->Register];
        if (U.Everywhere)
          continue;
        if (U.In) { // its first access
          Slots[V->Register].Offset = Pool.take(Slots[V->Register].Bytes);
          U.In = nullptr;
        }
        Written.push_back(V->Register);
      }
      forEachRead(*I, Pass);
      for (unsigned R : Written)
        Pass(R);
    }
}
