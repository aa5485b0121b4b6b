//===- IntrinsicsBulk.cpp - Bulk copies of tensors ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// cp.async.bulk.tensor.{g2s[.cta]|s2g|prefetch|reduce.op}
//   .{tile[.gather4|.scatter4]|im2col[.w[.128]]}.2d
//===----------------------------------------------------------------------===//
#include "Intrinsics.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

bool IntrinsicLowering::lowerBulkCopy(StringRef Name) {
  if (!Name.consume_front("cp.async.bulk.tensor."))
    return false;
  bool IsPrefetch = Name.consume_front("prefetch.");
  bool IsLoad = Name.consume_front("g2s.");
  bool IsLoadOfBlock = IsLoad && Name.consume_front("cta.");
  bool IsReduction = Name.consume_front("reduce.");
  if (!IsPrefetch && !IsLoad && !IsReduction)
    Name.consume_front("s2g.");
  StringRef Operation;
  if (IsReduction)
    std::tie(Operation, Name) = Name.split('.');
  auto [Mode, Dimensions] = Name.rsplit('.');
  std::string ModeText;
  for (char C : Mode) // im2col.w.128
    ModeText += C == '.' ? "::" : std::string(1, C);
  bool IsStore = !IsPrefetch && !IsLoad;
  if (IsStore && Mode == "im2col")
    ModeText += "_no_offs";

  // Addresses, coordinates, offsets, and a mask of blocks at last.
  unsigned Map = IsPrefetch ? 0 : IsLoad ? 2 : 1;
  auto EndOf = [&](unsigned Begin, unsigned Bits) {
    while (I.getArgOperand(Begin)->getType()->isIntegerTy(Bits))
      ++Begin;
    return Begin;
  };
  unsigned Offsets = EndOf(Map + 1, 32), Hint = EndOf(Offsets, 16);
  bool HasMask = IsLoad && !IsLoadOfBlock;
  unsigned EndOfOffsets = Hint - HasMask;
  bool IsMulticast = HasMask && immediate(Hint + 1) != 0;
  bool HasHint = immediate(Hint + 1 + HasMask) != 0;

  std::string Mnemonic =
      IsPrefetch ? "cp.async.bulk.prefetch.tensor." + Dimensions.str() +
                       ".L2.global." + ModeText
      : IsLoad
          ? "cp.async.bulk.tensor." + Dimensions.str() +
                (IsLoadOfBlock ? ".shared::cta" : ".shared::cluster") +
                ".global." + ModeText + ".mbarrier::complete_tx::bytes"
          : (IsReduction ? "cp.reduce" : "cp") + std::string(".async.bulk") +
                ".tensor." + Dimensions.str() + ".global.shared::cta." +
                (IsReduction ? Operation.str() + "." : "") + ModeText +
                ".bulk_group";
  if (IsMulticast)
    Mnemonic += ".multicast::cluster";
  if (HasHint)
    Mnemonic += ".L2::cache_hint";
  if (HasMask)
    if (int64_t Group = immediate(Hint + 3))
      Mnemonic += ".cta_group::" + std::to_string(Group);

  SmallVector<Operand, 6> Operands;
  if (IsLoad)
    Operands.push_back(F.address(I.getArgOperand(0)));
  Operands.push_back(
      addressOf({argument(Map).front(), arguments(Map + 1, Offsets)}));
  if (!IsPrefetch)
    Operands.push_back(F.address(I.getArgOperand(IsLoad ? 1 : 0)));
  if (EndOfOffsets != Offsets)
    Operands.push_back(arguments(Offsets, EndOfOffsets));
  if (IsMulticast)
    Operands.push_back(argument(EndOfOffsets).front());
  if (HasHint)
    Operands.push_back(argument(Hint).front());
  F.emit(Mnemonic, Operands);
  return true;
}
