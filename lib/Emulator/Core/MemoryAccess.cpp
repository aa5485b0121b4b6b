//===- MemoryAccess.cpp - Where the lanes of a warp access memory ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MemoryAccess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

AddressSpace emulator::resolveGeneric(uint64_t &Address) {
  auto In = [&](uint64_t Window) {
    if (Address - Window >= WindowBytes)
      return false;
    Address -= Window;
    return true;
  };
  if (Address >= DeviceMemory::Base)
    return AddressSpace::Global;
  if (In(SharedWindow))
    return AddressSpace::Shared;
  if (In(LocalWindow))
    return AddressSpace::Local;
  if (In(ParamWindow))
    return AddressSpace::Param;
  return AddressSpace::Global;
}

static uint8_t *placeInParams(WarpMachine &W, unsigned Lane, bool OfKernel,
                              uint64_t Address, uint64_t Bytes) {
  Run &R = W.Block.R;
  uint64_t Size = OfKernel ? R.KernelParams.size() : W.Top->F->ParamBytes;
  if (Address > Size || Bytes > Size - Address)
    return nullptr;
  return OfKernel ? R.KernelParams.data() + Address
                  : W.Top->Params.data() + Lane * Size + Address;
}

uint8_t *emulator::hostPlace(WarpMachine &W, unsigned Lane, AddressSpace Space,
                             uint64_t Address, uint64_t Bytes) {
  if (Space == AddressSpace::Generic)
    Space = resolveGeneric(Address);
  switch (Space) {
  case AddressSpace::Shared: {
    const auto &Blocks = W.Block.Cluster.Blocks;
    const uint64_t Rank = Address >> ClusterRankShift;
    if (Rank >= Blocks.size())
      return nullptr;
    std::vector<uint8_t> &Shared = Blocks[Rank]->Shared;
    Address &= SharedOffsetMask;
    return Address <= Shared.size() && Bytes <= Shared.size() - Address
               ? Shared.data() + Address
               : nullptr;
  }
  case AddressSpace::Local:
    return W.local(Lane, Address, Bytes);
  case AddressSpace::Param:
    return placeInParams(W, Lane, W.Top->F->G->IsKernel, Address, Bytes);
  default: {
    const DeviceMemory::Region *R = W.Block.R.Memory.find(Address);
    return R && R->holds(Address, Bytes) ? R->at(Address) : nullptr;
  }
  }
}

//===----------------------------------------------------------------------===//
// Wrong accesses
//===----------------------------------------------------------------------===//

std::string emulator::threadName(const WarpMachine &W, unsigned Lane) {
  const LaunchConfig &L = W.Block.R.Launch;
  uint64_t T = uint64_t(W.Number) * WarpSize + Lane;
  auto Text = [](uint64_t X, uint64_t Y, uint64_t Z) {
    return "(" + llvm::utostr(X) + "," + llvm::utostr(Y) + "," +
           llvm::utostr(Z) + ")";
  };
  return "thread " +
         Text(T % L.Block.X, T / L.Block.X % L.Block.Y,
              T / L.Block.X / L.Block.Y) +
         " of block " +
         Text(W.Block.Position.X, W.Block.Position.Y, W.Block.Position.Z);
}

static StringRef verb(const Step &S, bool Writes) {
  return S.I->Class == OpClass::Atomic ? "updates"
         : Writes                      ? "writes"
                                       : "reads";
}

static std::string describePlace(const WarpMachine &W, AddressSpace Space,
                                 uint64_t Address, uint64_t Bytes,
                                 bool Writes) {
  std::string Hex = "0x" + llvm::utohexstr(Address, /*LowerCase=*/true);
  switch (Space) {
  case AddressSpace::Shared: {
    std::string Text = Hex + " of shared memory, of which the block has " +
                       llvm::utostr(W.Block.Shared.size()) + " bytes";
    uint64_t Rank = Address >> ClusterRankShift;
    return Rank != W.Block.Rank && Rank < W.Block.Cluster.Blocks.size()
               ? Text + "; the address is one of block " + llvm::utostr(Rank) +
                     " of the cluster"
               : Text;
  }
  case AddressSpace::Local:
    return Hex + " of local memory, of which the thread has " +
           llvm::utostr(W.Top->LocalTop) + " bytes";
  case AddressSpace::Param:
    return Hex + " of the parameters";
  default: {
    const DeviceMemory &Memory = W.Block.R.Memory;
    const DeviceMemory::Region *R = Memory.find(Address);
    return Hex + ": " + Memory.describe(Address, Bytes) +
           (R && R->ReadOnly && Writes ? ", which cannot be written" : "");
  }
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

void emulator::findAddresses(WarpMachine &W, const AddressOperand &A,
                             std::array<uint64_t, WarpSize> &Out) {
  const uint64_t Offset = W.addressBase(A);
  if (A.Kind != AddressOperand::KindTy::Register) {
    Out.fill(Offset);
    return;
  }
  const char *Base = static_cast<const char *>(W.array(A.Base));
  if (A.Base.Bytes == 8) {
    for (unsigned L = 0; L != WarpSize; ++L) {
      uint64_t V;
      memcpy(&V, Base + L * sizeof V, sizeof V);
      Out[L] = V + Offset;
    }
  } else {
    for (unsigned L = 0; L != WarpSize; ++L) {
      uint32_t V;
      memcpy(&V, Base + L * sizeof V, sizeof V);
      // Addresses of 32 bits wrap around as such.
      Out[L] = uint32_t(V + Offset);
    }
  }
}

static bool isAligned(const std::array<uint64_t, WarpSize> &Addresses,
                      unsigned Align) {
  uint64_t Bits = 0;
  for (uint64_t A : Addresses)
    Bits |= A;
  return (Bits & (Align - 1)) == 0;
}

/// Whether no address is more than \p Most beyond \p Begin.
static bool isBelow(const std::array<uint64_t, WarpSize> &Addresses,
                    uint64_t Begin, uint64_t Most) {
  // No number has a bit that their union lacks, so it is not below them.
  uint64_t Union = 0;
  for (uint64_t A : Addresses)
    Union |= A - Begin;
  return Union <= Most ||
         llvm::all_of(Addresses, [&](uint64_t A) { return A - Begin <= Most; });
}

namespace {

/// Finds the places of one request's lanes.
class LaneLocator {
public:
  LaneLocator(WarpMachine &W, const Step &S, const MemoryRequest &R)
      : W(W), S(S), R(R), Align(llvm::PowerOf2Ceil(R.BytesPerLane)),
        Counter(S.MemoryIndex >= 0 ? &W.Block.W.Memory[size_t(S.MemoryIndex)]
                                   : nullptr) {}

  /// Finds all places at once where they lie in one piece of memory.
  bool locateTogether(Located &Out) const;
  /// Finds one lane's place. False if the run ends.
  bool locateLane(unsigned Lane, Located &Out) const;

private:
  /// The lane's place in one memory; null where there is none.
  uint8_t *placeOf(AddressSpace Space, unsigned Lane, uint64_t Address) const;
  uint8_t *placeInDevice(uint64_t Address) const;
  /// Reports a wrong access. False if the run ends with it.
  bool report(StringRef Kind, unsigned Lane, AddressSpace Space,
              uint64_t Address) const;

  WarpMachine &W;
  const Step &S;
  const MemoryRequest &R;
  uint64_t Align; ///< bytes; copies may read 12, aligned to 16
  MemoryCounter *Counter;
};

} // namespace

bool LaneLocator::locateTogether(Located &Out) const {
  // Most requests lie in one region of global memory, or in shared memory.
  bool IsShared = R.Space == AddressSpace::Shared;
  uint64_t Begin = IsShared ? W.Block.sharedBase() : 0,
           Size = IsShared ? W.Block.Shared.size() : 0;
  uint8_t *Start = IsShared ? W.Block.Shared.data() : nullptr;
  if ((R.Space == AddressSpace::Global || R.Space == AddressSpace::Generic) &&
      Counter && Counter->LastRegion) {
    const DeviceMemory::Region &Last = *Counter->LastRegion;
    if (!(Last.ReadOnly && R.Writes) && !Last.IsHeap) {
      Begin = Last.Begin;
      Size = Last.End - Last.Begin;
      Start = Last.Host;
    }
  }
  if (!Start || Size < R.BytesPerLane ||
      !isAligned(Out.Address, unsigned(Align)) ||
      !isBelow(Out.Address, Begin, Size - R.BytesPerLane))
    return false;
  Out.Piece = Start;
  Out.PieceAddress = Begin;
  Out.Lanes = (IsShared ? Out.Shared : Out.Global) = R.Lanes;
  return true;
}

bool LaneLocator::locateLane(unsigned Lane, Located &Out) const {
  uint64_t &Address = Out.Address[Lane];
  AddressSpace Space =
      R.Space == AddressSpace::Generic ? resolveGeneric(Address) : R.Space;
  if (Address & (Align - 1))
    return report("misaligned-access", Lane, Space, Address);
  uint8_t *Host = placeOf(Space, Lane, Address);
  if (!Host)
    return report("out-of-bounds", Lane, Space, Address);
  Out.Host[Lane] = Host;
  uint32_t Bit = 1u << Lane;
  Out.Lanes |= Bit;
  if (Space == AddressSpace::Shared)
    Out.Shared |= Bit;
  else if (Space == AddressSpace::Local)
    Out.Local |= Bit;
  else if (Space == AddressSpace::Global)
    Out.Global |= Bit;
  return true;
}

uint8_t *LaneLocator::placeOf(AddressSpace Space, unsigned Lane,
                              uint64_t Address) const {
  switch (Space) {
  case AddressSpace::Param: {
    bool OfKernel = R.Operand.Kind == AddressOperand::KindTy::KernelParam ||
                    (R.Operand.Kind == AddressOperand::KindTy::Register &&
                     W.Top->F->G->IsKernel);
    return placeInParams(W, Lane, OfKernel, Address, R.BytesPerLane);
  }
  case AddressSpace::Shared:
    // Another block's memory needs .shared::cluster or a generic address.
    if (R.Space == AddressSpace::Shared && !S.NamesCluster &&
        Address >> ClusterRankShift != W.Block.Rank)
      return nullptr;
    [[fallthrough]];
  case AddressSpace::Local:
    return hostPlace(W, Lane, Space, Address, R.BytesPerLane);
  default:
    return placeInDevice(Address);
  }
}

uint8_t *LaneLocator::placeInDevice(uint64_t Address) const {
  DeviceMemory &Memory = W.Block.R.Memory;
  const DeviceMemory::Region *In = Counter ? Counter->LastRegion : nullptr;
  if (!In || !In->holds(Address, R.BytesPerLane)) {
    In = Memory.find(Address);
    if (!In || !In->holds(Address, R.BytesPerLane))
      return nullptr;
    if (Counter)
      Counter->LastRegion = In;
  }
  if (In->ReadOnly && R.Writes)
    return nullptr;
  if (In->IsHeap && W.Block.R.Options.Check) {
    std::optional<DeviceMemory::HeapBlock> B = Memory.findBlock(Address);
    if (!B || Address + R.BytesPerLane > B->End)
      return nullptr;
  }
  return In->at(Address);
}

bool LaneLocator::report(StringRef Kind, unsigned Lane, AddressSpace Space,
                         uint64_t Address) const {
  std::string Message =
      (threadName(W, Lane) + " " + verb(S, R.Writes) + " " +
       Twine(R.BytesPerLane) + " bytes at " +
       describePlace(W, Space, Address, R.BytesPerLane, R.Writes))
          .str();
  if (Address & (Align - 1))
    Message += ("; the address must be a multiple of " + Twine(Align)).str();
  if (!W.Block.R.Options.Check) {
    W.fail(S, Message);
    return false;
  }
  W.Block.report(Kind, S, Message);
  return true;
}

bool emulator::locate(WarpMachine &W, const Step &S, const MemoryRequest &R,
                      Located &Out) {
  findAddresses(W, R.Operand, Out.Address);
  // An address of shared memory has 32 bits, and what a wider register holds is
  // truncated: be it a generic address of the same place (PTX ISA, "Addresses
  // as Operands").
  if (R.Space == AddressSpace::Shared)
    for (uint64_t &Address : Out.Address)
      Address = uint32_t(Address);
  return locateAddresses(W, S, R, Out);
}

bool emulator::locateAddresses(WarpMachine &W, const Step &S,
                               const MemoryRequest &R, Located &Out) {
  Out.BytesPerLane = R.BytesPerLane;
  Out.Lanes = Out.Global = Out.Shared = Out.Local = 0;
  Out.Piece = nullptr;
  if (!R.Lanes)
    return true;
  uint64_t First = Out.Address[unsigned(llvm::countr_zero(R.Lanes))];
  forEachLane(~R.Lanes, [&](unsigned L) { Out.Address[L] = First; });
  const LaneLocator Locator(W, S, R);
  if (Locator.locateTogether(Out))
    return true;
  for (uint32_t Rest = R.Lanes; Rest; Rest &= Rest - 1)
    if (!Locator.locateLane(unsigned(llvm::countr_zero(Rest)), Out))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

void MemoryCounter::count(const WarpAccess &A, bool IsShared) {
  if (!A.Active)
    return;
  auto Add = [&](const MemoryProfile &C) {
    ++Sum.Requests;
    Sum.Lanes += C.Lanes;
    Sum.Sectors += C.Sectors;
    Sum.Lines += C.Lines;
    Sum.Wavefronts += C.Wavefronts;
    for (unsigned R = 0; R != 3; ++R)
      Sum.Transactions[R] += C.Transactions[R];
    Sum.SharedRequests += IsShared;
    Sum.SharedLanes += IsShared ? C.Lanes : 0;
  };
  uint64_t First = A.Address[unsigned(llvm::countr_zero(A.Active))];
  uint64_t Phase = First % 128;
  // Inactive lanes have addresses too, which do not matter: a shape that
  // differs there alone is merely counted anew.
  for (const Shape &K : Shapes) {
    if (!K.Valid || K.Active != A.Active || K.Phase != Phase ||
        K.Bytes != A.BytesPerLane || K.IsShared != IsShared)
      continue;
    uint64_t Differs = 0;
    for (unsigned L = 0; L != WarpSize; ++L)
      Differs |= K.Distance[L] ^ (A.Address[L] - First);
    if (Differs == 0)
      return Add(K.Costs);
  }
  Shape &K = Shapes[Oldest++ % Shapes.size()];
  K.Valid = true;
  K.IsShared = IsShared;
  K.Active = A.Active;
  K.Bytes = A.BytesPerLane;
  K.Phase = Phase;
  for (unsigned L = 0; L != WarpSize; ++L)
    K.Distance[L] = A.Address[L] - First;
  K.Costs = MemoryProfile();
  K.Costs.Lanes = unsigned(llvm::popcount(A.Active));
  if (IsShared) {
    K.Costs.Wavefronts = countWavefronts(A);
  } else {
    K.Costs.Sectors = countSectors(A);
    K.Costs.Lines = countLines(A);
    K.Costs.Transactions = {countCC10(A).Count, countCC12(A).Count,
                            countCC20(A).Count};
  }
  Add(K.Costs);
}

/// Whether each lane's store leaves what is there.
static uint32_t unchangedLanes(const Located &At, const Step &S,
                               WarpMachine &W) {
  uint32_t Unchanged = 0;
  forEachLane(At.Shared, [&](unsigned L) {
    unsigned Elements = At.BytesPerLane / std::max<unsigned>(1, S.ElementBytes);
    bool Same = true;
    for (unsigned E = 0; E != Elements && E < S.NumSources; ++E) {
      uint64_t V = W.value(S.Sources[E], L);
      Same &= S.ElementBytes <= 8 &&
              memcmp(&V, At.host(L) + size_t(E) * S.ElementBytes,
                     S.ElementBytes) == 0;
    }
    Unchanged |= uint32_t(Same) << L;
  });
  return Unchanged;
}

static void observe(WarpMachine &W, const Step &S, AddressSpace Space,
                    const WarpAccess &A) {
  EmulationObserver *Observer = W.Block.R.Options.Observer;
  if (Observer && W.counts())
    Observer->onRequest(W.Block.Index, W.Number, *S.I, Space, A);
}

/// A warp accesses the shared memory of another block.
static void noteRemote(WarpMachine &W, const Step &S, unsigned Rank) {
  ClusterMachine &C = W.Block.Cluster;
  C.Async->accessRemote(W.checkNumber(), Rank,
                        {C.Check->order().now(W.checkNumber()), &S});
  if (C.Blocks[Rank]->hasEnded())
    W.Block.report(
        "exited-block", S,
        "warp " + Twine(W.Number) + " of block " + Twine(W.Block.Index) +
            " accesses shared memory of block " + Twine(C.Blocks[Rank]->Index) +
            ", which does not wait for it before it ends");
}

void emulator::checkShared(WarpMachine &W, SharedRequest R,
                           const WarpAccess &A) {
  ClusterMachine &C = W.Block.Cluster;
  R.Warp = W.checkNumber();
  WarpAccess Whole = A;
  if (C.Blocks.size() != 1) {
    forEachLane(A.Active, [&](unsigned L) {
      const auto Rank = unsigned(A.Address[L] >> ClusterRankShift);
      if (Rank != W.Block.Rank)
        noteRemote(W, *W.Block.R.Code.Steps[R.Instruction], Rank);
    });
    for (uint64_t &Address : Whole.Address)
      Address = C.checkAddress(Address);
  }
  if (R.Kind == SharedAccess::Write || R.Kind == SharedAccess::Atomic ||
      R.Kind == SharedAccess::CopyEnd)
    C.Async->writeGeneric(R.Warp, R.Instruction, Whole);
  C.Check->access(R, Whole);
}

void emulator::countShared(WarpMachine &W, const Step &S, const WarpAccess &A) {
  if (S.MemoryIndex < 0 || !A.Active)
    return;
  W.memoryCounter(S).count(A, true);
  observe(W, S, AddressSpace::Shared, A);
}

void emulator::account(WarpMachine &W, const Step &S, Located &At,
                       SharedAccess Kind) {
  Worker &K = W.Block.W;
  if (S.MemoryIndex < 0)
    return;
  MemoryCounter &Counter = W.memoryCounter(S);
  const bool Check = W.Block.Check != nullptr;
  if (At.Global) {
    At.Active = At.Global;
    Counter.count(At, false);
    observe(W, S, AddressSpace::Global, At);
    auto Index = unsigned(S.MemoryIndex);
    if (At.LaneBytes)
      forEachLane(At.Global, [&](unsigned L) {
        K.Touched.add(Index, At.Address[L], At.LaneBytes[L]);
      });
    else
      K.Touched.addWarp(Index, At.Address.data(), At.Global, At.BytesPerLane);
    if (Check && S.Order != MemoryOrder::Weak) {
      if (Kind != SharedAccess::Write)
        W.Block.Check->order().acquire(W.checkNumber(), At, false, S.Order);
      if (Kind != SharedAccess::Read)
        W.Block.Check->order().release(W.checkNumber(), At, false, S.Order);
    }
  }
  if (At.Shared) {
    At.Active = At.Shared;
    Counter.count(At, true);
    observe(W, S, AddressSpace::Shared, At);
    if (Check)
      checkShared(W,
                  {0, S.Index, Kind, S.Order,
                   Kind == SharedAccess::Write ? unchangedLanes(At, S, W) : 0},
                  At);
  }
  if (At.Local) {
    // The 32 lanes' copies of a word lie side by side.
    WarpAccess A;
    A.BytesPerLane = At.BytesPerLane;
    for (unsigned L = 0; L != WarpSize; ++L)
      A.Address[L] = At.Address[L] * WarpSize + uint64_t(L) * At.BytesPerLane;
    A.Active = At.Local;
    Counter.count(A, false);
    observe(W, S, AddressSpace::Local, A);
  }
}
