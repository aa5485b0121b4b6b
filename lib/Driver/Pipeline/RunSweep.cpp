//===- RunSweep.cpp - Predictions for every point of a sweep --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A kernel is analysed once for each launch and a model made ready once for
// each launch, device and number of registers; clocks, SMs and the like are
// then asked of what is ready.
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace ptxpredict;

/// Calls \p Body for each axis and the entry that point \p Point has of it.
static void forEachEntry(
    ArrayRef<SweepAxis> Axes, size_t Point,
    llvm::function_ref<void(const SweepAxis &, const SweepEntry &)> Body) {
  size_t Stride = 1;
  for (const SweepAxis &A : Axes)
    Stride *= A.Values.size();
  for (const SweepAxis &A : Axes) {
    Stride /= A.Values.size();
    Body(A, A.Values[Point / Stride % A.Values.size()]);
  }
}

std::string Driver::Impl::moveTo(size_t Point, LaunchSpec &Spec) const {
  const bool WholeLaunch = Spec.Grid && Spec.Block;
  bool GridIsSwept = false;
  std::optional<Dim3> Block;
  forEachEntry(Options.Sweeps, Point,
               [&](const SweepAxis &A, const SweepEntry &E) {
                 switch (A.What) {
                 case SweepOf::Block:
                   Block = E.Shape;
                   break;
                 case SweepOf::Grid:
                   GridIsSwept = true;
                   Spec.Grid = E.Shape;
                   break;
                 case SweepOf::DynamicShared:
                   Spec.DynamicSharedBytes = uint64_t(E.Number);
                   break;
                 case SweepOf::Argument:
                   Spec.Args.push_back({A.Parameter, E.Value, SMLoc()});
                   break;
                 default:
                   break;
                 }
               });
  if (!Block)
    return {};
  std::string Note;
  if (WholeLaunch && !GridIsSwept) {
    // The launch says how many threads there are to be, in blocks of any shape.
    const Dim3 &G = *Spec.Grid, &B = *Spec.Block;
    Dim3 Grid{llvm::divideCeil(G.X * B.X, Block->X),
              llvm::divideCeil(G.Y * B.Y, Block->Y),
              llvm::divideCeil(G.Z * B.Z, Block->Z)};
    if (!(Grid == G))
      Note = "the grid has as many blocks as hold the threads of " +
             toString(G) + " blocks of " + toString(B) +
             "; for another one leave --block out or sweep 'grid', too";
    Spec.Grid = Grid;
  }
  Spec.Block = Block;
  return Note;
}

std::optional<std::vector<Prediction>>
Driver::Impl::sweep(const Job &J, KernelCharacteristics &First) const {
  ArrayRef<SweepAxis> Axes = Options.Sweeps;
  size_t NumPoints = 1;
  for (const SweepAxis &A : Axes)
    NumPoints *= A.Values.size();

  // Points of one launch, which differ in nothing that an analysis sees.
  std::map<std::vector<const SweepEntry *>, std::vector<size_t>> ByLaunch;
  for (size_t P = 0; P != NumPoints; ++P) {
    std::vector<const SweepEntry *> Launch;
    forEachEntry(Axes, P, [&](const SweepAxis &A, const SweepEntry &E) {
      if (A.changesLaunch())
        Launch.push_back(&E);
    });
    ByLaunch[Launch].push_back(P);
  }

  std::vector<const Device *> On = devicesFor(*J.Target, First);
  std::vector<Prediction> Predictions(On.size() * Models.size() * NumPoints);
  for (const auto &[Entries, Points] : ByLaunch) {
    const KernelCharacteristics *K = &First;
    std::optional<KernelCharacteristics> Other;
    std::string Note;
    if (!Entries.empty()) {
      LaunchSpec Spec = specFor(J.Entry);
      Note = moveTo(Points.front(), Spec);
    }
    if (Points.front() != 0) {
      Other = characterize(J, Points.front());
      if (!Other)
        return std::nullopt;
      applyExactResources(*Other, Inputs[J.Input], *J.Target);
      K = &*Other;
    }
    for (auto [NumDevice, D] : llvm::enumerate(On)) {
      LaunchOnDevice Launch(*K, *D);
      if (!Note.empty())
        Launch.Notes.push_back(Note);
      PreparedPower Power({*K, *D}, Options.Model);
      // By registers; 0 for those of the kernel.
      std::map<double, std::vector<std::unique_ptr<PreparedModel>>> Ready;
      for (size_t P : Points) {
        DevicePoint At = pointOn(*D);
        std::vector<SweepValue> Values;
        double Registers = 0;
        forEachEntry(Axes, P, [&](const SweepAxis &A, const SweepEntry &E) {
          Values.push_back({A.Name, E.Text});
          switch (A.What) {
          case SweepOf::ActiveSMs:
            At.ActiveSMs = unsigned(E.Number);
            break;
          case SweepOf::CoreMHz:
            At.CoreMHz = E.Number;
            break;
          case SweepOf::MemMHz:
            At.MemMHz = E.Number;
            break;
          case SweepOf::Bandwidth:
            At.BandwidthGBs = E.Number;
            break;
          case SweepOf::Warps:
            At.WarpsPerSM = E.Number;
            break;
          case SweepOf::Registers:
            Registers = E.Number;
            break;
          default:
            break;
          }
        });
        auto &OfRegisters = Ready[Registers];
        if (OfRegisters.empty())
          for (const Model *M : Models)
            OfRegisters.push_back(M->prepare(
                Registers != 0
                    ? KernelOnDevice(*K, *D, Estimate::known(Registers))
                    : KernelOnDevice(*K, *D),
                Options.Model));
        for (auto [NumModel, M] : llvm::enumerate(OfRegisters)) {
          Prediction &Result =
              Predictions[(NumDevice * Models.size() + NumModel) * NumPoints +
                          P];
          Result = M->predict(At, Launch.Refusal);
          addPower(Power, Options.Model, At, Result);
          Launch.addTo(Result);
          Result.Sweep = Values;
          if (!Entries.empty())
            Result.Launch = K->Launch;
        }
      }
    }
  }
  return Predictions;
}
