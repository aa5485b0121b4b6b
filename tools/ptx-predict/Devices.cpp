//===- Devices.cpp - ptx-predict devices [NAME...] ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "OutputFile.h"
#include "Subcommands.h"
#include "ptxpredict/Report/Device/DeviceReport.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// Adds the device of a file. True on error (reported).
static bool addDeviceFile(DeviceRegistry &Registry, StringRef Path) {
  DiagnosticEngine Diags;
  bool Failed = readInputFile(Path, Diags) || Registry.addFile(Diags);
  printDiagnostics(&Diags);
  return Failed;
}

int tool::runDevices(ArrayRef<const char *> Arguments) {
  cl::list<std::string> Names(cl::Positional, cl::desc("[<name>...]"),
                              cl::cat(category()));
  cl::list<std::string> DeviceFiles("device-file", cl::value_desc("file.yaml"),
                                    cl::cat(category()),
                                    cl::desc("Adds a device (repeatable)"));
  cl::opt<std::string> Format(
      "format", cl::init("text"), cl::value_desc("text|json|yaml"),
      cl::cat(category()), cl::desc("Form of the answer"));
  cl::opt<std::string> Output("o", cl::init("-"), cl::value_desc("file"),
                              cl::cat(category()),
                              cl::desc("Where the answer goes (default: -, "
                                       "standard output)"));
  if (std::optional<int> Code =
          parseArguments(Arguments, "Lists the devices, or shows the named "
                                    "ones with the source of every number."))
    return *Code;
  enum : unsigned { FormatText, FormatJSON, FormatYAML };
  unsigned Form = FormatText;
  if (readChoice("format", Format, {"text", "json", "yaml"}, Form))
    return NotDone;

  if (Output.empty()) {
    valueError("o", "a file, or - for standard output", Output);
    return NotDone;
  }

  DeviceRegistry Registry;
  for (StringRef Path : DeviceFiles)
    if ((Path.empty() && valueError("device-file", "a file", Path)) ||
        addDeviceFile(Registry, Path))
      return NotDone;

  bool Failed = false;
  std::vector<const Device *> Devices;
  for (StringRef Name :
       Names.empty() ? Registry.names() : std::vector<std::string>(Names)) {
    Expected<const Device *> D = Registry.find(Name);
    if (D) {
      noteTaken("", Name, **D);
      if (!llvm::is_contained(Devices, *D))
        Devices.push_back(*D);
      continue;
    }
    usageError(llvm::toString(D.takeError()));
    Failed = true; // the others are still answered
  }

  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Form == FormatJSON) {
    printDevicesJSON(Devices, OS);
  } else if (Form == FormatText && Names.empty()) {
    printDeviceTable(Devices, OS);
  } else {
    for (const Device *D : Devices) {
      if (Form == FormatYAML)
        OS << "---\n";
      else if (D != Devices.front())
        OS << '\n';
      Form == FormatYAML ? printDevice(*D, OS) : printDeviceText(*D, OS);
    }
  }
  if (!Devices.empty() && writeResult(Output, Text))
    Failed = true;
  return Failed ? NotDone : Done;
}
