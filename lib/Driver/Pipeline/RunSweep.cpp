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
#include <set>

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
  const unsigned Rank = Spec.nextRank(); // above all others
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
                   Spec.Args.push_back({A.Parameter, E.Value, SMLoc(), Rank});
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

namespace {

/// A point of a sweep on a device, but for its launch.
struct SweepPoint {
  DevicePoint At;
  double Registers = 0; ///< 0 for those of the kernel
  std::vector<SweepValue> Values;

  /// Takes the entry \p E of axis \p A.
  void move(const SweepAxis &A, const SweepEntry &E) {
    Values.push_back({A.Name, E.Text});
    switch (A.What) {
    case SweepOf::ActiveSMs:
      At.ActiveSMs = unsigned(E.Number);
      break;
    case SweepOf::CoreMHz:
      At.CoreMHz = E.Number;
      At.fixClock();
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
  }
};

/// A kernel at one launch on a device, ready with each number of registers.
class ReadyByRegisters {
public:
  ReadyByRegisters(const KernelOnDevice &Place, ArrayRef<const Model *> Models,
                   const ModelOptions &Options)
      : Place(Place), Models(Models), Options(Options) {}

  /// With those of the kernel if \p Registers is 0.
  const ReadyKernel &with(double Registers) {
    std::unique_ptr<ReadyKernel> &Ready = Known[Registers];
    if (!Ready)
      Ready = std::make_unique<ReadyKernel>(
          Registers == 0 ? Place
                         : KernelOnDevice(Place.Kernel, Place.Dev,
                                          Estimate::known(Registers)),
          Models, Options);
    return *Ready;
  }

private:
  const KernelOnDevice &Place;
  ArrayRef<const Model *> Models;
  const ModelOptions &Options;
  std::map<double, std::unique_ptr<ReadyKernel>> Known;
};

/// Points of one launch, which differ in nothing that an analysis sees, by
/// what the launch is.
using PointsByLaunch =
    std::map<std::vector<const SweepEntry *>, std::vector<size_t>>;

} // namespace

static size_t numPoints(ArrayRef<SweepAxis> Axes) {
  size_t Num = 1;
  for (const SweepAxis &A : Axes)
    Num *= A.Values.size();
  return Num;
}

std::vector<size_t> Driver::Impl::pointsOfShapes() const {
  std::vector<size_t> Points;
  std::set<std::vector<const SweepEntry *>> Seen;
  for (size_t P = 0, Num = numPoints(Options.Sweeps); P != Num; ++P) {
    std::vector<const SweepEntry *> Shapes;
    forEachEntry(Options.Sweeps, P,
                 [&](const SweepAxis &A, const SweepEntry &E) {
                   if (A.What == SweepOf::Block || A.What == SweepOf::Grid)
                     Shapes.push_back(&E);
                 });
    if (Seen.insert(std::move(Shapes)).second)
      Points.push_back(P);
  }
  return Points;
}

static PointsByLaunch groupByLaunch(ArrayRef<SweepAxis> Axes) {
  PointsByLaunch Groups;
  for (size_t P = 0, Num = numPoints(Axes); P != Num; ++P) {
    std::vector<const SweepEntry *> Launch;
    forEachEntry(Axes, P, [&](const SweepAxis &A, const SweepEntry &E) {
      if (A.changesLaunch())
        Launch.push_back(&E);
    });
    Groups[Launch].push_back(P);
  }
  return Groups;
}

std::vector<Prediction>
Driver::Impl::sweep(const Job &J, const KernelPipeline &Pipeline,
                    ArrayRef<KernelOnDevice> First) const {
  ArrayRef<SweepAxis> Axes = Options.Sweeps;
  const size_t NumPoints = numPoints(Axes);
  std::vector<Prediction> Predictions(First.size() * Models.size() * NumPoints);
  for (const auto &[Entries, Points] : groupByLaunch(Axes)) {
    const bool IsOfLaunch = !Entries.empty();
    std::string Note;
    if (IsOfLaunch) {
      LaunchSpec Spec = specFor(J.Entry);
      Note = moveTo(Points.front(), Spec);
    }
    std::shared_ptr<const KernelCharacteristics> Other;
    std::vector<KernelOnDevice> OtherPlaces;
    if (Points.front() != 0) {
      Other = Pipeline.analyze(requestFor(J, Points.front()));
      OtherPlaces = placesOf(J, *Other);
    }
    ArrayRef<KernelOnDevice> Places = Other ? ArrayRef(OtherPlaces) : First;
    for (auto [NumPlace, Place] : llvm::enumerate(Places)) {
      ReadyByRegisters Ready(Place, Models, Options.Model);
      for (size_t P : Points) {
        SweepPoint To{pointOn(Place.Dev), 0, {}};
        forEachEntry(Axes, P, [&](const SweepAxis &A, const SweepEntry &E) {
          To.move(A, E);
        });
        const ReadyKernel &Kernel = Ready.with(To.Registers);
        for (size_t N = 0; N != Models.size(); ++N) {
          Prediction &Result =
              Predictions[(NumPlace * Models.size() + N) * NumPoints + P];
          Result = Kernel.predict(N, To.At);
          if (!Note.empty())
            for (auto *Notes : {&Result.LaunchNotes, &Result.Applies.Notes})
              Notes->push_back(Note);
          noteClock(Result);
          Result.Sweep = To.Values;
          if (IsOfLaunch)
            Result.Launch = Place.Kernel.Launch;
        }
      }
    }
  }
  return Predictions;
}
