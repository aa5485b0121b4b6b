//===- JSON.cpp - A report as JSON ----------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Keys and their order are those of docs/formats/Reports.md. What does not
// apply is left out.
//===----------------------------------------------------------------------===//
#include "CharacteristicsJSON.h"
#include "FindingsJSON.h"
#include "ptxpredict/Model/Confidence.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

static void writeResources(JSONWriter &J, const ResourceCharacteristics &R) {
  J.attributeObject("resources", [&] {
    J.estimate("registers", R.Registers);
    if (R.SpillBytes)
      J.estimate("spill_bytes", *R.SpillBytes);
    if (R.CodeBytes)
      J.attribute("code_bytes", *R.CodeBytes);
    J.attribute("static_shared_bytes", R.StaticSharedBytes);
    J.attribute("local_bytes", R.LocalBytes);
    J.attribute("barriers", R.Barriers);
    J.attribute("param_bytes", R.ParamBytes);
  });
}

static void writeConfidence(JSONWriter &J, const Confidence &C) {
  J.attributeObject("confidence", [&] {
    J.attribute("level", toString(C.level()));
    J.attribute("like", toString(C.Kind));
    if (const KindErrors *E = C.Errors) {
      J.attribute("kernels_of",
                  E->Of == MeasuredKernels::Public ? "public" : "own");
      J.attribute("rows", E->Rows);
      J.attribute("kernels", E->Kernels);
      J.number("median_error", E->Median);
      J.number("four_of_five_error", E->FourOfFive);
      J.number("in_range", E->InRange);
    }
    J.texts("lowered_by", C.LoweredBy);
  });
}

static void writePrediction(JSONWriter &J, const KernelCharacteristics &K,
                            const Prediction &P) {
  J.object([&] {
    J.text("device", P.Device);
    J.attribute("model", P.Model);
    if (!P.Sweep.empty())
      J.attributeObject("sweep", [&] {
        for (const SweepValue &V : P.Sweep)
          J.text(V.Name, V.Value);
      });
    if (P.Launch)
      writeLaunch(J, *P.Launch);
    J.number("core_mhz", P.CoreMHz);
    if (P.Clock)
      J.attributeObject("core_clock", [&] {
        J.number("boost_mhz", P.Clock->BoostMHz);
        J.number("low_mhz", P.Clock->LowMHz);
        J.number("high_mhz", P.Clock->HighMHz);
        if (P.Clock->PowerLimitW > 0)
          J.number("power_limit_w", P.Clock->PowerLimitW);
        J.attribute("limited_by",
                    P.Clock->isLimited(P.CoreMHz) ? "power" : "nothing");
      });
    J.number("mem_mhz", P.MemMHz);
    J.attributeObject("occupancy", [&] {
      J.estimate("registers", P.Registers);
      J.occupancy(P.Occ);
      if (!P.OccEnds.empty())
        J.attributeArray("ends", [&] {
          for (const OccupancyEnd &End : P.OccEnds)
            J.object([&] {
              J.attribute("registers", End.Registers);
              if (End.TimeUs)
                J.number("time_us", *End.TimeUs);
              J.occupancy(End.Occ);
            });
        });
    });
    if (P.Cycles)
      J.estimate("cycles", *P.Cycles);
    if (P.TimeUs)
      J.estimate("time_us", *P.TimeUs);
    if (P.Limiter != TimeLimiter::None)
      J.attribute("limiter", toString(P.Limiter));
    if (const StringRef By = limitedBy(P, K); !By.empty())
      J.attribute("limited_by", By);
    if (const auto C = confidenceOf(K, P))
      writeConfidence(J, *C);
    if (P.PowerW)
      J.estimate("power_w", *P.PowerW);
    if (P.EnergyJ)
      J.estimate("energy_j", *P.EnergyJ);
    if (P.Scaled)
      J.attributeObject("scaled", [&] {
        J.number("time_us", P.Scaled->TimeUs);
        J.number("measured_us", P.Scaled->MeasuredUs);
        J.number("core_mhz", P.Scaled->CoreMHz);
        J.number("mem_mhz", P.Scaled->MemMHz);
      });
    if (!P.PowerUnits.empty())
      J.attributeArray("power_units", [&] {
        for (const UnitPower &U : P.PowerUnits)
          J.object([&] {
            J.attribute("name", U.Name);
            J.number("watts", U.Watts);
            if (!std::isnan(U.AccessRate))
              J.number("access_rate", U.AccessRate);
          });
      });
    if (P.Learned)
      J.attributeObject("learned_power", [&] {
        J.attribute("regression", P.Learned->Regression);
        J.attributeArray("parts", [&] {
          for (const LearnedWatts::Part &Part : P.Learned->Parts)
            J.object([&] {
              J.attribute("name", Part.Name);
              J.number("watts", Part.Watts);
              if (!std::isnan(Part.Value))
                J.number("value", Part.Value);
            });
        });
      });
    if (P.Warming)
      J.attributeObject("thermal", [&] {
        J.number("idle_c", P.Warming->IdleC);
        J.number("max_c", P.Warming->MaxC);
        J.number("rise_s", P.Warming->RiseSeconds);
        J.number("decay_s", P.Warming->DecaySeconds);
        J.attributeArray("warm_up", [&] {
          for (const ThermalPoint &T : P.Warming->WarmUp)
            J.object([&] {
              J.number("seconds", T.Seconds);
              J.number("temperature_c", T.TemperatureC);
              J.number("power_w", T.PowerW);
            });
        });
      });
    if (!P.Terms.empty())
      J.attributeObject("terms", [&] {
        for (const Term &T : P.Terms)
          J.number(T.Name, T.Value);
      });
    if (P.Warp)
      J.attributeObject("warp", [&] {
        J.estimate("cycles", P.Warp->Cycles);
        J.number("loads_in_flight", P.Warp->LoadsInFlight);
        writeWaits(J, P.Warp->Waits);
      });
    if (P.Caches)
      J.attributeObject("caches", [&] {
        if (P.Caches->L1)
          J.estimate("l1_hit_rate", *P.Caches->L1);
        if (P.Caches->L2)
          J.estimate("l2_hit_rate", *P.Caches->L2);
      });
    J.attributeObject("applicability", [&] {
      J.attribute("ok", P.Applies.Ok);
      J.texts("notes", P.Applies.Notes);
    });
  });
}

static void writeKernel(JSONWriter &J, const KernelReport &R) {
  const KernelCharacteristics &K = *R.Characteristics;
  J.object([&] {
    J.text("name", K.Name);
    J.text("demangled", K.Demangled);
    J.attribute("input", R.Input);
    J.attribute("line", K.Line);
    writeLaunch(J, K.Launch);
    if (!K.MeasuredOn.empty())
      J.text("profile", K.MeasuredOn);
    if (K.Counted)
      J.text("counters", K.Counted->description());
    writeResources(J, K.Resources);
    writeCharacteristics(J, K, /*OfRun=*/false);
    J.attributeArray("predictions", [&] {
      for (const Prediction &P : R.Predictions)
        writePrediction(J, K, P);
    });
    J.attributeArray("assumptions", [&] {
      for (const Assumption &A : R.assumptions())
        J.assumption(A);
    });
    writeFindings(J, R.Findings);
  });
}

namespace {

class JSONForm final : public ReportForm {
public:
  void printKernel(const Report &Head, const KernelReport &K,
                   raw_ostream &OS) const override;
  void print(const Report &R, size_t NumKernels,
             llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
             raw_ostream &OS) const override;
};

} // namespace

void JSONForm::printKernel(const Report & /*Head*/, const KernelReport &K,
                           raw_ostream &OS) const {
  printNested(OS, [&](JSONWriter &J) { writeKernel(J, K); });
}

void JSONForm::print(const Report &R, size_t NumKernels,
                     llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
                     raw_ostream &OS) const {
  printReportJSON({PredictionSchemaName, PredictionSchemaVersion}, R,
                  NumKernels, Kernel, OS);
}

std::unique_ptr<ReportForm> ptxpredict::jsonForm() {
  return std::make_unique<JSONForm>();
}

void ptxpredict::printJSON(const Report &R, raw_ostream &OS) {
  jsonForm()->printAll(R, OS);
}
