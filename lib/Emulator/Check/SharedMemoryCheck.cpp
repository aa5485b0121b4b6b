//===- SharedMemoryCheck.cpp - Races in shared memory ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SharedMemoryCheck.h"
#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

static bool isRead(SharedAccess K) {
  return K == SharedAccess::Read || K == SharedAccess::Atomic ||
         K == SharedAccess::Peek;
}

void SharedMemoryCheck::reset(unsigned Warps, uint64_t SharedBytes) {
  Order.reset(Warps);
  NumWarps = Warps;
  Bytes = SharedBytes;
  const size_t Words = (SharedBytes + 3) / 4;
  Cells.resize(Words);
  State.assign(Words, 0);
  startPhase();
  Copies.clear();
  Reading.clear();
  Reports.clear();
  Unwritten.clear();
  Pairs.clear();
  RacingReaders.clear();
  ReadUnwritten.clear();
}

/// What the cells hold is ordered with all that follows, so it is dropped: each
/// cell when it is met next, and what they refer to at once.
void SharedMemoryCheck::startPhase() {
  if (Order.phase() < Phase) // 2^32 of them
    std::fill(Cells.begin(), Cells.end(), Cell());
  Phase = Order.phase();
  SplitCells.clear();
  Sets.resize(1);
  Slots.resize(NumWarps);
  FreeSets.clear();
}

void SharedMemoryCheck::access(const SharedRequest &S, const WarpAccess &A) {
  if (Order.phase() != Phase)
    startPhase();
  const unsigned Warp = S.Warp;
  const SharedAccess Kind = S.Kind;
  MemoryOrder MO = S.Order;
  if (Kind == SharedAccess::Atomic && MO == MemoryOrder::Weak)
    MO = MemoryOrder::Relaxed;
  Request R = {Warp, Kind != SharedAccess::Read && Kind != SharedAccess::Peek,
               MO != MemoryOrder::Weak, false};
  if (isRead(Kind))
    Order.acquire(Warp, A, /*IsShared=*/true, MO);
  Access New = {Order.now(Warp), S.Instruction, uint8_t(Warp), 0, Kind};
  uint64_t Last = ~uint64_t(0);
  for (unsigned L = 0; L != WarpSize; ++L) {
    const uint64_t Begin = A.Address[L];
    if (!A.isActive(L) || Begin >= Bytes ||
        (Begin == Last && Kind != SharedAccess::Write))
      continue;
    Last = Begin;
    New.Lane = uint8_t(L);
    R.IsUnchanged = S.Unchanged >> L & 1;
    const uint64_t End =
        Begin + std::min<uint64_t>(A.BytesPerLane, Bytes - Begin);
    const unsigned Written = touchBytes(R, New, Begin, End);
    if (isRead(Kind) && !Written &&
        ReadUnwritten.insert(S.Instruction).second) {
      const SharedMemoryReport::Access Reader = {S.Instruction, Kind,
                                                 Warp * WarpSize + L};
      Unwritten.push_back(
          {SharedMemoryReport::Kind::UninitializedRead, Reader, Reader, Begin});
    }
  }
  if (R.Writes)
    Order.release(Warp, A, /*IsShared=*/true, MO);
}

void SharedMemoryCheck::endCopy(const WarpAccess &A) {
  for (unsigned L = 0; L != WarpSize; ++L) {
    if (!A.isActive(L))
      continue;
    const uint64_t Stop = std::min(A.Address[L] + A.BytesPerLane, Bytes);
    for (uint64_t Address = A.Address[L]; Address < Stop; ++Address) {
      uint8_t &S = State[Address / 4];
      const unsigned Bit = 1u << Address % 4;
      S = uint8_t((S & ~(Bit << 4)) | Bit);
      if (!(S >> 4))
        Copies.erase(Address / 4);
    }
  }
}

template <typename FnT>
static void forEachWord(const WarpAccess &A, FnT Fn) {
  for (unsigned L = 0; L != WarpSize; ++L)
    for (uint64_t Word = A.Address[L] / 4;
         A.isActive(L) && Word * 4 < A.Address[L] + A.BytesPerLane; ++Word)
      Fn(Word, L);
}

void SharedMemoryCheck::holdRead(const SharedRequest &S, const WarpAccess &A) {
  forEachWord(A, [&](uint64_t Word, unsigned Lane) {
    Reading[Word] = {{Order.now(S.Warp), S.Instruction, uint8_t(S.Warp),
                      uint8_t(Lane), SharedAccess::Read}};
  });
}

void SharedMemoryCheck::holdGroupRead(const SharedRequest &S,
                                      const GroupRead &G, const WarpAccess &A) {
  holdRead(S, A);
  forEachWord(A, [&](uint64_t Word, unsigned) { Reading[Word].Group = G; });
}

void SharedMemoryCheck::endGroupRead(unsigned Warp, const GroupRead &G,
                                     const WarpAccess &A) {
  forEachWord(A, [&](uint64_t Word, unsigned) {
    const auto It = Reading.find(Word);
    if (It != Reading.end() && It->second.Group.FirstWarp == G.FirstWarp &&
        It->second.Group.Number == G.Number)
      It->second.WaitedAt[Warp - G.FirstWarp] = Order.now(Warp);
  });
}

/// Whether a warp that writes now knows of a wait for the read.
bool SharedMemoryCheck::isOver(const HeldRead &R, unsigned Writer) const {
  for (unsigned N = 0; N != R.WaitedAt.size(); ++N)
    if (R.WaitedAt[N] &&
        Order.isBefore(R.Group.FirstWarp + N, R.WaitedAt[N], Writer))
      return true;
  return false;
}

void SharedMemoryCheck::endRead(const WarpAccess &A) {
  forEachWord(A, [&](uint64_t Word, unsigned) { Reading.erase(Word); });
}

void SharedMemoryCheck::finish() {
  for (const SharedMemoryReport &U : Unwritten)
    if (!RacingReaders.contains(U.First.Instruction))
      Reports.push_back(U);
  Unwritten.clear();
}

/// Returns which bytes had been written, nonzero if any.
unsigned SharedMemoryCheck::touchBytes(const Request &R, const Access &New,
                                       uint64_t Begin, uint64_t End) {
  unsigned Written = 0;
  for (uint64_t Address = Begin; Address < End;) {
    const uint64_t Word = Address / 4, Next = std::min(End, (Word + 1) * 4);
    const unsigned First = Address % 4, Count = unsigned(Next - Address);
    const unsigned Mask = ((1u << Count) - 1) << First;
    uint8_t &S = State[Word];
    Written |= S & Mask;
    if ((S >> 4 & Mask) || New.Kind == SharedAccess::CopyStart)
      touchCopies(New, Word, Mask);
    if (R.Writes && !Reading.empty())
      if (auto It = Reading.find(Word); It != Reading.end()) {
        if (isOver(It->second, New.Warp))
          Reading.erase(It);
        else
          reportRace(It->second.By, New, Address);
      }
    if (R.Writes && New.Kind != SharedAccess::CopyStart)
      S |= Mask;

    Cell &C = Cells[Word];
    if (C.Phase != Phase) {
      C = Cell();
      C.Phase = Phase;
    }
    if (Mask != 0xF && !(C.Chain & Cell::SplitBit))
      split(C);
    if (C.Chain & Cell::SplitBit) {
      auto &Parts = SplitCells[C.Chain & ~Cell::SplitBit];
      for (unsigned B = First; B != First + Count; ++B)
        touch(R, Parts[B], New, Word * 4 + B);
    } else {
      touch(R, C, New, Address);
    }
    Address = Next;
  }
  return Written;
}

/// Starts or ends a copy, or meets one that is under way.
void SharedMemoryCheck::touchCopies(const Access &New, uint64_t Word,
                                    unsigned Mask) {
  uint8_t &S = State[Word];
  if (S >> 4 & Mask) {
    const Access &Copy = Copies[Word];
    if (New.Kind != SharedAccess::CopyEnd &&
        (New.Warp != Copy.Warp || New.Instruction != Copy.Instruction))
      reportRace(Copy, New, Word * 4);
  }
  if (New.Kind == SharedAccess::CopyStart) {
    S |= Mask << 4;
    Copies[Word] = New;
  } else if (New.Kind == SharedAccess::CopyEnd) {
    S &= ~(Mask << 4);
    if (!(S >> 4))
      Copies.erase(Word);
  }
}

/// Checks a plain or strong access against the ones before it. Two strong ones
/// never race; so plain ones are kept apart from strong ones, reads from
/// writes, and a strong write must not hide a plain access before it.
void SharedMemoryCheck::touch(const Request &R, Cell &C, const Access &New,
                              uint64_t Address) {
  // The same warp again, with nothing to order them: whatever came between was
  // checked against the first.
  const Access &Same = R.Writes ? C.Write : C.Read;
  if (Same.Time == New.Time && Same.Warp == New.Warp && !R.IsStrong)
    return;
  const bool IsSilent = R.Writes && R.IsUnchanged;
  if (!IsSilent)
    checkAccess(C.Write, New, Address);
  if (R.Writes)
    checkAccess(C.Read, New, Address);
  if (C.Chain) {
    if (R.Writes)
      checkSet(C, SetRole::Reads, New, Address);
    if (R.Writes && !R.IsStrong)
      checkSet(C, SetRole::StrongReads, New, Address);
    if (!R.IsStrong && !IsSilent)
      checkSet(C, SetRole::StrongWrites, New, Address);
  }
  if (New.Kind != SharedAccess::Peek)
    record(R, C, New);
}

void SharedMemoryCheck::record(const Request &R, Cell &C, const Access &New) {
  if (R.IsStrong) {
    const SetRole Role =
        R.Writes ? SetRole::StrongWrites : SetRole::StrongReads;
    uint32_t Index = findSet(C, Role);
    if (!Index)
      Index = addSet(C, Role);
    slots(Index)[New.Warp] = New;
    return;
  }
  if (R.Writes) {
    // What races with anything before races with this write as well.
    C.Write = New;
    C.Read = Access();
    dropSets(C);
    return;
  }
  if (const uint32_t Index = findSet(C, SetRole::Reads)) {
    slots(Index)[New.Warp] = New;
    return;
  }
  if (Order.isBefore(C.Read.Warp, C.Read.Time, New.Warp)) {
    C.Read = New;
    return;
  }
  Access *Slot = slots(addSet(C, SetRole::Reads));
  Slot[C.Read.Warp] = C.Read;
  Slot[New.Warp] = New;
  C.Read = Access();
}

/// Gives each byte of a word its own cell.
void SharedMemoryCheck::split(Cell &C) {
  const uint32_t Index = uint32_t(SplitCells.size());
  SplitCells.emplace_back();
  for (Cell &Part : SplitCells.back()) {
    Part = C;
    Part.Chain = 0;
    for (uint32_t I = C.Chain; I; I = Sets[I].Next) {
      const uint32_t Copy = addSet(Part, Sets[I].Role);
      std::copy_n(slots(I), NumWarps, slots(Copy));
    }
  }
  dropSets(C);
  C.Chain = Cell::SplitBit | Index;
}

uint32_t SharedMemoryCheck::findSet(const Cell &C, SetRole Role) const {
  uint32_t I = C.Chain;
  while (I && Sets[I].Role != Role)
    I = Sets[I].Next;
  return I;
}

uint32_t SharedMemoryCheck::addSet(Cell &C, SetRole Role) {
  uint32_t Index;
  if (FreeSets.empty()) {
    Index = uint32_t(Sets.size());
    Sets.emplace_back();
    Slots.resize(Slots.size() + NumWarps);
  } else {
    Index = FreeSets.back();
    FreeSets.pop_back();
  }
  std::fill_n(slots(Index), NumWarps, Access());
  Sets[Index] = {C.Chain, Role};
  C.Chain = Index;
  return Index;
}

void SharedMemoryCheck::dropSets(Cell &C) {
  for (uint32_t I = C.Chain; I; I = Sets[I].Next)
    FreeSets.push_back(I);
  C.Chain = 0;
}

void SharedMemoryCheck::checkSet(const Cell &C, SetRole Role, const Access &New,
                                 uint64_t Address) {
  const uint32_t Index = findSet(C, Role);
  if (!Index)
    return;
  const Access *Slot = slots(Index);
  for (unsigned W = 0; W != NumWarps; ++W)
    checkAccess(Slot[W], New, Address);
}

void SharedMemoryCheck::checkAccess(const Access &Old, const Access &New,
                                    uint64_t Address) {
  if (!Order.isBefore(Old.Warp, Old.Time, New.Warp))
    reportRace(Old, New, Address);
}

void SharedMemoryCheck::reportRace(const Access &Old, const Access &New,
                                   uint64_t Address) {
  for (const Access *A : {&Old, &New})
    if (isRead(A->Kind))
      RacingReaders.insert(A->Instruction);
  const auto [Low, High] = std::minmax(Old.Instruction, New.Instruction);
  if (!Pairs.insert(uint64_t(Low) << 32 | High).second)
    return;
  const auto Describe = [](const Access &A) {
    return SharedMemoryReport::Access{A.Instruction, A.Kind,
                                      A.Warp * WarpSize + A.Lane};
  };
  Reports.push_back(
      {SharedMemoryReport::Kind::Race, Describe(Old), Describe(New), Address});
}
