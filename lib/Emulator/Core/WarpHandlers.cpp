//===- WarpHandlers.cpp - Instructions across the lanes of a warp ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MemoryAccess.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

//===----------------------------------------------------------------------===//
// Lanes that must come together
//===----------------------------------------------------------------------===//

/// Whether the lanes of \p Mask that still live are all here. If not, the group
/// waits for the others, who perhaps are on their way; once nobody else can go
/// on, those here go on without them.
static bool isTogether(WarpMachine &W, const Step &S, uint32_t Mask) {
  uint32_t Missing = Mask & W.live() & ~W.Now->Lanes;
  if (!Missing || W.Now->Passed)
    return true;
  // Others that wait at this very instruction join.
  uint32_t Here = uint32_t(&S - W.Top->F->Blocks[W.Now->Block].Begin);
  for (Group &G : W.Top->Groups)
    if (&G != W.Now && G.Is == Group::State::AtWarpSync &&
        G.Block == W.Now->Block && G.Next == Here) {
      W.Now->Lanes |= G.Lanes;
      Missing &= ~G.Lanes;
      G.Lanes = 0;
    }
  if (!Missing) { // all of them go on from here, anew
    W.Now->Passed = true;
    return false;
  }
  W.Now->Is = Group::State::AtWarpSync;
  W.Now->Awaited = Missing;
  return false;
}

/// The lanes of the group whose guard holds, once others may have joined.
static uint32_t activeLanes(WarpMachine &W, const Step &S) {
  uint32_t Lanes = W.Now->Lanes;
  if (!S.HasGuard)
    return Lanes;
  uint32_t Guard;
  memcpy(&Guard, W.Top->Registers + S.GuardOffset, 4);
  return Lanes & (S.GuardNegated ? ~Guard : Guard);
}

static uint32_t firstValue(WarpMachine &W, const LaneOperand &O,
                           uint32_t Lanes) {
  return uint32_t(W.value(O, unsigned(llvm::countr_zero(Lanes))));
}

/// Runs \p Body with the lanes that take part, once they are together. The mask
/// is the source operand \p Mask.
template <typename FnT>
static Outcome together(WarpMachine &W, const Step &S, uint32_t Lanes,
                        int MaskOperand, FnT Body) {
  if (!Lanes)
    return Outcome::Next;
  uint32_t Mask =
      MaskOperand >= 0 ? firstValue(W, S.Sources[MaskOperand], Lanes) : Lanes;
  if (!isTogether(W, S, Mask))
    return Outcome::Wait;
  Body(activeLanes(W, S), Mask);
  return Outcome::Next;
}

static bool isSync(const Step &S) {
  return hasModifier(S.I->Modifiers, "sync");
}

//===----------------------------------------------------------------------===//
// Shuffles and votes
//===----------------------------------------------------------------------===//

static Outcome runShfl(WarpMachine &W, const Step &S, uint32_t Lanes) {
  enum { Up, Down, Bfly, Idx };
  return together(W, S, Lanes, isSync(S) ? 3 : -1,
                  [&](uint32_t Active, uint32_t) {
                    uint32_t Out[WarpSize] = {}, Valid = 0;
                    for (unsigned L = 0; L != WarpSize; ++L) {
                      auto B = uint32_t(W.value(S.Sources[1], L)) & 0x1f;
                      auto C = uint32_t(W.value(S.Sources[2], L));
                      uint32_t Clamp = C & 0x1f, Segment = C >> 8 & 0x1f;
                      uint32_t MaxLane = (L & Segment) | (Clamp & ~Segment);
                      uint32_t MinLane = L & Segment;
                      int From = 0;
                      bool P = false;
                      switch (S.Detail) {
                      case Up:
                        From = int(L) - int(B);
                        P = From >= int(MaxLane);
                        break;
                      case Down:
                        From = int(L + B);
                        P = From <= int(MaxLane);
                        break;
                      case Bfly:
                        From = int(L ^ B);
                        P = From <= int(MaxLane);
                        break;
                      default:
                        From = int(MinLane | (B & ~Segment));
                        P = From <= int(MaxLane);
                        break;
                      }
                      if (!P)
                        From = int(L);
                      Out[L] = uint32_t(W.value(S.Sources[0], unsigned(From)));
                      Valid |= uint32_t(P) << L;
                    }
                    W.writeElements(S.Dests[0], Out, Active);
                    if (S.NumDests > 1)
                      W.writePredicate(S.Dests[1], Valid, Active);
                  });
}

static Outcome runVote(WarpMachine &W, const Step &S, uint32_t Lanes) {
  enum { All, Any, Uni, Ballot };
  return together(W, S, Lanes, isSync(S) ? 1 : -1,
                  [&](uint32_t Active, uint32_t Mask) {
                    uint32_t Voters = Active & Mask;
                    uint32_t Yes = W.predicate(S.Sources[0]) & Voters;
                    if (S.Detail == Ballot) {
                      uint32_t Out[WarpSize];
                      std::fill_n(Out, WarpSize, Yes);
                      W.writeElements(S.Dests[0], Out, Active);
                      return;
                    }
                    bool R = S.Detail == All   ? Yes == Voters
                             : S.Detail == Any ? Yes != 0
                                               : Yes == 0 || Yes == Voters;
                    W.writePredicate(S.Dests[0], R ? ~0u : 0, Active);
                  });
}

static Outcome runMatch(WarpMachine &W, const Step &S, uint32_t Lanes) {
  return together(W, S, Lanes, 1, [&](uint32_t Active, uint32_t Mask) {
    uint32_t Voters = Active & Mask;
    uint32_t Out[WarpSize] = {};
    forEachLane(Voters, [&](unsigned L) {
      forEachLane(Voters, [&](unsigned K) {
        Out[L] |= uint32_t(W.value(S.Sources[0], L) == W.value(S.Sources[0], K))
                  << K;
      });
    });
    uint32_t Same = 0;
    if (hasModifier(S.I->Modifiers, "all"))
      forEachLane(Voters, [&](unsigned L) {
        if (Out[L] == Voters)
          Same |= 1u << L;
        else
          Out[L] = 0;
      });
    W.writeElements(S.Dests[0], Out, Active);
    if (S.NumDests > 1)
      W.writePredicate(S.Dests[1], Same, Active);
  });
}

static Outcome runRedux(WarpMachine &W, const Step &S, uint32_t Lanes) {
  return together(W, S, Lanes, 1, [&](uint32_t Active, uint32_t Mask) {
    StringRef M = S.I->Modifiers;
    bool IsFloat = hasModifier(M, "f32"), IsSigned = hasModifier(M, "s32");
    bool IsMin = hasModifier(M, "min"), IsMax = hasModifier(M, "max");
    bool IsAbs = hasModifier(M, "abs"), KeepsNaN = hasModifier(M, "NaN");
    bool First = true, SawNaN = false;
    uint32_t R = 0;
    forEachLane(Active & Mask, [&](unsigned L) {
      auto V = uint32_t(W.value(S.Sources[0], L));
      if (IsAbs)
        V &= 0x7fffffff;
      auto AsFloat = llvm::bit_cast<float>(V);
      SawNaN |= IsFloat && std::isnan(AsFloat);
      if (First) {
        R = V;
        First = false;
        return;
      }
      auto Old = llvm::bit_cast<float>(R);
      if (IsFloat) {
        // A NaN loses against a number; -0 is below 0.
        bool Less = AsFloat < Old || (AsFloat == Old && std::signbit(AsFloat));
        if (std::isnan(Old) || (!std::isnan(AsFloat) && Less == IsMin))
          R = V;
      } else if (IsMin || IsMax) {
        bool Less = IsSigned ? int32_t(V) < int32_t(R) : V < R;
        if (Less == IsMin)
          R = V;
      } else {
        R = hasModifier(M, "add")   ? R + V
            : hasModifier(M, "and") ? R & V
            : hasModifier(M, "or")  ? R | V
                                    : R ^ V;
      }
    });
    if (IsFloat &&
        (std::isnan(llvm::bit_cast<float>(R)) || (SawNaN && KeepsNaN)))
      R = 0x7fffffff;
    uint32_t Out[WarpSize];
    std::fill_n(Out, WarpSize, R);
    W.writeElements(S.Dests[0], Out, Active);
  });
}

static Outcome runActivemask(WarpMachine &W, const Step &S, uint32_t Lanes) {
  uint32_t Out[WarpSize];
  std::fill_n(Out, WarpSize, Lanes);
  W.writeElements(S.Dests[0], Out, Lanes);
  return Outcome::Next;
}

/// The lowest lane of the mask is elected.
static Outcome runElect(WarpMachine &W, const Step &S, uint32_t Lanes) {
  return together(W, S, Lanes, 0, [&](uint32_t Active, uint32_t Mask) {
    uint32_t Voters = Active & Mask;
    unsigned Leader = Voters ? unsigned(llvm::countr_zero(Voters)) : 0;
    uint32_t Out[WarpSize];
    std::fill_n(Out, WarpSize, Leader);
    W.writeElements(S.Dests[0], Out, Active);
    if (S.NumDests > 1)
      W.writePredicate(S.Dests[1], Voters ? 1u << Leader : 0, Active);
  });
}

static Outcome runBarWarp(WarpMachine &W, const Step &S, uint32_t Lanes) {
  return together(W, S, Lanes, 0, [](uint32_t, uint32_t) {});
}

//===----------------------------------------------------------------------===//

Handler emulator::warpHandler(Opcode Op, Step &S) {
  StringRef M = S.I->Modifiers;
  auto Mode = [&](std::initializer_list<StringRef> Names) {
    uint32_t N = 0;
    for (StringRef Name : Names) {
      if (hasModifier(M, Name))
        return S.Detail = N, true;
      ++N;
    }
    return false;
  };
  auto If = [](bool Enough, Handler H) { return Enough ? H : nullptr; };
  switch (Op) {
  case Opcode::Shfl:
    return If(Mode({"up", "down", "bfly", "idx"}) && S.NumSources >= 3 &&
                  (!isSync(S) || S.NumSources == 4),
              runShfl);
  case Opcode::Vote:
    return If(Mode({"all", "any", "uni", "ballot"}), runVote);
  case Opcode::Match:
    return runMatch;
  case Opcode::Redux:
    return runRedux;
  case Opcode::Activemask:
    return runActivemask;
  case Opcode::Elect:
    return runElect;
  case Opcode::BarWarp:
    return runBarWarp;
  default:
    return nullptr;
  }
}
