//===- CharacteristicsYAMLDependence.cpp - Dependence in the file ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CharacteristicsYAMLDependence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <limits>

using namespace ptxpredict;

FunctionRow ptxpredict::rowOf(const FunctionDependence &F) {
  FunctionRow Row;
  Row.Name = F.Name;
  Row.Entries = F.Entries;
  Row.Loops = F.Loops;
  std::vector<uint32_t> Number(F.NumRegisters);
  for (uint32_t R : F.Registers)
    Number[R] = 1;
  uint32_t Next = 0;
  for (const auto &[R, N] : llvm::enumerate(Number)) {
    Row.NumScoreboards += N && R < F.NumScoreboards;
    N = N ? Next++ : 0;
  }
  auto Numbers = [&](ArrayRef<uint32_t> Registers) {
    std::vector<uint32_t> Out;
    Out.reserve(Registers.size());
    for (uint32_t R : Registers)
      Out.push_back(Number[R]);
    return Out;
  };
  for (const IssuedBlock &B : F.Blocks) {
    BlockRow &To = Row.Blocks.emplace_back();
    To.Runs = B.Runs;
    To.Both = B.Both;
    To.IsBranch = B.IsBranch;
    To.PackedOrder = B.PackedOrder;
    for (const IssuedBlock::Edge &E : B.Edges)
      To.Edges.push_back(
          {E.To == IssuedBlock::Leave ? std::optional<uint32_t>() : E.To,
           E.Share});
    for (uint32_t N = B.FirstInstruction; N != B.EndInstruction; ++N) {
      const IssuedInstruction &I = F.Instructions[N];
      To.Instructions.push_back(
          {I, Numbers(F.writes(I)), Numbers(F.reads(I)),
           I.Argument == -1 ? std::optional<int32_t>() : I.Argument});
    }
  }
  return Row;
}

FunctionDependence ptxpredict::fromRow(FunctionRow &&Row) {
  FunctionDependence F;
  F.Name = std::move(Row.Name);
  F.Entries = Row.Entries;
  F.NumScoreboards = Row.NumScoreboards;
  F.Loops = std::move(Row.Loops);
  for (const BlockRow &B : Row.Blocks) {
    IssuedBlock &To = F.Blocks.emplace_back();
    To.Runs = B.Runs;
    To.Both = B.Both;
    To.IsBranch = B.IsBranch;
    To.PackedOrder = B.PackedOrder;
    for (const EdgeRow &E : B.Edges)
      To.Edges.push_back({E.To.value_or(IssuedBlock::Leave), E.Share});
    To.FirstInstruction = uint32_t(F.Instructions.size());
    for (const InstructionRow &I : B.Instructions) {
      IssuedInstruction &N = F.Instructions.emplace_back(I.Issued);
      N.Argument = I.Argument.value_or(-1);
      N.FirstRegister = uint32_t(F.Registers.size());
      N.NumWrites = uint8_t(I.Writes.size());
      N.NumReads = uint8_t(I.Reads.size());
      llvm::append_range(F.Registers, I.Writes);
      llvm::append_range(F.Registers, I.Reads);
    }
    To.EndInstruction = uint32_t(F.Instructions.size());
  }
  for (uint32_t R : F.Registers)
    F.NumRegisters = std::max(F.NumRegisters, R + 1);
  F.LastReads = findLastReads(F);
  return F;
}

/// Each of the block's instructions stands in its packed order once.
static bool isOrder(ArrayRef<uint32_t> Order, size_t NumInstructions) {
  std::vector<bool> Seen(NumInstructions);
  for (uint32_t N : Order) {
    if (N >= NumInstructions || Seen[N])
      return false;
    Seen[N] = true;
  }
  return Order.size() == NumInstructions;
}

std::string ptxpredict::whyWrong(const FunctionRow &F) {
  constexpr size_t MostOperands = std::numeric_limits<uint8_t>::max();
  size_t NumBlocks = F.Blocks.size(), NumNamed = 0;
  for (const BlockRow &B : F.Blocks)
    for (const InstructionRow &I : B.Instructions)
      NumNamed += I.Writes.size() + I.Reads.size();
  for (const BlockRow &B : F.Blocks) {
    for (const EdgeRow &E : B.Edges)
      if (E.To && *E.To >= NumBlocks)
        return "an edge goes to block " + std::to_string(*E.To) +
               "; blocks count from 0 to " + std::to_string(NumBlocks - 1);
    if (B.Both > 0 && B.Edges.size() != 2)
      return "only a block with two edges has 'both'";
    if (!B.PackedOrder.empty() &&
        !isOrder(B.PackedOrder, B.Instructions.size()))
      return "'packed_order' has not each of the block's " +
             std::to_string(B.Instructions.size()) +
             " instructions once; they count from 0";
    for (const InstructionRow &I : B.Instructions) {
      if (I.Writes.size() > MostOperands || I.Reads.size() > MostOperands)
        return "an instruction has more than 255 registers";
      for (const std::vector<uint32_t> *Registers : {&I.Writes, &I.Reads})
        for (uint32_t R : *Registers)
          if (R >= NumNamed)
            return "register " + std::to_string(R) +
                   " is beyond all that can be named here; they count from 0";
    }
  }
  std::vector<IssuedLoop> Loops = F.Loops;
  llvm::sort(Loops, [](const IssuedLoop &A, const IssuedLoop &B) {
    return std::pair(A.First, B.End) < std::pair(B.First, A.End);
  });
  SmallVector<IssuedLoop, 8> Around;
  for (const IssuedLoop &L : Loops) {
    if (L.First >= L.End || L.End > NumBlocks)
      return "a loop has no blocks, or some that are not there";
    while (!Around.empty() && L.First >= Around.back().End)
      Around.pop_back();
    if (!Around.empty() &&
        (L.First <= Around.back().First || L.End > Around.back().End))
      return "the loop of blocks " + std::to_string(L.First) + " to " +
             std::to_string(L.End) +
             " is neither within another one nor apart from it";
    Around.push_back(L);
  }
  return {};
}

std::string ptxpredict::whyWrong(const DependenceSummary &S) {
  for (const FunctionDependence &F : S.Functions)
    for (const IssuedInstruction &I : F.Instructions)
      if (I.Source > S.Sources.size())
        return "there is no source " + std::to_string(I.Source);
  for (const FunctionDependence &F : S.Functions)
    for (const IssuedInstruction &I : F.Instructions)
      if (I.Result == SchedClass::Call &&
          (I.Argument < -1 || I.Argument >= int64_t(S.Functions.size())))
        return "a call goes to function " + std::to_string(I.Argument) +
               ", which is not there; functions count from 0";
  return {};
}

StringRef ptxpredict::toString(IssuedInstruction::Copy C) {
  switch (C) {
  case IssuedInstruction::Copy::None:
    return "none";
  case IssuedInstruction::Copy::Start:
    return "start";
  case IssuedInstruction::Copy::StartBulk:
    return "start-bulk";
  case IssuedInstruction::Copy::Commit:
    return "commit";
  case IssuedInstruction::Copy::Wait:
    return "wait";
  case IssuedInstruction::Copy::WaitBulk:
    return "wait-bulk";
  }
  llvm_unreachable("all kinds are handled");
}
