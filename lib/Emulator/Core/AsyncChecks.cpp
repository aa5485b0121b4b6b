//===- AsyncChecks.cpp - What --check knows of asynchronous work ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AsyncChecks.h"
#include "MemoryAccess.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

void AsyncChecks::complete(uint64_t MBarrier) {
  if (auto It = MBarriers.find(MBarrier); It != MBarriers.end()) {
    Work &W = It->second;
    llvm::append_range(W.Done, W.Running);
    W.Running.clear();
  }
  for (Product &P : Products)
    for (auto &[Of, IsComplete] : P.MBarriers)
      IsComplete |= Of == MBarrier;
  for (MatrixReads &R : Reads)
    for (auto &[Of, IsComplete] : R.MBarriers)
      IsComplete |= Of == MBarrier;
}

std::vector<WarpAccess> AsyncChecks::takeDone(uint64_t MBarrier) {
  llvm::erase_if(Products, [&](const Product &P) {
    return llvm::is_contained(P.MBarriers, std::pair(MBarrier, true));
  });
  auto It = MBarriers.find(MBarrier);
  return It == MBarriers.end() ? std::vector<WarpAccess>()
                               : std::exchange(It->second.Done, {});
}

void AsyncChecks::commitReads(unsigned Warp, uint64_t MBarrier) {
  for (MatrixReads &R : Reads)
    if (R.Group.FirstWarp == Warp && !R.Group.Number &&
        !llvm::is_contained(R.MBarriers, std::pair(MBarrier, false)))
      R.MBarriers.emplace_back(MBarrier, false);
}

std::vector<AsyncChecks::MatrixReads>
AsyncChecks::takeReads(uint64_t MBarrier) {
  auto Rest =
      std::partition(Reads.begin(), Reads.end(), [&](const MatrixReads &R) {
        return !llvm::is_contained(R.MBarriers, std::pair(MBarrier, true));
      });
  std::vector<MatrixReads> Taken(std::make_move_iterator(Rest),
                                 std::make_move_iterator(Reads.end()));
  Reads.erase(Rest, Reads.end());
  return Taken;
}

void AsyncChecks::waitForGroup(SharedMemoryCheck &Check, unsigned Warp,
                               const SharedMemoryCheck::GroupRead &Last) {
  llvm::erase_if(Reads, [&](MatrixReads &R) {
    if (R.Group.FirstWarp != Last.FirstWarp || !R.Group.Number ||
        R.Group.Number > Last.Number)
      return false;
    for (const WarpAccess &A : R.Bytes)
      Check.endGroupRead(Warp, R.Group, A);
    return ++R.NumWaited == 4;
  });
}

void AsyncChecks::store(const Store &S) {
  llvm::erase_if(Stores, [&](const Store &Earlier) {
    return Earlier.Block == S.Block && Earlier.Warp == S.Warp &&
           Earlier.Where == S.Where && Earlier.FirstColumn == S.FirstColumn &&
           Earlier.NumColumns == S.NumColumns;
  });
  Stores.push_back(S);
}

void AsyncChecks::waitForStores(const BlockMachine &Block, unsigned Warp) {
  llvm::erase_if(Stores, [&](const Store &S) {
    return S.Block == &Block && S.Warp == Warp;
  });
}

const Step *AsyncChecks::findStore(const BlockMachine &Block,
                                   unsigned FirstColumn, unsigned NumColumns,
                                   std::optional<unsigned> Warp) const {
  for (const Store &S : Stores)
    if (S.Block == &Block && S.FirstColumn < FirstColumn + NumColumns &&
        FirstColumn < S.FirstColumn + S.NumColumns &&
        (!Warp || *Warp % 4 == S.Warp % 4))
      return S.Where;
  return nullptr;
}

void AsyncChecks::move(const Move &M) {
  // The last one of an instruction says as much.
  for (Move &Earlier : Moves)
    if (Earlier.Block == M.Block && Earlier.Warp == M.Warp &&
        Earlier.Where == M.Where && Earlier.FirstColumn == M.FirstColumn) {
      Earlier.Time = M.Time;
      return;
    }
  Moves.push_back(M);
}

const Step *AsyncChecks::findUnordered(const WarpOrder &Order, unsigned Warp,
                                       const Move &Use) const {
  for (const Move &M : Moves)
    if (M.Block == Use.Block &&
        M.FirstColumn < Use.FirstColumn + Use.NumColumns &&
        Use.FirstColumn < M.FirstColumn + M.NumColumns &&
        (M.IsStore || Use.IsStore) && !Order.isBefore(M.Warp, M.Time, Warp))
      return M.Where;
  return nullptr;
}

void AsyncChecks::commit(const BlockMachine &Block, uint64_t MBarrier) {
  for (Product &P : Products)
    if (P.Block == &Block &&
        !llvm::is_contained(P.MBarriers, std::pair(MBarrier, false)))
      P.MBarriers.emplace_back(MBarrier, false);
}

/// They are done in the order in which they were issued.
void AsyncChecks::multiply(const Product &P) {
  llvm::erase_if(Products, [&](const Product &Earlier) {
    return Earlier.Block == P.Block && Earlier.Where == P.Where &&
           Earlier.FirstColumn == P.FirstColumn &&
           Earlier.NumColumns == P.NumColumns;
  });
  Products.push_back(P);
}

const Step *AsyncChecks::findProduct(const BlockMachine &Block,
                                     unsigned FirstColumn,
                                     unsigned NumColumns) const {
  for (const Product &P : Products)
    if (P.Block == &Block && P.FirstColumn < FirstColumn + NumColumns &&
        FirstColumn < P.FirstColumn + P.NumColumns)
      return P.Where;
  return nullptr;
}

void emulator::noteWait(WarpMachine &W, uint64_t MBarrier) {
  for (const AsyncChecks::MatrixReads &R :
       W.Block.Cluster.Async->takeReads(MBarrier))
    for (const WarpAccess &A : R.Bytes)
      W.Block.Check->endRead(A);
  for (const WarpAccess &A : W.Block.Cluster.Async->takeDone(MBarrier))
    W.Block.Check->endCopy(A);
}

//===----------------------------------------------------------------------===//
// Proxies
//===----------------------------------------------------------------------===//

void AsyncChecks::writeGeneric(unsigned Warp, uint32_t Instruction,
                               const WarpAccess &A) {
  ++Now;
  forEachLane(A.Active, [&](unsigned L) {
    const uint64_t End = (A.Address[L] + A.BytesPerLane - 1) / 4;
    for (uint64_t Word = A.Address[L] / 4; Word <= End && Word < Writes.size();
         ++Word)
      Writes[Word] = {Now, Instruction, Warp};
  });
}

std::optional<uint32_t> AsyncChecks::findUnfenced(unsigned Warp,
                                                  uint64_t Address,
                                                  uint64_t Bytes) const {
  for (uint64_t Word = Address / 4;
       Word < (Address + Bytes + 3) / 4 && Word < Writes.size(); ++Word) {
    const Write &W = Writes[Word];
    if (W.Time > LastFence[W.Warp] && W.Time > LastFence[Warp])
      return W.Instruction;
  }
  return std::nullopt;
}

void emulator::checkAsyncRead(WarpMachine &W, const Step &S, uint64_t Address,
                              uint64_t Bytes) {
  std::optional<uint32_t> Writer = W.Block.Cluster.Async->findUnfenced(
      W.checkNumber(), W.Block.Cluster.checkAddress(Address), Bytes);
  const bool IsKnown =
      llvm::any_of(W.Block.Problems, [&](const EmulationProblem &P) {
        return P.Where == S.I && P.Kind == "missing-fence";
      });
  if (Writer && !IsKnown)
    W.Block.report(
        "missing-fence", S,
        "the asynchronous proxy reads shared memory that was written "
        "without fence.proxy.async behind it",
        W.Block.R.Code.Steps[*Writer], "it is written here");
}

void emulator::checkMatrixRead(WarpMachine &W, const Step &S,
                               const BlockMachine &Of, const SharedMatrix &M,
                               std::pair<unsigned, unsigned> Size) {
  // What warps read together is read once one of them has waited.
  const SharedAccess Kind =
      S.Warpgroup ? SharedAccess::Peek : SharedAccess::Read;
  AsyncChecks::MatrixReads Reads;
  Reads.Group = {W.checkNumber(), 0};
  if (S.Warpgroup)
    Reads.Group = {W.checkNumber() - W.Number % 4,
                   W.Block.Warpgroups[W.Number / 4].NumIssued + 1};
  WarpAccess A;
  A.BytesPerLane = 16;
  unsigned Lane = 0;
  for (unsigned Row = 0; Row != Size.first; ++Row)
    for (unsigned Unit = 0; Unit != Size.second; ++Unit) {
      const uint64_t Address = M.unitAddress(Row, Unit) + Of.sharedBase();
      checkAsyncRead(W, S, Address, 16);
      A.Address[Lane] = Address;
      A.Active |= 1u << Lane;
      const bool IsLast = Row + 1 == Size.first && Unit + 1 == Size.second;
      if (++Lane != WarpSize && !IsLast)
        continue;
      checkShared(W, {0, S.Index, Kind}, A);
      WarpAccess &Held = Reads.Bytes.emplace_back(A);
      for (uint64_t &Place : Held.Address)
        Place = W.Block.Cluster.checkAddress(Place);
      W.Block.Check->holdGroupRead(
          {W.checkNumber(), S.Index, SharedAccess::Read}, Reads.Group, Held);
      Lane = 0;
      A.Active = 0;
    }
  W.Block.Cluster.Async->hold(std::move(Reads));
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Calls \p Fn with each register that the operands name, and whether it is
/// read and written.
template <typename FnT>
static void forEachRegister(const WarpMachine &W, ArrayRef<Operand> Operands,
                            FnT Fn) {
  const uint64_t Function = uint64_t(W.Top->F->Number) << 32;
  forEachOperand(Operands, [&](const Operand &O) {
    if (O.Kind == Operand::KindTy::Register)
      Fn(Function | O.Val->Register, O.Role != OperandRole::Write,
         O.Role == OperandRole::Write || O.Role == OperandRole::ReadWrite);
  });
}

void PendingRegisters::drop(const Step *Issued) {
  SmallVector<Name, 64> Names;
  for (auto [Register, Of] : Pending)
    if (Of == Issued)
      Names.push_back(Register);
  for (Name Register : Names)
    Pending.erase(Register);
}

/// All but the latest \p Left groups are done.
void PendingRegisters::dropDone(uint64_t Left) {
  while (Groups.size() > Left) {
    std::vector<const Step *> Done = std::move(Groups.front());
    Groups.erase(Groups.begin());
    // The same instruction may have been issued again since.
    auto IsAgain = [&](const Step *Issued) {
      return llvm::is_contained(Open, Issued) ||
             llvm::any_of(Groups, [&](const auto &G) {
               return llvm::is_contained(G, Issued);
             });
    };
    for (const Step *Issued : Done)
      if (!IsAgain(Issued))
        drop(Issued);
  }
}

void PendingRegisters::multiply(WarpMachine &W, const Step &S) {
  const bool AInRegisters = S.Warpgroup->AInRegisters;
  const unsigned Scale =
      (AInRegisters ? 4 : 1) + 1 + (S.Warpgroup->Sparse ? 2 : 0);
  const bool Accumulates = W.predicate(S.Sources[Scale]) & 1;
  // D, and A where it is in registers.
  forEachRegister(W, S.I->Operands.take_front(AInRegisters ? 2 : 1),
                  [&](Name Register, bool, bool Writes) {
                    auto It = Written.find(Register);
                    if (It != Written.end() && It->second.first > LastFence &&
                        (Accumulates || !Writes))
                      W.Block.report(
                          "missing-fence", S,
                          "a register of wgmma.mma_async was written with no "
                          "wgmma.fence behind it",
                          It->second.second, "it is written here");
                    Pending[Register] = &S;
                  });
  Open.push_back(&S);
  ++NumIssued;
}

/// The warp has waited for all but the latest \p Left groups.
void PendingRegisters::endReads(WarpMachine &W, uint64_t Left) {
  if (GroupEnds.size() <= Left)
    return;
  const auto Last = GroupEnds.end() - ptrdiff_t(Left) - 1;
  W.Block.Cluster.Async->waitForGroup(*W.Block.Check, W.checkNumber(),
                                      {W.checkNumber() - W.Number % 4, *Last});
  GroupEnds.erase(GroupEnds.begin(), Last + 1);
}

void PendingRegisters::reportLoad(WarpMachine &W, const Step &Load,
                                  const Step &Reader) {
  W.Block.report("missing-wait", Reader,
                 "a register is read of a tcgen05.ld that no tcgen05.wait::ld "
                 "follows",
                 &Load, "which is here");
}

/// Another instruction must not touch what is pending; a copy of it, packed or
/// not, is pending as well: it costs no instruction of the machine.
void PendingRegisters::access(WarpMachine &W, const Step &S) {
  ++Now;
  const Step *Copied = nullptr, *Used = nullptr;
  bool IsRead = false;
  SmallVector<Name, 8> Changed;
  forEachRegister(
      W, S.I->Operands, [&](Name Register, bool Reads, bool Writes) {
        auto It = Pending.find(Register);
        const Step *Issued = It == Pending.end() ? nullptr : It->second;
        if (Writes)
          Changed.push_back(Register);
        if (!Issued)
          return;
        if (Reads && Opcode(S.I->Opcode) == Opcode::Mov)
          Copied = Issued;
        else if (Issued->Move && Reads)
          Early.try_emplace(Issued, &S);
        else if (!Issued->Move)
          Used = Issued, IsRead |= Reads;
      });
  for (Name Register : Changed) {
    if (Copied) {
      Pending[Register] = Copied;
      continue;
    }
    Pending.erase(Register);
    Written[Register] = {Now, &S};
  }
  if (!Used)
    return;
  W.Block.report("missing-wait", S,
                 StringRef(IsRead ? "a register is read"
                                  : "a register is "
                                    "written") +
                     " with no wgmma.wait_group behind wgmma.mma_async",
                 Used, "which is here");
  drop(Used); // its other registers say no more
}

void PendingRegisters::finish(WarpMachine &W) {
  for (auto [Load, Reader] : Early)
    reportLoad(W, *Load, *Reader);
  Early.clear();
}

void PendingRegisters::watch(WarpMachine &W, const Step &S) {
  switch (Opcode(S.I->Opcode)) {
  case Opcode::WgmmaFence:
    LastFence = ++Now;
    return;
  case Opcode::WgmmaCommitGroup:
    Groups.push_back(std::exchange(Open, {}));
    GroupEnds.push_back(NumIssued);
    return;
  case Opcode::WgmmaWaitGroup: {
    const uint64_t Left = S.NumSources ? W.value(S.Sources[0], 0) : 0;
    if (W.Block.Check)
      endReads(W, Left);
    return dropDone(Left);
  }
  case Opcode::Tcgen05WaitLd: {
    SmallVector<Name, 64> Loaded;
    for (auto [Register, Of] : Pending)
      if (Of->Move)
        Loaded.push_back(Register);
    for (Name Register : Loaded)
      Pending.erase(Register);
    Early.clear();
    return;
  }
  default:
    break;
  }
  if (S.Warpgroup)
    return multiply(W, S);
  access(W, S);
  if (!S.Move || !S.NumDests)
    return;
  // The same load again, with no wait between.
  if (auto It = Early.find(&S); It != Early.end()) {
    reportLoad(W, S, *It->second);
    Early.erase(It);
  }
  forEachRegister(W, S.I->Operands, [&](Name Register, bool, bool Writes) {
    if (Writes)
      Pending[Register] = &S;
  });
}

Outcome emulator::runWatched(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (Lanes && !W.Now->Passed && W.Pending)
    W.Pending->watch(W, S);
  return S.Watched(W, S, Lanes);
}
