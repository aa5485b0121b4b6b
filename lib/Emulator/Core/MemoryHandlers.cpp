//===- MemoryHandlers.cpp - Loads, stores and address conversions ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MemoryAccess.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

/// The element of type MemoryT in lanes of RegisterT.
template <class MemoryT, class RegisterT, bool Signed = false>
static void gather(const Located &At, size_t Offset, uint32_t Lanes,
                   void *Out) {
  auto *To = static_cast<RegisterT *>(Out);
  auto Load = [&](unsigned L) {
    MemoryT V;
    memcpy(&V, At.host(L) + Offset, sizeof V);
    To[L] = Signed ? RegisterT(llvm::SignExtend64<8 * sizeof(MemoryT)>(V))
                   : RegisterT(V);
  };
  if (Lanes == ~0u)
    for (unsigned L = 0; L != WarpSize; ++L)
      Load(L);
  else
    forEachLane(Lanes, Load);
}

template <class MemoryT, class RegisterT>
static void scatter(const Located &At, size_t Offset, uint32_t Lanes,
                    const void *In) {
  const auto *From = static_cast<const RegisterT *>(In);
  auto Store = [&](unsigned L) {
    auto V = MemoryT(From[L]);
    memcpy(At.host(L) + Offset, &V, sizeof V);
  };
  forEachLane(Lanes, Store);
}

static void gatherElement(const Located &At, const Step &S, unsigned Element,
                          bool Signed, void *Out) {
  const uint32_t Lanes = At.Lanes;
  size_t Offset = size_t(Element) * S.ElementBytes;
  switch (S.ElementBytes) {
  case 1:
    return Signed ? gather<uint8_t, uint16_t, true>(At, Offset, Lanes, Out)
                  : gather<uint8_t, uint16_t>(At, Offset, Lanes, Out);
  case 2:
    return gather<uint16_t, uint16_t>(At, Offset, Lanes, Out);
  case 4:
    return gather<uint32_t, uint32_t>(At, Offset, Lanes, Out);
  case 8:
    return gather<uint64_t, uint64_t>(At, Offset, Lanes, Out);
  default:
    forEachLane(Lanes, [&](unsigned L) {
      memcpy(static_cast<Bits128 *>(Out) + L, At.host(L) + Offset, 16);
    });
  }
}

static void scatterElement(const Located &At, const Step &S, unsigned Element,
                           const void *In) {
  const uint32_t Lanes = At.Lanes;
  size_t Offset = size_t(Element) * S.ElementBytes;
  switch (S.ElementBytes) {
  case 1:
    return scatter<uint8_t, uint16_t>(At, Offset, Lanes, In);
  case 2:
    return scatter<uint16_t, uint16_t>(At, Offset, Lanes, In);
  case 4:
    return scatter<uint32_t, uint32_t>(At, Offset, Lanes, In);
  case 8:
    return scatter<uint64_t, uint64_t>(At, Offset, Lanes, In);
  default:
    forEachLane(Lanes, [&](unsigned L) {
      memcpy(At.host(L) + Offset, static_cast<const Bits128 *>(In) + L, 16);
    });
  }
}

/// Whether the lanes' words lie side by side, all of them.
static bool isContiguous(const Located &At) {
  if (At.Lanes != ~0u)
    return false;
  uint64_t Differs = 0;
  for (unsigned L = 0; L != WarpSize; ++L)
    Differs |= At.Address[L] ^ (At.Address[0] + uint64_t(L) * At.BytesPerLane);
  return Differs == 0 && (At.Global == ~0u || At.Shared == ~0u);
}

static Outcome runLoad(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  Located At;
  if (!locate(W, S,
              {S.Address, S.Space, S.BytesPerLane, /*Writes=*/false, Lanes},
              At))
    return Outcome::Stop;
  account(W, S, At, SharedAccess::Read);
  if (S.Order != MemoryOrder::Weak)
    W.noteSpin();
  alignas(64) char Temporary[WarpSize * sizeof(Bits128)];
  for (unsigned E = 0; E != S.NumDests; ++E) {
    const LaneOperand &D = S.Dests[E];
    if (D.IsSink)
      continue;
    if (D.Bytes == S.ElementBytes) { // other lanes are not touched
      if (S.NumDests == 1 && isContiguous(At))
        memcpy(W.dest(D), At.host(0), size_t(D.Bytes) * WarpSize);
      else
        gatherElement(At, S, E, D.Signed, W.dest(D));
      continue;
    }
    gatherElement(At, S, E, D.Signed, Temporary);
    W.write(D, Temporary, At.Lanes);
  }
  return Outcome::Next;
}

static Outcome runStore(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  Located At;
  if (!locate(W, S,
              {S.Address, S.Space, S.BytesPerLane, /*Writes=*/true, Lanes}, At))
    return Outcome::Stop;
  account(W, S, At, SharedAccess::Write);
  alignas(64) char Temporary[WarpSize * sizeof(Bits128)];
  for (unsigned E = 0; E != S.Detail; ++E) {
    const LaneOperand &From = S.Sources[E];
    const void *Elements = W.adapted(From, Temporary);
    if (S.Detail == 1 && From.Wanted == S.ElementBytes && isContiguous(At))
      memcpy(At.host(0), Elements, size_t(S.ElementBytes) * WarpSize);
    else
      scatterElement(At, S, E, Elements);
  }
  return Outcome::Next;
}

/// Counts the request, which changes nothing.
static Outcome runPrefetch(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes || S.Space == AddressSpace::Param)
    return Outcome::Next;
  // Nothing is wrong with prefetching from outside of everything.
  Located At;
  At.BytesPerLane = std::max(1u, S.BytesPerLane);
  for (unsigned L = 0; L != WarpSize; ++L)
    At.Address[L] = W.addressBase(S.Address) +
                    (S.Address.Kind == AddressOperand::KindTy::Register
                         ? W.value(S.Address.Base, L)
                         : 0);
  if (S.MemoryIndex >= 0) {
    WarpAccess A;
    A.Address = At.Address;
    A.Active = Lanes;
    A.BytesPerLane = At.BytesPerLane;
    W.memoryCounter(S).count(A, false);
  }
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Generic addresses
//===----------------------------------------------------------------------===//

/// What is added to an address of a space to make it generic.
static uint64_t windowOf(StringRef Modifiers) {
  if (hasModifier(Modifiers, "shared") ||
      hasModifier(Modifiers, "shared::cta") ||
      hasModifier(Modifiers, "shared::cluster"))
    return SharedWindow;
  if (hasModifier(Modifiers, "local"))
    return LocalWindow;
  if (hasModifier(Modifiers, "param") ||
      hasModifier(Modifiers, "param::entry") ||
      hasModifier(Modifiers, "param::func"))
    return ParamWindow;
  return 0;
}

/// The address that an operand with a variable's name or in brackets is.
static uint64_t namedAddress(WarpMachine &W, const Step &S, unsigned L) {
  uint64_t Base = W.addressBase(S.Address);
  if (S.Address.Kind == AddressOperand::KindTy::Register)
    Base += W.value(S.Address.Base, L);
  return Base;
}

static uint64_t lanePointer(WarpMachine &W, const Step &S, unsigned L) {
  return S.NumSources ? W.value(S.Sources[0], L) : namedAddress(W, S, L);
}

static Outcome runCvta(WarpMachine &W, const Step &S, uint32_t Lanes) {
  uint64_t Window = windowOf(S.I->Modifiers);
  if (hasModifier(S.I->Modifiers, "to"))
    Window = 0 - Window;
  uint64_t Out[WarpSize];
  for (unsigned L = 0; L != WarpSize; ++L)
    Out[L] = lanePointer(W, S, L) + Window;
  W.writeElements(S.Dests[0], Out, Lanes);
  return Outcome::Next;
}

static Outcome runIsspacep(WarpMachine &W, const Step &S, uint32_t Lanes) {
  uint64_t Window = windowOf(S.I->Modifiers);
  bool IsConst = hasModifier(S.I->Modifiers, "const");
  bool IsOwn = Window == SharedWindow && !S.NamesCluster;
  uint32_t Result = 0;
  forEachLane(Lanes, [&](unsigned L) {
    uint64_t A = lanePointer(W, S, L);
    bool Is = Window ? A - Window < WindowBytes : A >= DeviceMemory::Base;
    if (IsOwn)
      Is &= (A - Window) >> ClusterRankShift == W.Block.Rank;
    if (!Window) {
      const DeviceMemory::Region *R = W.Block.R.Memory.find(A);
      Is &= (R && R->ReadOnly) == IsConst;
    }
    Result |= uint32_t(Is) << L;
  });
  W.writePredicate(S.Dests[0], Result, Lanes);
  return Outcome::Next;
}

/// The address of the same place in another block of the cluster.
static Outcome runMapa(WarpMachine &W, const Step &S, uint32_t Lanes) {
  bool IsShared = windowOf(S.I->Modifiers) != 0;
  uint64_t Out[WarpSize] = {};
  for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
    unsigned L = unsigned(llvm::countr_zero(Rest));
    uint64_t Rank = W.value(S.Sources[S.NumSources - 1], L);
    if (Rank >= W.Block.Cluster.Blocks.size())
      return W.fail(S, "block " + Twine(Rank) +
                           " of a cluster is asked for, which has " +
                           Twine(W.Block.Cluster.Blocks.size()));
    uint64_t A = S.NumSources == 2
                     ? W.value(S.Sources[0], L)
                     : namedAddress(W, S, L) + (IsShared ? 0 : SharedWindow);
    if (!IsShared && A - SharedWindow >= WindowBytes)
      return W.fail(S, "0x" + Twine::utohexstr(A) +
                           " is no generic address of shared memory");
    constexpr uint64_t RankMask = WindowBytes - 1 - SharedOffsetMask;
    Out[L] = (A & ~RankMask) | Rank << ClusterRankShift;
  }
  W.writeElements(S.Dests[0], Out, Lanes);
  return Outcome::Next;
}

static Outcome runGetctarank(WarpMachine &W, const Step &S, uint32_t Lanes) {
  uint32_t Out[WarpSize];
  for (unsigned L = 0; L != WarpSize; ++L)
    Out[L] = uint32_t(lanePointer(W, S, L) % WindowBytes >> ClusterRankShift);
  W.writeElements(S.Dests[0], Out, Lanes);
  return Outcome::Next;
}

static Outcome runZero(WarpMachine &W, const Step &S, uint32_t Lanes) {
  static constexpr Bits128 Zero[WarpSize];
  for (unsigned N = 0; N != S.NumDests; ++N)
    W.write(S.Dests[N], Zero, Lanes);
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// The stack
//===----------------------------------------------------------------------===//

static Outcome runAlloca(WarpMachine &W, const Step &S, uint32_t Lanes) {
  uint64_t Bytes = 0;
  forEachLane(Lanes, [&](unsigned L) {
    Bytes = std::max(Bytes, W.value(S.Sources[0], L));
  });
  uint64_t Align =
      S.NumSources > 1 ? std::max<uint64_t>(1, W.value(S.Sources[1], 0)) : 8;
  uint64_t Begin = (W.Top->LocalTop + Align - 1) / Align * Align;
  if (Bytes > MaxLocalBytes || Align > MaxLocalBytes ||
      !W.growLocal(Begin + Bytes))
    return W.fail(S, "alloca of " + Twine(Bytes) +
                         " bytes: the local memory of a thread would exceed "
                         "512 KiB");
  W.Top->LocalTop = Begin + Bytes;
  uint64_t Out[WarpSize];
  std::fill_n(Out, WarpSize, Begin);
  W.writeElements(S.Dests[0], Out, Lanes);
  return Outcome::Next;
}

static Outcome runStacksave(WarpMachine &W, const Step &S, uint32_t Lanes) {
  uint64_t Out[WarpSize];
  std::fill_n(Out, WarpSize, W.Top->LocalTop);
  W.writeElements(S.Dests[0], Out, Lanes);
  return Outcome::Next;
}

/// With lanes elsewhere in the frame their stack stays too.
static Outcome runStackrestore(WarpMachine &W, const Step &S, uint32_t Lanes) {
  uint64_t Top = 0;
  forEachLane(Lanes, [&](unsigned L) {
    Top = std::max(Top, W.value(S.Sources[0], L));
  });
  if (W.Top->Groups.size() == 1 && Top <= W.Top->LocalTop &&
      Top >= W.Top->LocalBase)
    W.Top->LocalTop = Top;
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//

static MemoryOrder memoryOrder(StringRef Modifiers) {
  if (hasModifier(Modifiers, "acq_rel"))
    return MemoryOrder::AcquireRelease;
  if (hasModifier(Modifiers, "acquire"))
    return MemoryOrder::Acquire;
  if (hasModifier(Modifiers, "release"))
    return MemoryOrder::Release;
  for (StringRef Strong : {"relaxed", "volatile", "mmio"})
    if (hasModifier(Modifiers, Strong))
      return MemoryOrder::Relaxed;
  return MemoryOrder::Weak;
}

/// False if the access has not that many elements.
static bool setElements(Step &S, unsigned Elements) {
  if (!Elements || !S.BytesPerLane || S.BytesPerLane % Elements != 0)
    return false;
  unsigned Bytes = S.BytesPerLane / Elements;
  S.ElementBytes = uint8_t(Bytes);
  return llvm::isPowerOf2_32(Bytes) && Bytes <= sizeof(Bits128);
}

Handler emulator::memoryHandler(Opcode Op, Step &S) {
  StringRef Modifiers = S.I->Modifiers;
  S.Order = memoryOrder(Modifiers);
  switch (Op) {
  case Opcode::Ld:
  case Opcode::Ldu:
    return setElements(S, S.NumDests) ? runLoad : nullptr;
  case Opcode::St: {
    unsigned Elements = 1;
    for (const Operand &O : S.I->Operands)
      if (O.Kind == Operand::KindTy::Vector)
        Elements = unsigned(O.Elements.size());
    S.Detail = Elements;
    return S.NumSources >= Elements && setElements(S, Elements) ? runStore
                                                                : nullptr;
  }
  case Opcode::Prefetch:
  case Opcode::Prefetchu:
  case Opcode::Applypriority:
    return runPrefetch;
  case Opcode::Discard:
    return runNothing;
  case Opcode::Createpolicy:
    return runZero;
  case Opcode::Getctarank:
    return runGetctarank;
  case Opcode::Cvta:
    return runCvta;
  case Opcode::Isspacep:
    return runIsspacep;
  case Opcode::Mapa:
    return runMapa;
  case Opcode::Alloca:
    return runAlloca;
  case Opcode::Stacksave:
    return runStacksave;
  case Opcode::Stackrestore:
    return runStackrestore;
  default:
    return nullptr;
  }
}
