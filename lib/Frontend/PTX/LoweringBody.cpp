//===- LoweringBody.cpp - Statements and operands of a body ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoweringImpl.h"
#include "ptxpredict/Graph/PTXInstruction.h"
#include "llvm/ADT/bit.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

using Kind = ptx::Operand::KindTy;
using GraphKind = graph::Operand::KindTy;

/// Where the body finds what the head declares.
void FunctionLowering::findParameters(ArrayRef<ptx::Variable *> List,
                                      bool IsReturn) {
  for (unsigned N = 0; N != List.size(); ++N) {
    const ptx::Variable *V = List[N];
    if (V->Space != AddressSpace::Register) {
      ParameterIndex.try_emplace(V, unsigned(ParameterIndex.size()));
      continue;
    }
    unsigned R = registerIndex(*V, 0, V->Name);
    B.graph().FormalRegisters.push_back({R, N, IsReturn});
    if (!IsReturn)
      B.markArgument(R);
  }
}

bool FunctionLowering::lower(const ptx::Function &F) {
  findParameters(F.Returns, /*IsReturn=*/true);
  findParameters(F.Parameters, /*IsReturn=*/false);
  if (lowerBlock(*F.Body))
    return true;
  return !B.finish() &&
         Context.error(F.Name.data(), "the loops of '" + F.Name +
                                          "' are nested too deeply to be "
                                          "analysed");
}

bool FunctionLowering::lowerAmongOthers(const ptx::Block &Statements,
                                        ArrayRef<const ptx::Variable *> Names,
                                        ArrayRef<unsigned> Outer,
                                        const FragmentLocation &At) {
  for (auto [Name, Register] : llvm::zip_equal(Names, Outer))
    Registers[{Name, 0}] = Register;
  Fixed = &At;
  Source = At.Source;
  return lowerBlock(Statements);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

bool FunctionLowering::lowerBlock(const ptx::Block &Body) {
  for (const Node *N : Body.Statements) {
    switch (N->Kind) {
    case Node::KindTy::Instruction:
      lowerInstruction(*cast<ptx::Instruction>(N));
      break;
    case Node::KindTy::Label: {
      const auto *L = cast<Label>(N);
      if (!L->Names) // of targets or a prototype: no place in the code
        B.startBlock(block(*L), Fixed ? Fixed->Line : L->Line);
      break;
    }
    case Node::KindTy::Block: // its depth is bounded by the parser
      if (lowerBlock(*cast<ptx::Block>(N)))
        return true;
      break;
    case Node::KindTy::Declaration:
      if (lowerDeclaration(*cast<Declaration>(N)))
        return true;
      break;
    case Node::KindTy::Loc:
      if (!Fixed)
        lowerLoc(*cast<Loc>(N));
      break;
    case Node::KindTy::Pragma:
      if (llvm::is_contained(cast<Pragma>(N)->Strings, "\"nounroll\""))
        B.forbidUnrolling();
      break;
    default:
      break;
    }
  }
  return false;
}

bool FunctionLowering::lowerDeclaration(const Declaration &D) {
  for (const ptx::Variable *V : D.Variables) {
    if (V->Space == AddressSpace::Register)
      continue;
    graph::Variable *Out =
        Context.lowerVariable(*V, D.Links, B.graph().Memory->Arena);
    if (!Out)
      return true;
    if (Fixed)
      Out->Line = Fixed->Line;
    B.graph().LocalVariables.push_back(Out);
  }
  return false;
}

void FunctionLowering::lowerLoc(const Loc &L) {
  auto Key = [](uint32_t File, uint32_t Line, uint32_t Column) {
    return std::make_pair(uint64_t(File) << 32 | Line, Column);
  };
  llvm::BumpPtrAllocator &Arena = B.graph().Memory->Arena;
  auto *S = new (Arena.Allocate<SourceLocation>()) SourceLocation;
  S->File = Context.file(L.FileIndex);
  S->Line = L.SourceLine;
  S->Column = L.Column;
  if (L.IsInlined) {
    S->Function = Context.debugFunctionName(*L.FunctionName);
    const SourceLocation *&At =
        Places[Key(L.InlinedFile, L.InlinedLine, L.InlinedColumn)];
    if (!At) {
      auto *Outer = new (Arena.Allocate<SourceLocation>()) SourceLocation;
      Outer->File = Context.file(L.InlinedFile);
      Outer->Line = L.InlinedLine;
      Outer->Column = L.InlinedColumn;
      At = Outer;
    }
    S->InlinedAt = At;
  }
  Places[Key(L.FileIndex, L.SourceLine, L.Column)] = S;
  Source = S;
}

ptxpredict::Block *FunctionLowering::block(const Label &L) {
  if (!Fixed)
    return B.block(L.Name, &L);
  ptxpredict::Block *&Place = Labels[&L];
  if (!Place) // its key is an address that no other label has
    Place = B.block(L.Name, B.graph().Memory->Arena.Allocate(1, 1));
  return Place;
}

const LoweredMnemonic &FunctionLowering::mnemonic(const Mnemonic &Op) {
  LoweredMnemonic &L = Mnemonics[&Op];
  if (!L.Info.Mnemonic.empty())
    return L;
  L.Info = describeInstruction(Context.keepText(Op.Text), Op.Decoded);
  SmallVector<MemoryEffect, 2> Effects;
  memoryEffects(Op.Decoded.Op, L.Info.Modifiers, Op.NumOperands, Effects);
  L.Info.Effects = Context.keep(Effects);
  L.Signature = Op.Signature;
  return L;
}

void FunctionLowering::lowerInstruction(const ptx::Instruction &I) {
  const LoweredMnemonic &L = mnemonic(*I.Op);
  InstructionInfo Info = L.Info;
  Info.Line = Fixed ? Fixed->Line : I.Line;
  Info.Source = Source;
  if (I.Guard) {
    const ptx::Operand &Name =
        I.Guard->is(Kind::Not) ? I.Guard->child() : *I.Guard;
    Info.Guard = registerIndex(*cast<ptx::Variable>(Name.Target), Name.Index,
                               Name.name());
    Info.GuardNegated = I.Guard->is(Kind::Not);
  }

  SmallVector<graph::Operand, 8> Operands;
  if (Info.IsCall) {
    lowerCall(I, Operands);
  } else {
    for (size_t N = 0; N != I.Operands.size(); ++N) {
      OperandInfo O = N < L.Signature.size() ? L.Signature[N] : OperandInfo();
      Operands.push_back(lowerOperand(I.Operands[N], O.Role, O.Type));
    }
  }
  Info.Operands = Operands;
  B.append(Info);
}

void FunctionLowering::lowerCall(const ptx::Instruction &I,
                                 SmallVectorImpl<graph::Operand> &Out) {
  CallParts P = callParts(I);
  for (const ptx::Operand &O : I.Operands)
    Out.push_back(lowerOperand(O,
                               &O == P.Returns   ? OperandRole::Write
                               : &O == P.Callee  ? OperandRole::Callee
                               : &O == P.Targets ? OperandRole::Label
                                                 : OperandRole::Read,
                               ScalarType::B32));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

unsigned FunctionLowering::registerIndex(const ptx::Variable &V,
                                         uint32_t Number, StringRef Name) {
  auto [It, New] = Registers.try_emplace({&V, Number}, 0);
  if (New)
    It->second = B.addRegister(Name, V.Type);
  return It->second;
}

graph::Operand FunctionLowering::aggregate(GraphKind K,
                                           ArrayRef<graph::Operand> Elements,
                                           OperandRole Role) {
  graph::Operand O;
  O.Kind = K;
  O.Role = Role;
  O.Bits = 0;
  O.Elements = B.keep(Elements);
  return O;
}

/// The element that `.y` or `.g` selects.
static uint32_t selectedElement(StringRef Selector) {
  char C = Selector.empty() ? 'x' : Selector.back();
  return C == 'y' || C == 'g'   ? 1
         : C == 'z' || C == 'b' ? 2
         : C == 'w' || C == 'a' ? 3
                                : 0;
}

graph::Operand FunctionLowering::lowerTargets(const Targets &T) {
  SmallVector<graph::Operand, 8> Elements;
  for (const ptx::Operand &Name : T.Names)
    Elements.push_back(
        lowerName(Name, T.IsCall ? OperandRole::Callee : OperandRole::Label));
  return aggregate(GraphKind::List, Elements, OperandRole::Label);
}

graph::Operand FunctionLowering::lowerName(const ptx::Operand &O,
                                           OperandRole Role) {
  graph::Operand Out;
  Out.Role = Role;
  const Node *Target = O.Target;
  while (const auto *A = llvm::dyn_cast_or_null<Alias>(Target))
    Target = A->Aliasee->Target;
  if (!Target) {
    StringRef Name = O.text();
    Out.Kind = GraphKind::Special;
    if (Name.contains(' ') || Name.contains('\t')) { // `%tid .x`
      std::string Joined;
      for (char C : Name)
        if (C != ' ' && C != '\t')
          Joined += C;
      Name = Context.keepText(Joined);
    }
    Out.Name = Name;
    if (isSpecialRegister(Name))
      Out.Type = specialRegisterType(Name);
    else
      Out.Kind = GraphKind::Symbol;
    return Out;
  }
  if (const auto *V = dyn_cast<ptx::Variable>(Target)) {
    Out.Type = V->Type;
    if (V->Space == AddressSpace::Register) {
      if (V->Vector > 1 && O.SelectorLength == 0) {
        SmallVector<graph::Operand, 8> Elements;
        for (uint32_t E = 0; E != V->Vector; ++E) {
          graph::Operand &R = Elements.emplace_back(Out);
          R.Kind = GraphKind::Register;
          R.RegisterIndex =
              registerIndex(*V, O.Index * V->Vector + E, O.name());
        }
        return aggregate(GraphKind::Vector, Elements, Role);
      }
      Out.Kind = GraphKind::Register;
      uint32_t Number =
          V->Vector > 1 ? O.Index * V->Vector + selectedElement(O.selector())
                        : O.Index;
      Out.RegisterIndex = registerIndex(*V, Number, O.name());
      if (V->Vector <= 1 && O.SelectorLength != 0)
        Out.Name = Context.keepText(O.selector().ltrim(" \t."));
      return Out;
    }
    if (auto It = ParameterIndex.find(V); It != ParameterIndex.end()) {
      Out.Kind = GraphKind::Parameter;
      Out.Param = &B.graph().Parameters[It->second];
      return Out;
    }
    if (const graph::Variable *G = Context.variable(V)) {
      Out.Kind = GraphKind::Variable;
      Out.Var = G;
      return Out;
    }
    Out.Kind = GraphKind::Symbol;
    Out.Name = O.name();
    return Out;
  }
  if (const auto *L = dyn_cast<Label>(Target)) {
    if (const auto *T = llvm::dyn_cast_or_null<Targets>(L->Names))
      return lowerTargets(*T);
    Out.Name = L->Name;
    if (L->Names || Role != OperandRole::Label) {
      Out.Kind = GraphKind::Symbol;
    } else {
      Out.Kind = GraphKind::Target;
      Out.Dest = block(*L);
    }
    return Out;
  }
  Out.Kind = GraphKind::Function;
  Out.Name = cast<ptx::Function>(Target)->Name;
  Out.Callee = Functions.lookup(Out.Name);
  return Out;
}

graph::Operand FunctionLowering::lowerFloat(const ptx::Operand &O,
                                            ScalarType Type) {
  // `0f` and `0d` fix the pattern; ptxas converts it to the operation's type.
  StringRef Text = O.is(Kind::Float) ? O.text() : StringRef();
  bool IsSingle = Text.size() == 10 && (Text[1] | 0x20) == 'f';
  bool IsDouble = Text.size() == 18 && (Text[1] | 0x20) == 'd';
  bool Wide = Type == ScalarType::F64 ||
              (IsDouble && Type != ScalarType::F32) ||
              (!IsSingle && bitWidth(Type) == 64);
  graph::Operand Out;
  Out.Type = Wide ? ScalarType::F64 : ScalarType::F32;
  Out.Kind = Wide ? GraphKind::Float64 : GraphKind::Float32;
  uint64_t Bits;
  if (IsSingle != Wide && (IsSingle || IsDouble) &&
      !Text.drop_front(2).getAsInteger(16, Bits)) {
    Out.Bits = Bits; // no way through a number: NaNs keep their payload
    return Out;
  }
  double Value = evaluateFloat(O).value_or(0);
  Out.Bits = Wide ? llvm::bit_cast<uint64_t>(Value)
                  : llvm::bit_cast<uint32_t>(float(Value));
  return Out;
}

/// `[base+offset, more]`, and `a+4` or `a[1]` without brackets.
graph::Operand FunctionLowering::lowerAddress(const ptx::Operand &O,
                                              OperandRole Role) {
  SmallVector<graph::Operand, 4> Elements;
  int64_t Offset = 0;
  if (O.is(Kind::Element)) {
    Elements.push_back(
        lowerOperand(O.child(0), OperandRole::Read, ScalarType::B64));
    const Node *Target = O.child(0).Target;
    const auto *V = O.child(0).is(Kind::Name)
                        ? llvm::dyn_cast_or_null<ptx::Variable>(Target)
                        : nullptr;
    if (std::optional<int64_t> Index = evaluate(O.child(1)))
      Offset = *Index * (V ? int64_t(bitWidth(V->Type) / 8 * V->Vector) : 1);
    else
      Elements.push_back(
          lowerOperand(O.child(1), OperandRole::Read, ScalarType::B32));
  } else {
    // A sum without brackets is its own first child.
    bool Bracketed = O.is(Kind::Address);
    ptx::Operand Wrapper;
    if (!Bracketed) {
      Wrapper.Kind = Kind::Address;
      Wrapper.NumChildren = 1;
      Wrapper.Children = const_cast<ptx::Operand *>(&O);
    }
    AddressParts P = splitAddress(Bracketed ? O : Wrapper);
    Offset = P.Offset;
    if (P.Base) {
      Elements.push_back(lowerName(*P.Base, OperandRole::Read));
    } else if (Bracketed && !evaluate(O.child())) {
      // `[a[2]]`, or a vector of operands as a base.
      Elements.push_back(
          lowerOperand(O.child(), OperandRole::Read, ScalarType::B64));
    } else {
      graph::Operand Zero;
      Zero.Kind = GraphKind::Integer;
      Zero.Type = ScalarType::B64;
      Zero.Bits = 0;
      Elements.push_back(Zero);
    }
    if (Bracketed)
      for (const ptx::Operand &More : O.children().drop_front())
        Elements.push_back(
            lowerOperand(More, OperandRole::Read, ScalarType::B32));
  }
  graph::Operand Out = aggregate(GraphKind::Address, Elements, Role);
  Out.Bits = uint64_t(Offset);
  return Out;
}

graph::Operand FunctionLowering::lowerOperand(const ptx::Operand &O,
                                              OperandRole Role,
                                              ScalarType Type) {
  graph::Operand Out;
  Out.Role = Role;
  switch (O.Kind) {
  case Kind::Name:
    return lowerName(O, Role);
  case Kind::Sink:
    return Out;
  case Kind::Not:
    Out = lowerOperand(O.child(), Role, Type);
    Out.Negated = true;
    return Out;
  case Kind::Address:
  case Kind::Element:
    return lowerAddress(O, Role);
  case Kind::Pair:
  case Kind::Vector:
  case Kind::List: {
    SmallVector<graph::Operand, 8> Elements;
    for (const ptx::Operand &E : O.children())
      Elements.push_back(lowerOperand(E, Role, Type));
    return aggregate(O.is(Kind::List) ? GraphKind::List : GraphKind::Vector,
                     Elements, Role);
  }
  default:
    break;
  }
  if (std::optional<int64_t> Value = evaluate(O)) {
    Out.Kind = GraphKind::Integer;
    Out.Type = Type;
    Out.Bits = uint64_t(*Value);
    return Out;
  }
  if (evaluateFloat(O)) {
    Out = lowerFloat(O, Type);
    Out.Role = Role;
    return Out;
  }
  if (O.is(Kind::Unary) && O.Op == Operator::Minus) { // `-a` of vmad
    Out = lowerOperand(O.child(), Role, Type);
    Out.Negated = true;
    return Out;
  }
  return lowerAddress(O, Role);
}
