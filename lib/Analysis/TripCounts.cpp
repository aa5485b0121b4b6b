//===- TripCounts.cpp - How often loops run -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/TripCounts.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include <cmath>
#include <limits>
#include <utility>

using namespace ptxpredict;
using ptx::Opcode;

std::string ptxpredict::optionName(const Block &B) {
  StringRef Label = B.Label;
  Label.consume_front("$");
  return Label.empty() ? std::to_string(B.Line) : Label.str();
}

std::optional<double> ptxpredict::lookUpByLabel(
    const std::map<std::string, double, std::less<>> &Given, const Block &B) {
  StringRef Bare = B.Label;
  Bare.consume_front("$");
  for (const auto &[Key, Value] : Given) {
    StringRef Name = Key;
    Name.consume_front("$");
    if ((!Bare.empty() && Name == Bare) || Key == std::to_string(B.Line))
      return Value;
  }
  return std::nullopt;
}

namespace {

/// A value as `phi + Offset`, found by walking back through additions.
struct Induction {
  const Instruction *Phi = nullptr;
  int64_t Offset = 0;
  bool IsNext = false; ///< what the phi becomes in the next iteration
};

/// How a loop's counter moves from one iteration to the next.
struct Step {
  enum class Kind { Add, Shl, Shr, Mul } Which = Kind::Add;
  int64_t By = 0;
  ScalarType Type = ScalarType::S32;
};

class TripCounter {
public:
  TripCounter(const ControlFlow &CF, const Conditions &Conds, const Cycle &C)
      : CF(CF), Forms(Conds.forms()), C(C) {}

  /// Times that the exit at \p Exit decides to stay, per entry; nothing if it
  /// cannot be told. \p How becomes how well that is known.
  std::optional<double> stays(const Block &Exit, Status &How) const;

private:
  Induction induction(const Operand &O) const;
  /// As induction(), or the phi whose next value \p O is.
  Induction counter(const Operand &O) const;
  std::optional<Step> step(const Instruction &Phi) const;
  std::optional<LinearForm> initial(const Instruction &Phi) const;
  std::optional<double> additive(Comparison Stay, ScalarType T,
                                 const LinearForm &First,
                                 const LinearForm &Bound, int64_t By,
                                 Status &How) const;

  const ControlFlow &CF;
  const LinearForms &Forms;
  const Cycle &C;
};

/// The instruction that \p O's value comes from, through copies and integer
/// conversions.
const Instruction *definition(const Operand &O, const Value *&V) {
  if (O.Which != Operand::Kind::Register)
    return nullptr;
  V = O.Val;
  for (int Depth = 0; Depth != 8; ++Depth) {
    const Instruction *I = V->Def;
    if (!I || I->isPseudo())
      return I;
    Opcode Op = Opcode(I->Opcode);
    if ((Op != Opcode::Mov && Op != Opcode::Cvt && Op != Opcode::Cvta) ||
        I->Operands.size() != 2 ||
        I->Operands[1].Which != Operand::Kind::Register)
      return I;
    V = I->Operands[1].Val;
  }
  return nullptr;
}

Induction TripCounter::induction(const Operand &O) const {
  Induction R;
  Operand At = O;
  for (int Depth = 0; Depth != 32; ++Depth) {
    const Value *V = nullptr;
    const Instruction *I = definition(At, V);
    if (!I)
      return {};
    if (I->isPhi()) {
      if (I->Parent != C.Header)
        return {};
      R.Phi = I;
      return R;
    }
    Opcode Op = Opcode(I->Opcode);
    if (I->isPseudo() || I->Operands.size() != 3 ||
        (Op != Opcode::Add && Op != Opcode::Sub))
      return {};
    LinearForm A = Forms.of(I->Operands[1]), B = Forms.of(I->Operands[2]);
    if (B.isConstant()) {
      R.Offset += Op == Opcode::Add ? B.Base : -B.Base;
      At = I->Operands[1];
    } else if (A.isConstant() && Op == Opcode::Add) {
      R.Offset += A.Base;
      At = I->Operands[2];
    } else {
      return {};
    }
  }
  return {};
}

Induction TripCounter::counter(const Operand &O) const {
  Induction R = induction(O);
  if (R.Phi || O.Which != Operand::Kind::Register)
    return R;
  for (const Instruction &Phi : C.Header->phis())
    for (size_t P = 0; P != Phi.Uses.size(); ++P)
      if (Phi.Uses[P] == O.Val && C.contains(C.Header->Predecessors[P]))
        return {&Phi, 0, true};
  return {};
}

std::optional<LinearForm> TripCounter::initial(const Instruction &Phi) const {
  std::optional<LinearForm> R;
  for (size_t P = 0; P != Phi.Uses.size(); ++P) {
    if (C.contains(Phi.Parent->Predecessors[P]))
      continue;
    const LinearForm &F = Forms.of(Phi.Uses[P]);
    if (R && !(*R == F))
      return std::nullopt;
    R = F;
  }
  return R;
}

std::optional<Step> TripCounter::step(const Instruction &Phi) const {
  std::optional<Step> R;
  for (size_t P = 0; P != Phi.Uses.size(); ++P) {
    if (!C.contains(Phi.Parent->Predecessors[P]))
      continue;
    Operand O;
    O.Which = Operand::Kind::Register;
    O.Val = Phi.Uses[P];
    Step S;
    Induction Next = induction(O);
    if (Next.Phi == &Phi) {
      S.By = Next.Offset;
    } else {
      const Value *V = nullptr;
      const Instruction *I = definition(O, V);
      if (!I || I->isPseudo() || I->Operands.size() != 3)
        return std::nullopt;
      Opcode Op = Opcode(I->Opcode);
      S.Which = Op == Opcode::Shl   ? Step::Kind::Shl
                : Op == Opcode::Shr ? Step::Kind::Shr
                                    : Step::Kind::Mul;
      LinearForm By = Forms.of(I->Operands[2]);
      if ((Op != Opcode::Shl && Op != Opcode::Shr && Op != Opcode::Mul) ||
          induction(I->Operands[1]).Phi != &Phi ||
          induction(I->Operands[1]).Offset != 0 || !By.isConstant())
        return std::nullopt;
      S.By = By.Base;
      S.Type = ptx::operationType(I->Modifiers).value_or(ScalarType::S32);
    }
    if (R && (R->Which != S.Which || R->By != S.By))
      return std::nullopt;
    R = S;
  }
  return R;
}

/// Checks `First + k*By STAY Bound` for k = 0, 1, …: how many hold before the
/// first that does not. Infinite loops give nothing.
std::optional<double> staysOfLane(Comparison Stay, ScalarType T, int64_t First,
                                  int64_t Bound, int64_t By) {
  if (!compareIntegers(Stay, T, First, Bound))
    return 0;
  double Distance = double(Bound) - double(First);
  double Step = double(By);
  switch (Stay) {
  case Comparison::EQ:
    return By == 0 ? std::nullopt : std::optional<double>(1);
  case Comparison::NE:
    if (By == 0 || Distance / Step < 0 || std::fmod(Distance, Step) != 0)
      return std::nullopt;
    return Distance / Step;
  case Comparison::LT:
  case Comparison::GT:
    return Distance / Step > 0
               ? std::optional<double>(std::ceil(Distance / Step))
               : std::nullopt;
  case Comparison::LE:
  case Comparison::GE:
    if (By == 0 || (Stay == Comparison::LE) != (By > 0))
      return std::nullopt;
    return std::floor(Distance / Step) + 1;
  }
  return std::nullopt;
}

std::optional<double> TripCounter::additive(Comparison Stay, ScalarType T,
                                            const LinearForm &First,
                                            const LinearForm &Bound, int64_t By,
                                            Status &How) const {
  if (First.isExact() && Bound.isExact()) {
    // A warp runs as often as its longest lane.
    if (First.isConstant() && Bound.isConstant())
      return staysOfLane(Stay, T, First.Base, Bound.Base, By);
    double Sum = 0, Longest = 0;
    uint64_t Warps = 0;
    bool Ends = true;
    forEachThread(Forms.launch().Block,
                  [&](const ThreadIndex &I, bool EndsWarp) {
                    std::optional<double> N =
                        staysOfLane(Stay, T, First.at(I), Bound.at(I), By);
                    Ends &= N.has_value();
                    Longest = std::max(Longest, N.value_or(0));
                    if (EndsWarp)
                      Sum += std::exchange(Longest, 0), ++Warps;
                  });
    return Ends ? std::optional<double>(Sum / double(Warps)) : std::nullopt;
  }
  // A grid-stride loop: where a block starts is small beside the bound.
  if ((First.Sources & LinearForm::FromIndex) &&
      !(First.Sources & (LinearForm::FromMemory | LinearForm::FromParameter)) &&
      Bound.isConstant() && By > 0 &&
      (Stay == Comparison::LT || Stay == Comparison::LE)) {
    How = weakest(How, Status::Estimated);
    return staysOfLane(Stay, T, First.isLinear() ? First.Base : 0, Bound.Base,
                       By);
  }
  return std::nullopt;
}

std::optional<double> TripCounter::stays(const Block &Exit, Status &How) const {
  const Instruction *Branch = Exit.terminator();
  if (!Branch || !Branch->Guard || Exit.Successors.size() != 2)
    return std::nullopt;
  // It must decide in every iteration.
  if (!llvm::all_of(C.Latches,
                    [&](const Block *L) { return CF.dominates(&Exit, L); }))
    return std::nullopt;
  bool StaysIfTaken = C.contains(Exit.Successors[0]);
  if (StaysIfTaken == C.contains(Exit.Successors[1]))
    return std::nullopt;
  bool Inverted = Branch->GuardNegated;

  // The comparison behind the guard.
  Operand Guard;
  Guard.Which = Operand::Kind::Register;
  Guard.Val = Branch->Guard;
  const Value *V = nullptr;
  const Instruction *Setp = definition(Guard, V);
  while (Setp && !Setp->isPseudo() && Opcode(Setp->Opcode) == Opcode::Not &&
         Setp->Operands.size() == 2) {
    Inverted = !Inverted;
    Setp = definition(Setp->Operands[1], V);
  }
  if (!Setp || Setp->isPseudo() || Opcode(Setp->Opcode) != Opcode::Setp ||
      Setp->Defs.size() != 1 || Setp->Operands.size() != 3)
    return std::nullopt;
  std::optional<Comparison> Op = comparisonOf(Setp->Modifiers);
  std::optional<ScalarType> T = ptx::operationType(Setp->Modifiers);
  if (!Op || !T || kindOf(*T) == TypeKind::Float)
    return std::nullopt;
  Comparison Stay = *Op;
  if (Inverted == StaysIfTaken)
    Stay = inverted(Stay);

  const Operand *Counter = &Setp->Operands[1], *Other = &Setp->Operands[2];
  Induction I = counter(*Counter);
  if (!I.Phi) {
    std::swap(Counter, Other);
    Stay = swapped(Stay);
    I = counter(*Counter);
  }
  if (!I.Phi)
    return std::nullopt;
  std::optional<Step> S = step(*I.Phi);
  std::optional<LinearForm> First = initial(*I.Phi);
  LinearForm Bound = Forms.of(*Other);
  if (!S || !First)
    return std::nullopt;
  if (S->Which == Step::Kind::Add) {
    LinearForm Start = *First;
    Start.Base += I.Offset;
    return additive(Stay, *T, Start, Bound, S->By, How);
  }
  if (!First->isConstant() || !Bound.isConstant())
    return std::nullopt;
  // Shifts and products end, or stand still, within the bits of a register.
  int64_t X = First->Base;
  unsigned Bits = std::min(bitWidth(S->Type), 64u);
  auto Advance = [&] {
    uint64_t Mask = Bits == 64 ? ~uint64_t(0) : (uint64_t(1) << Bits) - 1;
    uint64_t By = uint64_t(S->By);
    if (S->Which == Step::Kind::Mul)
      X = int64_t((uint64_t(X) * By) & Mask);
    else if (S->Which == Step::Kind::Shl)
      X = By >= Bits ? 0 : int64_t((uint64_t(X) << By) & Mask);
    else if (kindOf(S->Type) == TypeKind::Signed)
      X >>= std::min<uint64_t>(By, 63);
    else
      X = By >= Bits ? 0 : int64_t((uint64_t(X) & Mask) >> By);
  };
  if (I.IsNext)
    Advance();
  for (unsigned N = 0; N <= 130; ++N, Advance())
    if (!compareIntegers(Stay, *T, X + I.Offset, Bound.Base))
      return N;
  return std::nullopt;
}

} // namespace

std::vector<LoopTripCount>
ptxpredict::countTrips(const ControlFlow &CF, const Conditions &Conds,
                       std::vector<Assumption> &Assumptions) {
  std::vector<LoopTripCount> Result;
  for (const Cycle &C : CF.cycles()) {
    LoopTripCount L;
    TripCounter Counter(CF, Conds, C);
    std::optional<double> Fewest;
    Status How = Status::Known;
    if (C.Reducible)
      for (const Block *E : C.ExitingBlocks) {
        Status H = Status::Known;
        std::optional<double> N = Counter.stays(*E, H);
        if (N && (!Fewest || *N < *Fewest)) {
          Fewest = N, How = H;
          L.CountedExit = E;
        }
      }
    // A loop that is left from a latch runs its body once more than it jumps
    // back; one that is left from its top as often.
    const Block *Exit = L.CountedExit;
    if (!Exit && C.ExitingBlocks.size() == 1)
      Exit = C.ExitingBlocks.front();
    L.TestsFirst =
        Exit && Exit == C.Header && !llvm::is_contained(C.Latches, Exit);
    double Extra = L.TestsFirst ? 0 : 1;
    if (std::optional<double> Given =
            lookUpByLabel(Conds.forms().launch().TripCounts, *C.Header)) {
      L.TripCount = Count::known(*Given);
    } else if (Fewest) {
      // Another exit may end the loop before the counted one does.
      if (C.ExitingBlocks.size() > 1)
        How = weakest(How, Status::Estimated);
      double N = *Fewest + Extra;
      L.TripCount = {N, How, How == Status::Known ? N : 0, N};
    } else {
      L.TripCount = {DefaultTripCount, Status::Assumed, 0,
                     std::numeric_limits<double>::infinity()};
      Assumption A;
      std::string Name = optionName(*C.Header);
      A.What = "trip count of " + (C.Header->Label.empty()
                                       ? "the loop at line " + Name
                                       : C.Header->Label.str());
      A.Value = std::to_string(int(DefaultTripCount));
      A.Line = C.Header->Line;
      A.Option = "--trip-count=" + Name + "=N";
      Assumptions.push_back(std::move(A));
    }
    L.Backedges = std::max(L.TripCount.Value - Extra, 0.0);
    Result.push_back(L);
  }
  return Result;
}
