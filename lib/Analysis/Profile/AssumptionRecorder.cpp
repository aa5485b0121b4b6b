//===- AssumptionRecorder.cpp - What a walk takes for granted -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AssumptionRecorder.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Basis = Condition::BasisTy;

void AssumptionRecorder::assume(Assumption A) {
  if (Assumed.insert(A.Option).second)
    All.push_back(std::move(A));
}

void AssumptionRecorder::noteBranch(const Guard &G) {
  const Instruction &I = *G.I;
  if (G.Given || G.Basis <= Basis::Launch || (!I.IsTerminator && !I.IsCall) ||
      I.Parent->IsUnlikely || !Noted.insert(&G).second)
    return;
  std::string Line = std::to_string(I.Line);
  Assumption A;
  A.Line = I.Line;
  A.Kind = I.IsCall ? AssumptionKind::GuardedCall : AssumptionKind::Branch;
  double Taken = G.Probability;
  if (G.Basis == Basis::Bounded) {
    if (G.Likely != Guard::True && G.Likely != Guard::False)
      return; // in some lanes or blocks
    Taken = G.Likely == Guard::True;
    A.Detail = ", nothing wraps";
  } else if (G.Basis == Basis::Index) {
    Taken = G.Likely != Guard::False;
    if (!I.IsCall)
      A.Detail = Taken ? ", index within bounds" : ", index out of bounds";
  } else if (G.ArgumentBelow) {
    A.Detail = ", sine of less than " + std::to_string(G.ArgumentBelow);
  } else if (G.IsOfRareData) {
    A.Detail = ", no denormal or infinite number";
  } else if (G.EntersLoop) {
    A.Detail = Taken != 0 ? " into the loop" : " past the loop";
  } else if (G.Basis == Basis::Divergent) {
    Taken = 1;
  }
  A.Value = shortestDecimal(Taken);
  A.Option = "--branch-probability=" + Line + "=P";
  assume(std::move(A));
}

/// How an option names a block: its label without leading '$', or its line.
static std::string optionName(const Block &B) {
  StringRef Label = B.Label;
  Label.consume_front("$");
  return Label.empty() ? std::to_string(B.Line) : Label.str();
}

/// That the trip count of a loop is \p Value.
void AssumptionRecorder::assumeTripCount(const Region &R, std::string Value,
                                         bool IsNumber) {
  Assumption A;
  const Block &Header = *R.Items.front().B;
  std::string Name = optionName(Header);
  A.Kind = Header.Label.empty() ? AssumptionKind::TripCountOfLine
                                : AssumptionKind::TripCount;
  A.Detail = Header.Label.empty() ? Name : Header.Label.str();
  A.Value = std::move(Value);
  A.IsNumber = IsNumber;
  A.Line = Header.Line;
  A.Option = "--trip-count=" + Name + "=N";
  if (R.SharesWork) {
    A.Kind = AssumptionKind::WorkShare;
    A.Detail = Name;
    A.Option = "--work=N";
  }
  assume(std::move(A));
}

void AssumptionRecorder::noteLoop(const Region &R) {
  if (!R.IsGiven && Noted.insert(&R).second)
    assumeTripCount(R,
                    shortestDecimal(R.HeaderRuns ? R.bodiesIn(*R.HeaderRuns)
                                                 : DefaultTripCount),
                    /*IsNumber=*/true);
}

void AssumptionRecorder::noteBounds(const Region &R) {
  if (!R.IsGiven && Noted.insert(&R).second)
    assumeTripCount(R, "nothing wraps", /*IsNumber=*/false);
}

void AssumptionRecorder::assumeOfArgument(AssumptionKind Kind,
                                          const Symbol &Parameter,
                                          const char *Value, unsigned Line) {
  Assumption A;
  A.Kind = Kind;
  A.Detail = Parameter.Name;
  A.Value = Value;
  A.IsNumber = false;
  A.Line = Line;
  A.Option = "--arg=" + Parameter.Name + "=VALUE";
  assume(std::move(A));
}

void AssumptionRecorder::noteStride(const Instruction &I, const Access &M) {
  if (M.StrideOf && Noted.insert(&M).second)
    assumeOfArgument(AssumptionKind::LaneStride, *M.StrideOf, "a sector each",
                     I.Line);
}

void AssumptionRecorder::noteScale(const Instruction &I, const Access &M) {
  if (!M.Scale.IsOpen || !Noted.insert(&M.Scale).second)
    return;
  static const char Value[] = "side by side";
  const Symbol *Table = M.Scale.Table;
  if (M.Scale.Argument && !Table)
    return assumeOfArgument(AssumptionKind::LaneScale, *M.Scale.Argument, Value,
                            I.Line);
  Assumption A;
  A.Kind = AssumptionKind::LaneScale;
  A.Detail = Table ? Table->Name : "data";
  A.Value = Value;
  A.IsNumber = false;
  A.Line = I.Line;
  A.Option = "--launch=FILE with buffers";
  if (Table)
    A.Option += ", args: " + Table->Name;
  assume(std::move(A));
}

void AssumptionRecorder::noteCopy(const Instruction &I, const Access &M) {
  // Of what is no parameter no option gives the place.
  if (const Symbol *Open = M.Box ? M.Box->Open : nullptr;
      Open && Open->Kind == Symbol::KindTy::Parameter &&
      Noted.insert(Open).second)
    assumeOfArgument(AssumptionKind::CopyPlace, *Open, "inside of its tensor",
                     I.Line);
  if (!M.Box || !M.Box->isAssumed() || !Noted.insert(M.Box.get()).second)
    return;
  Assumption A;
  A.Kind = AssumptionKind::CopySize;
  A.Value = std::to_string(M.Box->bytes());
  A.Line = I.Line;
  if (M.Box->Map.empty()) {
    A.Detail = "a size without a value";
    A.Option = "--arg=NAME=VALUE";
  } else {
    A.Detail = M.Box->Map;
    A.Option = "--launch=FILE with tensor_maps, args: " + M.Box->Map;
  }
  assume(std::move(A));
}

std::vector<Assumption> AssumptionRecorder::take() {
  llvm::stable_sort(All, [](const Assumption &X, const Assumption &Y) {
    return X.Line < Y.Line;
  });
  return std::move(All);
}
