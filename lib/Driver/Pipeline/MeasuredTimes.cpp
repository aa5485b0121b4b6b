//===- MeasuredTimes.cpp - Predictions scaled by a measured time ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include <cmath>

using namespace ptxpredict;

void Driver::Impl::checkMeasuredTimes(ArrayRef<Job> Jobs) {
  const MeasuredTimes &Measured = Options.Measured;
  if (Measured.Times.empty() || AnyInputFailed)
    return;
  if (Devices.size() > 1)
    General.error(SMLoc(), "--measured-us: times are of one device; several "
                           "are asked for");
  for (const SweepAxis &A : Options.Sweeps)
    if (A.changesLaunch())
      General.error(SMLoc(), "--sweep: '" + A.Name +
                                 "': the times of --measured-us are those of "
                                 "one launch");
  for (const MeasuredTimes::Time &T : Measured.Times) {
    const auto Num = llvm::count_if(
        Jobs, [&](const Job &J) { return T.isOf(KernelNames(J.name())); });
    if (Num == 0 && T.Kernels)
      General.error(SMLoc(), "--measured-us: no selected kernel matches '" +
                                 T.Kernels->text() + "'");
    else if (Num > 1)
      General.error(SMLoc(), "--measured-us: " + Twine(Num) +
                                 " launches of kernels are meant by one time; "
                                 "GLOB=US and --kernel choose one");
  }
}

void Driver::Impl::scaleByMeasured(const Job &J,
                                   ArrayRef<KernelOnDevice> Places,
                                   MutableArrayRef<Prediction> All) const {
  const MeasuredTimes &Measured = Options.Measured;
  const MeasuredTimes::Time *T =
      Measured.Times.empty() ? nullptr : Measured.of(KernelNames(J.name()));
  if (!T || Places.empty())
    return;
  const size_t NumPoints = All.size() / (Places.size() * Models.size());
  for (const KernelOnDevice &Place : Places) {
    const ReadyKernel Ready(Place, Models, Options.Model);
    DevicePoint Here = pointOn(Place.Dev);
    if (Measured.CoreMHz) {
      Here.CoreMHz = *Measured.CoreMHz;
      Here.fixClock();
    }
    Here.MemMHz = Measured.MemMHz.value_or(Here.MemMHz);
    for (size_t N = 0; N != Models.size(); ++N) {
      const Prediction Base = Ready.predict(N, Here);
      for (Prediction &P : All.take_front(NumPoints))
        if (P.TimeUs && Base.TimeUs && Base.TimeUs->Value > 0)
          P.Scaled = ScaledTime{T->Us * P.TimeUs->Value / Base.TimeUs->Value,
                                T->Us, Base.CoreMHz, Base.MemMHz};
      All = All.drop_front(NumPoints);
    }
  }
}
