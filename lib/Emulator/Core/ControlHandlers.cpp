//===- ControlHandlers.cpp - Branches, calls and exits --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FormatPrintf.h"
#include "Machine.h"
#include "llvm/ADT/bit.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

/// Frames of a warp, beyond which a recursion is taken not to end.
static constexpr size_t MaxFrames = 1 << 14;

static const CodeBlock &blockOf(const WarpMachine &W) {
  return W.Top->F->Blocks[W.Now->Block];
}

/// The group goes on behind \p S when it is woken.
static void resumeBehind(WarpMachine &W, const Step &S) {
  W.Now->Next = uint32_t(&S - blockOf(W).Begin) + 1;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

Outcome emulator::runBranch(WarpMachine &W, const Step &S, uint32_t Lanes) {
  uint32_t All = W.Now->Lanes;
  uint32_t Else = blockOf(W).Fallthrough;
  StepCounter &C = W.counter(S);
  // In the one trip of a polling loop all lanes leave.
  uint32_t Counted = Lanes;
  if (S.Leaves != PollExit::None && W.counts())
    Counted = S.Leaves == PollExit::IfTaken ? All & ~W.Now->Again : 0;
  else
    C.Divergent += Lanes != 0 && Lanes != All;
  C.Taken += unsigned(llvm::popcount(Counted));
  C.Jumps += Counted != 0;
  if (Lanes == All) {
    W.send(S.Detail, All);
    return Outcome::Moved;
  }
  if (Lanes != 0)
    W.send(S.Detail, Lanes);
  W.send(Else, All & ~Lanes);
  return Outcome::Moved;
}

Outcome emulator::runIndexedBranch(WarpMachine &W, const Step &S,
                                   uint32_t Lanes) {
  uint32_t All = W.Now->Lanes, Else = blockOf(W).Fallthrough;
  // What each lane's index is, before anything moves.
  SmallVector<std::pair<uint32_t, uint32_t>, 8> Ways; // block, lanes
  auto Add = [&](uint32_t Block, uint32_t Which) {
    for (auto &[B, M] : Ways)
      if (B == Block) {
        M |= Which;
        return;
      }
    Ways.push_back({Block, Which});
  };
  for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
    unsigned L = unsigned(llvm::countr_zero(Rest));
    uint64_t N = W.value(S.Sources[0], L);
    if (N >= S.NumTargets)
      return W.fail(S, "the index of this branch is " + Twine(N) +
                           ", but it has " + Twine(S.NumTargets) + " targets");
    Add(S.Targets[N], 1u << L);
  }
  if (All & ~Lanes)
    Add(Else, All & ~Lanes);
  StepCounter &C = W.counter(S);
  C.Taken += unsigned(llvm::popcount(Lanes));
  C.Jumps += Lanes != 0;
  C.Divergent += Ways.size() > 1;
  for (auto [Block, Which] : Ways)
    W.send(Block, Which);
  return Outcome::Moved;
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

/// The lanes that an ending step leaves go on behind it.
static Outcome goOn(WarpMachine &W, uint32_t Ended) {
  return W.Now->Lanes & ~Ended ? Outcome::Next : Outcome::Moved;
}

Outcome emulator::runExit(WarpMachine &W, const Step &, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  Outcome O = goOn(W, Lanes);
  W.exitLanes(Lanes);
  return O;
}

Outcome emulator::runReturn(WarpMachine &W, const Step &, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  Outcome O = goOn(W, Lanes);
  W.returnLanes(Lanes);
  return O;
}

Outcome emulator::runTrap(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  return W.fail(S,
                threadName(W, unsigned(llvm::countr_zero(Lanes))) + " traps");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// An argument or result as one side of a call has it.
struct SidePiece {
  Frame &F;
  const CallPiece &Piece;

  bool isSink() const { return Piece.IsRegister && Piece.Register.IsSink; }
  bool isPredicate() const {
    return Piece.IsRegister && Piece.Register.Bytes == 0;
  }
  /// The register's lanes, or constants where it is none of the frame's.
  const char *registers(WarpMachine &W) const {
    return Piece.Register.From == Bank::Frame
               ? F.Registers + Piece.Register.Offset
               : static_cast<const char *>(W.array(Piece.Register));
  }
  char *params(unsigned Lane) const {
    return reinterpret_cast<char *>(F.Params.data()) +
           size_t(Lane) * F.F->ParamBytes + Piece.Offset;
  }
};
} // namespace

static void copyPredicate(WarpMachine &W, const SidePiece &To,
                          const SidePiece &From, uint32_t Lanes) {
  if (!To.Piece.IsRegister || To.isSink())
    return;
  uint32_t Old, New;
  memcpy(&New, From.registers(W), sizeof New);
  char *Dest = To.F.Registers + To.Piece.Register.Offset;
  memcpy(&Old, Dest, sizeof Old);
  New = (Old & ~Lanes) | (New & Lanes);
  memcpy(Dest, &New, sizeof New);
}

/// Copies what one side of a call has to the other, for some lanes.
static void copyPiece(WarpMachine &W, const SidePiece &To,
                      const SidePiece &From, uint32_t Lanes) {
  if (From.isPredicate())
    return copyPredicate(W, To, From, Lanes);
  if (To.isSink())
    return;
  const LaneOperand &In = From.Piece.Register, &Out = To.Piece.Register;
  for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
    unsigned L = unsigned(llvm::countr_zero(Rest));
    const char *Source = From.Piece.IsRegister
                             ? From.registers(W) + size_t(L) * In.Bytes
                             : From.params(L);
    char *Dest = To.Piece.IsRegister
                     ? To.F.Registers + Out.Offset + size_t(L) * Out.Bytes
                     : To.params(L);
    memcpy(Dest, Source, std::min(From.Piece.Bytes, To.Piece.Bytes));
  }
}

void WarpMachine::returnLanes(uint32_t Lanes) {
  Now->Lanes &= ~Lanes;
  if (!Top->Caller || !Top->CallStep)
    return;
  const CallInfo &C = *Top->CallStep->Call;
  ArrayRef<CallPiece> Given = Top->F->Returned;
  for (size_t N = 0; N < std::min(C.Returns.size(), Given.size()); ++N)
    copyPiece(*this, {*Top->Caller, C.Returns[N]}, {*Top, Given[N]}, Lanes);
}

Outcome emulator::runCall(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  const CallInfo &C = *S.Call;
  const Program &P = W.Block.R.Code;
  // By pointer, lanes may call different functions, each in a frame of its own.
  SmallVector<std::pair<const Function *, uint32_t>, 2> Callees;
  if (C.Callee) {
    Callees.push_back({P.function(C.Callee), Lanes});
  } else {
    for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
      unsigned L = unsigned(llvm::countr_zero(Rest));
      const Function *F = P.functionAt(W.value(*C.Pointer, L));
      if (!F)
        return W.fail(S, "the pointer of this call points to no function");
      bool Found = false;
      for (auto &[G, M] : Callees)
        if (G == F) {
          M |= 1u << L;
          Found = true;
        }
      if (!Found)
        Callees.push_back({F, 1u << L});
    }
  }
  if (W.frames().size() > MaxFrames)
    return W.fail(S, "calls are nested more than " + Twine(MaxFrames) +
                         " deep: does this recursion end?");
  Frame &Caller = *W.Top;
  resumeBehind(W, S);
  W.Now->Is = Group::State::InCall;
  W.Now->Children = unsigned(Callees.size());
  for (auto [F, Which] : Callees) {
    Frame *Callee = W.enter(*F, &S, Which);
    if (!W.growLocal(Callee->LocalTop))
      return W.fail(S, "the local memory of a thread would exceed 512 KiB: "
                       "does this recursion end?");
    for (size_t N = 0; N < std::min(C.Arguments.size(), F->Formals.size()); ++N)
      copyPiece(W, {*Callee, F->Formals[N]}, {Caller, C.Arguments[N]}, Which);
  }
  return Outcome::Moved;
}

//===----------------------------------------------------------------------===//
// Functions without a body
//===----------------------------------------------------------------------===//

/// A lane's value of an argument.
static uint64_t argument(WarpMachine &W, const CallPiece &P, unsigned Lane) {
  if (P.IsRegister)
    return W.value(P.Register, Lane);
  uint64_t V = 0;
  memcpy(&V,
         W.Top->Params.data() + size_t(Lane) * W.Top->F->ParamBytes + P.Offset,
         std::min(P.Bytes, 8u));
  return V;
}

static void setResult(WarpMachine &W, const CallInfo &C, unsigned Lane,
                      uint64_t Value) {
  if (C.Returns.empty())
    return;
  const CallPiece &P = C.Returns[0];
  char *Dest = P.IsRegister
                   ? W.Top->Registers + P.Register.Offset +
                         size_t(Lane) * P.Register.Bytes
                   : reinterpret_cast<char *>(W.Top->Params.data()) +
                         size_t(Lane) * W.Top->F->ParamBytes + P.Offset;
  memcpy(Dest, &Value, std::min(P.Bytes, 8u));
}

/// The text at a generic address, up to its end or to that of what it lies in.
static std::string readText(WarpMachine &W, unsigned Lane, uint64_t Address) {
  std::string Text;
  for (; Text.size() < 1 << 16; ++Address) {
    const uint8_t *At = hostPlace(W, Lane, AddressSpace::Generic, Address, 1);
    if (!At || !*At)
      break;
    Text += char(*At);
  }
  return Text;
}

/// What printf returns on a device: the number of its arguments.
static unsigned printLane(WarpMachine &W, const CallInfo &C, unsigned Lane) {
  std::string Format = readText(W, Lane, argument(W, C.Arguments[0], Lane));
  uint64_t At = argument(W, C.Arguments[1], Lane);
  std::vector<uint8_t> Arguments;
  // The buffer's size is not passed: as much as is there, up to what printf
  // takes.
  for (; At && Arguments.size() < 32 * 8; ++At) {
    const uint8_t *Byte = hostPlace(W, Lane, AddressSpace::Generic, At, 1);
    if (!Byte)
      break;
    Arguments.push_back(*Byte);
  }
  unsigned NumArguments = 0;
  W.Block.Printed += formatDevicePrintf(
      Format, Arguments,
      [&](uint64_t Address) { return readText(W, Lane, Address); },
      &NumArguments);
  return NumArguments;
}

Outcome emulator::runSystemCall(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  const CallInfo &C = *S.Call;
  DeviceMemory &Memory = W.Block.R.Memory;
  auto Takes = [&](size_t N) { return C.Arguments.size() >= N; };
  for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
    unsigned L = unsigned(llvm::countr_zero(Rest));
    if (C.Name == "vprintf" && Takes(2)) {
      setResult(W, C, L, printLane(W, C, L));
    } else if (C.Name == "malloc" && Takes(1)) {
      setResult(W, C, L, Memory.mallocBlock(argument(W, C.Arguments[0], L)));
    } else if (C.Name == "free" && Takes(1)) {
      uint64_t Address = argument(W, C.Arguments[0], L);
      if (!Memory.freeBlock(Address))
        return W.fail(S, "free of " + Memory.describe(Address, 1) +
                             ", which malloc did not give or which was freed "
                             "before");
    } else if (C.Name == "__assertfail" && Takes(4)) {
      return W.fail(S, threadName(W, L) + ": assertion '" +
                           readText(W, L, argument(W, C.Arguments[0], L)) +
                           "' failed at " +
                           readText(W, L, argument(W, C.Arguments[1], L)) +
                           ":" + Twine(argument(W, C.Arguments[2], L)));
    } else {
      return W.fail(S, "'" + C.Name +
                           "' is called, which has no body here and "
                           "which the emulator does not provide");
    }
  }
  return Outcome::Next;
}
