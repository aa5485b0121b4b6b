//===- SystemJSON.cpp - Systems as JSON -----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Scenario/View/LinkView.h"
#include "ptxpredict/Scenario/View/SystemView.h"

using namespace ptxpredict;

/// A number that is no Quantity, with its source if it has one.
static void writePlain(JSONWriter &J, const SystemComponent &C, StringRef Key,
                       StringRef SourceKey, double Value) {
  const auto At = C.Sources.find(SourceKey);
  writeQuantity(
      J, Key, {Value, At != C.Sources.end() ? At->second : std::string(), ""});
}

static void writePlaces(JSONWriter &J, const SystemComponent &C) {
  if (C.On)
    J.text("device", C.On->Name);
  if (!C.Labels.empty())
    J.attributeObject("labels", [&] {
      for (const PlaceLabel &L : C.Labels)
        J.attribute(L.Label, int64_t(L.Places));
    });
  writeQuantity(J, "memory", C.MemoryBytes, "bytes");
  if (C.Kind == ComponentKind::CPU) {
    writePlain(J, C, "cores", "cores", double(C.Cores));
    writeQuantity(J, "performance", C.Performance, "operations/s");
  } else {
    writePlain(J, C, "copy_engines", "copy_engines", C.CopyEngines);
    writePlain(J, C, "concurrent_kernels", "concurrent_kernels",
               C.ConcurrentKernels);
    writeQuantity(J, "launch_us", C.LaunchUs, "us");
  }
  if (!C.Attributes.empty())
    J.attributeObject("attributes", [&] {
      for (const auto &[Name, Value] : C.Attributes)
        writePlain(J, C, Name, "attributes." + Name, Value);
    });
}

static void writeLinkKind(JSONWriter &J, const SystemLinkKind &L) {
  J.text("link", L.Of->Name);
  J.attribute("sharing", L.Sharing == LinkSharing::Fair ? "fair" : "fifo");
  J.attribute("duplex", L.Duplex == LinkDuplex::Full ? "full" : "half");
}

static void writeNode(JSONWriter &J, const NodeKind &N) {
  J.text("name", N.Name);
  J.attribute("count", int64_t(N.Count));
  J.attributeArray("components", [&] {
    for (const SystemComponent &C : N.Components)
      J.object([&] {
        J.text("name", C.Name);
        J.attribute("kind", toString(C.Kind));
        J.attribute("count", int64_t(C.Count));
        if (C.Kind == ComponentKind::CPU || C.Kind == ComponentKind::GPU)
          writePlaces(J, C);
        writeQuantity(J, "idle_w", C.IdleW, "W");
        writeQuantity(J, "active_w", C.ActiveW, "W");
        writeQuantity(J, "mtbf_hours", C.MTBFHours, "h");
      });
  });
  J.attributeArray("links", [&] {
    for (const SystemLink &L : N.Links)
      J.object([&] {
        J.attributeArray("between", [&] {
          for (unsigned End : L.Ends)
            J.text(N.Components[End].Name);
        });
        J.attribute("count", int64_t(L.Count));
        writeLinkKind(J, L);
      });
  });
  writeQuantity(J, "base_w", N.BaseW, "W");
  writeQuantity(J, "psu_efficiency", N.PSUEfficiency);
  writeQuantity(J, "mtbf_hours", N.MTBFHours, "h");
}

void ptxpredict::printSystemsJSON(ArrayRef<const System *> Systems,
                                  raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(SystemsSchemaName, SystemsSchemaVersion);
    J.attributeArray("systems", [&] {
      for (const System *S : Systems)
        J.object([&] {
          J.text("name", S->Name);
          J.text("description", S->Description);
          if (!S->Source.empty())
            J.text("source", S->Source);
          J.attributeArray("nodes", [&] {
            for (const NodeKind &N : S->Nodes)
              J.object([&] { writeNode(J, N); });
          });
          if (S->Network.Of)
            J.attributeObject("network", [&] { writeLinkKind(J, S->Network); });
          J.attributeArray("links", [&] {
            for (const Link *L : linksOf(*S))
              J.object([&] { writeLink(J, *L); });
          });
        });
    });
  });
  OS << '\n';
}
