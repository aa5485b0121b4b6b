//===- Decoder.cpp - From instruction graphs to steps ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Decoder.h"
#include "AsyncChecks.h"
#include "Emulator/Lanes/VideoOperations.h"
#include "Machine.h"
#include "TensorForms.h"
#include "ptxpredict/Graph/PollingLoops.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

LaneOperand Decoder::constant(uint64_t Low, unsigned Bytes) {
  auto [It, New] = KnownConstants.try_emplace({Low, Bytes}, 0);
  if (New) {
    size_t Offset = llvm::alignTo(P.Constants.size(), 64);
    P.Constants.resize(Offset + (Bytes ? Bytes * WarpSize : 4));
    It->second = uint32_t(Offset);
    char *Out = P.Constants.data() + Offset;
    if (Bytes == 0) {
      uint32_t Mask = Low ? ~0u : 0;
      memcpy(Out, &Mask, 4);
    }
    for (unsigned L = 0; Bytes && L != WarpSize; ++L)
      memcpy(Out + L * Bytes, &Low, std::min(Bytes, 8u));
  }
  LaneOperand O;
  O.Offset = It->second;
  O.From = Bank::Constant;
  O.Bytes = O.Wanted = uint8_t(Bytes);
  return O;
}

LaneOperand Decoder::special(StringRef Name, unsigned DefaultElement) {
  if (Name == "WARP_SZ")
    return constant(WarpSize, 4);
  StringRef Full = Name;
  Name.consume_front("%");
  unsigned Element = DefaultElement;
  if (auto [Base, Suffix] = Name.rsplit('.'); Suffix.size() == 1) {
    Element = unsigned(StringRef("xyzw").find(Suffix[0]));
    Name = Base;
  }
  unsigned Bytes = elementBytes(bitWidth(ptx::specialRegisterType(Full)));
  auto [It, New] = KnownSpecials.try_emplace({Name, Element}, 0);
  if (New) {
    It->second = P.SpecialBytes;
    P.SpecialBytes += Bytes ? Bytes * WarpSize : 32;
    P.Specials.push_back({Name, Element, Bytes});
    P.SpecialOffsets.push_back(It->second);
  }
  LaneOperand O;
  O.Offset = It->second;
  O.From = Bank::Special;
  O.Bytes = O.Wanted = uint8_t(Bytes);
  return O;
}

LaneOperand Decoder::registerOperand(const Operand &O) const {
  return Slots[O.Val->Register];
}

static unsigned wantedBytes(const ptx::OperandInfo *Info, unsigned Otherwise) {
  return Info && Info->Checked && !Info->VectorShares
             ? elementBytes(bitWidth(Info->Type))
             : Otherwise;
}

LaneOperand Decoder::lane(const Operand &O, const ptx::OperandInfo *Info) {
  LaneOperand L;
  using Kind = Operand::KindTy;
  switch (O.Kind) {
  case Kind::Sink:
    L.IsSink = true;
    L.Wanted = uint8_t(wantedBytes(Info, 4));
    return L;
  case Kind::Register:
    L = registerOperand(O);
    L.Wanted = uint8_t(wantedBytes(Info, L.Bytes));
    break;
  case Kind::Special:
    L = special(O.Name);
    L.Wanted = uint8_t(wantedBytes(Info, L.Bytes));
    break;
  case Kind::Integer:
    L = constant(O.Bits,
                 O.Type == ScalarType::Pred
                     ? 0
                     : wantedBytes(Info, elementBytes(bitWidth(O.Type))));
    break;
  case Kind::Float32:
    L = constant(O.Bits, wantedBytes(Info, 4));
    break;
  case Kind::Float64:
    L = constant(O.Bits, wantedBytes(Info, 8));
    break;
  case Kind::Function: {
    const Function *F = O.Callee ? P.function(O.Callee) : nullptr;
    L = constant(F ? CodeWindow + uint64_t(F->Number) * 16 : 0,
                 wantedBytes(Info, 8));
    break;
  }
  default:
    L = constant(0, wantedBytes(Info, 8));
    break;
  }
  L.Negated = O.Negated;
  if (Info)
    L.Signed = kindOf(Info->Type) == TypeKind::Signed;
  return L;
}

std::optional<AddressOperand> Decoder::variableAddress(const Operand &O) const {
  AddressOperand A;
  using Which = AddressOperand::KindTy;
  if (O.Kind == Operand::KindTy::Parameter) {
    A.Kind = IsKernel ? Which::KernelParam : Which::FrameParam;
    A.Offset = int64_t(ParameterPlaces.lookup(O.Param));
    return A;
  }
  if (O.Kind != Operand::KindTy::Variable)
    return std::nullopt;
  A.Kind = O.Var->Space == AddressSpace::Local    ? Which::FrameLocal
           : O.Var->Space == AddressSpace::Param  ? Which::FrameParam
           : O.Var->Space == AddressSpace::Shared ? Which::Shared
                                                  : Which::Absolute;
  A.Offset = int64_t(Places.lookup(O.Var));
  return A;
}

AddressOperand Decoder::address(const Operand &O) {
  if (std::optional<AddressOperand> A = variableAddress(O))
    return *A; // a name without brackets
  AddressOperand A;
  if (O.Kind != Operand::KindTy::Address || O.Elements.empty()) {
    A.Kind = AddressOperand::KindTy::Register;
    A.Base = lane(O, nullptr);
    return A;
  }
  const Operand &Base = O.Elements[0];
  if (std::optional<AddressOperand> V = variableAddress(Base)) {
    A = *V;
  } else if (Base.Kind != Operand::KindTy::Integer) {
    A.Kind = AddressOperand::KindTy::Register;
    A.Base = lane(Base, nullptr);
  } else {
    A.Offset = Base.integer();
  }
  A.Offset += O.integer();
  return A;
}

void Decoder::addOperand(const Operand &O, const ptx::OperandInfo *Info,
                         Step &S) {
  using Kind = Operand::KindTy;
  if (O.Kind == Kind::Vector || O.Kind == Kind::List) {
    for (const Operand &E : O.Elements)
      addOperand(E, Info, S);
    return;
  }
  // What is updated in place is looked for among what is written.
  (O.Role == OperandRole::Write || O.Role == OperandRole::ReadWrite ? Dests
                                                                    : Sources)
      .push_back(lane(O, Info));
}

/// Keeps what stands behind the base of an address: `[base, {x, y}]`.
void Decoder::addCoordinates(const Operand &O, Step &S) {
  SmallVector<LaneOperand, 4> &Kept = P.OperandStorage.emplace_back();
  for (const Operand &More : O.Elements.drop_front()) {
    if (More.Kind != Operand::KindTy::Vector) {
      Kept.push_back(lane(More, nullptr));
      continue;
    }
    for (const Operand &E : More.Elements)
      Kept.push_back(lane(E, nullptr));
  }
  S.Coordinates = Kept.data();
  S.NumCoordinates = uint8_t(Kept.size());
}

/// False if what the instruction writes is no register.
bool Decoder::addOperands(const Instruction &I, Step &S) {
  SmallVector<ptx::OperandInfo, 8> Infos;
  (void)ptx::operands(Opcode(I.Opcode), I.Modifiers,
                      unsigned(I.Operands.size()), Infos);
  for (auto [N, O] : llvm::enumerate(I.Operands)) {
    const ptx::OperandInfo *Info = N < Infos.size() ? &Infos[N] : nullptr;
    // A variable's name stands for its address (cvta, isspacep, mapa).
    if (O.Role != OperandRole::Address && O.Kind != Operand::KindTy::Address &&
        O.Kind != Operand::KindTy::Variable &&
        O.Kind != Operand::KindTy::Parameter) {
      addOperand(O, Info, S);
      continue;
    }
    if (O.Role == OperandRole::Write)
      return false;
    (S.NumAddresses == 0   ? S.Address
     : S.NumAddresses == 1 ? S.Address2
     : S.NumAddresses == 2 ? S.Address3
                           : S.Address4) = address(O);
    ++S.NumAddresses;
    if (O.Kind == Operand::KindTy::Address && O.Elements.size() > 1 &&
        !S.NumCoordinates)
      addCoordinates(O, S);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Whether the result can be computed in place: all widths are right, nothing
/// is negated, and no source is written.
static bool isSimple(const Step &S) {
  auto Overlaps = [&](const LaneOperand &D) {
    for (unsigned N = 0; N != S.NumSources; ++N)
      if (S.Sources[N].From == Bank::Frame && S.Sources[N].Offset == D.Offset)
        return true;
    return false;
  };
  for (unsigned N = 0; N != S.NumDests; ++N) {
    const LaneOperand &D = S.Dests[N];
    if (!D.IsSink && (D.Bytes != D.Wanted || Overlaps(D)))
      return false;
  }
  for (unsigned N = 0; N != S.NumSources; ++N)
    if (S.Sources[N].Bytes != S.Sources[N].Wanted || S.Sources[N].Negated)
      return false;
  return S.NumSources <= 4 && S.NumDests <= 2;
}

void Decoder::decodeMove(const Instruction &I, Step &S) {
  const Operand &To = I.Operands[0], &From = I.Operands[1];
  bool Packs = From.Kind == Operand::KindTy::Vector,
       Unpacks = To.Kind == Operand::KindTy::Vector;
  if (Packs || Unpacks) {
    addOperand(To, nullptr, S);
    if (Unpacks && From.Kind == Operand::KindTy::Special)
      for (unsigned N = 0; N != Dests.size(); ++N)
        Sources.push_back(special(From.Name, N));
    else
      addOperand(From, nullptr, S);
    S.Run = runPack;
    return;
  }
  SmallVector<ptx::OperandInfo, 4> Infos;
  (void)ptx::operands(Opcode::Mov, I.Modifiers, 2, Infos);
  if (std::optional<AddressOperand> A =
          From.Kind == Operand::KindTy::Address
              ? std::optional<AddressOperand>(address(From))
              : variableAddress(From)) {
    Dests.push_back(lane(To, nullptr));
    S.Address = *A;
    S.Run = runMoveAddress;
    return;
  }
  Dests.push_back(lane(To, nullptr));
  const ptx::OperandInfo Typed = {OperandRole::Read, 0, true, false, false,
                                  I.Operands[0].Type};
  Sources.push_back(lane(From, &Typed));
  S.Run = runCopy;
}

CallPiece Decoder::piece(const Operand &O, unsigned Bytes) {
  CallPiece Out;
  if (O.Kind == Operand::KindTy::Variable ||
      O.Kind == Operand::KindTy::Parameter) {
    Out.Offset = uint32_t(variableAddress(O)->Offset);
    Out.Bytes = uint32_t(O.Kind == Operand::KindTy::Variable ? O.Var->Bytes
                                                             : O.Param->Bytes);
    return Out;
  }
  Out.IsRegister = true;
  ptx::OperandInfo Info;
  Info.Checked = Bytes != 0;
  Info.Type = Bytes == 8   ? ScalarType::B64
              : Bytes == 2 ? ScalarType::B16
                           : ScalarType::B32;
  Out.Register = lane(O, O.Kind == Operand::KindTy::Integer ? &Info : nullptr);
  Out.Bytes = std::max<uint32_t>(1, Out.Register.Bytes);
  return Out;
}

void Decoder::decodeCall(const Instruction &I, Step &S) {
  CallInfo &C = P.Calls.emplace_back();
  S.Call = &C;
  const Operand *Arguments = nullptr, *Returns = nullptr;
  for (const Operand &O : I.Operands) {
    if (O.Role == OperandRole::Callee) {
      C.Callee = O.Kind == Operand::KindTy::Function ? O.Callee : nullptr;
      C.Name = O.Name;
      if (O.Kind == Operand::KindTy::Register)
        C.Pointer = lane(O, nullptr);
    } else if (O.Role == OperandRole::Write && !Returns) {
      Returns = &O;
    } else if (O.Role == OperandRole::Read && !Arguments) {
      Arguments = &O;
    }
  }
  const Function *F = C.Callee ? P.function(C.Callee) : nullptr;
  auto Each = [](const Operand *O) {
    return !O                                 ? ArrayRef<Operand>()
           : O->Kind == Operand::KindTy::List ? O->Elements
                                              : ArrayRef<Operand>(*O);
  };
  for (auto [N, O] : llvm::enumerate(Each(Arguments)))
    C.Arguments.push_back(
        piece(O, F && N < F->Formals.size() ? F->Formals[N].Bytes : 0));
  for (const Operand &O : Each(Returns))
    C.Returns.push_back(piece(O, 0));
  S.Run = C.Callee || C.Pointer ? runCall : runSystemCall;
}

void Decoder::decodeBranch(const Instruction &I, Step &S) {
  if (Opcode(I.Opcode) == Opcode::Bra) {
    for (const Operand &O : I.Operands)
      if (O.Kind == Operand::KindTy::Target)
        S.Detail = BlockIndex.lookup(O.Dest);
    S.Run = runBranch;
    return;
  }
  std::vector<uint32_t> &Targets = P.TargetLists.emplace_back();
  for (const Operand &O : I.Operands) {
    if (O.Role != OperandRole::Label)
      Sources.push_back(lane(O, nullptr));
    for (const Operand &E : O.Elements)
      if (E.Kind == Operand::KindTy::Target)
        Targets.push_back(BlockIndex.lookup(E.Dest));
  }
  S.Targets = Targets.data();
  S.NumTargets = uint32_t(Targets.size());
  S.Run = runIndexedBranch;
}

/// The first source of a video instruction is what selects parts.
/// False for a video instruction of a form that is not covered.
bool Decoder::addVideoControl(const Instruction &I) {
  SmallVector<VideoOperand, 4> Written;
  for (const Operand &O : I.Operands)
    Written.push_back({O.Name, O.Negated});
  if (std::optional<uint64_t> Control =
          videoControl(Opcode(I.Opcode), I.Modifiers, Written)) {
    Sources.insert(Sources.begin(), constant(*Control, 8));
    return true;
  }
  return !findVideoOperation(Opcode(I.Opcode), I.Modifiers,
                             unsigned(Sources.size()));
}

/// What is found by opcode and modifiers: a function of lanes, or a handler.
void Decoder::decodeOperation(const Instruction &I, Step &S) {
  const auto Op = Opcode(I.Opcode);
  if (!addOperands(I, S))
    return;
  // An address among the operands is none of a lane-wise instruction.
  if (addVideoControl(I) && S.NumAddresses == 0 &&
      Sources.size() <= LaneArguments::MaxSources &&
      Dests.size() <= LaneArguments::MaxDests)
    S.Op = findLaneOperation(Op, I.Modifiers, unsigned(Sources.size()));
  if (!I.Effects.empty()) {
    const MemoryEffect &E = I.Effects[0];
    S.Space = E.Space;
    S.BytesPerLane = E.BytesPerLane;
  }
  S.NumDests = uint8_t(Dests.size());
  S.NumSources = uint8_t(Sources.size());
  S.Dests = Dests.data();
  S.Sources = Sources.data();
  if (S.Op) {
    S.Run = nullptr; // when it is known whether the step is simple
    return;
  }
  if (auto Matrix = findMatrixOperation(Op, I.Modifiers))
    S.Matrix = &P.Matrices.emplace_back(*Matrix);
  else if (auto Transfer = findMatrixTransfer(Op, I.Modifiers))
    S.Transfer = &P.Transfers.emplace_back(*Transfer);
  else if (auto Fragment = findWmmaFragment(Op, I.Modifiers))
    S.Fragment = &P.Fragments.emplace_back(*Fragment);
  else if (auto Warpgroup = decodeWarpgroup(I))
    S.Warpgroup = &P.WarpgroupOperations.emplace_back(*Warpgroup);
  else if (auto Move = decodeTensorMove(I))
    S.Move = &P.TensorMoves.emplace_back(*Move);
  else if (auto Tensor = decodeTensor(I))
    S.Tensor = &P.TensorOperations.emplace_back(*Tensor);
  for (auto *Choose :
       {memoryHandler, atomicHandler, warpHandler, barrierHandler, asyncHandler,
        matrixHandler, warpgroupHandler, tensorMemoryHandler,
        tensorMultiplyHandler})
    if (Handler H = Choose(Op, S)) {
      S.Run = H;
      break;
    }
}

bool Decoder::readsClock() const {
  return llvm::any_of(Sources, [&](const LaneOperand &O) {
    if (O.From != Bank::Special)
      return false;
    for (auto [U, Offset] : llvm::zip(P.Specials, P.SpecialOffsets))
      if (Offset == O.Offset &&
          (U.Name.starts_with("clock") || U.Name.starts_with("globaltimer")))
        return true;
    return false;
  });
}

/// Gives the step its operands, which were collected in the decoder.
void Decoder::keepOperands(Step &S) {
  S.NumDests = uint8_t(Dests.size());
  S.NumSources = uint8_t(Sources.size());
  S.Dests = P.OperandStorage.emplace_back(Dests).data();
  S.Sources = P.OperandStorage.emplace_back(Sources).data();
}

void Decoder::decodeInstruction(const Instruction &I, Step &S) {
  Dests.clear();
  Sources.clear();
  S.I = &I;
  S.Index = uint32_t(P.Steps.size());
  S.Run = runUncovered;
  S.NamesCluster = ptx::hasModifier(I.Modifiers, "shared::cluster");
  if (I.HasGuard) {
    S.HasGuard = true;
    S.GuardNegated = I.GuardNegated;
    S.GuardOffset = Slots[I.Guard->Register].Offset;
  }
  switch (Opcode(I.Opcode)) {
  case Opcode::Unknown:
    break;
  case Opcode::Bra:
  case Opcode::BrxIdx:
    decodeBranch(I, S);
    break;
  case Opcode::Ret:
    S.Run = IsKernel ? runExit : runReturn;
    break;
  case Opcode::Exit:
    S.Run = runExit;
    break;
  case Opcode::Trap:
    S.Run = runTrap;
    break;
  case Opcode::Call:
    decodeCall(I, S);
    break;
  case Opcode::Mov:
    decodeMove(I, S);
    break;
  default:
    decodeOperation(I, S);
    break;
  }
  S.ReadsClock |= readsClock();
  if (llvm::any_of(I.Effects, [](const MemoryEffect &E) {
        return E.Space != AddressSpace::Param && E.Space != AddressSpace::Const;
      })) {
    S.MemoryIndex = int32_t(P.MemorySteps.size());
    P.MemorySteps.push_back(&S);
  }
  keepOperands(S);
  S.Simple = isSimple(S);
  if (S.Op)
    S.Run = laneHandler(S.Simple);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// \p What of a function takes more than its \p Owner has at most.
static Error tooLarge(const InstructionGraph &G, const char *What,
                      uint64_t Bytes, const char *Owner, uint64_t Max) {
  return llvm::createStringError("'" + G.Name + "' takes " + Twine(Bytes) +
                                 " bytes of " + What + "; a " + Owner +
                                 " has at most " + Twine(Max));
}

/// Formals and the frame's layout, which callers need before the body.
Error Decoder::layOutFunction(const InstructionGraph &G, Function &F) {
  F.G = &G;
  uint64_t LocalBytes = 0, ParamBytes = 0;
  auto Place = [](std::vector<CallPiece> &List,
                  unsigned Position) -> CallPiece & {
    if (List.size() <= Position)
      List.resize(Position + 1);
    return List[Position];
  };
  for (const Parameter &Param : G.Parameters) {
    uint64_t Offset = placeFrom(ParamBytes, Param.Align);
    ParameterPlaces[&Param] = Offset;
    ParamBytes = llvm::SaturatingAdd(Offset, Param.Bytes);
    CallPiece &Piece =
        Place(Param.IsReturn ? F.Returned : F.Formals, Param.Position);
    Piece.Offset = uint32_t(Offset);
    Piece.Bytes = uint32_t(Param.Bytes);
  }
  for (const FormalRegister &R : G.FormalRegisters) {
    CallPiece &Piece = Place(R.IsReturn ? F.Returned : F.Formals, R.Position);
    Piece.IsRegister = true;
    Piece.Bytes =
        std::max(1u, elementBytes(bitWidth(G.Registers[R.Register].Type)));
  }
  if (G.IsKernel) {
    if (ParamBytes > MaxKernelParamBytes)
      return tooLarge(G, "parameters", ParamBytes, "kernel",
                      MaxKernelParamBytes);
    P.KernelParamBytes = ParamBytes;
    ParamBytes = 0;
  }
  for (const Variable *V : G.LocalVariables) {
    if (V->Space != AddressSpace::Local && V->Space != AddressSpace::Param)
      continue;
    uint64_t &Bytes = V->Space == AddressSpace::Local ? LocalBytes : ParamBytes;
    Places[V] = placeFrom(Bytes, V->Align);
    Bytes = V->endFrom(Bytes);
  }
  if (LocalBytes > MaxLocalBytes)
    return tooLarge(G, "local memory", LocalBytes, "thread", MaxLocalBytes);
  // What is passed to functions lies in local memory, too.
  if (ParamBytes > MaxLocalBytes)
    return tooLarge(G, "parameters", ParamBytes, "thread", MaxLocalBytes);
  F.LocalBytes = uint32_t(LocalBytes);
  F.ParamBytes = uint32_t(ParamBytes);
  return Error::success();
}

void Decoder::decodeFunction(Function &F) {
  const InstructionGraph &G = *F.G;
  Current = &F;
  IsKernel = G.IsKernel;
  assignRegisters(G, F);
  for (const FormalRegister &R : G.FormalRegisters)
    (R.IsReturn ? F.Returned : F.Formals)[R.Position].Register =
        Slots[R.Register];
  ArrayRef<Block *> Order = G.analysis<ControlFlow>().reversePostOrder();
  BlockIndex.clear();
  for (auto [N, B] : llvm::enumerate(Order))
    BlockIndex[B] = uint32_t(N);
  size_t Count = 0;
  G.forEachInstruction([&](const Instruction &) { ++Count; });
  std::vector<Step> &Steps = P.StepStorage.emplace_back(Count);
  Step *Next = Steps.data();
  F.Blocks.resize(Order.size());
  for (auto [N, B] : llvm::enumerate(Order)) {
    CodeBlock &Out = F.Blocks[N];
    Out.Begin = Next;
    for (const Instruction *I : B->Instructions) {
      if (I->isPseudo())
        continue;
      decodeInstruction(*I, *Next);
      P.Steps.push_back(Next++);
    }
    Out.End = Next;
    const Instruction *Last = B->terminator();
    if (!B->Successors.empty() && (!Last || Last->HasGuard))
      Out.Fallthrough = BlockIndex.lookup(B->Successors.back());
  }
  decodePolling(F);
  chooseCounted(F);
}

/// Gives blocks counters that have no steps, or head loops, and their loops.
void Decoder::chooseCounted(Function &F) {
  const auto &CF = F.G->analysis<ControlFlow>();
  llvm::DenseSet<const Block *> Headers;
  for (const Cycle &C : CF.cycles()) {
    F.LoopAround.push_back(C.ParentIndex);
    Headers.insert(C.Header);
    // Group::Enters relies on it.
    assert(llvm::all_of(C.Header->Predecessors, [&](const Block *P) {
      return C.contains(P) ==
             (BlockIndex.lookup(P) >= BlockIndex.lookup(C.Header));
    }));
  }
  for (const Block *B : F.G->Blocks) {
    auto It = BlockIndex.find(B);
    if (It == BlockIndex.end())
      continue;
    CodeBlock &Of = F.Blocks[It->second];
    const bool IsHeader = Headers.contains(B);
    Of.Loop = CF.innermostCycle(B);
    Of.IsHeader = IsHeader;
    if (Of.Begin != Of.End && !IsHeader)
      continue;
    Of.Counter = uint32_t(P.CountedBlocks.size());
    P.CountedBlocks.push_back({B, IsHeader});
  }
}

/// Finds what counts of polling loops.
void Decoder::decodePolling(Function &F) {
  const auto &CF = F.G->analysis<ControlFlow>();
  llvm::DenseMap<const Block *, BlockPolling *> Known;
  auto PollingOf = [&](const Block *B) -> BlockPolling & {
    BlockPolling *&Of = Known[B];
    if (!Of)
      F.Blocks[BlockIndex.lookup(B)].Polling = Of = &P.Pollings.emplace_back();
    return *Of;
  };
  for (const PollingLoop &L : F.G->analysis<PollingLoops>().loops()) {
    const Cycle &C = CF.cycles()[L.Cycle];
    const uint32_t First = F.NumVisits;
    for (const Block *B : C.Blocks) {
      BlockPolling &Of = PollingOf(B);
      Of.Visits.push_back(F.NumVisits++);
      Of.IsOnce &= L.runs(*B);
      const Instruction *T = B->terminator();
      if (!T || !L.isExit(*T))
        continue;
      // It is the last of the block's steps.
      const Step *Last = F.Blocks[BlockIndex.lookup(B)].End - 1;
      const_cast<Step *>(Last)->Leaves = C.contains(B->Successors[0])
                                             ? PollExit::IfNotTaken
                                             : PollExit::IfTaken;
    }
    for (const Block *B : C.Header->Predecessors)
      if (!C.contains(B))
        PollingOf(B).Entered.emplace_back(First, F.NumVisits);
  }
}

Error Decoder::decode(const InstructionGraph &Kernel,
                      const LaunchConfig &Launch) {
  M = Kernel.Parent;
  for (const InstructionGraph *G : calledFrom(Kernel)) {
    auto F = std::make_unique<Function>();
    F->Number = uint32_t(P.Functions.size());
    P.ByGraph[G] = F.get();
    if (Error E = layOutFunction(*G, *F))
      return E;
    P.Functions.push_back(std::move(F));
  }
  if (Error E = placeVariables(Launch))
    return E;
  for (const auto &F : P.Functions)
    decodeFunction(*F);
  // An operand that was declared too narrow is read beyond its end.
  P.Constants.resize(P.Constants.size() + Program::Padding);
  return Error::success();
}

void Program::watchRegisters() {
  if (WarpgroupOperations.empty() && TensorMoves.empty())
    return;
  for (std::vector<Step> &Steps : StepStorage)
    for (Step &S : Steps)
      if (S.Run)
        S.Watched = std::exchange(S.Run, runWatched);
}

Expected<std::unique_ptr<Program>>
Program::create(const InstructionGraph &Kernel, const LaunchConfig &Launch,
                DeviceMemory &Memory) {
  auto P = std::make_unique<Program>();
  if (Error E = Decoder(*P, Memory).decode(Kernel, Launch))
    return E;
  return P;
}
