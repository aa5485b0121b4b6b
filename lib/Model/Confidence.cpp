//===- Confidence.cpp - How far off kernels like this one were ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Confidence.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

static constexpr KindErrors Measured[] = {
#define KIND_ERRORS(MEMBER, OF, ROWS, KERNELS, MEDIAN, FOUR_OF_FIVE, IN_RANGE) \
  {KernelKind::MEMBER,                                                         \
   MeasuredKernels::OF,                                                        \
   ROWS,                                                                       \
   KERNELS,                                                                    \
   MEDIAN,                                                                     \
   FOUR_OF_FIVE,                                                               \
   IN_RANGE},
#include "ptxpredict/Model/KindErrors.def"
};

static constexpr StringRef Devices[] = {
#define MEASURED_DEVICE(NAME) NAME,
#include "ptxpredict/Model/KindErrors.def"
};

const KindErrors *ptxpredict::errorsOf(KernelKind K) {
  for (const KindErrors &E : Measured)
    if (E.Kind == K)
      return &E;
  return nullptr;
}

bool ptxpredict::isMeasured(StringRef Device) {
  return llvm::is_contained(Devices, Device);
}

static bool isOfLaunch(AssumptionKind K) {
  return K == AssumptionKind::Grid || K == AssumptionKind::Block ||
         K == AssumptionKind::BlockOfBound ||
         K == AssumptionKind::DynamicShared;
}

static bool isOfTrips(AssumptionKind K) {
  return K == AssumptionKind::TripCount ||
         K == AssumptionKind::TripCountOfLine || K == AssumptionKind::WorkShare;
}

static bool isOfPlace(AssumptionKind K) {
  return K == AssumptionKind::LaneStride || K == AssumptionKind::LaneScale ||
         K == AssumptionKind::CopySize || K == AssumptionKind::CopyPlace;
}

static constexpr StringRef NoUpperBoundText = "no upper bound",
                           LaunchText = "assumed launch",
                           TripsText = "assumed trip counts",
                           PlacesText = "assumed addresses";

/// What the measured rows did not have: their launches were given, and with
/// them trip counts and addresses, as far as data do not decide them.
static std::vector<std::string> lowers(const KernelCharacteristics &K,
                                       const Prediction &P, KernelKind Kind) {
  std::vector<std::string> Why;
  if (!P.NoUpperBound.empty())
    Why.emplace_back(NoUpperBoundText);
  auto Assumes = [&K](bool (*Is)(AssumptionKind)) {
    return llvm::any_of(K.Assumptions,
                        [Is](const Assumption &A) { return Is(A.Kind); });
  };
  if (Assumes(isOfLaunch))
    Why.emplace_back(LaunchText);
  if (Assumes(isOfTrips))
    Why.emplace_back(TripsText);
  if (Assumes(isOfPlace) ||
      (Kind != KernelKind::Gather && llvm::any_of(K.Memory, isGather)))
    Why.emplace_back(PlacesText);
  if (!isMeasured(P.Device))
    Why.push_back("nothing measured on " + P.Device);
  return Why;
}

std::optional<Confidence>
ptxpredict::confidenceOf(const KernelCharacteristics &K, const Prediction &P) {
  if (!P.Kind || !P.TimeUs)
    return std::nullopt;
  return Confidence{*P.Kind, errorsOf(*P.Kind), lowers(K, P, *P.Kind)};
}

/// "assumed launch, trip counts": the word stands once.
static std::string listOf(ArrayRef<std::string> Reasons) {
  constexpr StringRef Assumed = "assumed ";
  std::string List;
  bool WasAssumed = false;
  for (StringRef Reason : Reasons) {
    const bool IsAssumed = Reason.starts_with(Assumed);
    if (!List.empty())
      List += ", ";
    List +=
        IsAssumed && WasAssumed ? Reason.drop_front(Assumed.size()) : Reason;
    WasAssumed = IsAssumed;
  }
  return List;
}

StringRef ptxpredict::toString(ConfidenceLevel L) {
  static constexpr StringRef Names[] = {"low", "medium", "high"};
  return Names[unsigned(L)];
}

ConfidenceLevel Confidence::level() const {
  constexpr double FarOff = 0.25;
  auto Has = [this](StringRef Reason) {
    return llvm::is_contained(LoweredBy, Reason);
  };
  if (!Errors || Has(NoUpperBoundText) || Has(TripsText) || Has(PlacesText))
    return ConfidenceLevel::Low;
  return LoweredBy.empty() && Errors->FourOfFive <= FarOff
             ? ConfidenceLevel::High
             : ConfidenceLevel::Medium;
}

std::string Confidence::reasons() const {
  std::string Text =
      ("kernels like this (" + meaningOf(Kind) + ") were ").str();
  Text += Errors ? "off by " + percent(Errors->Median) + ", a fifth by over " +
                       percent(Errors->FourOfFive)
                 : "never measured";
  return LoweredBy.empty() ? Text : listOf(LoweredBy) + "; " + Text;
}

std::string Confidence::text() const {
  std::string Text = ("kernels like this (" + meaningOf(Kind) + "): ").str();
  if (Errors)
    Text += "half of " + std::to_string(Errors->Rows) + " rows of " +
            std::to_string(Errors->Kernels) + " kernels" +
            (Errors->Of == MeasuredKernels::Own ? " of ours" : "") +
            " within " + percent(Errors->Median) + ", four of five within " +
            percent(Errors->FourOfFive);
  else
    Text += "none was measured";
  if (!LoweredBy.empty())
    Text += "; less sure: " + listOf(LoweredBy);
  return Text;
}
