//===- MBarrierUses.cpp - What is done to which mbarrier ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MBarrierUses.h"
#include "Analysis/Symbolic/CallContexts.h"
#include "ptxpredict/Graph/PTXInstruction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using UseKind = MBarrierUse::KindTy;
using Ref = const Expression *;

/// Bytes of an mbarrier (PTX ISA 9.7.13.15).
static constexpr int64_t MBarrierBytes = 8;

/// Between neighbours there may lie a barrier of another kind.
static constexpr int64_t MostBytesApart = 2 * MBarrierBytes;

static std::optional<UseKind> kindOf(const Instruction &I) {
  auto Has = [&](StringRef M) { return ptx::hasModifier(I.Modifiers, M); };
  switch (Opcode(I.Opcode)) {
  case Opcode::MbarrierInit:
    return UseKind::Init;
  case Opcode::MbarrierExpectTx:
    return UseKind::Expect;
  case Opcode::MbarrierArrive:
  case Opcode::MbarrierArriveDrop:
    return Has("expect_tx") ? UseKind::Expect : UseKind::Arrive;
  case Opcode::MbarrierTestWait:
  case Opcode::MbarrierTryWait:
    return UseKind::Wait;
  case Opcode::CpAsyncMbarrierArrive:
    return UseKind::Copy;
  case Opcode::Tcgen05Commit:
    return UseKind::Matrix;
  default:
    if (I.Class == OpClass::Async && Has("mbarrier::complete_tx::bytes"))
      return UseKind::Copy;
    return std::nullopt;
  }
}

/// The symbol if \p X is where a variable or a buffer lies, cut or not.
static const Symbol *placeOf(const Expression &X) {
  const Expression &Of =
      X.Kind == Expression::KindTy::Trunc ? *X.Operands[0] : X;
  return Of.isSymbol(Symbol::KindTy::Address) ||
                 Of.isSymbol(Symbol::KindTy::Parameter)
             ? Of.Sym
             : nullptr;
}

/// What the address is counted from; null unless it is one place.
static const Symbol *baseOf(const Expression &Address) {
  if (Address.Kind != Expression::KindTy::Sum)
    return placeOf(Address);
  const Symbol *Found = nullptr;
  for (auto [O, C] : llvm::zip(Address.Operands, Address.Coefficients))
    if (const Symbol *Place = placeOf(*O)) {
      if (Found || C != 1)
        return nullptr;
      Found = Place;
    }
  return Found;
}

/// Shared memory as a whole: addresses in machine code are numbers in it.
static const Symbol &sharedMemory() {
  static const Symbol All = [] {
    Symbol S;
    S.Kind = Symbol::KindTy::Address;
    S.Name = "shared memory";
    return S;
  }();
  return All;
}

/// Whether \p Address, of machine code, has nothing but numbers and indices.
static bool isNumberInShared(const Instruction &I, const Expression &Address) {
  return I.Machine && I.Effects.back().Space == AddressSpace::Shared &&
         (Address.isConstant() || (Address.Kind == Expression::KindTy::Sum &&
                                   llvm::none_of(Address.Operands, [](Ref O) {
                                     return placeOf(*O) != nullptr;
                                   })));
}

/// How many addresses the parts that are no numbers reach; 0 if bounds do not
/// say.
static uint64_t placesOf(const Expression &Address) {
  constexpr uint64_t Most = 1 << 16; // bytes
  uint64_t Span = 0, Step = 0;
  for (auto [O, C] : llvm::zip(Address.Operands, Address.Coefficients)) {
    if (placeOf(*O))
      continue;
    const auto By = llvm::SignExtend64(C, Address.Width);
    const uint64_t Each = By < 0 ? 0 - uint64_t(By) : uint64_t(By);
    Span =
        llvm::SaturatingMultiplyAdd(O->Facts.UMax - O->Facts.UMin, Each, Span);
    Step = std::gcd(Step, Each);
  }
  return Step && Span < Most ? Span / Step + 1 : 0;
}

namespace {

class UseFinder {
public:
  void find(const SymbolicValues &Kernel) {
    forEachContext(Kernel, [this](const SymbolicValues &V) {
      V.graph().forEachInstruction([&](const Instruction &I) {
        if (std::optional<UseKind> K = kindOf(I); K && !I.Effects.empty())
          add(V, I, *K);
      });
    });
  }
  std::vector<MBarrierUse> Uses;

private:
  void add(const SymbolicValues &V, const Instruction &I, UseKind K);
};

} // namespace

/// An address in the shared memory of a cluster has its place in a block in
/// the lower 24 bits. Of one whose upper bits were changed, as for the first
/// block of a pair, the address before; null for any other one.
static Ref placeInBlock(const Expression &Address, Expressions &E) {
  constexpr uint64_t PlaceBits = 0xFFFFFF;
  auto Inside = [](const Expression &X) -> Ref {
    if (X.Kind != Expression::KindTy::And)
      return nullptr;
    for (unsigned N = 0; N != 2; ++N)
      if (Ref Mask = X.Operands[1 - N], In = X.Operands[N];
          Mask->isConstant() && !(~Mask->Addend & ~In->Facts.Zeros & PlaceBits))
        return In;
    return nullptr;
  };
  if (Ref In = Inside(Address))
    return In;
  if (Address.Kind == Expression::KindTy::Sum)
    for (auto [O, C] : llvm::zip(Address.Operands, Address.Coefficients))
      if (Ref In = C == 1 ? Inside(*O) : nullptr)
        return E.add(E.sub(&Address, O), In);
  return nullptr;
}

/// The value in the first iteration of all loops; nothing if nobody knows.
static std::optional<bool> atFirst(Ref X, Expressions &E) {
  if (!X)
    return std::nullopt;
  Expressions::Memo Known;
  Ref First = E.substitute(
      X,
      [&E](Ref S) {
        return S->isSymbol(Symbol::KindTy::Counter) ? E.constant(S->Width, 0)
                                                    : S;
      },
      Known);
  if (!First->isConstant())
    return std::nullopt;
  return First->Addend & 1;
}

void UseFinder::add(const SymbolicValues &V, const Instruction &I, UseKind K) {
  // Of a copy it is the last effect.
  const unsigned Index = I.Effects.back().AddressOperand;
  MBarrierUse U;
  U.Kind = K;
  U.I = &I;
  Ref Address = V.of(I, I.Operands[Index]);
  // The same place in another block of the cluster.
  if (const Operand &O = I.Operands[Index];
      !O.Elements.empty() &&
      O.Elements.front().Kind == Operand::KindTy::Register) {
    const Instruction *Def = O.Elements.front().Val->Def;
    if (Def && Opcode(Def->Opcode) == Opcode::Mapa &&
        Def->Operands.size() > 1) {
      Address = V.of(*Def, Def->Operands[1]);
      U.IsRemote = true;
    }
  }
  if (Ref Place = Address ? placeInBlock(*Address, V.expressions()) : nullptr) {
    Address = Place;
    U.IsRemote = true;
  }
  U.Base = Address ? baseOf(*Address) : nullptr;
  const bool IsNumber = !U.Base && Address && isNumberInShared(I, *Address);
  if (IsNumber)
    U.Base = &sharedMemory();
  if (!U.Base)
    return;
  if (IsNumber || Address->Kind == Expression::KindTy::Sum) {
    U.Offset = llvm::SignExtend64(Address->Addend, Address->Width);
    U.Varies = Address->Operands.size() > (IsNumber ? 0 : 1);
    U.Places = U.Varies ? placesOf(*Address) : 1;
  }
  if ((K == UseKind::Init || K == UseKind::Expect) &&
      Index + 1 < I.Operands.size())
    if (Ref N = V.of(I, I.Operands[Index + 1]); N && N->isConstant())
      U.Number = N->Addend;
  if (K == UseKind::Wait && ptx::hasModifier(I.Modifiers, "parity") &&
      Index + 1 < I.Operands.size())
    U.Parity = atFirst(V.of(I, I.Operands[Index + 1]), V.expressions());
  Uses.push_back(U);
}

std::vector<MBarrierUse> counting::findMBarrierUses(const SymbolicValues &V) {
  UseFinder F;
  F.find(V);
  llvm::stable_sort(F.Uses, [](const MBarrierUse &A, const MBarrierUse &B) {
    return std::pair(StringRef(A.Base->Name), A.Offset) <
           std::pair(StringRef(B.Base->Name), B.Offset);
  });
  return std::move(F.Uses);
}

namespace {

/// What is done at one offset.
struct Place {
  size_t First, End; ///< uses
  /// Who does what, but for Init: by kind a bit for each role.
  std::array<uint32_t, unsigned(UseKind::Wait) + 1> By{};
  bool Varies = false; ///< one of several, which an index tells apart

  /// Whether nothing is done that is not done at \p O.
  bool isPartOf(const Place &O) const {
    for (size_t K = 0; K != By.size(); ++K)
      if (By[K] & ~O.By[K])
        return false;
    return true;
  }
};

} // namespace

static std::vector<Place> placesOf(ArrayRef<MBarrierUse> Uses) {
  std::vector<Place> Places;
  for (size_t N = 0; N != Uses.size(); ++N) {
    const MBarrierUse &U = Uses[N];
    if (N == 0 || U.Offset != Uses[N - 1].Offset || U.Base != Uses[N - 1].Base)
      Places.push_back({N, N, {}, false});
    Place &P = Places.back();
    P.End = N + 1;
    if (U.Kind == UseKind::Init)
      continue;
    P.By[unsigned(U.Kind)] |= U.Roles;
    P.Varies |= U.Varies;
  }
  return Places;
}

/// Whether what is done at \p P is part of what is done so far. An index may
/// have a constant of its own where code was unrolled; a barrier that is told
/// apart by no index may be one that happens to lie there.
static bool isOfArray(const Place &P, const Place &SoFar) {
  return P.isPartOf(SoFar) || (P.Varies && SoFar.isPartOf(P));
}

std::vector<ArrayRef<MBarrierUse>>
counting::arraysOf(ArrayRef<MBarrierUse> Uses) {
  std::vector<ArrayRef<MBarrierUse>> Arrays;
  const std::vector<Place> Places = placesOf(Uses);
  for (size_t First = 0, Next; First != Places.size(); First = Next) {
    Place SoFar = Places[First];
    for (Next = First + 1; Next != Places.size(); ++Next) {
      const Place &P = Places[Next];
      const MBarrierUse &Here = Uses[P.First],
                        &Before = Uses[Places[Next - 1].First];
      if (Here.Base != Before.Base ||
          Here.Offset - Before.Offset > MostBytesApart ||
          !isOfArray(P, SoFar) || (!SoFar.Varies && !SoFar.isPartOf(P)))
        break;
      for (size_t K = 0; K != P.By.size(); ++K)
        SoFar.By[K] |= P.By[K];
    }
    Arrays.push_back(
        Uses.slice(SoFar.First, Places[Next - 1].End - SoFar.First));
  }
  return Arrays;
}

unsigned counting::countMBarriers(ArrayRef<MBarrierUse> Array) {
  unsigned Constant = 0; // different offsets
  uint64_t Varying = 0;
  bool Varies = false, IsInitVarying = false;
  for (size_t N = 0; N != Array.size(); ++N) {
    const MBarrierUse &U = Array[N];
    Constant += N == 0 || U.Offset != Array[N - 1].Offset;
    Varies |= U.Varies;
    IsInitVarying |= U.Varies && U.Kind == UseKind::Init;
    Varying = std::max(Varying, U.Varies ? U.Places : 0);
  }
  // Each one is initialised by itself, or all are in a loop.
  return !Varies || (Constant > 1 && !IsInitVarying) ? Constant
                                                     : unsigned(Varying);
}
