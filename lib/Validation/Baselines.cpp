//===- Baselines.cpp - What a model should be better than -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Baselines.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace ptxpredict;

/// All but the rates of arithmetic and of memory.
static BottleneckParts partsBeyondRoofline() {
  using Resource = BottleneckResource;
  constexpr Resource Kept[] = {
      Resource::Issue,       Resource::FP32,   Resource::Int,
      Resource::IntMultiply, Resource::FP16,   Resource::FP64,
      Resource::SFU,         Resource::Tensor, Resource::DRAM};
  BottleneckParts Parts;
  for (unsigned N = 0; N != NumBottleneckResources; ++N)
    if (!llvm::is_contained(Kept, Resource(N)))
      Parts.add(BottleneckPart(N));
  for (BottleneckPart P : {BottleneckPart::Waves, BottleneckPart::Meetings,
                           BottleneckPart::SmoothMaximum,
                           BottleneckPart::BlockStart, BottleneckPart::Start})
    Parts.add(P);
  return Parts;
}

BottleneckKernel ptxpredict::rooflineOf(const KernelOnDevice &On) {
  BottleneckKernel K(On, partsBeyondRoofline(), /*WithBounds=*/false);
  BottleneckParameters Nominal = K.parameters();
  Nominal.IssueEfficiency = Nominal.PipeEfficiency = Nominal.FP64Efficiency =
      Nominal.DRAMEfficiency = 1;
  Nominal.Refresh = 0;
  K.setParameters(Nominal);
  return K;
}

void ptxpredict::answerMedians(ValidationReport &R) {
  using Place = std::pair<unsigned, StringRef>; // dataset and device
  std::map<Place, std::vector<double>> Times;
  for (const ValidatedPoint &P : R.Points)
    if (!P.Answers.empty() && P.Kernel->Apart.empty())
      Times[{P.Dataset, P.Device}].push_back(P.TimeUs);
  for (auto &[Of, Measured] : Times)
    llvm::sort(Measured);
  for (ValidatedPoint &P : R.Points) {
    if (P.Answers.empty())
      continue;
    const std::vector<double> &All = Times[{P.Dataset, P.Device}];
    const size_t Own =
        P.Kernel->Apart.empty()
            ? size_t(llvm::lower_bound(All, P.TimeUs) - All.begin())
            : All.size();
    const size_t Others = All.size() - (Own < All.size() ? 1 : 0);
    if (Others == 0)
      continue;
    // The others' values, in order.
    auto Value = [&](size_t N) { return All[N < Own ? N : N + 1]; };
    const double Median = (Value((Others - 1) / 2) + Value(Others / 2)) / 2;
    ModelAnswer &A = P.Answers[R.Median];
    A.TimeUs = Estimate::make(Median, Status::Estimated);
    A.HasRange = false;
  }
}
