//===- SymbolicValues.cpp - What each register holds, as an expression ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "SymbolicValuesImpl.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using Ref = const Expression *;

//===----------------------------------------------------------------------===//
// Symbols and loops
//===----------------------------------------------------------------------===//

/// Behind a loop whose lanes leave at different times, what the loop computed
/// differs between lanes: another symbol, with the loop's depth above the
/// number.
static constexpr unsigned LeftShift = 48;

unsigned SymbolicValues::loopOf(const Symbol &S) {
  return unsigned(S.Number & ((uint64_t(1) << LeftShift) - 1));
}

int SymbolicValues::cycleOf(const Symbol &S) const {
  if (S.Context == this)
    return S.Cycle;
  auto It = CycleOfContext.find(S.Context);
  return It == CycleOfContext.end() ? -1 : It->second;
}

bool SymbolicValues::isWithin(int Inner, int Outer) const {
  while (Inner > Outer)
    Inner = CF.cycles()[unsigned(Inner)].ParentIndex;
  return Inner == Outer;
}

bool SymbolicValues::isInvariant(Ref X, unsigned Cycle) const {
  return llvm::none_of(X->Symbols, [&](Ref S) {
    return S->Sym->Reason == Symbol::ReasonTy::TooLarge ||
           isWithin(cycleOf(*S->Sym), int(Cycle));
  });
}

Ref SymbolicValues::loopSymbol(Symbol::KindTy K, unsigned Cycle,
                               unsigned Width) const {
  const ptxpredict::Cycle &C = CF.cycles()[Cycle];
  bool IsExit = K == Symbol::KindTy::ExitCount;
  Symbol S;
  S.Kind = K;
  S.Varies = IsExit ? ExitVaries[Cycle] : uint8_t(VariesNowhere);
  StringRef Label = C.Header->Label;
  Label.consume_front("$");
  S.Name =
      Prefix + (IsExit ? "exit(" : "iter(") +
      (Label.empty() ? "line " + std::to_string(C.Header->Line) : Label.str()) +
      ")";
  S.Context = this;
  S.Cycle = IsExit ? C.ParentIndex : int(Cycle);
  S.Number = Cycle;
  return E.symbol(Width, std::move(S));
}

Ref SymbolicValues::counter(unsigned Cycle, unsigned Width) const {
  return loopSymbol(Symbol::KindTy::Counter, Cycle, Width);
}
Ref SymbolicValues::exitCount(unsigned Cycle, unsigned Width) const {
  return loopSymbol(Symbol::KindTy::ExitCount, Cycle, Width);
}

Ref SymbolicValues::leave(Ref Inside, unsigned Cycle) const {
  auto Left = [&](Ref S) -> Ref {
    if (auto It = ExitForms.find(S); It != ExitForms.end())
      return It->second;
    const Symbol &Sym = *S->Sym;
    int Own = cycleOf(Sym);
    if (Own < 0 || !isWithin(Own, int(Cycle)))
      return S;
    if (Sym.Kind == Symbol::KindTy::Counter && Sym.Context == this)
      return exitCount(unsigned(Sym.Number), S->Width);
    if ((Sym.Varies | ExitVaries[Cycle]) == Sym.Varies)
      return S;
    Symbol Outside = Sym;
    Outside.Varies |= ExitVaries[Cycle];
    Outside.Number += uint64_t(CF.cycles()[Cycle].Depth) << LeftShift;
    return E.symbol(S->Width, std::move(Outside));
  };
  return E.substitute(Inside, Left, LeaveMemos[Cycle]);
}

Ref SymbolicValues::at(const Value *V, const Block *B) const {
  Ref X = ByValue[V->Id];
  if (!X || !V->Def || X->Symbols.empty())
    return X;
  ArrayRef<Cycle> Cycles = CF.cycles();
  int Own = CF.innermostCycle(V->Def->Parent);
  if (Own == CF.innermostCycle(B))
    return X;
  for (int C = Own; C >= 0 && !Cycles[unsigned(C)].contains(B);
       C = Cycles[unsigned(C)].ParentIndex)
    X = leave(X, unsigned(C));
  return X;
}

Ref SymbolicValues::guard(const Instruction &I) const {
  if (!I.Guard)
    return E.boolean(true);
  Ref P = at(I.Guard, I.Parent);
  return I.GuardNegated ? E.bitNot(P) : P;
}

const SymbolicValues *SymbolicValues::callee(const Instruction &Call) const {
  auto It = Calls.find(&Call);
  return It == Calls.end() ? nullptr : It->second.Result.get();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static Ref opaqueSpecial(Expressions &E, StringRef Name, uint8_t Varies,
                         unsigned Width) {
  Symbol S;
  S.Reason = Symbol::ReasonTy::Special;
  S.Varies = Varies;
  S.Name = Name.str();
  // The names are few, and a number tells them apart.
  for (char C : Name)
    S.Number = S.Number * 131 + uint8_t(C);
  return E.symbol(Width, std::move(S));
}

/// PTX ISA 9.5, chapter 10.
Ref SymbolicValues::special(StringRef Name, unsigned Width,
                            const Instruction *At) const {
  using K = Symbol::KindTy;
  auto Resized = [&](Ref X) { return E.resize(X, Width, false); };
  auto Number = [&](uint64_t V) { return E.constant(Width, V); };
  if (Name == "WARP_SZ")
    return Number(WarpSize);
  Name.consume_front("%");
  unsigned D = Name.ends_with(".x")   ? 0
               : Name.ends_with(".y") ? 1
               : Name.ends_with(".z") ? 2
                                      : 3;
  StringRef Vector = Name.size() > 2 && Name[Name.size() - 2] == '.'
                         ? Name.drop_back(2)
                         : StringRef();
  auto Extent = [&](const Dim3 &Of) {
    return D == 0 ? Of.X : D == 1 ? Of.Y : Of.Z;
  };
  uint64_t InCluster = Extent(Launch.Cluster);
  if (!Vector.empty() && D == 3)
    return Number(0); // the fourth element of every vector
  if (Vector == "tid")
    return Resized(E.index(K(unsigned(K::ThreadX) + D)));
  if (Vector == "ctaid")
    return Resized(E.index(K(unsigned(K::BlockX) + D)));
  if (Vector == "ntid")
    return Resized(E.index(K(unsigned(K::BlockExtentX) + D)));
  if (Vector == "nctaid")
    return Resized(E.index(K(unsigned(K::GridExtentX) + D)));
  if (Vector == "cluster_nctaid")
    return Number(InCluster);
  if (Vector == "nclusterid")
    return Resized(E.div(E.index(K(unsigned(K::GridExtentX) + D)),
                         E.constant(32, InCluster), false));
  if (Vector == "cluster_ctaid" || Vector == "clusterid") {
    Ref Block = E.index(K(unsigned(K::BlockX) + D));
    Ref Size = E.constant(32, InCluster);
    return Resized(Vector == "clusterid" ? E.div(Block, Size, false)
                                         : E.rem(Block, Size, false));
  }
  if (Name == "cluster_ctarank") {
    Ref X = special("%cluster_ctaid.x", 32, At),
        Y = special("%cluster_ctaid.y", 32, At),
        Z = special("%cluster_ctaid.z", 32, At);
    Ref Rows = E.add(Y, E.scale(Z, Launch.Cluster.Y));
    return Resized(E.add(X, E.scale(Rows, Launch.Cluster.X)));
  }
  if (Name == "cluster_nctarank")
    return Number(Launch.Cluster.count());
  if (Name == "laneid")
    return Resized(E.index(K::Lane));
  if (Name == "warpid")
    return Resized(E.index(K::Warp));
  if (Name == "dynamic_smem_size")
    return Number(Launch.DynamicSharedBytes);
  if (Name.consume_front("lanemask_")) {
    Ref Bit = E.shl(E.constant(32, 1), E.index(K::Lane));
    Ref Below = E.sub(Bit, E.constant(32, 1));
    Ref To = E.add(Bit, Below);
    return Resized(Name == "eq"   ? Bit
                   : Name == "lt" ? Below
                   : Name == "le" ? To
                   : Name == "gt" ? E.bitNot(To)
                                  : E.bitNot(Below));
  }
  if (Name.starts_with("clock") || Name.starts_with("globaltimer") ||
      Name.starts_with("pm")) {
    Symbol S; // another value each time
    S.Reason = Symbol::ReasonTy::Special;
    S.Name = Name.str() + " of line " + std::to_string(At->Line);
    S.From = At;
    S.Context = this;
    S.Cycle = CF.innermostCycle(At->Parent);
    S.Number = uint64_t(1) << 62 | At->Id;
    return E.symbol(Width, std::move(S));
  }
  bool PerLaunch = llvm::StringSwitch<bool>(Name)
                       .Cases({"nwarpid", "nsmid", "gridid", "total_smem_size",
                               "aggr_smem_size", "is_explicit_cluster"},
                              true)
                       .Default(Name.starts_with("envreg") ||
                                Name.starts_with("reserved_smem"));
  uint8_t Varies = PerLaunch        ? VariesNowhere
                   : Name == "smid" ? VariesInGrid
                                    : VariesInBlock | VariesInGrid;
  return opaqueSpecial(E, Name, Varies, Width);
}

/// The address of a variable or parameter.
Ref SymbolicValues::variable(const Operand &O, unsigned Width) const {
  Symbol S;
  S.Kind = Symbol::KindTy::Address;
  S.Varies = VariesNowhere;
  if (O.Kind == Operand::KindTy::Variable) {
    S.Name = O.Var->Name.str();
    S.Align = std::max<uint64_t>(O.Var->Align, 1);
    S.Number = reinterpret_cast<uintptr_t>(O.Var);
    S.Var = O.Var;
    if (O.Var->Space == AddressSpace::Local)
      S.Context = this; // each call has its own
  } else {
    S.Name = O.Param->shownName().str();
    S.Align = std::max<uint64_t>(O.Param->Align, 1);
    S.Number = reinterpret_cast<uintptr_t>(O.Param);
  }
  if (!llvm::isPowerOf2_64(S.Align))
    S.Align = 1;
  return E.symbol(Width, std::move(S));
}

Ref SymbolicValues::of(const Instruction &I, const Operand &O,
                       unsigned Width) const {
  using K = Operand::KindTy;
  switch (O.Kind) {
  case K::Register: {
    Ref X =
        at(O.Role == OperandRole::ReadWrite && O.In ? O.In : O.Val, I.Parent);
    return X && O.Negated && X->Width == 1 ? E.bitNot(X) : X;
  }
  case K::Integer:
  case K::Float32:
  case K::Float64:
    return E.constant(Width, O.Bits);
  case K::Special: {
    Ref X = special(O.Name, Width, &I);
    return O.Negated && Width == 1 ? E.bitNot(X) : X;
  }
  case K::Variable:
  case K::Parameter:
    return variable(O, Width);
  case K::Address: {
    if (O.Elements.size() > 1) // coordinates
      return nullptr;
    unsigned Bits = G.Parent ? G.Parent->AddressBits : 64;
    if (O.Elements.empty())
      return E.constant(Bits, O.Bits);
    Ref Base = of(I, O.Elements[0], Bits);
    return Base && Base->Width != 1
               ? E.add(Base, E.constant(Base->Width, O.Bits))
               : nullptr;
  }
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

SymbolicValues::SymbolicValues(const InstructionGraph &Graph,
                               const ControlFlow &Flow, const LaunchConfig &L,
                               Expressions &Ex, unsigned Budget)
    : G(Graph), CF(Flow), Launch(L), E(Ex), CallBudget(Budget) {
  StageTimer Timer(Stage::SymbolicValues);
  build(nullptr);
}

SymbolicValues::SymbolicValues(const InstructionGraph &Graph,
                               const ControlFlow &Flow, const LaunchConfig &L,
                               Expressions &Ex, const Caller &From)
    : G(Graph), CF(Flow), Launch(L), E(Ex) {
  StageTimer Timer(Stage::SymbolicValues);
  Prefix = From.From->Prefix + G.Name.str() + "@" +
           std::to_string(From.Call->Line) + ".";
  build(&From);
}

SymbolicValues::~SymbolicValues() = default;

void SymbolicValues::build(const Caller *From) {
  if (From)
    Locals = From->Known->find(&G)->second.Locals;
  else if (Mem2Reg::appliesTo(G))
    Locals = std::make_shared<Mem2Reg>(G, CF);
  MayHaveLocals = Locals || (From ? From->From->MayHaveLocals : !G.IsKernel);
  ByValue.resize(G.Values.size() + (Locals ? Locals->numValues() : 0));
  ExitVaries.resize(CF.cycles().size(), VariesEverywhere);
  LeaveMemos.resize(CF.cycles().size());
  ValueBuilder(*this, From).run();
  ByValue.resize(G.Values.size());
  ExitForms.clear();
  for (Expressions::Memo &M : LeaveMemos)
    M = Expressions::Memo();
}

ValueBuilder::ValueBuilder(SymbolicValues &Result,
                           const SymbolicValues::Caller *Caller)
    : Out(Result), G(Result.G), CF(Result.CF), Launch(Result.Launch),
      E(Result.E), From(Caller), Position(G.Blocks.size()),
      Loops(CF.cycles().size()), ArgumentsAreUniform(G.IsKernel || From),
      RootBudget(Result.CallBudget) {
  if (From)
    for (const ParameterPieces &Pieces : From->Arguments)
      for (const ParameterPiece &P : Pieces)
        ArgumentsAreUniform &= P.E && P.E->isUniform();
}

std::string ValueBuilder::nameOf(const Value &V) const {
  std::string Name = Out.Prefix;
  Name.append(V.Name.data(), V.Name.size());
  Name += '.';
  Name += std::to_string(V.Version);
  return Name;
}

/// What depends on how lanes differ is made for phis alone.
bool ValueBuilder::isDivergent(const Value &Phi) {
  // Nobody looks at slots, and arguments count as uniform.
  if (Phi.Id >= G.Values.size() || !ArgumentsAreUniform)
    return true;
  if (!Lanes)
    Lanes.emplace(G, CF, [this](const Instruction &Source) {
      return mayDifferBetweenLanes(Source, Launch) ||
             (Out.MayHaveLocals && !Source.Effects.empty() &&
              Source.Effects[0].Space == AddressSpace::Generic);
    });
  return Lanes->isDivergent(&Phi);
}

Ref ValueBuilder::opaque(Symbol::ReasonTy Why, const Value &V,
                         uint8_t Varies) const {
  unsigned Width = bitWidth(V.Type);
  if (Width > 64)
    return nullptr;
  Symbol S;
  S.Reason = Why;
  S.Varies = Varies;
  S.Name = nameOf(V);
  S.From = V.Def;
  S.Context = &Out;
  S.Cycle = V.Def ? CF.innermostCycle(V.Def->Parent) : -1;
  S.Number = V.Id;
  S.Max = std::min(S.Max, G.Registers[V.Register].Max);
  return E.symbol(Width, std::move(S));
}

void ValueBuilder::setOpaque(const Instruction &At, Symbol::ReasonTy Why,
                             uint8_t Varies) {
  for (const Value *D : At.Defs)
    if (!Out.ByValue[D->Id])
      Out.ByValue[D->Id] = opaque(Why, *D, Varies);
}

void ValueBuilder::visit(const Block &B) {
  int C = CF.innermostCycle(&B);
  bool IsHeader = C >= 0 && CF.cycles()[unsigned(C)].Header == &B;
  Carry = nullptr;
  Stored.clear();
  std::optional<GateTree> Gates;
  auto Merge = [&](const Instruction &Phi) {
    if (!Gates) {
      const Block *D = CF.immediateDominator(&B);
      Gates = D ? gates(*D, B, false) : GateTree();
    }
    merge(Phi, *Gates);
  };
  if (IsHeader)
    openLoop(B, unsigned(C));
  else if (Out.Locals)
    for (const Instruction *Phi : Out.Locals->phis(&B))
      Merge(*Phi);
  for (const Instruction *Now : B.Instructions) {
    if (Now->isPhi() && !IsHeader) {
      Merge(*Now);
    } else if (!Now->isPhi()) {
      translate(*Now);
    }
    if (C >= 0)
      noteUnresolved(*Now);
  }
  if (C >= 0)
    noteBranch(B);
  for (; C >= 0; C = CF.cycles()[unsigned(C)].ParentIndex) {
    if (--Loops[unsigned(C)].BlocksLeft != 0)
      break;
    closeLoop(unsigned(C));
  }
}

/// What a loop may replace in the end. Outside all loops there is none.
void ValueBuilder::noteUnresolved(const Instruction &In) {
  for (const Value *D : In.Defs)
    if (Ref X = Out.ByValue[D->Id]; X && llvm::any_of(X->Symbols, [](Ref S) {
                                      return S->Sym->Reason ==
                                             Symbol::ReasonTy::Loop;
                                    }))
      Unresolved.push_back(D->Id);
}

/// The condition of a block's branch, as far as it varies.
void ValueBuilder::noteBranch(const Block &B) {
  if (B.Successors.size() < 2)
    return;
  Ref Condition = condition(B);
  int C = CF.innermostCycle(&B);
  Loops[unsigned(C)].BranchesVary |=
      Condition ? Condition->Varies : uint8_t(VariesEverywhere);
}

/// Where the first successor is taken; null if the branch has no such
/// condition.
Ref ValueBuilder::condition(const Block &X) const {
  const Instruction *T = X.terminator();
  if (!T || !T->Guard || X.Successors.size() != 2 ||
      ptx::Opcode(T->Opcode) != ptx::Opcode::Bra)
    return nullptr;
  return Out.guard(*T);
}

void ValueBuilder::run() {
  for (const Value *V : G.Values) {
    if (V->Def)
      continue;
    Ref X = nullptr;
    if (V->IsArgument && From)
      for (const FormalRegister &F : G.FormalRegisters)
        if (!F.IsReturn && F.Register == V->Register &&
            F.Position < From->Arguments.size())
          X = pieceAt(From->Arguments[F.Position], 0, bitWidth(V->Type));
    Out.ByValue[V->Id] = X ? X
                           : opaque(V->IsArgument ? Symbol::ReasonTy::Argument
                                                  : Symbol::ReasonTy::Undefined,
                                    *V, VariesEverywhere);
  }
  ArrayRef<Block *> Order = CF.reversePostOrder();
  for (unsigned N = 0; N != Order.size(); ++N) {
    Position[Order[N]->Number] = N;
    if (int C = CF.innermostCycle(Order[N]); C >= 0)
      ++Loops[unsigned(C)].BlocksLeft;
  }
  // An outer cycle has, besides its own blocks, its inner cycles to wait for.
  for (const Cycle &C : CF.cycles())
    if (C.ParentIndex >= 0)
      ++Loops[unsigned(C.ParentIndex)].BlocksLeft;
  for (const Block *B : Order)
    visit(*B);
  resolve();
  if (From && From->From->MayHaveLocals)
    noteWrites();
}

/// Puts closed forms in place of the phi symbols, outer loops first: a closed
/// form has symbols of the loops around its own at most.
void ValueBuilder::resolve() {
  llvm::DenseMap<Ref, Ref> All;
  auto With = [&](Ref S) {
    auto It = All.find(S);
    return It == All.end() ? S : It->second;
  };
  bool Any = false;
  for (Loop &L : Loops) {
    Expressions::Memo Memo;
    SmallVector<std::pair<Ref, Ref>, 8> Resolved;
    for (auto [Phi, Symbol] : L.Phis)
      if (auto It = L.Closed.find(Symbol); It != L.Closed.end())
        Resolved.emplace_back(Symbol, E.substitute(It->second, With, Memo));
    All.insert(Resolved.begin(), Resolved.end());
    Any |= !Resolved.empty();
  }
  if (!Any)
    return;
  Expressions::Memo Memo(E.size());
  for (unsigned Id : Unresolved)
    Out.ByValue[Id] = E.substitute(Out.ByValue[Id], With, Memo);
  // Of functions called in loops.
  SmallVector<SymbolicValues *, 8> Work;
  for (auto &Call : Out.Calls)
    if (CF.innermostCycle(Call.first->Parent) >= 0)
      Work.push_back(Call.second.Result.get());
  while (!Work.empty()) {
    SymbolicValues *V = Work.pop_back_val();
    for (Ref &X : V->ByValue)
      if (X)
        X = E.substitute(X, With, Memo);
    for (auto &Call : V->Calls) // their arguments are from here
      Work.push_back(Call.second.Result.get());
  }
}
