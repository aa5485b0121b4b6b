//===- ProgramBuilderAccesses.cpp - Which requests there are --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Analysis/Access/FragmentAddresses.h"
#include "Analysis/Symbolic/AddressBases.h"
#include "ProgramBuilder.h"
#include "ptxpredict/Graph/PointerSpaces.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Ref = const Expression *;

/// Finds the width and the lanes of an access whose addresses say all that it
/// costs; says what is wrong with another one.
static OpenReason shapeOf(const Instruction &I, const MemoryEffect &E,
                          Access &M) {
  switch (Opcode(I.Opcode)) {
  case Opcode::Ld:
  case Opcode::Ldu:
  case Opcode::St:
  case Opcode::Atom:
  case Opcode::Red:
  case Opcode::Prefetch:
  case Opcode::CpAsyncMbarrierArrive:
  case Opcode::MbarrierInit:
  case Opcode::MbarrierInval:
  case Opcode::MbarrierExpectTx:
  case Opcode::MbarrierCompleteTx:
  case Opcode::MbarrierArrive:
  case Opcode::MbarrierArriveDrop:
  case Opcode::MbarrierTestWait:
  case Opcode::MbarrierTryWait:
    M.Bytes = E.BytesPerLane;
    return M.Bytes == 0 ? OpenReason::NotPerLane : OpenReason::None;
  case Opcode::Ldmatrix:
  case Opcode::Stmatrix: {
    // Eight lanes for each matrix of 8x8 name a row of 16 bytes.
    unsigned Rows = E.BytesPerLane / 4 * 8;
    if (!ptx::hasModifier(I.Modifiers, "m8n8") || Rows > WarpSize || Rows == 0)
      return OpenReason::MatrixShape;
    M.Bytes = 16;
    M.IsMatrix = true;
    M.Lanes = Rows == WarpSize ? ~0u : (1u << Rows) - 1;
    return OpenReason::None;
  }
  case Opcode::CpAsync:
    if (E.BytesOperand < 0 ||
        I.Operands[unsigned(E.BytesOperand)].Kind != Operand::KindTy::Integer)
      return OpenReason::NotPerLane;
    M.Bytes = unsigned(I.Operands[unsigned(E.BytesOperand)].Bits);
    return M.Bytes == 0 ? OpenReason::NotPerLane : OpenReason::None;
  case Opcode::WmmaLoad:
  case Opcode::WmmaStore: {
    std::optional<FragmentLayout> F = findFragment(I);
    if (!F)
      return OpenReason::MatrixShape;
    M.Bytes = F->requestBytes();
    M.IsMatrix = true;
    return OpenReason::None;
  }
  default:
    return OpenReason::NotPerLane;
  }
}

/// Prepares a copy to shared memory that says how much of it is read.
void ProgramBuilder::prepareReads(CallContext &C, Region &R, PreparedBlock &P,
                                  Event &E) {
  const Instruction &I = *E.I;
  if (Opcode(I.Opcode) != Opcode::CpAsync || I.Operands.size() < 4 ||
      I.Operands[2].Kind != Operand::KindTy::Integer)
    return;
  Expressions &X = Kernel.expressions();
  const Operand &Last = I.Operands[3];
  bool IsPredicate = Last.Kind == Operand::KindTy::Register &&
                     Last.Val->Type == ScalarType::Pred;
  Ref Size = C.V->of(I, Last, IsPredicate ? 1 : 32);
  if (!Size || Size->isConstant(I.Operands[2].Bits))
    return;
  Guard G;
  G.I = &I;
  G.Number = Out.NumGuards++;
  prepareCondition(R, P, G,
                   Size->Width == 1
                       ? X.bitNot(Size) // it says to ignore the source
                       : X.bitNot(X.equal(Size, X.constant(Size->Width, 0))));
  // A predicate ignores all of the source, or nothing of it.
  uint64_t Open =
      ~Size->Facts.Zeros & llvm::maskTrailingOnes<uint64_t>(Size->Width);
  E.ReadsPart = Size->Width != 1 && Open != I.Operands[2].Bits;
  E.Reads = int(P.Guards.size());
  P.Guards.push_back(std::move(G));
}

/// Whether lanes lie so far from each other that they may be in different
/// spaces.
static bool mayMixSpaces(const Expression &Address) {
  constexpr uint64_t Near = uint64_t(1) << 40; // more than any memory has
  uint64_t Apart = 0;
  auto Add = [&](const Expression &X, uint64_t By) {
    const ValueFacts &F = X.Facts;
    if (!X.isUniform())
      Apart = llvm::SaturatingMultiplyAdd(
          std::min(F.UMax - F.UMin, uint64_t(F.SMax) - uint64_t(F.SMin)),
          uint64_t(std::abs(llvm::SignExtend64(By, Address.Width))), Apart);
  };
  if (Address.Kind == Expression::KindTy::Sum)
    for (auto [O, C] : llvm::zip(Address.Operands, Address.Coefficients))
      Add(*O, C);
  else
    Add(Address, 1);
  return Apart >= Near;
}

/// A symbol of where an array begins.
static bool isPlace(Ref S) {
  return S->isSymbol(Symbol::KindTy::Address) ||
         (S->Width == 64 && S->isSymbol(Symbol::KindTy::Parameter) &&
          S->Sym->Align >= 16);
}

/// Whether lanes choose between places, each for itself.
static bool lanesChoosePlace(const Expression &Address) {
  if (Address.isUniform() || llvm::count_if(Address.Symbols, isPlace) < 2)
    return false;
  auto PlacesIn = [](Ref Arm) {
    SmallVector<Ref, 4> Places;
    llvm::copy_if(Arm->Symbols, std::back_inserter(Places), isPlace);
    return Places;
  };
  SmallVector<Ref, 16> Work{&Address};
  llvm::SmallPtrSet<Ref, 16> Seen;
  while (!Work.empty()) {
    Ref X = Work.pop_back_val();
    if (!Seen.insert(X).second || X->isUniform())
      continue;
    if (X->Kind == Expression::KindTy::Select && !X->Operands[0]->isUniform() &&
        PlacesIn(X->Operands[1]) != PlacesIn(X->Operands[2]))
      return true;
    Work.append(X->Operands.begin(), X->Operands.end());
  }
  return false;
}

/// Arrays that lanes choose from lie far from each other.
static Ref placeApart(Ref Address, Expressions &E) {
  // More than any memory has; a narrow address is none of global memory.
  const unsigned FarBits = Address->Width == 64 ? 40 : 24;
  uint64_t Number = 0;
  Expressions::Memo Known;
  return E.substitute(
      Address,
      [&](Ref S) {
        return isPlace(S) ? E.constant(S->Width, ++Number << FarBits) : S;
      },
      Known);
}

/// Prepares a request by the lanes at an address, null if that is not modelled.
void ProgramBuilder::prepareAccess(PreparedBlock &P, const Event &E,
                                   const EffectPlace &At) {
  const MemoryEffect &Effect = At.Effect;
  Ref Address = At.Address;
  Access &M = P.Accesses.emplace_back();
  M.Space = Effect.Space;
  M.IsAtomic = Effect.Access == AccessKind::Atomic;
  M.Box = At.Box;
  if (M.Box)
    M.Bytes = unsigned(std::min<uint64_t>(M.Box->bytes(), UINT32_MAX));
  else
    M.Reason = shapeOf(*E.I, Effect, M);
  if (Address && M.Space == AddressSpace::Generic)
    M.Space = resolveSpace(*Address);
  if (M.Space == AddressSpace::Generic)
    M.Space = E.I->Parent->Parent->analysis<PointerSpaces>().of(
        E.I->Operands[Effect.AddressOperand]);
  if ((M.Space == AddressSpace::Global || M.Space == AddressSpace::Generic) &&
      (Effect.Access != AccessKind::Prefetch || M.Box)) {
    M.Record = int(Out.Recorded.size());
    Out.Recorded.push_back({E.I, At.Number, &Effect});
  }
  if (M.Reason != OpenReason::None)
    return;
  // Lanes may leave a loop at other times than is taken for all of them.
  auto Of = [this](const Symbol &S) {
    Decidedness D = decidednessOf(S);
    return S.Kind == Symbol::KindTy::ExitCount && D != Decidedness::Decided
               ? Decidedness::Open
               : D;
  };
  // One word for all lanes costs the same wherever it lies: the mbarriers of a
  // pipeline, say.
  if (Address && M.Space == AddressSpace::Shared && Address->isUniform() &&
      !M.IsMatrix && llvm::isPowerOf2_32(M.Bytes))
    Address = Kernel.expressions().constant(Address->Width, 0);
  const bool AreArrays = Address && lanesChoosePlace(*Address);
  if (Address) {
    Addresses.setAddress(
        M, AreArrays ? placeApart(Address, Kernel.expressions()) : Address, Of);
  } else {
    M.Kind = Access::KindTy::Scattered;
    M.Status = Status::Unknown;
    M.Reason = OpenReason::Other;
  }
  if (M.Space == AddressSpace::Generic) { // may be shared memory
    M.Status = weakest(M.Status, Status::Unknown);
    M.IsStandIn = true;
    M.MayMixSpaces = !Address || mayMixSpaces(*Address);
    M.MayScatter = HasLocals;
  }
  // Nobody knows how far from each other the block's own variables lie.
  if (AreArrays &&
      (M.Space == AddressSpace::Shared || M.Space == AddressSpace::Local)) {
    M.Status = weakest(M.Status, Status::Assumed);
    M.IsStandIn = M.MayScatter = true;
  }
  // A lane that reads a part of its bytes has a request like the others.
  M.IsOfReads = E.Reads >= 0 && M.Space != AddressSpace::Shared;
  if (M.Open)
    M.Reason = reasonOf(*M.Open);
  else if (Address && M.DependsOnLaunch)
    M.LaunchReason = reasonOfLaunch(Address);
  if (M.Address) {
    M.Root = unsigned(P.Addresses.size());
    P.Addresses.push_back(M.Address);
  }
}

/// Makes ready what says which part of a box lies in its tensor.
void ProgramBuilder::prepareBox(Region &R, PreparedBlock &P, Access &M,
                                CopyBox &Box) {
  Expressions &X = Kernel.expressions();
  auto Of = [this](const Symbol &S) { return decidednessOf(S); };
  const Symbol *Open = nullptr;
  for (CopyBox::Axis &A : Box.Axes) {
    if (!A.At)
      continue;
    const Decidedness D =
        std::max(ptxpredict::decidednessOf(*A.At, Of, &Open),
                 ptxpredict::decidednessOf(*A.Extent, Of, &Open));
    if (D == Decidedness::Open) { // taken to lie inside
      Box.Open = Open;
      A.At = A.Extent = nullptr;
      continue;
    }
    M.DependsOnLaunch |= D == Decidedness::Launch;
    // Where it is whole, in part and not at all within the tensor.
    Ref Zero = X.constant(64, 0),
        Last = X.add(A.At, X.constant(64, (A.Count - 1) * A.Step));
    SmallVector<Ref, 4> Conditions = {X.less(A.At, A.Extent, true),
                                      X.less(Last, A.Extent, true)};
    if (A.At->Facts.SMin < 0)
      Conditions.append({X.less(A.At, Zero, true), X.less(Last, Zero, true)});
    for (Ref Condition : Conditions)
      addPieces(R, P, *Condition);
    for (auto [E, Root] :
         {std::pair(A.At, &A.AtRoot), std::pair(A.Extent, &A.ExtentRoot)}) {
      addKinks(R, P, *E);
      *Root = unsigned(P.Addresses.size());
      P.Addresses.push_back(E);
    }
  }
  Box.findBounds();
  if (!Box.isAssumed() && !Box.Open)
    return;
  M.Status = weakest(M.Status, Status::Assumed);
  if (M.Reason == OpenReason::None)
    M.Reason = Box.Open ? reasonOf(*Box.Open) : OpenReason::CopySize;
}

void ProgramBuilder::prepareAccesses(CallContext &C, Region &R,
                                     PreparedBlock &P, Event &E) {
  const Instruction &I = *E.I;
  E.FirstAccess = unsigned(P.Accesses.size());
  unsigned Number = 0;
  if (!I.Effects.empty())
    prepareReads(C, R, P, E);
  for (const MemoryEffect &Effect : I.Effects) {
    if (Effect.Space == AddressSpace::Param ||
        Effect.Space == AddressSpace::Const ||
        Effect.Space == AddressSpace::Texture ||
        Effect.Space == AddressSpace::Register)
      continue;
    Ref Address = C.V->of(I, I.Operands[Effect.AddressOperand], 64);
    if (std::optional<FragmentLayout> F = findFragment(I)) {
      bool Continues = false;
      for (Ref Of : fragmentAddresses(*C.V, I, *F, Address)) {
        prepareAccess(P, E, {Effect, Number, Of});
        P.Accesses.back().Continues = std::exchange(Continues, true);
      }
    } else if (std::optional<FoundBox> Copy = Boxes.find(*C.V, I, Effect)) {
      prepareAccess(P, E, {Effect, Number, Copy->Address, Copy->Box});
      prepareBox(R, P, P.Accesses.back(), *Copy->Box);
    } else {
      prepareAccess(P, E, {Effect, Number, Address});
    }
    ++Number;
  }
  E.NumAccesses = unsigned(P.Accesses.size()) - E.FirstAccess;
  for (Access &M : MutableArrayRef(P.Accesses).drop_front(E.FirstAccess)) {
    M.Contents = M.isDecided() ? C.V->contentsOf(I) : nullptr;
    if (M.isDecided() && M.Space != AddressSpace::Shared)
      addKinks(R, P, *M.Address);
  }
}
