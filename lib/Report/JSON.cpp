//===- JSON.cpp - A report as JSON ----------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Keys and their order are those of docs/Reports.md. What does not apply is
// left out.
//===----------------------------------------------------------------------===//
#include "JSONWriter.h"
#include "ptxpredict/Report/Report.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void writeLaunch(JSONWriter &J, const LaunchConfig &L) {
  J.attributeObject("launch", [&] {
    J.extent("grid", L.Grid);
    J.extent("block", L.Block);
    J.extent("cluster", L.Cluster);
    J.attribute("dynamic_shared_bytes", L.DynamicSharedBytes);
  });
}

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

static void writeMemory(JSONWriter &J, const MemoryCharacteristics &M) {
  J.object([&] {
    J.attribute("line", M.Place.Line);
    if (!M.Place.Source.empty())
      J.text("source", M.Place.Source);
    if (!M.Place.InlinedAt.empty())
      J.texts("inlined_at", M.Place.InlinedAt);
    J.text("opcode", M.Opcode);
    J.attribute("space", toString(M.Space));
    J.attribute("access", toString(M.Access));
    if (M.BytesPerLane != 0)
      J.attribute("bytes_per_lane", M.BytesPerLane);
    if (M.LaneStrideBytes)
      J.attribute("lane_stride_bytes", *M.LaneStrideBytes);
    J.estimate("requests", M.Requests);
    J.estimate("active_lanes", M.ActiveLanes);
    if (M.Sectors)
      J.estimate("sectors_per_request", *M.Sectors);
    if (M.Lines)
      J.estimate("lines_per_request", *M.Lines);
    if (M.Wavefronts)
      J.estimate("wavefronts_per_request", *M.Wavefronts);
    if (M.hasTransactions())
      J.attributeObject("transactions_per_request", [&] {
        for (auto [Rule, N] : llvm::enumerate(M.Transactions))
          if (N)
            J.estimate(toString(AccessRule(Rule)), *N);
      });
  });
}

static void writeCharacteristics(JSONWriter &J,
                                 const KernelCharacteristics &K) {
  J.attributeObject("characteristics", [&] {
    J.estimate("instructions", K.Instructions);
    J.attributeObject("by_class", [&] {
      for (unsigned C = 0; C != NumOpClasses; ++C)
        if (K.ByClass[C])
          J.estimate(toString(OpClass(C)), *K.ByClass[C]);
    });
    J.attributeArray("blocks", [&] {
      for (const BlockCharacteristics &B : K.Blocks)
        J.object([&] {
          J.text("label", B.Label);
          if (!B.Function.empty())
            J.text("function", B.Function);
          J.attribute("line", B.Line);
          J.estimate("frequency", B.Frequency);
        });
    });
    J.attributeArray("loops", [&] {
      for (const LoopCharacteristics &L : K.Loops)
        J.object([&] {
          J.text("header", L.Header);
          J.attribute("line", L.Line);
          J.attribute("depth", L.Depth);
          J.estimate("trip_count", L.TripCount);
        });
    });
    J.attributeArray("memory", [&] {
      for (const MemoryCharacteristics &M : K.Memory)
        writeMemory(J, M);
    });
    J.attributeObject("coverage", [&] {
      J.attribute("modelled", K.ModelledInstructions);
      J.attribute("total", K.TotalInstructions);
      J.attributeObject("unknown_opcodes", [&] {
        for (const auto &[Opcode, N] : K.UnknownOpcodes)
          J.attribute(Opcode, N);
      });
    });
  });
}

static void writePrediction(JSONWriter &J, const Prediction &P) {
  J.object([&] {
    J.text("device", P.Device);
    J.attribute("model", P.Model);
    J.number("core_mhz", P.CoreMHz);
    J.number("mem_mhz", P.MemMHz);
    J.attributeObject("occupancy", [&] {
      J.estimate("registers", P.Registers);
      J.occupancy(P.Occ);
    });
    if (P.Cycles)
      J.estimate("cycles", *P.Cycles);
    if (P.TimeUs)
      J.estimate("time_us", *P.TimeUs);
    if (!P.Limiter.empty())
      J.attribute("limiter", P.Limiter);
    if (!P.Terms.empty())
      J.attributeObject("terms", [&] {
        for (const Term &T : P.Terms)
          J.number(T.Name, T.Value);
      });
    J.attributeObject("applicability", [&] {
      J.attribute("ok", P.Applies.Ok);
      J.texts("notes", P.Applies.Notes);
    });
  });
}

static void writeKernel(JSONWriter &J, const KernelReport &R) {
  const KernelCharacteristics &K = R.Characteristics;
  J.object([&] {
    J.text("name", K.Name);
    J.text("demangled", K.Demangled);
    J.attribute("input", R.Input);
    J.attribute("line", K.Line);
    writeLaunch(J, K.Launch);
    writeResources(J, K.Resources);
    writeCharacteristics(J, K);
    J.attributeArray("predictions", [&] {
      for (const Prediction &P : R.Predictions)
        writePrediction(J, P);
    });
    J.attributeArray("assumptions", [&] {
      for (const Assumption &A : K.Assumptions)
        J.assumption(A);
    });
  });
}

void ptxpredict::printJSON(const Report &R, raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(PredictionSchemaName, PredictionSchemaVersion);
    J.attributeArray("inputs", [&] {
      for (const InputReport &I : R.Inputs)
        J.object([&] {
          J.text("path", I.Path);
          J.text("frontend", I.Frontend);
          if (!I.ISAVersion.empty())
            J.text("isa_version", I.ISAVersion);
          if (!I.Target.empty())
            J.text("target", I.Target);
        });
    });
    J.texts("premises", R.Premises);
    J.attributeArray("kernels", [&] {
      for (const KernelReport &K : R.Kernels)
        writeKernel(J, K);
    });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : R.Diagnostics)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}
