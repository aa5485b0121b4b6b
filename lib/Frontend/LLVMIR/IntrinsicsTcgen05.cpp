//===- IntrinsicsTcgen05.cpp - Products in tensor memory ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// tcgen05.mma[.ws][.sp].{shared|tensor}
//   [.scale_d][.disable_output_lane.cg1][.ashift][.zero_col_mask]
//   [.mxf4.block_scale[.block32]]
// The other instructions are in NVVMIntrinsics.def.
//===----------------------------------------------------------------------===//
#include "Intrinsics.h"
#include "llvm/IR/NVVMIntrinsicUtils.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

static StringRef kindName(int64_t Value) {
  switch (llvm::nvvm::Tcgen05MMAKind(Value)) {
  case llvm::nvvm::Tcgen05MMAKind::F16:
    return "f16";
  case llvm::nvvm::Tcgen05MMAKind::TF32:
    return "tf32";
  case llvm::nvvm::Tcgen05MMAKind::F8F6F4:
    return "f8f6f4";
  case llvm::nvvm::Tcgen05MMAKind::I8:
    return "i8";
  }
  return "f16";
}

static StringRef collectorName(int64_t Value) {
  switch (llvm::nvvm::Tcgen05CollectorUsageOp(Value)) {
  case llvm::nvvm::Tcgen05CollectorUsageOp::DISCARD:
    return "discard";
  case llvm::nvvm::Tcgen05CollectorUsageOp::LASTUSE:
    return "lastuse";
  case llvm::nvvm::Tcgen05CollectorUsageOp::FILL:
    return "fill";
  case llvm::nvvm::Tcgen05CollectorUsageOp::USE:
    return "use";
  }
  return "discard";
}

bool IntrinsicLowering::lowerTcgen05(StringRef Name) {
  if (!Name.consume_front("tcgen05.mma."))
    return false;
  auto Take = [&](StringRef Part) {
    bool Found = Name.consume_front(Part);
    Name.consume_front(".");
    return Found;
  };
  bool IsWeightStationary = Take("ws."), IsSparse = Take("sp.");
  bool InTensorMemory = Take("tensor");
  if (!InTensorMemory)
    Take("shared");
  bool HasScale = Take("scale_d"), DisablesLanes = Take("disable_output_lane.");
  std::string Group = DisablesLanes ? Name.substr(2, 1).str() : "1";
  bool IsShifted = Name.ends_with("ashift");
  bool HasMask = Name == "zero_col_mask";
  bool IsScaled = Name.contains("block_scale");

  // Arguments: the result, the factors, a descriptor and a predicate first.
  unsigned Next = 5;
  auto Address = [&](unsigned N) { return F.address(I.getArgOperand(N)); };
  SmallVector<Operand, 10> Operands = {
      Address(0), InTensorMemory ? Address(1) : argument(1).front(),
      argument(2).front()};
  if (IsSparse)
    Operands.push_back(Address(Next++));
  Operands.push_back(argument(3).front());
  Operand Scale;
  if (HasScale)
    Scale = argument(Next++).front();
  if (DisablesLanes) {
    Operands.push_back(arguments(Next, Next + 1));
    ++Next;
  }
  if (IsScaled)
    for (unsigned N = 0; N != 2; ++N)
      Operands.push_back(Address(Next++));
  Operands.push_back(argument(4).front());
  if (HasScale)
    Operands.push_back(Scale);
  if (HasMask)
    Operands.push_back(argument(Next++).front());

  // The kind of a scaled product stands in its name: `mxf4.block_scale…`.
  std::string Kind = IsScaled ? Name.str() : kindName(immediate(Next++)).str();
  std::string Collector = "a";
  if (IsWeightStationary)
    Collector = "b" + std::to_string(immediate(Next++));
  else if (!DisablesLanes)
    Group = std::to_string(immediate(Next++));
  std::string Shift = IsShifted ? ".ashift" : "";
  F.emit(std::string("tcgen05.mma") + (IsWeightStationary ? ".ws" : "") +
             (IsSparse ? ".sp" : "") + ".cta_group::" + Group + ".kind::" +
             Kind + (DisablesLanes ? Shift : "") + ".collector::" + Collector +
             "::" + collectorName(immediate(Next)).str() +
             (DisablesLanes ? "" : Shift),
         Operands);
  return true;
}
