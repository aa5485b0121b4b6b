//===- TensorForms.cpp - Forms of tensor instructions ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TensorForms.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

std::optional<WarpgroupOperation>
emulator::decodeWarpgroup(const Instruction &I) {
  const bool Sparse = Opcode(I.Opcode) == Opcode::WgmmaMmaAsyncSp;
  const size_t First = Sparse ? 6 : 4; // behind the predicate
  if (I.Operands.size() < First)
    return std::nullopt;
  SmallVector<int64_t, 4> Values;
  for (const Operand &O : I.Operands.drop_front(First))
    Values.push_back(O.integer());
  WarpgroupImmediates Immediates;
  Immediates.Values = Values;
  Immediates.AInRegisters = I.Operands[1].Kind == Operand::KindTy::Vector;
  if (Sparse)
    Immediates.Selector = unsigned(I.Operands[4].integer());
  return findWarpgroupOperation(Opcode(I.Opcode), I.Modifiers, Immediates);
}

std::optional<TensorMove> emulator::decodeTensorMove(const Instruction &I) {
  const auto Op = Opcode(I.Opcode);
  return Op == Opcode::Tcgen05Ld || Op == Opcode::Tcgen05LdRed ||
                 Op == Opcode::Tcgen05St
             ? findTensorMove(I.Modifiers)
             : std::nullopt;
}

/// What the modifiers of tcgen05.mma say.
static TensorForm tensorForm(TensorKind Kind, const Instruction &I) {
  StringRef M = I.Modifiers;
  TensorForm F = {Kind, ptx::hasModifier(M, "cta_group::2") ? 2u : 1u,
                  Opcode(I.Opcode) == Opcode::Tcgen05MmaWs, 0,
                  Opcode(I.Opcode) == Opcode::Tcgen05MmaSp};
  // .block32 stands for one scale of 32 elements each.
  const unsigned K = Kind == TensorKind::MXF8F6F4 ? 32 : 64;
  static constexpr StringRef Names[] = {"scale_vec::1X", "scale_vec::2X",
                                        "scale_vec::4X"};
  for (unsigned N = 0; N != 3; ++N)
    if (ptx::hasModifier(M, Names[N]))
      F.ScaleBlocks = 1u << N;
  if (ptx::hasModifier(M, "block32"))
    F.ScaleBlocks = K / 32;
  if (ptx::hasModifier(M, "block16"))
    F.ScaleBlocks = K / 16;
  return F;
}

std::optional<TensorOperation> emulator::decodeTensor(const Instruction &I) {
  const auto Op = Opcode(I.Opcode);
  std::optional<TensorKind> Kind = findTensorKind(I.Modifiers);
  if ((Op != Opcode::Tcgen05Mma && Op != Opcode::Tcgen05MmaWs &&
       Op != Opcode::Tcgen05MmaSp) ||
      !Kind || ptx::hasModifier(I.Modifiers, "decompress::lut::b"))
    return std::nullopt;
  TensorOperation T;
  T.Form = tensorForm(*Kind, I);
  const bool Scaled = *Kind >= TensorKind::MXF8F6F4;
  // Behind the metadata, the descriptor and the scales.
  size_t N = (Scaled ? 6 : 4) + (T.Form.IsSparse ? 1 : 0);
  if (I.Operands.size() <= N)
    return std::nullopt;
  uint8_t Next = 0;
  T.AInTensorMemory = I.Operands[1].Kind == Operand::KindTy::Address;
  if (!T.AInTensorMemory)
    T.A = Next++;
  T.B = Next++;
  T.Descriptor = Next++;
  if (I.Operands[N].Kind == Operand::KindTy::Vector) {
    T.Mask = Next;
    T.NumMask = uint8_t(I.Operands[N].Elements.size());
    Next = uint8_t(Next + T.NumMask);
    ++N;
  }
  if (N >= I.Operands.size())
    return std::nullopt;
  T.Accumulates = Next++;
  if (I.Operands[N].Kind == Operand::KindTy::Integer)
    T.Enabled = I.Operands[N].integer() != 0;
  if (N + 1 < I.Operands.size())
    (T.Form.IsStationary ? T.ColumnMask : T.Scale) = Next;
  return T;
}
