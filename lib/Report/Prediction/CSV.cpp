//===- CSV.cpp - Predictions as comma-separated values --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Report/Writers/CSVRow.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

namespace {

class CSVForm final : public ReportForm {
public:
  CSVForm(std::vector<std::string> Sweeps, std::vector<StringRef> Terms,
          bool HasScaled)
      : Sweeps(std::move(Sweeps)), Terms(std::move(Terms)),
        HasScaled(HasScaled) {}

  void printKernel(const Report &Head, const KernelReport &K,
                   raw_ostream &OS) const override {
    for (const Prediction &P : K.Predictions)
      printRow(Head.Inputs[K.Input].Path, *K.Characteristics, P, OS);
  }
  void print(const Report &R, size_t NumKernels,
             llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
             raw_ostream &OS) const override;

private:
  std::vector<std::string> Sweeps;
  std::vector<StringRef> Terms;
  bool HasScaled; ///< there is a column of times that are scaled

  void printRow(StringRef Path, const KernelCharacteristics &K,
                const Prediction &P, raw_ostream &OS) const;
};

} // namespace

// The columns of print() and printRow() go together.
void CSVForm::print(const Report & /*R*/, size_t NumKernels,
                    llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
                    raw_ostream &OS) const {
  {
    CSVRow Head(OS);
    for (StringRef Column : {"file", "kernel", "demangled", "device", "model"})
      Head.text(Column);
    for (const std::string &Name : Sweeps)
      Head.text("sweep_" + Name);
    for (StringRef Column : {"ok",
                             "grid",
                             "block",
                             "dynamic_shared_bytes",
                             "core_mhz",
                             "mem_mhz",
                             "registers",
                             "blocks_per_sm",
                             "warps_per_sm",
                             "occupancy",
                             "occupancy_limiter",
                             "cycles",
                             "cycles_low",
                             "cycles_high",
                             "time_us",
                             "time_us_low",
                             "time_us_high",
                             "status",
                             "limiter",
                             "power_w",
                             "energy_j"})
      Head.text(Column);
    if (HasScaled)
      Head.text("scaled_us");
    for (StringRef Term : Terms)
      Head.text(Term);
    Head.text("notes");
  }
  for (size_t N = 0; N != NumKernels; ++N)
    Kernel(N, OS);
}

void CSVForm::printRow(StringRef Path, const KernelCharacteristics &K,
                       const Prediction &P, raw_ostream &OS) const {
  const LaunchConfig &L = P.Launch ? *P.Launch : K.Launch;
  CSVRow R(OS);
  for (StringRef Cell : {Path, StringRef(K.Name), StringRef(K.Demangled),
                         StringRef(P.Device), StringRef(P.Model)})
    R.text(Cell);
  for (const std::string &Name : Sweeps) {
    const auto *Found = llvm::find_if(
        ArrayRef(P.Sweep), [&](const SweepValue &V) { return V.Name == Name; });
    R.text(Found != ArrayRef(P.Sweep).end() ? Found->Value : "");
  }
  R.text(P.Applies.Ok ? "true" : "false");
  R.text(toString(L.Grid));
  R.text(toString(L.Block));
  R.number(double(L.DynamicSharedBytes));
  R.number(P.CoreMHz);
  R.number(P.MemMHz);
  R.number(P.Registers.Value);
  R.number(double(P.Occ.BlocksPerSM));
  R.number(double(P.Occ.WarpsPerSM));
  R.number(P.Occ.Fraction);
  R.text(toString(P.Occ.Limiter));
  R.estimate(P.Cycles);
  R.estimate(P.TimeUs);
  R.text(P.TimeUs ? toString(P.TimeUs->Status) : "");
  R.text(toString(P.Limiter));
  R.number(P.PowerW ? P.PowerW->Value : NAN);
  R.number(P.EnergyJ ? P.EnergyJ->Value : NAN);
  if (HasScaled)
    R.number(P.Scaled ? P.Scaled->TimeUs : NAN);
  for (StringRef Term : Terms)
    R.number(P.term(Term));
  R.text(llvm::join(P.Applies.Notes, "; "));
}

std::unique_ptr<ReportForm> ptxpredict::csvForm(std::vector<std::string> Sweeps,
                                                std::vector<StringRef> Terms,
                                                bool HasScaled) {
  return std::make_unique<CSVForm>(std::move(Sweeps), std::move(Terms),
                                   HasScaled);
}
