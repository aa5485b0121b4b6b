//===- WiderAccesses.cpp - Accesses of a lane that could be one -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Access/WiderAccesses.h"
#include "Analysis/Symbolic/AddressBases.h"
#include "Analysis/Symbolic/CallContexts.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Ref = const Expression *;

/// The widest access of a lane (PTX ISA, ld: `.v4` of 32 bits).
static constexpr unsigned Widest = 16;

namespace {

/// An access, where its address says that it lies.
struct PlacedAccess {
  const Instruction *I = nullptr;
  const void *Array = nullptr; ///< null: who knows where
  Ref Base = nullptr;          ///< the address without its constant part
  int64_t Offset = 0;
  unsigned Bytes = 0;
  unsigned Piece = 1; ///< the largest aligned piece that Base is a multiple of
  bool IsStore = false;
  bool MayJoin = false;

  int64_t number() const { return llvm::divideFloorSigned(Offset, Piece); }
  /// Of its piece, from the lowest byte on.
  unsigned mask() const {
    return ((1U << Bytes) - 1) << unsigned(Offset - number() * Piece);
  }
};

/// What was accessed of one aligned piece of memory by loads, or by stores.
struct OpenPiece {
  SmallVector<PlacedAccess, 4> Members;
  unsigned Mask = 0;    ///< of the members
  unsigned Written = 0; ///< since the first of them, by stores
};

/// The open pieces of an array near one base. All others of the array are
/// closed before one that may overlap them is opened.
using NearBase = llvm::DenseMap<int64_t, OpenPiece>;
using PiecesOfArray = llvm::DenseMap<Ref, NearBase>;

class WiderFinder {
public:
  WiderFinder(const SymbolicValues &V, ArrayNames &ArrayOf,
              std::vector<WiderAccess> &Out)
      : V(V), ArrayOf(ArrayOf), Out(Out) {}
  void run();

private:
  PlacedAccess placeOf(const Instruction &I, const MemoryEffect &E) const;
  void visit(const Instruction &I);
  void closeStores(const PlacedAccess &P);
  void load(const PlacedAccess &P);
  void store(const PlacedAccess &P);
  void join(PiecesOfArray &Of, const PlacedAccess &P);
  void close(OpenPiece &Piece);
  void closeAll(NearBase &Pieces);
  void closeOthers(PiecesOfArray &Of, Ref Base);
  void closeAll(llvm::DenseMap<const void *, PiecesOfArray> &Of);

  const SymbolicValues &V;
  ArrayNames &ArrayOf;
  std::vector<WiderAccess> &Out;
  llvm::DenseMap<const void *, PiecesOfArray> Loads, Stores;
  /// Of the block, by base and whether they are stores.
  llvm::DenseMap<std::pair<Ref, unsigned>, unsigned> Runs;
  size_t FirstRun = 0; ///< of the block
};

/// Calls \p Visit for each open piece that \p P lies in, with its bytes there.
template <typename FnT>
void forEachTouched(PiecesOfArray &Of, const PlacedAccess &P, FnT Visit) {
  auto Near = Of.find(P.Base);
  if (Near == Of.end())
    return;
  const int64_t End = P.Offset + P.Bytes;
  for (int64_t N = P.number(); N * P.Piece < End; ++N) {
    auto It = Near->second.find(N);
    if (It == Near->second.end())
      continue;
    const int64_t Start = N * P.Piece;
    const auto From = unsigned(std::max(P.Offset - Start, int64_t(0)));
    const auto To = unsigned(std::min(End - Start, int64_t(P.Piece)));
    Visit(It->second, ((1U << To) - 1) & ~((1U << From) - 1));
  }
}

} // namespace

PlacedAccess WiderFinder::placeOf(const Instruction &I,
                                  const MemoryEffect &E) const {
  PlacedAccess P;
  P.I = &I;
  P.Bytes = E.BytesPerLane;
  P.IsStore = E.Writes;
  Ref Address = V.of(I, I.Operands[E.AddressOperand], 64);
  const Symbol *From = Address ? findBase(*Address) : nullptr;
  if (!From || P.Bytes == 0)
    return P;
  P.Array = ArrayOf.of(*From);
  const uint64_t Addend =
      Address->Kind == Expression::KindTy::Sum ? Address->Addend : 0;
  P.Offset = llvm::SignExtend64(Addend, Address->Width);
  Expressions &X = V.expressions();
  P.Base = X.sub(Address, X.constant(Address->Width, Addend));
  P.Piece = std::min(Widest,
                     1U << std::min(4, llvm::countr_one(P.Base->Facts.Zeros)));
  const Opcode Op = Opcode(I.Opcode);
  const bool IsOrdered = ptx::hasAnyModifier(
      I.Modifiers, {"volatile", "relaxed", "acquire", "release", "mmio"});
  AddressSpace Space = E.Space;
  if (Space == AddressSpace::Generic)
    Space = resolveSpace(*Address);
  P.MayJoin =
      (Op == Opcode::Ld || Op == Opcode::St) && !IsOrdered &&
      (Space == AddressSpace::Global || Space == AddressSpace::Shared) &&
      P.Bytes < P.Piece && P.Offset % int64_t(P.Bytes) == 0 &&
      llvm::isPowerOf2_32(P.Bytes);
  return P;
}

/// Finds what of \p Piece fills aligned parts of it.
void WiderFinder::close(OpenPiece &Piece) {
  SmallVector<PlacedAccess, 4> Members = std::move(Piece.Members);
  Piece = {};
  if (Members.size() < 2)
    return;
  llvm::stable_sort(Members, [](const PlacedAccess &A, const PlacedAccess &B) {
    return A.Offset < B.Offset;
  });
  const unsigned Largest = Members.front().Piece;
  for (size_t N = 0; N < Members.size();) {
    size_t Taken = 1;
    for (unsigned Wide = Largest; Wide >= 2; Wide /= 2) {
      const int64_t Start = Members[N].Offset;
      if (Start % int64_t(Wide) != 0)
        continue;
      unsigned Bytes = 0;
      size_t Last = N;
      for (; Last != Members.size() && Bytes < Wide &&
             Members[Last].Offset == Start + Bytes;
           ++Last)
        Bytes += Members[Last].Bytes;
      if (Bytes != Wide || Last - N < 2)
        continue;
      WiderAccess &W = Out.emplace_back();
      W.Bytes = Wide;
      W.Run = Runs.try_emplace({Members[N].Base, unsigned(Members[N].IsStore)},
                               unsigned(FirstRun + Runs.size()))
                  .first->second;
      for (const PlacedAccess &P : ArrayRef(Members).slice(N, Last - N))
        W.Members.push_back(P.I);
      Taken = Last - N;
      break;
    }
    N += Taken;
  }
}

void WiderFinder::closeAll(NearBase &Pieces) {
  for (auto &P : Pieces)
    close(P.second);
  Pieces.clear();
}

void WiderFinder::closeOthers(PiecesOfArray &Of, Ref Base) {
  if (Of.empty() || (Of.size() == 1 && Of.count(Base)))
    return;
  NearBase Kept;
  for (auto &P : Of)
    if (P.first == Base)
      Kept = std::move(P.second);
    else
      closeAll(P.second);
  Of.clear();
  if (!Kept.empty())
    Of.try_emplace(Base, std::move(Kept));
}

void WiderFinder::closeAll(llvm::DenseMap<const void *, PiecesOfArray> &Of) {
  for (auto &A : Of)
    for (auto &P : A.second)
      closeAll(P.second);
  Of.clear();
}

void WiderFinder::join(PiecesOfArray &Of, const PlacedAccess &P) {
  OpenPiece &Piece = Of[P.Base][P.number()];
  auto IsLike = [&](const PlacedAccess &M) {
    return M.I->Guard == P.I->Guard && M.I->GuardNegated == P.I->GuardNegated &&
           M.I->Opcode == P.I->Opcode;
  };
  const unsigned Mask = P.mask();
  // What was read already is read once.
  if (!P.IsStore && (Piece.Mask & Mask) == Mask && !(Piece.Written & Mask))
    return;
  if (!Piece.Members.empty() && (!IsLike(Piece.Members.front()) ||
                                 (Piece.Mask & Mask) || (Piece.Written & Mask)))
    close(Piece);
  Piece.Members.push_back(P);
  Piece.Mask |= Mask;
}

/// Ends the pieces of stores that \p P reads or writes again.
void WiderFinder::closeStores(const PlacedAccess &P) {
  auto It = Stores.find(P.Array);
  if (It == Stores.end())
    return;
  closeOthers(It->second, P.Base);
  forEachTouched(It->second, P, [&](OpenPiece &Piece, unsigned Mask) {
    if (Piece.Mask & Mask)
      close(Piece);
  });
}

void WiderFinder::load(const PlacedAccess &P) {
  if (!P.Array)
    return closeAll(Stores);
  closeStores(P);
  if (P.MayJoin)
    join(Loads[P.Array], P);
}

void WiderFinder::store(const PlacedAccess &P) {
  if (!P.Array) {
    closeAll(Loads);
    return closeAll(Stores);
  }
  if (auto It = Loads.find(P.Array); It != Loads.end()) {
    closeOthers(It->second, P.Base);
    forEachTouched(It->second, P, [](OpenPiece &Piece, unsigned Mask) {
      Piece.Written |= Mask;
    });
  }
  closeStores(P);
  if (P.MayJoin)
    join(Stores[P.Array], P);
}

void WiderFinder::visit(const Instruction &I) {
  if (I.IsBlockBarrier || I.IsMemoryBarrier || I.IsCall || I.IsAsyncWait ||
      I.IsUnknown) {
    closeAll(Loads);
    closeAll(Stores);
    return;
  }
  for (const MemoryEffect &E : I.Effects) {
    if (E.Access == AccessKind::Prefetch ||
        (E.Space != AddressSpace::Global && E.Space != AddressSpace::Shared &&
         E.Space != AddressSpace::Generic))
      continue;
    const PlacedAccess P = placeOf(I, E);
    if (E.Reads)
      load(P);
    if (E.Writes)
      store(P);
  }
}

void WiderFinder::run() {
  for (const Block *B : V.graph().Blocks) {
    for (const Instruction *I : B->Instructions)
      if (!I->isPseudo())
        visit(*I);
    closeAll(Loads);
    closeAll(Stores);
    FirstRun += Runs.size();
    Runs.clear();
  }
}

std::vector<WiderAccess>
ptxpredict::findWiderAccesses(const SymbolicValues &V,
                              const LaunchConfig &Launch) {
  ArrayNames ArrayOf(V.graph(), Launch);
  // By first member: what was found, and in how many contexts.
  llvm::DenseMap<const Instruction *, std::pair<WiderAccess, unsigned>> Found;
  llvm::DenseMap<const InstructionGraph *, unsigned> Contexts;
  std::vector<const Instruction *> Order;
  forEachContext(V, [&](const SymbolicValues &Of) {
    const bool IsFirst = ++Contexts[&Of.graph()] == 1;
    std::vector<WiderAccess> Here;
    WiderFinder(Of, ArrayOf, Here).run();
    for (WiderAccess &W : Here) {
      const Instruction *First = W.Members.front();
      auto It = Found.find(First);
      if (It == Found.end() && IsFirst) {
        Order.push_back(First);
        Found[First] = {std::move(W), 1};
      } else if (It != Found.end() && It->second.first == W) {
        ++It->second.second;
      }
    }
  });
  std::vector<WiderAccess> Out;
  for (const Instruction *First : Order) {
    auto &[W, Number] = Found[First];
    if (Number == Contexts[First->Parent->Parent])
      Out.push_back(std::move(W));
  }
  llvm::stable_sort(Out, [](const WiderAccess &A, const WiderAccess &B) {
    return A.Members.front()->Line < B.Members.front()->Line;
  });
  // Numbers in the order of the code.
  llvm::DenseMap<std::pair<const InstructionGraph *, unsigned>, unsigned> Runs;
  for (WiderAccess &W : Out)
    W.Run = Runs.try_emplace({W.Members.front()->Parent->Parent, W.Run},
                             unsigned(Runs.size()))
                .first->second;
  return Out;
}
