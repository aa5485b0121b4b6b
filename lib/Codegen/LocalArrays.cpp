//===- LocalArrays.cpp - Local arrays that lie in registers ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/LocalArrays.h"
#include "Alignments.h"
#include "ptxpredict/Codegen/Assembler.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace ptxpredict;
using ptx::Opcode;

namespace {

bool isCopy(const Instruction &I) {
  return Opcode(I.Opcode) == Opcode::Mov || Opcode(I.Opcode) == Opcode::Cvta;
}

} // namespace

/// Follows the variables' addresses.
class LocalArrays::Finder {
public:
  Finder(const InstructionGraph &G, const ControlFlow &CF, LocalArrays &Out)
      : G(G), CF(CF), Out(Out) {}

  void run();

private:
  /// An address of a local variable, or one near it.
  struct Pointer {
    const Variable *Var = nullptr;
    bool IsFixed = true; ///< at a constant offset
    int64_t Offset = 0;  ///< that one, in bytes
  };
  /// A load or store of elements side by side.
  struct PlainAccess {
    const Instruction *I;
    Pointer Address;
    unsigned Width; ///< of an element, in bytes
  };
  struct Indexed {
    const Instruction *I;
    unsigned Candidates;
  };

  void follow();
  void use(const Instruction &I, const Operand &O, Pointer P);
  void access(const Instruction &I, Pointer P);
  void derive(const Value &V, Pointer P);
  bool haveElements() const;
  const Value *indexOf(const Instruction &I) const;
  double weightOf(const Block &B) const;
  bool areWorthMoves(ArrayRef<Indexed> Indexes) const;
  void expand(ArrayRef<Indexed> Indexes);

  const InstructionGraph &G;
  const ControlFlow &CF;
  LocalArrays &Out;
  llvm::DenseMap<const Value *, Pointer> Pointers;
  SmallVector<const Value *, 16> Work; ///< whose users are not seen yet
  std::vector<PlainAccess> Found;      ///< one perhaps again, with an index
  llvm::DenseSet<const Variable *> Escaped; ///< their addresses got elsewhere
};

/// \p V may be \p P.
void LocalArrays::Finder::derive(const Value &V, Pointer P) {
  auto [It, IsNew] = Pointers.try_emplace(&V, P);
  Pointer &Is = It->second;
  if (!IsNew && Is.Var != P.Var) {
    Escaped.insert(Is.Var);
    Escaped.insert(P.Var);
  }
  if (!IsNew && (!Is.IsFixed || P.IsFixed))
    return;
  Is.IsFixed = P.IsFixed;
  Work.push_back(&V);
}

void LocalArrays::Finder::access(const Instruction &I, Pointer P) {
  const MemoryEffect &E = I.Effects[0];
  size_t Dot = I.Modifiers.rfind('.');
  std::optional<ScalarType> T =
      parseScalarType(I.Modifiers.drop_front(Dot + 1));
  if (E.Space != AddressSpace::Local || !T) {
    Escaped.insert(P.Var);
    return;
  }
  P.Offset += I.Operands[E.AddressOperand].integer();
  Found.push_back({&I, P, (bitWidth(*T) + 7) / 8});
}

/// \p I reads \p P as its operand \p O.
void LocalArrays::Finder::use(const Instruction &I, const Operand &O,
                              Pointer P) {
  Opcode Op = Opcode(I.Opcode);
  if (Op == Opcode::Setp) // says nothing of the contents
    return;
  if ((Op == Opcode::Ld || Op == Opcode::St) && !I.Effects.empty()) {
    const Operand &Address = I.Operands[I.Effects[0].AddressOperand];
    if (Address.Elements.size() == 1 && &O == Address.Elements.data())
      return access(I, P);
  } else if (isCopy(I) || Op == Opcode::Add || Op == Opcode::Sub) {
    if (!isCopy(I)) {
      const Operand &By = I.Operands.back();
      P.IsFixed &= By.Kind == Operand::KindTy::Integer && &O == &I.Operands[1];
      if (P.IsFixed)
        P.Offset += Op == Opcode::Add ? By.integer() : -By.integer();
    }
    P.IsFixed &= !I.HasGuard;
    if (I.Defs.size() == 1 && I.Operands[0].Kind == Operand::KindTy::Register)
      return derive(*I.Defs[0], P);
  }
  Escaped.insert(P.Var);
}

void LocalArrays::Finder::follow() {
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      auto Start = [&](const Operand &O) {
        if (O.Kind == Operand::KindTy::Variable &&
            O.Var->Space == AddressSpace::Local)
          use(*I, O, {O.Var});
      };
      forEachOperand(I->Operands, Start);
    }
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    Pointer P = Pointers.lookup(V);
    const Instruction *Last = nullptr;
    for (const Instruction *User : V->Users) {
      if (User == Last) // another use of the same one
        continue;
      Last = User;
      if (User->isPseudo()) {
        Pointer Merged = P;
        Merged.IsFixed = false;
        derive(*User->Defs[0], Merged);
        continue;
      }
      auto Find = [&](const Operand &O) {
        if (O.Kind == Operand::KindTy::Register && (O.Val == V || O.In == V))
          use(*User, O, P);
      };
      forEachOperand(User->Operands, Find);
    }
  }
  llvm::sort(Found, [](const PlainAccess &A, const PlainAccess &B) {
    return std::pair(A.I->Id, A.Address.IsFixed) <
           std::pair(B.I->Id, B.Address.IsFixed);
  });
  Found.erase(
      llvm::unique(Found, [](const PlainAccess &A,
                             const PlainAccess &B) { return A.I == B.I; }),
      Found.end());
  llvm::erase_if(Found, [&](const PlainAccess &A) {
    return Escaped.count(A.Address.Var) != 0;
  });
}

/// Whether every byte is always accessed as part of the same element, of two
/// bytes at least; with an index all elements must be registers of one size.
bool LocalArrays::Finder::haveElements() const {
  struct Element {
    const Variable *Var;
    int64_t Offset;
    unsigned Width;
  };
  std::vector<Element> Elements;
  bool IsIndexed = false, AreAlike = true;
  for (const PlainAccess &A : Found) {
    if (A.Width < 2)
      return false;
    IsIndexed |= !A.Address.IsFixed;
    AreAlike &= A.Width == Found.front().Width;
    for (unsigned N = 0; A.Address.IsFixed && N < A.I->Effects[0].BytesPerLane;
         N += A.Width)
      Elements.push_back({A.Address.Var, A.Address.Offset + N, A.Width});
  }
  if (IsIndexed)
    return AreAlike && Found.front().Width >= RegisterBytes;
  llvm::sort(Elements, [](const Element &A, const Element &B) {
    return std::tie(A.Var, A.Offset, A.Width) <
           std::tie(B.Var, B.Offset, B.Width);
  });
  for (size_t N = 1; N < Elements.size(); ++N) {
    const Element &A = Elements[N - 1], &B = Elements[N];
    if (A.Var == B.Var && B.Offset < A.Offset + A.Width &&
        (A.Offset != B.Offset || A.Width != B.Width))
      return false;
  }
  return true;
}

/// What an address that is computed adds constants to.
const Value *LocalArrays::Finder::indexOf(const Instruction &I) const {
  const Value *V = I.Operands[I.Effects[0].AddressOperand].Elements.front().Val;
  for (unsigned Steps = 0; Steps != 8; ++Steps) {
    const Instruction *D = V->Def;
    if (!D || D->isPseudo() || D->HasGuard || D->Operands.size() != 3 ||
        Opcode(D->Opcode) != Opcode::Add ||
        D->Operands[1].Kind != Operand::KindTy::Register ||
        D->Operands[2].Kind != Operand::KindTy::Integer)
      break;
    V = D->Operands[1].Val;
  }
  return V;
}

double LocalArrays::Finder::weightOf(const Block &B) const {
  constexpr unsigned MostDepth = 8;
  int C = CF.innermostCycle(&B);
  unsigned Depth = C < 0 ? 0 : CF.cycles()[unsigned(C)].Depth;
  return std::pow(assembler::LoopWeight, std::min(Depth, MostDepth));
}

/// The moves, were each access one of a single register, must not be more than
/// the instructions of all the code, both as often as they run. Copies are
/// none.
bool LocalArrays::Finder::areWorthMoves(ArrayRef<Indexed> Indexes) const {
  double Moves = 0, Instructions = 0;
  for (const Indexed &A : Indexes) {
    if (A.Candidates > assembler::MostCandidates)
      return false;
    Moves += A.Candidates * weightOf(*A.I->Parent);
  }
  for (const Block *B : G.Blocks) {
    auto Num = llvm::count_if(B->Instructions, [](const Instruction *I) {
      return !I->isPseudo() && !isCopy(*I);
    });
    Instructions += double(Num) * weightOf(*B);
  }
  for (const Cycle &C : CF.cycles())
    Instructions += assembler::LoopInstructions * weightOf(*C.Header);
  return Moves <= Instructions;
}

void LocalArrays::Finder::expand(ArrayRef<Indexed> Indexes) {
  // Comparisons with one index in one block are made once, if predicates
  // suffice.
  llvm::DenseSet<std::pair<const Block *, const Value *>> Compared;
  for (const Indexed &A : Indexes) {
    LocalAccess &To = Out.Accesses[A.I];
    To.Candidates = A.Candidates;
    Out.Candidates = std::max(Out.Candidates, A.Candidates);
    To.Moves = A.Candidates *
               std::max(1U, A.I->Effects[0].BytesPerLane / RegisterBytes);
    if (Compared.insert({A.I->Parent, indexOf(*A.I)}).second)
      To.Compares = A.Candidates;
    else if (A.Candidates > assembler::KeptPredicates)
      To.Compares = A.Candidates - assembler::KeptPredicates;
  }
}

void LocalArrays::Finder::run() {
  follow();
  if (!haveElements())
    return;
  llvm::DenseSet<const Variable *> WithIndex;
  for (const PlainAccess &A : Found)
    if (!A.Address.IsFixed)
      WithIndex.insert(A.Address.Var);
  // Variables lie side by side: an index may lead to any of them.
  uint64_t Bytes = 0, IndexedBytes = 0;
  for (const Variable *V : G.LocalVariables)
    if (V->Space == AddressSpace::Local && !Escaped.count(V)) {
      Bytes = V->endFrom(Bytes);
      if (WithIndex.count(V))
        IndexedBytes = llvm::SaturatingAdd(IndexedBytes, V->Bytes);
    }
  Alignments Aligned;
  std::vector<Indexed> Indexes;
  for (const PlainAccess &A : Found)
    if (!A.Address.IsFixed) {
      uint64_t Step = uint64_t(1) << Aligned.of(*indexOf(*A.I));
      uint64_t Places = llvm::divideCeil(Bytes, Step);
      Indexes.push_back({A.I, unsigned(std::min<uint64_t>(Places, ~0U))});
    }
  bool AreInRegisters = areWorthMoves(Indexes);
  for (const PlainAccess &A : Found)
    if (AreInRegisters || !WithIndex.count(A.Address.Var))
      Out.Accesses.try_emplace(A.I);
  if (!AreInRegisters)
    return;
  expand(Indexes);
  Out.IndexedBytes = IndexedBytes;
}

LocalArrays::LocalArrays(const InstructionGraph &G, const ControlFlow &CF) {
  // What machine code has in memory stays there.
  if (!G.Assembled && llvm::any_of(G.LocalVariables, [](const Variable *V) {
        return V->Space == AddressSpace::Local;
      }))
    Finder(G, CF, *this).run();
}
