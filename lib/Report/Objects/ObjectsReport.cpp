//===- ObjectsReport.cpp - What a file holds for GPUs ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Objects/ObjectsReport.h"
#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

using Align = TextTable::Align;

/// Longer names of kernels are cut.
static constexpr unsigned MaxNameColumns = 60;

static StringRef kindName(CodeKind K) {
  switch (K) {
  case CodeKind::Machine:
    return "machine";
  case CodeKind::PTX:
    return "ptx";
  case CodeKind::Other:
    return "other";
  }
  llvm_unreachable("covered switch");
}

/// "sm_90a", "compute_90"; "?" where nobody says.
static std::string targetOf(const ListedEntry &E) {
  if (E.Code)
    return E.Code->Target;
  if (E.Entry.Architecture == 0)
    return "?";
  return (E.Entry.Kind == CodeKind::Machine ? "sm_" : "compute_") +
         std::to_string(E.Entry.Architecture);
}

/// "machine code, 45000 B, stored as 12300 B (zstd), 4 kernels"
static std::string describe(const ListedEntry &E) {
  std::string Text = E.Entry.Kind == CodeKind::Machine ? "machine code"
                     : E.Entry.Kind == CodeKind::PTX   ? "PTX"
                                                       : "not read";
  if (E.Entry.Packed == Compression::None)
    Text += ", " + std::to_string(E.Entry.Bytes) + " B";
  else
    Text +=
        (", " + Twine(E.Entry.Bytes) + " B, stored as " +
         Twine(E.Entry.Stored.size()) + " B (" + toString(E.Entry.Packed) + ")")
            .str();
  if (E.Code) {
    const size_t Kernels = E.Code->numKernels();
    Text += ", " + plural(Kernels, "kernel");
    if (const size_t Others = E.Code->Functions.size() - Kernels)
      Text += ", " + plural(Others, "other function");
  }
  if (E.Entry.Kind == CodeKind::Machine &&
      E.Entry.Architecture < FirstArchitecture)
    Text += "; code before sm_70 is not read";
  return Text;
}

static void printFunctions(const Cubin &Code, bool All, raw_ostream &OS) {
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right});
  T.addRow({All ? "function" : "kernel", "registers", "shared B", "frame B",
            "barriers", "param B", "code B"});
  for (const CubinFunction &F : Code.Functions) {
    if (!F.IsKernel && !All)
      continue;
    T.addRow({fit(printable(KernelNames(F.Name).Demangled), MaxNameColumns),
              F.Registers ? std::to_string(*F.Registers) : "-",
              std::to_string(F.SharedBytes), std::to_string(F.FrameBytes),
              std::to_string(F.Barriers), std::to_string(F.ParameterBytes),
              std::to_string(F.CodeBytes)});
  }
  T.print(OS, /*Indent=*/4);
}

void ptxpredict::printObjectsText(ArrayRef<ListedFile> Files, bool All,
                                  raw_ostream &To) {
  PrintableStream OS(To);
  for (const ListedFile &File : Files) {
    if (&File != Files.begin())
      OS << '\n';
    OS << printable(File.Path) << ": "
       << plural(File.List.Entries.size(), "piece") << " of GPU code\n";
    StringRef Member;
    for (const ListedEntry &E : File.List.Entries) {
      if (E.Entry.Member != Member) {
        Member = E.Entry.Member;
        OS << "  " << printable(Member) << ":\n";
      }
      OS << "  " << targetOf(E) << "  " << describe(E) << '\n';
      if (E.Code && !E.Code->Functions.empty())
        printFunctions(*E.Code, All, OS);
    }
  }
}

static void writeExtent(JSONWriter &J, StringRef Key,
                        const std::optional<KernelBounds::Extent> &E) {
  if (!E)
    return;
  J.attributeArray(Key, [&] {
    for (uint64_t N : *E)
      J.value(N);
  });
}

static void writeFunction(JSONWriter &J, const CubinFunction &F) {
  J.text("name", F.Name);
  J.text("demangled", KernelNames(F.Name).Demangled);
  J.attribute("kernel", F.IsKernel);
  if (F.Registers)
    J.attribute("registers", *F.Registers);
  if (F.RegisterCap)
    J.attribute("register_cap", *F.RegisterCap);
  J.attribute("shared_bytes", F.SharedBytes);
  J.attribute("frame_bytes", F.FrameBytes);
  J.attribute("stack_bytes", F.StackBytes);
  J.attribute("barriers", F.Barriers);
  J.attribute("code_offset", F.Offset);
  J.attribute("code_bytes", F.CodeBytes);
  J.attribute("constant_bytes", F.ConstantBytes);
  writeExtent(J, "max_threads", F.Bounds.MaxThreads);
  writeExtent(J, "required_threads", F.Bounds.RequiredThreads);
  writeExtent(J, "required_cluster", F.Bounds.RequiredCluster);
  J.attributeObject("parameters", [&] {
    J.attribute("base", F.ParameterBase);
    J.attribute("bytes", F.ParameterBytes);
    J.attributeArray("list", [&] {
      for (const CubinParameter &P : F.Parameters)
        J.object([&] {
          J.attribute("position", P.Position);
          J.attribute("offset", P.Offset);
          J.attribute("bytes", P.Bytes);
        });
    });
  });
}

static void writeEntry(JSONWriter &J, const ListedEntry &E) {
  J.attribute("kind", kindName(E.Entry.Kind));
  J.text("target", targetOf(E));
  if (!E.Entry.Member.empty())
    J.text("member", E.Entry.Member);
  J.attribute("offset", E.Entry.Offset);
  J.attribute("stored_bytes", E.Entry.Stored.size());
  J.attribute("bytes", E.Entry.Bytes);
  J.attribute("compression", toString(E.Entry.Packed));
  if (!E.Entry.Options.empty())
    J.text("options", E.Entry.Options.trim());
  if (!E.Code)
    return;
  J.attribute("lines", E.Code->HasLines);
  J.attributeArray("functions", [&] {
    for (const CubinFunction &F : E.Code->Functions)
      J.object([&] { writeFunction(J, F); });
  });
}

void ptxpredict::printObjectsJSON(ArrayRef<ListedFile> Files,
                                  ArrayRef<Diagnostic> Diagnostics,
                                  raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(ObjectsSchemaName, ObjectsSchemaVersion);
    J.attributeArray("files", [&] {
      for (const ListedFile &File : Files)
        J.object([&] {
          J.text("path", File.Path);
          J.attributeArray("entries", [&] {
            for (const ListedEntry &E : File.List.Entries)
              J.object([&] { writeEntry(J, E); });
          });
        });
    });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : Diagnostics)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}
