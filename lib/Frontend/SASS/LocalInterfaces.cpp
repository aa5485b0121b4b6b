//===- LocalInterfaces.cpp - What functions take and give back ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The assembler keeps to a convention where functions call themselves, and to
// none where it knows all calls. So nothing is taken for granted but that a
// function leaves the stack pointer as it was: what it takes is what is read
// before it is written, what it gives back is what it writes and a caller
// reads. Both follow from all calls of a text section together, as the least
// sets that agree with each other.
//===----------------------------------------------------------------------===//
#include "Codec.h"
#include "LiftOperands.h"
#include "LocalFunctions.h"
#include "MachineRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include <bitset>
#include <deque>

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {

/// Behind the machine's registers stands for each general one the place of the
/// frame that it is stored to in order to be loaded again in the end.
constexpr unsigned FirstPlace = machine::NumRegisters,
                   NumGeneral = machine::FirstUniform;
using RegisterSet = std::bitset<FirstPlace + NumGeneral>;

/// Instructions without a copy between registers, or a register and its place,
/// and one behind them, which only needs what it copies if that is needed.
struct CodeStep {
  RegisterSet Read, Written; ///< before it is written; always
  RegisterSet MayWrite;
  std::optional<std::pair<unsigned, unsigned>> Copy; ///< from, to
};

/// Instructions behind each other; a call or jump is the last one.
struct CodeBlock {
  std::vector<uint64_t> Addresses;
  SmallVector<unsigned, 2> Successors;
  bool Returns = false;
  std::optional<uint64_t> Callee;
  bool CallsUnknown = false, IsGuardedCall = false;
  std::vector<CodeStep> Steps;
  RegisterSet LiveIn;
  std::optional<int64_t> StackOffset; ///< R1 at its start, from the entry on
  /// Which registers hold at its start what they held at the entry, and which
  /// of those are in their places.
  RegisterSet Kept, Saved;
  bool IsReached = false;
};

/// A register that is stored to the frame, to be loaded again in the end.
struct SavedRegister {
  uint64_t Address = 0; ///< of the store
  int64_t Place = 0;    ///< from R1 at the entry on
  bool IsLoaded = false;
};

/// A subroutine, or the function at 0.
struct Routine {
  uint64_t Entry = 0;
  std::vector<CodeBlock> Blocks; ///< the first one is the entry
  std::map<unsigned, SavedRegister> Saved;
  RegisterSet WrittenHere, MayWrite, Arguments;
  RegisterSet Demanded; ///< what callers read behind a call
  bool HasFrame = false, TakesStack = false;
  /// Something is done with R1, or read of bank 0, that no interface has.
  bool IsOpaque = false;
};

/// What a local load or store moves at a fixed distance from R1.
struct StackAccess {
  bool IsStore = false;
  bool IsWhole = false; ///< of whole registers, under no guard
  int64_t Place = 0;    ///< from R1 on; in the end from R1 at the entry on
  unsigned First = 0, Number = 0;
};

class InterfaceFinder {
public:
  explicit InterfaceFinder(TextCode &Code) : Code(Code) {}

  void run(MutableArrayRef<LocalFunction> Functions);

private:
  void addRoutine(uint64_t Entry);
  void connect(Routine &R, CodeBlock &B,
               const std::map<uint64_t, unsigned> &ByAddress);
  void findStack(Routine &R);
  void findSaved(Routine &R);
  void findUses(Routine &R);
  RegisterSet findKept(Routine &R);
  bool updateWrites(Routine &R);
  bool updateReads(Routine &R);
  void keepSaved(const CodeBlock &B, RegisterSet &Kept, RegisterSet &Saved);
  void forEachPlace(const CodeBlock &B,
                    llvm::function_ref<void(uint64_t, const StackAccess &)> Do);
  bool isParameterWord(const MachineOperand &O) const;
  template <typename FnT>
  void shareWithClones(MutableArrayRef<LocalFunction> Functions, FnT Share);

  TextCode &Code;
  std::map<uint64_t, Routine> Routines;
};

} // namespace

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void InterfaceFinder::addRoutine(uint64_t Entry) {
  auto [It, IsNew] = Routines.try_emplace(Entry);
  if (!IsNew)
    return;
  Routine &R = It->second;
  R.Entry = Entry;
  const std::vector<uint64_t> All = Code.reachedFrom(Entry);
  std::vector<uint64_t> Leaders{Entry};
  for (const uint64_t At : All) {
    if (!Code.isControl(At))
      continue;
    if (const std::optional<uint64_t> To = jumpTarget(Code.at(At)))
      Leaders.push_back(*To);
    if (const CubinJump *J = Code.jumpAt(At))
      llvm::append_range(Leaders, J->Targets);
    Leaders.push_back(At + InstructionBytes);
  }
  llvm::sort(Leaders);
  R.Blocks.emplace_back(); // the entry's, which need not come first
  std::map<uint64_t, unsigned> ByAddress;
  CodeBlock *Open = nullptr;
  for (const uint64_t At : All) {
    const bool IsNext = Open &&
                        Open->Addresses.back() + InstructionBytes == At &&
                        !std::binary_search(Leaders.begin(), Leaders.end(), At);
    if (!IsNext) {
      const unsigned Number = At == Entry ? 0 : unsigned(R.Blocks.size());
      if (Number != 0)
        R.Blocks.emplace_back();
      ByAddress[At] = Number;
      Open = &R.Blocks[Number];
    }
    Open->Addresses.push_back(At);
  }
  for (CodeBlock &B : R.Blocks)
    connect(R, B, ByAddress);
}

void InterfaceFinder::connect(Routine &R, CodeBlock &B,
                              const std::map<uint64_t, unsigned> &ByAddress) {
  const uint64_t Last = B.Addresses.back();
  const MachineInstruction &I = Code.at(Last);
  auto To = [&](uint64_t Address) {
    if (auto It = ByAddress.find(Address); It != ByAddress.end())
      B.Successors.push_back(It->second);
  };
  const bool IsNever =
      isNeverTaken(I) || (I.Guard == PredicateTrue && I.GuardIsNegated);
  bool FallsThrough = true;
  if (Code.isControl(Last) && !IsNever) {
    const StringRef Name = I.mnemonic();
    const std::optional<uint64_t> Target = jumpTarget(I);
    const std::optional<uint64_t> Callee = Code.subroutineAt(Last);
    const bool Jumps =
        Target && Code.isIn(*Target) &&
        (Name == "BRA" || (Name == "CALL" && !Code.returns(*Target)));
    B.Callee = Callee;
    B.CallsUnknown = Name == "CALL" && !Callee && !Jumps;
    B.IsGuardedCall = Callee && !isUnconditional(I);
    if (Jumps)
      To(*Target);
    if (const CubinJump *J = Code.jumpAt(Last))
      for (const uint64_t Address : J->Targets)
        To(Address);
    B.Returns = Name == "RET" && R.Entry != 0;
    FallsThrough = !(endsBlock(I) || Jumps) || !isUnconditional(I);
  }
  if (FallsThrough)
    To(Last + InstructionBytes);
}

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

static bool writesStackPointer(const MachineInstruction &I) {
  const MachineOperand *To = resultOf(I);
  return To && To->Kind == OperandKind::Register &&
         To->Number == machine::StackPointer;
}

/// Where R1 is in each block, and whether it is moved at all.
void InterfaceFinder::findStack(Routine &R) {
  std::vector<unsigned> Waiting{0};
  R.Blocks[0].StackOffset = 0;
  while (!Waiting.empty()) {
    CodeBlock &B = R.Blocks[Waiting.back()];
    Waiting.pop_back();
    int64_t Offset = *B.StackOffset;
    for (const uint64_t At : B.Addresses) {
      const MachineInstruction &I = Code.at(At);
      if (!writesStackPointer(I))
        continue;
      if (R.Entry == 0 && startsStack(I)) {
        Offset = 0;
        continue;
      }
      const std::optional<int64_t> Step = stackStep(I);
      if (!Step || !isUnconditional(I)) {
        R.IsOpaque = true;
        return;
      }
      Offset += *Step;
      R.HasFrame = true;
    }
    R.IsOpaque |= B.Returns && Offset != 0;
    for (const unsigned To : B.Successors) {
      CodeBlock &Next = R.Blocks[To];
      R.IsOpaque |= Next.StackOffset && *Next.StackOffset != Offset;
      if (!Next.StackOffset) {
        Next.StackOffset = Offset;
        Waiting.push_back(To);
      }
    }
  }
}

/// Of LDL and STL.
static std::optional<StackAccess> stackAccessOf(const MachineInstruction &I) {
  StackAccess A;
  A.IsStore = I.mnemonic() == "STL";
  if (!A.IsStore && I.mnemonic() != "LDL")
    return std::nullopt;
  A.Number = hasWord(I, "64") ? 2 : hasWord(I, "128") ? 4 : 1;
  const MachineOperand *Data = nullptr;
  bool IsFixed = false;
  for (const MachineOperand &O : I.Operands) {
    if (O.Kind == OperandKind::Memory) {
      IsFixed = O.Number == machine::StackPointer && O.Scale <= 1 &&
                (!O.Offset || *O.Offset == UniformZero);
      A.Place = O.Value;
    } else if (O.Kind == OperandKind::Register && !Data) {
      Data = &O;
    }
  }
  if (!IsFixed || !Data)
    return std::nullopt;
  A.First = Data->Number;
  A.IsWhole =
      A.First != MachineOperand::RegisterZero && isUnconditional(I) &&
      llvm::none_of(I.Modifiers, [](StringRef Word) {
        return Word == "U8" || Word == "S8" || Word == "U16" || Word == "S16";
      });
  return A;
}

/// Calls \p Do with the accesses of a block that are at a fixed distance from
/// R1 at the entry.
void InterfaceFinder::forEachPlace(
    const CodeBlock &B,
    llvm::function_ref<void(uint64_t, const StackAccess &)> Do) {
  int64_t Offset = B.StackOffset.value_or(0);
  for (const uint64_t At : B.Addresses) {
    const MachineInstruction &I = Code.at(At);
    if (writesStackPointer(I))
      Offset += stackStep(I).value_or(0);
    else if (std::optional<StackAccess> A = stackAccessOf(I)) {
      A->Place += Offset;
      Do(At, *A);
    }
  }
}

constexpr int64_t RegisterBytes = 4;

/// Stores of whole registers to places of the frame where nothing else is
/// stored, and from where nothing is loaded but to that register.
void InterfaceFinder::findSaved(Routine &R) {
  if (!R.HasFrame)
    return;
  for (const CodeBlock &B : R.Blocks)
    forEachPlace(B, [&](uint64_t At, const StackAccess &A) {
      R.TakesStack |= A.Place + RegisterBytes * A.Number > 0;
      if (A.IsStore && A.IsWhole)
        for (unsigned N = 0; N != A.Number; ++N)
          R.Saved.try_emplace(A.First + N,
                              SavedRegister{At, A.Place + RegisterBytes * N});
    });
  for (const CodeBlock &B : R.Blocks)
    forEachPlace(B, [&](uint64_t At, const StackAccess &A) {
      const int64_t End = A.Place + RegisterBytes * A.Number;
      for (auto It = R.Saved.begin(); It != R.Saved.end();) {
        const auto &[Number, S] = *It;
        const bool Meets = S.Place < End && A.Place < S.Place + RegisterBytes;
        const bool IsItself =
            A.IsWhole &&
            S.Place == A.Place + RegisterBytes * (int64_t(Number) - A.First);
        It->second.IsLoaded |= Meets && !A.IsStore;
        if (Meets && (!IsItself || (A.IsStore && At != S.Address)))
          It = R.Saved.erase(It);
        else
          ++It;
      }
    });
  // The others are arguments of what is called.
  for (auto It = R.Saved.begin(); It != R.Saved.end();)
    It = It->second.IsLoaded ? std::next(It) : R.Saved.erase(It);
}

/// Follows through a block which registers hold what they held at the entry,
/// and which of those were stored.
void InterfaceFinder::keepSaved(const CodeBlock &B, RegisterSet &Kept,
                                RegisterSet &Saved) {
  for (const CodeStep &S : B.Steps) {
    Kept &= ~S.MayWrite;
    if (!S.Copy)
      continue;
    const auto [From, To] = *S.Copy;
    if (To >= FirstPlace)
      Saved[From] = Kept[From];
    else
      Kept[To] = From >= FirstPlace && Saved[To];
  }
  if (B.Callee)
    Kept &= ~Routines.at(*B.Callee).MayWrite;
}

/// The registers that hold in the end what they held at the entry.
RegisterSet InterfaceFinder::findKept(Routine &R) {
  for (CodeBlock &B : R.Blocks) {
    B.IsReached = false;
    B.Kept.set();
    B.Saved.set();
  }
  R.Blocks[0].Saved.reset();
  RegisterSet AtEnd;
  AtEnd.set();
  std::deque<unsigned> Waiting{0};
  R.Blocks[0].IsReached = true;
  while (!Waiting.empty()) {
    const CodeBlock &B = R.Blocks[Waiting.front()];
    Waiting.pop_front();
    RegisterSet Kept = B.Kept, Saved = B.Saved;
    keepSaved(B, Kept, Saved);
    if (B.Returns)
      AtEnd &= Kept;
    for (const unsigned To : B.Successors) {
      CodeBlock &Next = R.Blocks[To];
      const RegisterSet NextKept = Next.Kept & Kept,
                        NextSaved = Next.Saved & Saved;
      if (Next.IsReached && NextKept == Next.Kept && NextSaved == Next.Saved)
        continue;
      Next.IsReached = true;
      Next.Kept = NextKept;
      Next.Saved = NextSaved;
      Waiting.push_back(To);
    }
  }
  AtEnd.set(machine::StackPointer);
  return AtEnd;
}

//===----------------------------------------------------------------------===//
// What is read and written
//===----------------------------------------------------------------------===//

/// Of the kernel's parameters, which a function of its own has not.
bool InterfaceFinder::isParameterWord(const MachineOperand &O) const {
  const CubinFunction &F = Code.function();
  return O.Kind == OperandKind::Constant && O.Number == 0 &&
         ((O.Offset && *O.Offset != MachineOperand::RegisterZero) ||
          (O.Value >= int64_t(F.ParameterBase) &&
           O.Value < int64_t(F.ParameterBase) + int64_t(F.ParameterBytes)));
}

/// What a plain copy of a register reads and writes; nothing if \p I is none.
static std::optional<std::pair<unsigned, unsigned>>
copyOf(const MachineInstruction &I) {
  const MachineOperand *From = nullptr, *To = resultOf(I);
  if (I.mnemonic() == "MOV")
    From = sourceOf(I, 0);
  else if (I.mnemonic() == "IMAD" && !hasWord(I, "WIDE") && !hasWord(I, "HI") &&
           !hasWord(I, "X") && sourceOf(I, 2) && isZero(*sourceOf(I, 0)) &&
           isZero(*sourceOf(I, 1)))
    From = sourceOf(I, 2);
  auto IsRegister = [](const MachineOperand *O) {
    return O && O->Kind == OperandKind::Register &&
           O->Number != MachineOperand::RegisterZero &&
           O->Number != machine::StackPointer && !O->Negated;
  };
  if (!IsRegister(From) || !IsRegister(To) || !isUnconditional(I))
    return std::nullopt;
  return std::pair(From->Number, To->Number);
}

/// What the blocks read and write by themselves.
void InterfaceFinder::findUses(Routine &R) {
  for (CodeBlock &B : R.Blocks) {
    CodeStep *Step = &B.Steps.emplace_back();
    std::map<uint64_t, StackAccess> Places;
    if (R.HasFrame)
      forEachPlace(B,
                   [&](uint64_t At, const StackAccess &A) { Places[At] = A; });
    for (const uint64_t At : B.Addresses) {
      const MachineInstruction &I = Code.at(At);
      const std::optional<unsigned> Guard = guardOf(I);
      // Registers that are only stored to be loaded again.
      RegisterSet Copied;
      auto Use = [&](unsigned Number, bool IsWritten) {
        if ((Number == machine::StackPointer && R.HasFrame) || Copied[Number])
          return;
        if (!IsWritten) {
          Step->Read[Number] = Step->Read[Number] || !Step->Written[Number];
          return;
        }
        Step->MayWrite.set(Number);
        if (!Guard)
          Step->Written.set(Number);
      };
      if (auto It = Places.find(At); It != Places.end())
        for (unsigned N = 0; N != It->second.Number; ++N) {
          const unsigned Number = It->second.First + N;
          auto S = R.Saved.find(Number);
          if (S == R.Saved.end() ||
              S->second.Place != It->second.Place + RegisterBytes * N)
            continue;
          Copied.set(Number);
          const unsigned Place = FirstPlace + Number;
          Step->Copy = It->second.IsStore ? std::pair(Number, Place)
                                          : std::pair(Place, Number);
          Step = &B.Steps.emplace_back();
        }
      if (const auto Copy = copyOf(I)) {
        Step->Copy = Copy;
        Step = &B.Steps.emplace_back();
        continue;
      }
      if (Guard)
        Use(*Guard, false);
      if (Code.isControl(At) && I.mnemonic() == "RET")
        continue;
      forEachRegister(I, Code.architecture(), Use);
      R.IsOpaque |= R.Entry != 0 &&
                    llvm::any_of(I.Operands, [&](const MachineOperand &O) {
                      return isParameterWord(O);
                    });
    }
    if (B.CallsUnknown)
      forEachRegisterOfUnknownCall([&](unsigned Number, bool IsWritten) {
        if (IsWritten)
          Step->MayWrite.set(Number);
        else
          Step->Read[Number] = Step->Read[Number] || !Step->Written[Number];
      });
    for (const CodeStep &S : B.Steps) {
      R.WrittenHere |= S.MayWrite;
      if (S.Copy && S.Copy->second < FirstPlace)
        R.WrittenHere.set(S.Copy->second);
    }
  }
}

bool InterfaceFinder::updateWrites(Routine &R) {
  RegisterSet All = R.WrittenHere;
  for (const CodeBlock &B : R.Blocks)
    if (B.Callee)
      All |= Routines.at(*B.Callee).MayWrite;
  All &= ~findKept(R);
  const bool Changes = (All | R.MayWrite) != R.MayWrite;
  R.MayWrite |= All;
  return Changes;
}

/// What is read behind a call or the end, with what is known of the callees so
/// far.
bool InterfaceFinder::updateReads(Routine &R) {
  bool Changes = false;
  for (CodeBlock &B : llvm::reverse(R.Blocks)) {
    RegisterSet Live;
    for (const unsigned To : B.Successors)
      Live |= R.Blocks[To].LiveIn;
    if (B.Returns)
      Live |= R.Demanded & R.MayWrite;
    if (B.Callee) {
      Routine &Callee = Routines.at(*B.Callee);
      const RegisterSet Wants = Callee.Demanded | (Live & Callee.MayWrite);
      Changes |= Wants != Callee.Demanded;
      Callee.Demanded = Wants;
      if (!B.IsGuardedCall)
        Live &= ~Callee.MayWrite;
      Live |= Callee.Arguments;
    }
    for (const CodeStep &S : llvm::reverse(B.Steps)) {
      if (S.Copy) {
        const auto [From, To] = *S.Copy;
        // By its address others may read what was not only stored for the end.
        const bool IsNeeded =
            Live[To] || (To >= FirstPlace && R.MayWrite[From]);
        Live.reset(To);
        Live[From] = Live[From] || IsNeeded;
      }
      Live = (Live & ~S.Written) | S.Read;
    }
    Changes |= (Live | B.LiveIn) != B.LiveIn;
    B.LiveIn |= Live;
  }
  R.Arguments = R.Blocks[0].LiveIn;
  for (unsigned Place = FirstPlace; Place != R.Arguments.size(); ++Place)
    R.Arguments.reset(Place); // of this frame alone
  if (R.HasFrame)
    R.Arguments.set(machine::StackPointer, R.TakesStack);
  return Changes;
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

static std::vector<unsigned> numbersOf(const RegisterSet &S) {
  std::vector<unsigned> All;
  for (unsigned N = 0; N != machine::NumRegisters; ++N)
    if (S[N])
      All.push_back(N);
  return All;
}

/// Has what is cloned into a routine share something of its own with it.
template <typename FnT>
void InterfaceFinder::shareWithClones(MutableArrayRef<LocalFunction> Functions,
                                      FnT Share) {
  auto IsLocal = [&](uint64_t Entry) {
    return llvm::any_of(
        Functions, [&](const LocalFunction &F) { return F.Entry == Entry; });
  };
  for (unsigned Depth = 0; Depth != MaxCloneDepth; ++Depth)
    for (auto &[Entry, R] : Routines)
      for (const CodeBlock &B : R.Blocks)
        if (B.Callee && !IsLocal(*B.Callee))
          Share(R, Routines.at(*B.Callee));
}

void InterfaceFinder::run(MutableArrayRef<LocalFunction> Functions) {
  std::vector<uint64_t> Waiting{0};
  while (!Waiting.empty()) {
    const uint64_t Entry = Waiting.back();
    Waiting.pop_back();
    if (Routines.count(Entry) != 0)
      continue;
    addRoutine(Entry);
    for (const CodeBlock &B : Routines.at(Entry).Blocks)
      if (B.Callee)
        Waiting.push_back(*B.Callee);
  }
  for (auto &[Entry, R] : Routines)
    findStack(R);
  shareWithClones(Functions, [](Routine &R, const Routine &Clone) {
    R.HasFrame |= Clone.HasFrame;
  });
  for (auto &[Entry, R] : Routines) {
    findSaved(R);
    findUses(R);
  }
  shareWithClones(Functions, [](Routine &R, const Routine &Clone) {
    R.IsOpaque |= Clone.IsOpaque;
  });
  auto Repeat = [&](auto Update) {
    for (bool Changes = true; Changes;) {
      Changes = false;
      for (auto &[Entry, R] : Routines)
        Changes |= Update(R);
    }
  };
  Repeat([&](Routine &R) { return updateWrites(R); });
  Repeat([&](Routine &R) { return updateReads(R); });
  for (LocalFunction &F : Functions) {
    const Routine &R = Routines.at(F.Entry);
    F.Interface.IsKnown = !R.IsOpaque;
    F.Interface.HasFrame = R.HasFrame;
    F.Interface.Arguments = numbersOf(R.Arguments);
    F.Interface.Results = numbersOf(R.Demanded & R.MayWrite);
  }
}

void LocalFunctions::findInterfaces(TextCode &Code) {
  if (Functions.empty() || std::exchange(HasInterfaces, true))
    return;
  InterfaceFinder(Code).run(Functions);
}
