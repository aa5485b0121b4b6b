//===- LiftFunction.cpp - One function's machine code ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "Codec.h"
#include "OperationTable.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;
using Kind = Operand::KindTy;

FunctionLift::FunctionLift(LiftModule &L, TextCode &Code, uint64_t Entry,
                           const LocalFunctions &Others, InstructionGraph &G)
    : L(L), F(Code.function()), G(G), M(Code, Entry, Others),
      Local(Others.at(Entry)), Facts(Code.bytes() / InstructionBytes),
      FirstLine(L.line(F, 0)) {}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// Words are of tables: what begins at the same place is the same.
static bool areSame(StringRef A, StringRef B) {
  return A.data() == B.data() && A.size() == B.size();
}

StringRef FunctionLift::mnemonicWithModifiers(const MachineInstruction &Of) {
  auto &Known = MachineMnemonics[Of.Operation];
  for (const auto &[Modifiers, Text] : Known)
    if (llvm::equal(Modifiers, Of.Modifiers, areSame))
      return Text;
  llvm::SmallString<32> Name(Of.mnemonic());
  for (StringRef Word : Of.Modifiers) {
    Name += '.';
    Name += Word;
  }
  Known.emplace_back(ArrayRef<StringRef>(Of.Modifiers), L.keep(Name));
  return Known.back().second;
}

/// Whether packed arithmetic reads one half of a register twice.
static bool isSwizzled(const MachineInstruction &I) {
  return !hasWord(I, "F32") &&
         llvm::any_of(I.Operands, [](const MachineOperand &O) {
           return O.Kind == OperandKind::Register &&
                  (O.Part == MachineOperand::LowHalf ||
                   O.Part == MachineOperand::HighHalf);
         });
}

const MachineFacts *FunctionLift::facts(const Instruction &I) {
  const MachineGraph::Place &P = M.placeOf(I);
  const MachineFacts *&Known = Facts[P.Address / InstructionBytes];
  if (Known)
    return Known;
  auto *New = new (G.Memory->Arena.Allocate<MachineFacts>()) MachineFacts;
  const MachineInstruction &Of = *P.Machine;
  New->Mnemonic = mnemonicWithModifiers(Of);
  New->Address = P.Address;
  if (const std::optional<OperationFacts> Facts = factsOf(Of, architecture())) {
    // Some conversions are integer arithmetic to the machine.
    const bool IsArithmetic =
        Facts->Class == SchedClass::Convert && Facts->RunsOn == Pipe::ALU;
    New->Class = uint8_t(IsArithmetic ? SchedClass::Int : Facts->Class);
    New->Pipe = uint8_t(Facts->RunsOn);
  } else {
    New->Class = uint8_t(SchedClass::Other);
    New->Pipe = uint8_t(Pipe::Other);
  }
  New->IsUniform = Pipe(New->Pipe) == Pipe::Uniform;
  New->ReadsSystem = llvm::any_of(Of.Operands, [](const MachineOperand &O) {
    return O.Kind == OperandKind::Special;
  });
  New->IsSwizzled = isSwizzled(Of);
  New->IsSpill =
      F.Spills && llvm::binary_search(*F.Spills, uint64_t(P.Address));
  const ControlCode &C = Of.Control;
  New->Stall = uint8_t(C.Stall);
  New->Yields = C.Yields;
  if (C.WriteBarrier)
    New->WriteBarrier = uint8_t(*C.WriteBarrier);
  if (C.ReadBarrier)
    New->ReadBarrier = uint8_t(*C.ReadBarrier);
  New->WaitMask = uint8_t(C.WaitMask);
  New->ReuseMask = uint8_t(C.ReuseMask);
  return Known = New;
}

void FunctionLift::liftInstruction(const Instruction &I) {
  const MachineGraph::Place &P = M.placeOf(I);
  Current = &I;
  Machine = P.Machine;
  IsCounted = false;
  if (!Machine) { // a jump of ours
    if (!Collects) {
      Operand To;
      To.Kind = Kind::Target;
      To.Dest = Blocks.lookup(I.Operands[0].Dest);
      emit("bra", {To});
    }
    return;
  }
  if (!Collects) {
    Line = line(P.Address);
    Source = L.location(F, P.Address);
  }
  if (I.IsTerminator)
    emitPhiCopies(*I.Parent);
  listSources(*Machine, Sources);
  if (!Machine->Operation)
    emitUnknown();
  else if (Machine->Guard == PredicateTrue && Machine->GuardIsNegated &&
           !I.IsTerminator) // @!PT: never
    emitNothing();
  else if (PairNode *S = Pairs->sumOf(I)) // counted where it is computed
    wideOf(S);
  else
    dispatch();
  if (!Collects && !I.IsTerminator) {
    // Pairs that it computed are written to its registers first.
    emitPairs(Pairs->behind(I), &I);
    emitNames(&I, nullptr);
  }
  if (!Collects && !IsCounted)
    emitNothing();
}

void FunctionLift::liftBlock(const Block &Of) {
  Machine = nullptr;
  Current = nullptr;
  LoopLanes.reset();
  HasWaited = false;
  if (!Collects) {
    if (!Of.Instructions.empty())
      for (const Instruction *I : Of.Instructions)
        if (!I->isPseudo()) {
          Line = line(M.placeOf(*I).Address);
          break;
        }
    B->startBlock(Blocks.lookup(&Of), Line);
    // Names and pairs that are there from the start on.
    emitNames(nullptr, &Of);
    emitPairs(Pairs->startOf(Of), nullptr);
  }
  for (const Instruction *I : Of.Instructions)
    if (!I->isPseudo())
      liftInstruction(*I);
  if (!Collects && !Of.terminator()) {
    Machine = nullptr;
    emitPhiCopies(Of);
  }
}

/// A word of the parameters, or two; false if none of it is one. Where several
/// share a word, or one ends within it, it is put together.
bool FunctionLift::loadParameter(uint32_t Offset, const Operand &To) {
  const unsigned Bytes = bitWidth(To.Type) / 8;
  auto At = [&](const Parameter &P, uint64_t Ahead) {
    Operand O;
    O.Kind = Kind::Parameter;
    O.Type = P.Type;
    O.Param = &P;
    return address(O, int64_t(Ahead));
  };
  auto BeginOf = [&](const Parameter &P) {
    return uint64_t(F.ParameterBase) + F.Parameters[P.Position].Offset;
  };
  Operand All = number(0, To.Type);
  bool Found = false;
  for (const Parameter &P : G.Parameters) {
    const uint64_t Begin = BeginOf(P), End = Begin + P.Bytes;
    if (End <= Offset || Begin >= Offset + Bytes)
      continue;
    if (Begin <= Offset && End >= Offset + Bytes) {
      emit(Bytes == 8 ? "ld.param.b64" : "ld.param.b32",
           {To, At(P, Offset - Begin)});
      return true;
    }
    Found = true;
    // Pieces of two bytes where they lie so, else of one.
    for (uint64_t Byte = std::max<uint64_t>(Begin, Offset);
         Byte < std::min<uint64_t>(End, Offset + Bytes);) {
      const uint64_t Left = std::min<uint64_t>(End, Offset + Bytes) - Byte;
      const unsigned Size = Left >= 2 && Byte % 2 == 0 ? 2 : 1;
      const unsigned Shift = 8 * unsigned(Byte - Offset);
      const bool IsWide = Bytes == 8;
      Operand Piece = compute(Size == 2 ? "ld.param.u16" : "ld.param.u8",
                              To.Type, {At(P, Byte - Begin)});
      if (Shift != 0)
        Piece = compute(IsWide ? "shl.b64" : "shl.b32", To.Type,
                        {Piece, number(Shift)});
      All = isNumber(All, 0)
                ? Piece
                : compute(IsWide ? "or.b64" : "or.b32", To.Type, {All, Piece});
      Byte += Size;
    }
  }
  if (Found)
    move(To, All);
  return Found;
}

/// The generic address where shared or local memory begins: that of the only
/// variable that is there.
Operand FunctionLift::windowOf(AddressSpace Space) {
  Operand Begin = number(0, ScalarType::B64);
  const bool IsShared = Space == AddressSpace::Shared;
  for (const Variable *V : G.LocalVariables)
    if (IsShared && V->Space == Space) {
      Operand O;
      O.Kind = Kind::Variable;
      O.Var = V;
      Begin = compute("mov.u64", ScalarType::B64, {O});
    }
  return compute(IsShared ? "cvta.shared.u64" : "cvta.local.u64",
                 ScalarType::B64, {Begin});
}

void FunctionLift::loadWord(unsigned Bank, uint32_t Offset, ScalarType T) {
  const bool IsWide = T == ScalarType::B64;
  const std::pair Key{std::pair{Bank, Offset}, IsWide};
  const Operand To = temporary(T);
  Words[Key] = To.RegisterIndex;
  const unsigned Bytes = IsWide ? 8 : 4;
  const StringRef Type = IsWide ? ".b64" : ".b32";
  if (Bank == 0) {
    const LaunchWords &W = L.launchWords();
    if (!IsWide) {
      static constexpr StringRef Sizes[] = {"%ntid.x",   "%ntid.y",
                                            "%ntid.z",   "%nctaid.x",
                                            "%nctaid.y", "%nctaid.z"};
      for (unsigned D = 0; D != 3; ++D) {
        if (Offset == W.BlockSize + 4 * D)
          return emit("mov.u32", {To, special(Sizes[D])});
        if (Offset == W.GridSize + 4 * D)
          return emit("mov.u32", {To, special(Sizes[3 + D])});
      }
      if (Offset == W.StackTop) {
        // From the last byte of the frame down.
        const auto It = llvm::find_if(G.LocalVariables, [](const Variable *X) {
          return X->Space == AddressSpace::Local;
        });
        if (It != G.LocalVariables.end()) {
          const Variable *V = *It;
          Operand O;
          O.Kind = Kind::Variable;
          O.Var = V;
          Operand Begin = compute("mov.u32", ScalarType::B32, {O});
          return emit("add.u32", {To, Begin, number(V->Bytes)});
        }
        return emit("mov.b32", {To, number(0)});
      }
    }
    if (const uint32_t Window = parameterWindow();
        !G.Parameters.empty() &&
        (Offset == Window || (!IsWide && Offset == Window + 4))) {
      const Parameter &First = G.Parameters.front();
      Operand O;
      O.Kind = Kind::Parameter;
      O.Type = First.Type;
      O.Param = &First;
      Operand At = compute("mov.b64", ScalarType::B64, {O});
      At = compute("cvta.param.u64", ScalarType::B64, {At});
      if (const uint64_t Ahead = F.Parameters[First.Position].Offset)
        At = compute("sub.s64", ScalarType::B64,
                     {At, number(Ahead, ScalarType::B64)});
      if (IsWide)
        return move(To, At);
      const auto [Low, High] = halves(At);
      return move(To, Offset == Window ? Low : High);
    }
    if (!IsWide && emitClusterWord(To, Offset, /*IsIndexed=*/false))
      return;
    // Where local and shared memory begin among generic addresses.
    for (const auto &[Window, Space] :
         {std::pair(W.LocalWindow, AddressSpace::Local),
          std::pair(W.SharedWindow, AddressSpace::Shared)}) {
      if (!Window || (Offset != *Window && Offset != *Window + 4))
        continue;
      const Operand Begin = windowOf(Space);
      if (IsWide)
        return move(To, Begin);
      const auto [Low, High] = halves(Begin);
      return move(To, Offset == *Window ? Low : High);
    }
    if (loadParameter(Offset, To))
      return;
    // The descriptor of memory and other things of the system's.
    return emit("mov" + Type, {To, number(0, T)});
  }
  if (const CubinSection *S = L.image().bank(Bank, F.Name)) {
    if (const CubinRelocation *R = S->relocationAt(Offset))
      if (const Variable *V = L.variable(R->Symbol)) {
        Operand O;
        O.Kind = Kind::Variable;
        O.Var = V;
        Operand At = compute("mov.u64", ScalarType::B64, {O});
        if (V->Space != AddressSpace::Shared)
          At = compute(V->Space == AddressSpace::Const ? "cvta.const.u64"
                                                       : "cvta.global.u64",
                       ScalarType::B64, {At});
        if (R->Addend != 0)
          At = compute("add.s64", ScalarType::B64,
                       {At, number(uint64_t(R->Addend), ScalarType::B64)});
        if (IsWide)
          return move(To, At);
        return move(To, halves(At).first);
      }
    constexpr unsigned Variables = 3;
    if (Bank != Variables && Offset + Bytes <= S->Content.size()) {
      uint64_t Value = 0;
      memcpy(&Value, S->Content.data() + Offset, Bytes);
      return emit("mov" + Type, {To, number(Value, T)});
    }
    if (const Variable *V = L.variable(S->Name)) {
      Operand O;
      O.Kind = Kind::Variable;
      O.Var = V;
      return emit("ld.const" + Type, {To, address(O, Offset)});
    }
  }
  // The upper word of an address that a relocation of the lower one makes.
  if (Bank != 0 && Offset >= 4)
    if (const CubinSection *S = L.image().bank(Bank, F.Name))
      if (S->relocationAt(Offset - 4))
        if (auto It = Words.find({{Bank, Offset - 4}, true});
            It != Words.end()) {
          Operand From;
          From.Kind = Kind::Register;
          From.Type = ScalarType::B64;
          From.RegisterIndex = It->second;
          return move(To, halves(From).second);
        }
  emit("mov" + Type, {To, number(0, T)});
}

/// What holds from the start on is loaded once: the machine reads constants as
/// operands.
void FunctionLift::emitEntry() {
  Line = line(Local ? Local->Entry : 0);
  Source = nullptr;
  Machine = nullptr;
  B->startBlock(B->block("", this), Line);
  for (const Variable *V : G.LocalVariables)
    if (V->Space == AddressSpace::Shared) {
      Operand O;
      O.Kind = Kind::Variable;
      O.Var = V;
      emit("mov.u32", {temporary(ScalarType::B32), O});
    }
  for (const auto &[Place, IsWide] : WantedWords)
    if (IsWide)
      loadWord(Place.first, Place.second, ScalarType::B64);
  for (const auto &[Place, IsWide] : WantedWords)
    if (!IsWide)
      loadWord(Place.first, Place.second, ScalarType::B32);
  emitNames(nullptr, nullptr);
  // A frame is filled from its end on.
  if (Local && Local->Interface.HasFrame)
    for (const Variable *V : G.LocalVariables)
      if (V->Space == AddressSpace::Local) {
        Operand O;
        O.Kind = Kind::Variable;
        O.Var = V;
        const Operand Begin = compute("mov.u32", ScalarType::B32, {O});
        emit("add.u32",
             {registerOperand(machine::StackPointer), Begin, number(V->Bytes)});
      }
}

/// The registers that a caller gives and takes.
void FunctionLift::addFormals() {
  if (!Local)
    return;
  const CallInterface &I = Local->Interface;
  unsigned Position = 0;
  for (unsigned R : I.Arguments) {
    if (R == machine::StackPointer && I.takesStack())
      CallerStack = R = B->addRegister("stack", ScalarType::B32);
    G.FormalRegisters.push_back({R, Position++, /*IsReturn=*/false});
    B->markArgument(R);
  }
  Position = 0;
  for (const unsigned R : I.Results)
    G.FormalRegisters.push_back({R, Position++, /*IsReturn=*/true});
}

bool FunctionLift::lift() {
  if (!M.build())
    return false;
  L.addLocals(G, F, Local, M.frameBytes());
  InstructionGraph &Of = M.graph();
  Pairs.emplace(M);
  Pairs->findSums();
  for (const Block *X : Of.analysis<ControlFlow>().reversePostOrder())
    liftBlock(*X);
  Pairs->finishPhis();
  // What pairs are made of may be words of constants.
  for (const Block *X : Of.Blocks) {
    auto Want = [&](ArrayRef<PairNode *> Nodes) {
      for (const PairNode *N : Nodes) {
        if (!N->IsNeeded)
          continue;
        if (N->Kind == PairNode::Constant)
          word(N->Low.Bank0, N->Low.Bits, ScalarType::B64);
        for (const RegisterHalf &H : {N->Low, N->High})
          if (H.Kind == RegisterHalf::Bank)
            word(H.Bank0, H.Bits, ScalarType::B32);
      }
    };
    Want(Pairs->startOf(*X));
    for (const Instruction *I : X->Instructions)
      Want(Pairs->behind(*I));
  }
  Collects = false;
  B.emplace(G);
  for (unsigned R = 0; R != machine::NumRegisters; ++R)
    B->addRegister(machine::nameOf(R), machine::isPredicate(R)
                                           ? ScalarType::Pred
                                           : ScalarType::B32);
  addFormals();
  for (const Block *X : Of.Blocks) {
    std::string Label;
    if (const auto At = M.addressOf(*X)) {
      llvm::raw_string_ostream OS(Label);
      OS << "0x" << llvm::format_hex_no_prefix(At->first, 4);
      if (At->second != 0)
        OS << '.' << At->second;
    }
    Blocks[X] = B->block(L.keep(Label), X);
    Blocks[X]->IsUnlikely = M.isUnlikely(*X);
  }
  emitEntry();
  for (const Block *X : Of.Blocks)
    if (!X->Instructions.empty() || !X->Predecessors.empty() ||
        X == Of.Blocks.front())
      liftBlock(*X);
  // The graph takes much memory when it is finished.
  Pairs.reset();
  M.drop();
  if (!B->finish())
    return false;
  inferFloatParameters(G);
  return true;
}
