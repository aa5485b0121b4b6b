//===- LaneHandlers.cpp - Operands and lane-wise instructions -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

/// The most bytes that an operand's array takes.
static constexpr size_t ArrayBytes = WarpSize * sizeof(Bits128);

namespace {
struct alignas(64) LaneArray {
  char Bytes[ArrayBytes];
};
} // namespace

//===----------------------------------------------------------------------===//
// Widths and masks
//===----------------------------------------------------------------------===//

/// Changes elements of type From to type To; Sign says how smaller ones grow.
template <class To, class From>
static void convertElements(void *Out, const void *In, bool Signed) {
  auto *__restrict D = static_cast<To *>(Out);
  const auto *__restrict S = static_cast<const From *>(In);
  if (Signed)
    for (unsigned L = 0; L != WarpSize; ++L)
      D[L] = To(std::make_signed_t<To>(std::make_signed_t<From>(S[L])));
  else
    for (unsigned L = 0; L != WarpSize; ++L)
      D[L] = To(S[L]);
}

static void convertWide(void *Out, const void *In, unsigned OutBytes,
                        unsigned InBytes, bool Signed) {
  for (unsigned L = 0; L != WarpSize; ++L) {
    int64_t Low = 0, High = 0;
    const char *From = static_cast<const char *>(In) + size_t(L) * InBytes;
    memcpy(&Low, From, std::min(InBytes, 8u));
    if (InBytes == 16)
      memcpy(&High, From + 8, 8);
    else if (Signed)
      High = (Low = llvm::SignExtend64(uint64_t(Low), InBytes * 8)) >> 63;
    char *To = static_cast<char *>(Out) + size_t(L) * OutBytes;
    memcpy(To, &Low, std::min(OutBytes, 8u));
    if (OutBytes == 16)
      memcpy(To + 8, &High, 8);
  }
}

static void changeWidth(void *Out, const void *In, unsigned OutBytes,
                        unsigned InBytes, bool Signed) {
  switch (OutBytes << 8 | InBytes) {
  case 0x204:
    return convertElements<uint16_t, uint32_t>(Out, In, Signed);
  case 0x208:
    return convertElements<uint16_t, uint64_t>(Out, In, Signed);
  case 0x402:
    return convertElements<uint32_t, uint16_t>(Out, In, Signed);
  case 0x408:
    return convertElements<uint32_t, uint64_t>(Out, In, Signed);
  case 0x802:
    return convertElements<uint64_t, uint16_t>(Out, In, Signed);
  case 0x804:
    return convertElements<uint64_t, uint32_t>(Out, In, Signed);
  default:
    return convertWide(Out, In, OutBytes, InBytes, Signed);
  }
}

template <class T>
static void blend(void *Out, const void *In, uint32_t Lanes) {
  auto *__restrict D = static_cast<T *>(Out);
  const auto *__restrict S = static_cast<const T *>(In);
  for (unsigned L = 0; L != WarpSize; ++L)
    D[L] = Lanes >> L & 1 ? S[L] : D[L];
}

static void blendLanes(void *Out, const void *In, unsigned Bytes,
                       uint32_t Lanes) {
  // Few lanes are quicker one by one.
  if (llvm::popcount(Lanes) <= 4) {
    for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
      size_t At = size_t(llvm::countr_zero(Rest)) * Bytes;
      memcpy(static_cast<char *>(Out) + At, static_cast<const char *>(In) + At,
             Bytes);
    }
    return;
  }
  switch (Bytes) {
  case 2:
    return blend<uint16_t>(Out, In, Lanes);
  case 4:
    return blend<uint32_t>(Out, In, Lanes);
  case 8:
    return blend<uint64_t>(Out, In, Lanes);
  default:
    for (unsigned L = 0; L != WarpSize; ++L)
      if (Lanes >> L & 1)
        memcpy(static_cast<char *>(Out) + size_t(L) * Bytes,
               static_cast<const char *>(In) + size_t(L) * Bytes, Bytes);
  }
}

uint64_t WarpMachine::value(const LaneOperand &O, unsigned Lane) const {
  const char *A = static_cast<const char *>(array(O));
  if (O.Bytes == 0)
    return predicate(O) >> Lane & 1;
  uint64_t V = 0;
  unsigned Bytes = std::min<unsigned>({O.Bytes, O.Wanted ? O.Wanted : 1u, 8});
  memcpy(&V, A + size_t(Lane) * O.Bytes, Bytes);
  return V;
}

const void *WarpMachine::adapted(const LaneOperand &O, void *Temporary) const {
  const void *A = array(O);
  if (O.Bytes == O.Wanted && !O.Negated)
    return A;
  if (O.Bytes == 0) {
    uint32_t P = predicate(O);
    memcpy(Temporary, &P, 4);
    return Temporary;
  }
  if (O.Bytes == O.Wanted)
    return A;
  changeWidth(Temporary, A, O.Wanted, O.Bytes, O.Signed);
  return Temporary;
}

void WarpMachine::write(const LaneOperand &O, const void *Elements,
                        uint32_t Lanes) {
  if (O.IsSink)
    return;
  if (O.Bytes == 0) {
    uint32_t P;
    memcpy(&P, Elements, 4);
    return writePredicate(O, P, Lanes);
  }
  LaneArray Widened;
  if (O.Bytes != O.Wanted) {
    changeWidth(Widened.Bytes, Elements, O.Bytes, O.Wanted, O.Signed);
    Elements = Widened.Bytes;
  }
  blendLanes(dest(O), Elements, O.Bytes, Lanes);
}

void WarpMachine::writePredicate(const LaneOperand &O, uint32_t Values,
                                 uint32_t Lanes) {
  if (O.IsSink)
    return;
  uint32_t Old;
  memcpy(&Old, dest(O), 4);
  Old = (Old & ~Lanes) | (Values & Lanes);
  memcpy(dest(O), &Old, 4);
}

//===----------------------------------------------------------------------===//
// Lane-wise instructions
//===----------------------------------------------------------------------===//

static Outcome runLanes(WarpMachine &W, const Step &S, uint32_t Lanes) {
  LaneArguments A;
  A.Active = Lanes;
  A.Carry = &W.Top->Carry;
  LaneArray Temporary[LaneArguments::MaxSources];
  LaneArray Results[LaneArguments::MaxDests];
  for (unsigned N = 0; N != S.NumSources; ++N)
    A.Source[N] = W.adapted(S.Sources[N], Temporary[N].Bytes);
  for (unsigned N = 0; N != S.NumDests; ++N)
    A.Dest[N] = S.Dests[N].IsSink ? nullptr : Results[N].Bytes;
  uint32_t Carry = W.Top->Carry;
  S.Op(A);
  W.Top->Carry = (Carry & ~Lanes) | (W.Top->Carry & Lanes);
  for (unsigned N = 0; N != S.NumDests; ++N)
    W.write(S.Dests[N], Results[N].Bytes, Lanes);
  return Outcome::Next;
}

/// Without a copy where all lanes of the frame take part.
static Outcome runSimpleLanes(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (Lanes != W.Top->Entered)
    return runLanes(W, S, Lanes);
  LaneArguments A;
  A.Active = Lanes;
  A.Carry = &W.Top->Carry;
  for (unsigned N = 0; N != S.NumSources; ++N)
    A.Source[N] = W.array(S.Sources[N]);
  for (unsigned N = 0; N != S.NumDests; ++N)
    A.Dest[N] = S.Dests[N].IsSink ? nullptr : W.dest(S.Dests[N]);
  S.Op(A);
  return Outcome::Next;
}

Handler emulator::laneHandler(bool Simple) {
  return Simple ? runSimpleLanes : runLanes;
}

Outcome emulator::runCopy(WarpMachine &W, const Step &S, uint32_t Lanes) {
  const LaneOperand &D = S.Dests[0];
  if (D.IsSink)
    return Outcome::Next;
  LaneArray Temporary;
  const void *From = W.adapted(S.Sources[0], Temporary.Bytes);
  if (D.Bytes && Lanes == W.Top->Entered && D.Bytes == D.Wanted)
    memmove(W.dest(D), From, size_t(D.Bytes) * WarpSize);
  else
    W.write(D, From, Lanes);
  return Outcome::Next;
}

/// mov between vectors and wide registers: the bits of one side, element after
/// element, are those of the other.
Outcome emulator::runPack(WarpMachine &W, const Step &S, uint32_t Lanes) {
  // Elements of a vector share the other side's bits.
  auto Width = [](const LaneOperand *Of, unsigned Number,
                  const LaneOperand *Others, unsigned NumOthers) {
    unsigned Whole = 0;
    for (unsigned N = 0; N != NumOthers; ++N)
      if (!Others[N].IsSink)
        Whole += Others[N].Bytes;
    unsigned Own = 0;
    for (unsigned N = 0; N != Number; ++N)
      if (!Of[N].IsSink)
        Own = Of[N].Bytes;
    return NumOthers == 1 && Whole ? Whole / Number : Own;
  };
  unsigned To = Width(S.Dests, S.NumDests, S.Sources, S.NumSources),
           From = Width(S.Sources, S.NumSources, S.Dests, S.NumDests);
  for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
    unsigned L = unsigned(llvm::countr_zero(Rest));
    char Bits[64] = {};
    unsigned At = 0;
    for (unsigned N = 0; N != S.NumSources; ++N, At += From)
      memcpy(Bits + At,
             static_cast<const char *>(W.array(S.Sources[N])) +
                 size_t(L) * S.Sources[N].Bytes,
             std::min<unsigned>(From, S.Sources[N].Bytes));
    At = 0;
    for (unsigned N = 0; N != S.NumDests; ++N, At += To) {
      const LaneOperand &D = S.Dests[N];
      if (D.IsSink)
        continue;
      char *Out = static_cast<char *>(W.dest(D)) + size_t(L) * D.Bytes;
      memset(Out, 0, D.Bytes);
      memcpy(Out, Bits + At, std::min<unsigned>(To, D.Bytes));
    }
  }
  return Outcome::Next;
}

Outcome emulator::runMoveAddress(WarpMachine &W, const Step &S,
                                 uint32_t Lanes) {
  uint64_t Address[WarpSize];
  const AddressOperand &A = S.Address;
  uint64_t Base = W.addressBase(A);
  for (unsigned L = 0; L != WarpSize; ++L)
    Address[L] =
        Base +
        (A.Kind == AddressOperand::KindTy::Register ? W.value(A.Base, L) : 0);
  LaneOperand D = S.Dests[0];
  D.Wanted = 8;
  W.write(D, Address, Lanes);
  return Outcome::Next;
}

Outcome emulator::runUncovered(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  std::string Why =
      whyNoWarpgroupForm(ptx::Opcode(S.I->Opcode), S.I->Modifiers);
  return W.fail(S, "'" + S.I->Mnemonic + "' is not covered by the emulator" +
                       (Why.empty() ? "" : ": " + Why));
}

bool emulator::hasOnlyModifiers(const Step &S,
                                std::initializer_list<StringRef> Known) {
  SmallVector<StringRef, 12> Parts;
  S.I->Modifiers.split(Parts, '.', -1, /*KeepEmpty=*/false);
  return llvm::all_of(Parts, [&](StringRef Part) {
    return llvm::any_of(Known, [&](StringRef Name) {
      return Part == Name || (Name.ends_with("::") && Part.starts_with(Name));
    });
  });
}

Outcome emulator::runNothing(WarpMachine &, const Step &, uint32_t) {
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

namespace {
/// What a launch and the place in it say; none of these is the number of a
/// device.
struct SpecialValues {
  Dim3 Tid, Ntid, Ctaid, Nctaid;
  Dim3 ClusterCtaid, ClusterNctaid, Clusterid, Nclusterid;
  uint64_t Lane, Warp, NumWarps, BlockIndex, Dynamic, Static, ClusterRank;
};
} // namespace

static uint64_t component(const Dim3 &D, unsigned Element) {
  return Element == 0 ? D.X : Element == 1 ? D.Y : Element == 2 ? D.Z : 0;
}

/// As many blocks run side by side, for %smid and %nsmid: the emulated GPU has
/// so many multiprocessors.
static constexpr uint64_t NumSMs = 16;

static uint64_t specialValue(StringRef Name, unsigned Element,
                             const SpecialValues &V) {
  uint64_t Bit = uint64_t(1) << V.Lane;
  return llvm::StringSwitch<uint64_t>(Name)
      .Case("tid", component(V.Tid, Element))
      .Case("ntid", component(V.Ntid, Element))
      .Case("ctaid", component(V.Ctaid, Element))
      .Case("nctaid", component(V.Nctaid, Element))
      .Case("laneid", V.Lane)
      .Case("warpid", V.Warp)
      .Case("nwarpid", V.NumWarps)
      .Case("smid", V.BlockIndex % NumSMs)
      .Case("nsmid", NumSMs)
      .Case("clusterid", component(V.Clusterid, Element))
      .Case("nclusterid", component(V.Nclusterid, Element))
      .Case("cluster_ctaid", component(V.ClusterCtaid, Element))
      .Case("cluster_nctaid", component(V.ClusterNctaid, Element))
      .Case("cluster_ctarank", V.ClusterRank)
      .Case("cluster_nctarank", V.ClusterNctaid.count())
      .Case("is_explicit_cluster", V.ClusterNctaid.count() != 1)
      .Case("lanemask_eq", Bit)
      .Case("lanemask_lt", Bit - 1)
      .Case("lanemask_le", Bit | (Bit - 1))
      .Case("lanemask_gt", ~(Bit | (Bit - 1)))
      .Case("lanemask_ge", ~(Bit - 1))
      .Case("dynamic_smem_size", V.Dynamic)
      .Cases({"total_smem_size", "aggr_smem_size"}, V.Dynamic + V.Static)
      .Default(0);
}

void WarpMachine::setSpecials() {
  const Program &P = Block.R.Code;
  const LaunchConfig &Launch = Block.R.Launch;
  char *Out = const_cast<char *>(Banks[unsigned(Bank::Special)]);
  SpecialValues V;
  V.Ntid = Launch.Block;
  V.Nctaid = Launch.Grid;
  V.Ctaid = Block.Position;
  const Dim3 &C = V.ClusterNctaid = Launch.Cluster;
  V.ClusterCtaid = {V.Ctaid.X % C.X, V.Ctaid.Y % C.Y, V.Ctaid.Z % C.Z};
  V.Clusterid = {V.Ctaid.X / C.X, V.Ctaid.Y / C.Y, V.Ctaid.Z / C.Z};
  V.Nclusterid = {V.Nctaid.X / C.X, V.Nctaid.Y / C.Y, V.Nctaid.Z / C.Z};
  V.ClusterRank = Block.Rank;
  V.Warp = Number;
  V.NumWarps = Launch.warpsPerBlock();
  V.BlockIndex = Block.Index;
  V.Dynamic = Launch.DynamicSharedBytes;
  V.Static = P.StaticSharedBytes;
  for (unsigned L = 0; L != WarpSize; ++L) {
    uint64_t Thread = uint64_t(Number) * WarpSize + L;
    V.Lane = L;
    V.Tid = {Thread % Launch.Block.X, Thread / Launch.Block.X % Launch.Block.Y,
             Thread / Launch.Block.X / Launch.Block.Y};
    for (auto [N, U] : llvm::enumerate(P.Specials)) {
      uint64_t Value = specialValue(U.Name, U.Element, V);
      if (U.Bytes)
        memcpy(Out + P.SpecialOffsets[N] + size_t(L) * U.Bytes, &Value,
               std::min(U.Bytes, 8u));
      else if (uint32_t Mask = Value ? ~0u : 0; L == 0) // a predicate
        memcpy(Out + P.SpecialOffsets[N], &Mask, sizeof Mask);
    }
  }
}

void WarpMachine::setClock() {
  const Program &P = Block.R.Code;
  char *Out = const_cast<char *>(Banks[unsigned(Bank::Special)]);
  for (auto [N, U] : llvm::enumerate(P.Specials)) {
    if (!U.Name.starts_with("clock") && !U.Name.starts_with("globaltimer"))
      continue;
    uint64_t Value = U.Name.ends_with("_hi") ? Executed >> 32 : Executed;
    for (unsigned L = 0; L != WarpSize; ++L)
      memcpy(Out + P.SpecialOffsets[N] + size_t(L) * U.Bytes, &Value,
             std::min(U.Bytes, 8u));
  }
}
