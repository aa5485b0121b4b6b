//===- DeviceReport.cpp - Devices as a table and as JSON ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Device/DeviceReport.h"
#include "ptxpredict/Device/Evidence.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

using Align = TextTable::Align;

/// The fields of which \p D has a number, in the order of a device file.
static auto fieldsOf(const Device &D) {
  return llvm::make_filter_range(
      deviceFields(), [&D](const DeviceField &F) { return bool(D.*F.Member); });
}

static std::string capability(const Device &D) {
  if (D.IsCPU)
    return "CPU";
  return std::to_string(D.ComputeCapability / 10) + "." +
         std::to_string(D.ComputeCapability % 10);
}

void ptxpredict::printDeviceTable(ArrayRef<const Device *> Devices,
                                  raw_ostream &OS) {
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Left});
  T.addRow({"device", "cc", "SMs", "boost MHz", "memory MHz", "GB/s",
            "measured", "on siblings", "description"});
  for (const Device *D : Devices) {
    const EvidenceCounts Counts = countEvidence(*D);
    T.addRow({D->Name, capability(*D), shortNumber(*D->NumSMs),
              shortNumber(*D->BoostMHz), shortNumber(*D->MemoryMHz),
              shortNumber(*D->DRAMBandwidth),
              std::to_string(Counts[Evidence::Measured]),
              std::to_string(Counts[Evidence::MeasuredOnSibling]),
              fit(D->Description, 42)});
  }
  T.print(OS, /*Indent=*/0);
}

/// "35 of its 160 numbers are measured on it, …".
static std::string evidenceText(const Device &D) {
  const EvidenceCounts Counts = countEvidence(D);
  unsigned All = 0;
  for (unsigned N : Counts.Of)
    All += N;
  auto Of = [&](Evidence E) { return std::to_string(Counts[E]); };
  return "of its " + std::to_string(All) + " numbers " +
         Of(Evidence::Measured) + " are measured on it, " +
         Of(Evidence::MeasuredOnSibling) + " on other boards, " +
         Of(Evidence::Documented) + " documented, " + Of(Evidence::Assumed) +
         " assumed";
}

static std::string memoryStatesText(const Device &D) {
  std::string Text;
  for (double MHz : D.MemoryStates.MHz)
    Text += (Text.empty() ? "" : ", ") + shortestDecimal(MHz);
  return Text;
}

void ptxpredict::printDeviceText(const Device &D, raw_ostream &To) {
  PrintableStream OS(To);
  OS << D.Name << ": " << printable(D.Description) << "\n  ";
  if (!D.Aliases.empty())
    OS << "also " << llvm::join(D.Aliases, ", ") << "\n  ";
  if (D.IsCPU)
    OS << "a CPU: its SMs are cores, its warps vectors";
  else
    OS << "compute capability " << capability(D) << ", access rule "
       << D.AccessRule;
  if (!D.Inherits.empty())
    OS << ", inherits " << D.Inherits;
  OS << "\n  " << evidenceText(D) << '\n';
  StringRef Section;
  auto Print = [&](StringRef Meaning, StringRef Key, const Quantity &Q,
                   StringRef Unit) {
    std::string Line =
        ("  " + Key + " = " + shortestDecimal(*Q) + (Unit.empty() ? "" : " ") +
         Unit + (Meaning.empty() ? "" : "  (" + Meaning + ")"))
            .str();
    const Evidence Rests = evidenceOf(D, Q);
    const std::string From = Q.From.empty() ? "" : ", from " + Q.From;
    OS << Line << "\n      "
       << (Rests == Evidence::MeasuredOnSibling ? "measured on another board"
                                                : toString(Rests))
       << From << "\n      source: ";
    printWrapped(OS, Q.Source, 14, 14);
  };
  for (const DeviceField &F : fieldsOf(D)) {
    if (F.Section != Section)
      OS << '\n' << (Section = F.Section) << '\n';
    Print(F.Meaning, F.Key, D.*F.Member, F.Unit);
    if (F.Member == &Device::MemoryMHz && !D.MemoryStates.MHz.empty()) {
      OS << "  memory_states = " << memoryStatesText(D)
         << " MHz  (memory clocks that the board can be locked at with all "
            "core clocks)\n";
      if (!D.MemoryStates.From.empty())
        OS << "      from " << D.MemoryStates.From << '\n';
      OS << "      source: ";
      printWrapped(OS, D.MemoryStates.Source, 14, 14);
    }
  }
  for (const auto &[Model, Parameters] : D.ModelParameters) {
    OS << "\nmodel " << Model << '\n';
    for (const auto &[Key, Q] : Parameters)
      if (Q)
        Print("", Key, Q, Q.Unit);
  }
}

static void writeQuantity(JSONWriter &J, const Device &D, StringRef Key,
                          const Quantity &Q, StringRef Unit) {
  J.attributeObject(Key, [&] {
    J.number("value", *Q);
    if (!Unit.empty())
      J.attribute("unit", Unit);
    J.text("source", Q.Source);
    J.attribute("evidence", toString(evidenceOf(D, Q)));
    if (!Q.From.empty())
      J.text("inherited_from", Q.From);
  });
}

static void writeMemoryStates(JSONWriter &J, const MemoryStates &States) {
  J.attributeObject("memory_states", [&] {
    J.attributeArray("value", [&] {
      for (double MHz : States.MHz)
        J.value(MHz);
    });
    J.attribute("unit", "MHz");
    J.text("source", States.Source);
    if (!States.From.empty())
      J.text("inherited_from", States.From);
  });
}

static void writeDevice(JSONWriter &J, const Device &D) {
  J.text("name", D.Name);
  J.text("description", D.Description);
  if (!D.Aliases.empty())
    J.attributeArray("aliases", [&] {
      for (const std::string &Alias : D.Aliases)
        J.value(Alias);
    });
  if (!D.Inherits.empty())
    J.text("inherits", D.Inherits);
  if (D.IsCPU) {
    J.attribute("kind", "cpu");
  } else {
    J.attribute("compute_capability", capability(D));
    J.attribute("access_rule", D.AccessRule);
  }
  StringRef Section;
  for (const DeviceField &F : fieldsOf(D)) {
    if (F.Section != Section) {
      if (!Section.empty()) {
        J.objectEnd();
        J.attributeEnd();
      }
      J.attributeBegin(Section = F.Section);
      J.objectBegin();
    }
    writeQuantity(J, D, F.Key, D.*F.Member, F.Unit);
    if (F.Member == &Device::MemoryMHz && !D.MemoryStates.MHz.empty())
      writeMemoryStates(J, D.MemoryStates);
  }
  if (!Section.empty()) {
    J.objectEnd();
    J.attributeEnd();
  }
  if (D.ModelParameters.empty())
    return;
  J.attributeObject("models", [&] {
    for (const auto &[Model, Parameters] : D.ModelParameters)
      J.attributeObject(Model, [&, &Of = Parameters] {
        for (const auto &[Key, Q] : Of)
          if (Q)
            writeQuantity(J, D, Key, Q, Q.Unit);
      });
  });
}

void ptxpredict::printDevicesJSON(ArrayRef<const Device *> Devices,
                                  raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(DevicesSchemaName, DevicesSchemaVersion);
    J.attributeArray("devices", [&] {
      for (const Device *D : Devices)
        J.object([&] { writeDevice(J, *D); });
    });
  });
  OS << '\n';
}
