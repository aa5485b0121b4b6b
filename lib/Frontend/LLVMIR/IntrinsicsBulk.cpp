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

namespace {
/// What the intrinsic's name says behind "cp.async.bulk.tensor.".
struct TensorCopy {
  bool IsPrefetch, IsLoad;
  bool IsLoadOfBlock; ///< to the block's own shared memory alone
  bool IsReduction;
  StringRef Operation;  ///< of a reduction
  StringRef Dimensions; ///< "2d"
  std::string Mode;     ///< as a modifier of PTX

  explicit TensorCopy(StringRef Name);
  std::string mnemonic() const;
};
} // namespace

TensorCopy::TensorCopy(StringRef Name)
    : IsPrefetch(Name.consume_front("prefetch.")),
      IsLoad(Name.consume_front("g2s.")),
      IsLoadOfBlock(IsLoad && Name.consume_front("cta.")),
      IsReduction(Name.consume_front("reduce.")) {
  const bool IsStore = !IsPrefetch && !IsLoad;
  if (IsStore && !IsReduction)
    Name.consume_front("s2g.");
  if (IsReduction)
    std::tie(Operation, Name) = Name.split('.');
  StringRef Written;
  std::tie(Written, Dimensions) = Name.rsplit('.');
  for (char C : Written) // im2col.w.128
    Mode += C == '.' ? "::" : std::string(1, C);
  if (IsStore && Written == "im2col")
    Mode += "_no_offs";
}

std::string TensorCopy::mnemonic() const {
  if (IsPrefetch)
    return "cp.async.bulk.prefetch.tensor." + Dimensions.str() + ".L2.global." +
           Mode;
  if (IsLoad)
    return "cp.async.bulk.tensor." + Dimensions.str() +
           (IsLoadOfBlock ? ".shared::cta" : ".shared::cluster") + ".global." +
           Mode + ".mbarrier::complete_tx::bytes";
  return (IsReduction ? "cp.reduce" : "cp") + std::string(".async.bulk") +
         ".tensor." + Dimensions.str() + ".global.shared::cta." +
         (IsReduction ? Operation.str() + "." : "") + Mode + ".bulk_group";
}

bool IntrinsicLowering::lowerBulkCopy(StringRef Name) {
  if (!Name.consume_front("cp.async.bulk.tensor."))
    return false;
  const TensorCopy Copy(Name);
  const bool IsLoad = Copy.IsLoad, IsPrefetch = Copy.IsPrefetch;

  // Addresses, coordinates, offsets, and a mask of blocks at last.
  unsigned Map = IsPrefetch ? 0 : IsLoad ? 2 : 1;
  auto EndOf = [&](unsigned Begin, unsigned Bits) {
    while (I.getArgOperand(Begin)->getType()->isIntegerTy(Bits))
      ++Begin;
    return Begin;
  };
  unsigned Offsets = EndOf(Map + 1, 32), Hint = EndOf(Offsets, 16);
  bool HasMask = IsLoad && !Copy.IsLoadOfBlock;
  unsigned EndOfOffsets = Hint - HasMask;
  bool IsMulticast = HasMask && immediate(Hint + 1) != 0;
  bool HasHint = immediate(Hint + 1 + HasMask) != 0;

  std::string Mnemonic = Copy.mnemonic();
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
