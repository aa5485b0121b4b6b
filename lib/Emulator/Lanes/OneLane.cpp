//===- OneLane.cpp - What an instruction computes of numbers --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Emulator/Lanes/OneLane.h"
#include "LaneOperation.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {
/// An operand's array, as wide as any but a 128-bit one, zero but in lane 0.
struct alignas(64) OperandArray {
  uint64_t Elements[WarpSize] = {};
};
} // namespace

std::optional<uint64_t> emulator::computeInOneLane(ptx::Opcode Op,
                                                   StringRef Modifiers,
                                                   ArrayRef<LaneValue> Sources,
                                                   unsigned DestWidth) {
  if (Sources.size() > LaneArguments::MaxSources || DestWidth > 64)
    return std::nullopt;
  LaneFunction F = findLaneOperation(Op, Modifiers, unsigned(Sources.size()));
  if (!F)
    return std::nullopt;
  LaneArguments A;
  OperandArray Source[LaneArguments::MaxSources], Dest;
  for (auto [N, Value] : llvm::enumerate(Sources)) {
    if (Value.Width > 64)
      return std::nullopt;
    // The lowest bytes come first, and lane 0 is a predicate's lowest bit.
    Source[N].Elements[0] =
        Value.Bits & llvm::maskTrailingOnes<uint64_t>(Value.Width);
    A.Source[N] = Source[N].Elements;
  }
  uint32_t Carry = 0;
  A.Carry = &Carry;
  A.Dest[0] = Dest.Elements;
  F(A);
  const unsigned Width = DestWidth == 8 ? 16 : DestWidth;
  return Dest.Elements[0] & llvm::maskTrailingOnes<uint64_t>(Width);
}
