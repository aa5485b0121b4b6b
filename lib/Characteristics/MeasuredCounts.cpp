//===- MeasuredCounts.cpp - Counts of a run, in place of estimates --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MeasuredCounts.h"
#include "HeaviestCollector.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Graph/PollingLoops.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace ptxpredict;

/// Empty blocks, which run no instruction, in a row that are looked through.
static constexpr unsigned MaxEmptyBlocks = 8;

MeasuredCounts::MeasuredCounts(const KernelProfile &Profile,
                               const LaunchConfig &Launch)
    : Profile(Profile), Launch(Launch) {
  IsOtherLaunch = !(Profile.Grid == Launch.Grid) ||
                  !(Profile.Block == Launch.Block) ||
                  !(Profile.Cluster == Launch.Cluster) ||
                  Profile.DynamicSharedBytes != Launch.DynamicSharedBytes;
  // What the launch does not say of an argument is as it was in the run.
  for (const auto &[Index, A] : Profile.Args) {
    auto It = Launch.Args.find(Index);
    IsOtherLaunch |= It != Launch.Args.end() &&
                     (It->second.Kind == ArgumentValue::KindTy::Buffer ||
                      It->second.Float != A.Float);
  }
  for (const auto &[Place, P] : Launch.Parts) {
    auto It = Profile.Parts.find(std::to_string(Place.first) + "+" +
                                 std::to_string(Place.second) + ":" + P.Type);
    IsOtherLaunch |= P.isNumber() && (It == Profile.Parts.end() ||
                                      It->second.Float != P.Value.Float);
  }
  if (IsOtherLaunch || Profile.isPartial())
    Status = Status::Estimated;
  for (const InstructionProfile &I : Profile.Instructions) {
    auto &Of = ByFunction[I.Function];
    if (Of.size() <= I.Id)
      Of.resize(I.Id + 1);
    Of[I.Id] = &I;
  }
  for (const BlockProfile &B : Profile.CodeBlocks)
    CodeBlocks[B.Function][B.Id] = &B;
}

const InstructionProfile *MeasuredCounts::find(const Instruction &I) const {
  auto It = ByFunction.find(I.Parent->Parent->Name);
  return It != ByFunction.end() && I.Id < It->second.size() ? It->second[I.Id]
                                                            : nullptr;
}

const BlockProfile *MeasuredCounts::find(const Block &B) const {
  auto It = CodeBlocks.find(B.Parent->Name);
  return It != CodeBlocks.end() ? It->second.lookup(B.Number) : nullptr;
}

Estimate MeasuredCounts::count(double Value) const {
  return Estimate::make(Value, Status);
}

Estimate MeasuredCounts::mean(uint64_t Sum, uint64_t Number) const {
  return count(Number ? double(Sum) / double(Number) : 0);
}

Estimate MeasuredCounts::executions(const Instruction &I) const {
  const InstructionProfile *P = find(I);
  return mean(P ? P->Executions : 0, Profile.Warps);
}

Estimate MeasuredCounts::active(const Instruction &I, unsigned Lanes) const {
  const InstructionProfile *P = find(I);
  if (!P || !I.Guard)
    return executions(I);
  return mean(std::min(P->Executions, llvm::divideCeil(P->Lanes, Lanes)),
              Profile.Warps);
}

/// The first instruction that a machine executes; null for an empty block.
static const Instruction *firstOf(const Block &B) {
  for (const Instruction *I : B.Instructions)
    if (!I->isPseudo())
      return I;
  return nullptr;
}

uint64_t MeasuredCounts::runs(const Block &B, unsigned Depth) const {
  if (const Instruction *First = firstOf(B)) {
    const InstructionProfile *P = find(*First);
    return P ? P->Executions : 0;
  }
  if (const BlockProfile *P = find(B))
    return P->Runs;
  // The profile is an older one: as many as came by all branches, which counts
  // those twice that came by two and then ran it together.
  if (Depth == MaxEmptyBlocks)
    return 0;
  // An empty entry stands in front of a loop; of a device function it is not
  // known how often, but it is of the kernel.
  if (B.Predecessors.empty())
    return Profile.Warps;
  return arrivals(B, nullptr, Depth + 1);
}

/// How often groups of lanes came to a block from outside of \p Loop.
uint64_t MeasuredCounts::arrivals(const Block &B, const Cycle *Loop,
                                  unsigned Depth) const {
  uint64_t Sum = 0;
  SmallVector<const Block *, 4> Seen; // a block stands once per edge
  for (const Block *P : B.Predecessors) {
    if ((Loop && Loop->contains(P)) || llvm::is_contained(Seen, P))
      continue;
    Seen.push_back(P);
    for (size_t S = 0; S != P->Successors.size(); ++S)
      if (P->Successors[S] == &B)
        Sum += edge(*P, S, Depth);
  }
  return Sum;
}

/// How often a group of lanes went from a block to a successor.
uint64_t MeasuredCounts::edge(const Block &From, size_t Successor,
                              unsigned Depth) const {
  const Instruction *T = From.terminator();
  const InstructionProfile *P = T ? find(*T) : nullptr;
  if (P && T->Guard && !T->IsExit && From.Successors.size() == 2)
    return Successor == 0 ? P->Jumps : P->Executions - P->Jumps + P->Divergent;
  if (T && T->IsExit && From.Successors.size() == 2 && Successor == 0)
    return 0; // it ends there
  uint64_t Runs = runs(From, Depth);
  const Block &To = *From.Successors[Successor];
  if (From.Successors.size() == 1 && !(T && T->IsExit))
    return Runs;
  // A jump table, or an exit that some lanes take.
  return firstOf(To) || find(To) ? std::min(Runs, runs(To, Depth)) : Runs;
}

/// How often groups of lanes with one from outside ran the header. Of an older
/// profile, in which groups that came by several ways and entered as one are
/// not told from others, as often as any came.
uint64_t MeasuredCounts::entries(const Cycle &C) const {
  const BlockProfile *P = find(*C.Header);
  return P && P->Entries
             ? *P->Entries
             : std::min(arrivals(*C.Header, &C, 0), runs(*C.Header));
}

Estimate MeasuredCounts::frequency(const Block &B) const {
  return mean(runs(B), Profile.Warps);
}

Estimate MeasuredCounts::tripCount(const Cycle &C, unsigned Index) const {
  const Block &Header = *C.Header;
  uint64_t Headers = runs(Header), Entries = entries(C);
  if (Header.Parent->analysis<PollingLoops>().of(Index))
    return Estimate::known(Headers ? 1 : 0);
  // Where the header tests first, what runs on is a body.
  if (!C.testsFirst())
    return mean(Headers, Entries);
  uint64_t Bodies = 0;
  for (size_t S = 0; S != Header.Successors.size(); ++S)
    if (C.contains(Header.Successors[S]))
      Bodies += edge(Header, S, 0);
  return mean(Bodies, Entries);
}

void MeasuredCounts::apply(const Instruction &I, unsigned,
                           MemoryCharacteristics &Out) const {
  const InstructionProfile *P = find(I);
  MemoryProfile M;
  if (P && P->Memory)
    M = *P->Memory;
  bool IsShared = Out.Space == AddressSpace::Shared;
  bool IsGeneric = Out.Space == AddressSpace::Generic;
  uint64_t Others = M.Requests - M.SharedRequests;
  uint64_t Requests = IsGeneric  ? M.Requests
                      : IsShared ? M.SharedRequests
                                 : Others;
  Out.Requests = mean(Requests, Profile.Warps);
  // A copy has two sides. Old profiles do not tell their lanes apart.
  uint64_t Lanes = M.Lanes;
  if (M.SharedLanes && !IsGeneric)
    Lanes = IsShared ? M.SharedLanes : M.Lanes - M.SharedLanes;
  else if (M.SharedRequests && Others && !IsGeneric)
    Lanes = uint64_t(
        std::llround(double(M.Lanes) * double(Requests) / double(M.Requests)));
  Out.ActiveLanes = mean(Lanes, Requests);
  Out.Lanes = Lanes;
  if (!IsShared)
    Out.UniqueBytes = M.UniqueBytes;
  if (IsShared || (IsGeneric && M.SharedRequests))
    Out.Wavefronts = mean(M.Wavefronts, Requests);
  if (IsShared || (IsGeneric && M.Requests && !Others)) {
    Out.Sectors = Out.Lines = std::nullopt;
    Out.Transactions = {};
    return;
  }
  Out.Sectors = mean(M.Sectors, Requests);
  Out.Lines = mean(M.Lines, Requests);
  for (unsigned R = 0; R != Out.Transactions.size(); ++R)
    if (Out.Transactions[R])
      Out.Transactions[R] = mean(M.Transactions[R], Requests);
}

void MeasuredCounts::apply(const Instruction &Branch,
                           BranchCharacteristics &Out) const {
  if (const InstructionProfile *P = find(Branch)) {
    Out.Divergent = mean(P->Divergent, P->Executions);
    Out.Taken = mean(P->Jumps, P->Executions);
  }
}

bool MeasuredCounts::addMatrices(const Instruction &I,
                                 KernelCharacteristics &To) const {
  const InstructionProfile *P = find(I);
  if (!P || P->Products.empty())
    return false;
  for (const ProductProfile &Of : P->Products) {
    const DescriptorBits Bits =
        Of.Descriptor ? DescriptorBits::of(Of.Descriptor) : DescriptorBits();
    if (std::optional<MatrixProduct> Product = findMatrixProduct(I, Bits))
      addMatrix(*Product, mean(Of.MACs, Profile.Warps), To);
  }
  return true;
}

FootprintCharacteristics MeasuredCounts::footprint() const {
  FootprintCharacteristics F;
  F.BlockBytes = count(Profile.BlockBytes);
  // Of blocks that did not run it is not known what they share.
  double Blocks = double(Launch.blocks());
  double Scale = Profile.Blocks ? Blocks / double(Profile.Blocks) : 0;
  auto Scaled = [&](uint64_t Bytes) {
    return Status == Status::Known
               ? Estimate::known(double(Bytes))
               : Estimate(double(Bytes) * Scale, Status,
                          std::min(1.0, Scale) * double(Bytes),
                          std::max(double(Bytes), double(Bytes) * Scale));
  };
  F.GridBytes = Scaled(Profile.GridBytes);
  F.GridReadBytes = Scaled(Profile.GridReadBytes);
  F.GridWrittenBytes = Scaled(Profile.GridWrittenBytes);
  return F;
}

/// "40 of 1024 blocks"
std::string MeasuredCounts::sample() const {
  return std::to_string(Profile.Blocks) + " of " +
         std::to_string(Profile.BlocksInGrid) +
         (Profile.BlocksInGrid == 1 ? " block" : " blocks");
}

std::string MeasuredCounts::description() const {
  std::string Text = sample();
  if (IsOtherLaunch)
    Text += " of grid " + toString(Profile.Grid) + ", block " +
            toString(Profile.Block);
  return Text;
}

std::vector<Assumption> MeasuredCounts::assumptions() const {
  std::vector<Assumption> Result;
  if (Profile.isPartial())
    Result.push_back({AssumptionKind::Profile,
                      sample() + ", scaled to the grid",
                      std::to_string(Profile.Blocks), /*IsNumber=*/true,
                      /*Line=*/0, "ptx-predict emulate without --blocks"});
  if (IsOtherLaunch)
    Result.push_back({AssumptionKind::Profile,
                      "grid " + toString(Profile.Grid) + ", block " +
                          toString(Profile.Block),
                      "another launch", /*IsNumber=*/false, /*Line=*/0,
                      "ptx-predict emulate with this launch"});
  return Result;
}

std::string ptxpredict::whyNotOf(const KernelProfile &Profile,
                                 const InstructionGraph &Kernel) {
  if (Profile.Instructions.empty() || Profile.Warps == 0)
    return "it has no counts";
  llvm::StringMap<llvm::DenseMap<unsigned, const InstructionProfile *>> Known;
  for (const InstructionProfile &I : Profile.Instructions)
    if (!Known[I.Function].insert({I.Id, &I}).second)
      return ("it has instruction " + Twine(I.Id) + " of '" + I.Function +
              "' twice")
          .str();
  llvm::StringMap<llvm::SmallDenseSet<unsigned>> Blocks;
  for (const BlockProfile &B : Profile.CodeBlocks)
    if (!Blocks[B.Function].insert(B.Id).second)
      return ("it has block " + Twine(B.Id) + " of '" + B.Function + "' twice")
          .str();
  std::string Why;
  for (const InstructionGraph *G : calledFrom(Kernel)) {
    auto It = Known.find(G->Name);
    for (unsigned Id : Blocks.lookup(G->Name))
      if (Id >= G->Blocks.size())
        return ("'" + G->Name + "' has no block " + Twine(Id)).str();
    if (It == Known.end())
      continue; // nobody could call it
    size_t Number = 0;
    G->forEachInstruction([&](const Instruction &I) {
      ++Number;
      const InstructionProfile *P = It->second.lookup(I.Id);
      if (!Why.empty() || (P && P->Line == I.Line && P->Opcode == I.Mnemonic))
        return;
      Why = ("instruction " + Twine(I.Id) + " of '" + G->Name + "' is '" +
             I.Mnemonic + "' at line " + Twine(I.Line) + ", in the profile ")
                .str() +
            (P ? "'" + P->Opcode + "' at line " + std::to_string(P->Line)
               : "absent");
    });
    if (Why.empty() && Number != It->second.size())
      Why = ("the profile has other instructions of '" + G->Name + "'").str();
    if (!Why.empty())
      return Why;
    Known.erase(It);
  }
  if (!Known.empty())
    return ("the kernel does not reach '" + Known.begin()->getKey() + "'")
        .str();
  return {};
}
