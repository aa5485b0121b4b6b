//===- Systems.cpp - ptx-predict systems [NAME|FILE...] -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OutputFile.h"
#include "RegistryFiles.h"
#include "Subcommands.h"
#include "SystemFile.h"
#include "ptxpredict/Scenario/View/SystemView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

int tool::runSystems(ArrayRef<const char *> Arguments) {
  StringList Names(cl::Positional, cl::desc("[<name>|<file.yaml>...]"),
                   cl::cat(category()));
  StringList DeviceFiles("device-file", cl::value_desc("file.yaml"),
                         cl::cat(category()),
                         cl::desc("Adds a device (repeatable)"));
  StringList LinkFiles("link-file", cl::value_desc("file.yaml"),
                       cl::cat(category()),
                       cl::desc("Adds a link (repeatable)"));
  StringOpt Format("format", cl::init("text"), cl::value_desc("text|json|yaml"),
                   cl::cat(category()), cl::desc("Form of the answer"));
  StringOpt Output("o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the answer goes (default: -, standard "
                            "output)"));
  if (std::optional<int> Code =
          parseArguments(Arguments, "Lists the systems, or shows the named "
                                    "ones, and those of files, with the source "
                                    "of every number."))
    return *Code;
  enum : unsigned { FormatText, FormatJSON, FormatYAML };
  unsigned Form = FormatText;
  if (readChoice("format", Format, {"text", "json", "yaml"}, Form))
    return NotDone;
  if (Output.empty()) {
    valueError("o", "a file, or - for standard output", Output);
    return NotDone;
  }
  DeviceRegistry Devices;
  LinkRegistry Links;
  if (addFiles(DeviceFiles, Devices) || addFiles(LinkFiles, Links))
    return NotDone;

  bool Failed = false;
  std::vector<std::unique_ptr<System>> Read;
  std::vector<const System *> Systems;
  std::vector<StringRef> Asked;
  for (StringRef Name :
       Names.empty() ? std::vector<StringRef>(embeddedSystemNames())
                     : std::vector<StringRef>(Names.begin(), Names.end())) {
    if (llvm::is_contained(Asked, Name))
      continue;
    Asked.push_back(Name);
    if (std::unique_ptr<System> S = readSystem(Name, {Devices, Links})) {
      Systems.push_back(S.get());
      Read.push_back(std::move(S));
    } else {
      Failed = true; // the others are still answered
    }
  }

  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Form == FormatJSON) {
    printSystemsJSON(Systems, OS);
  } else if (Form == FormatText && Names.empty()) {
    printSystemTable(Systems, OS);
  } else {
    for (const System *S : Systems) {
      if (Form == FormatYAML)
        OS << "---\n";
      else if (S != Systems.front())
        OS << '\n';
      Form == FormatYAML ? printSystem(*S, OS) : printSystemText(*S, OS);
    }
  }
  if (!Systems.empty() && writeResult(Output, Text))
    Failed = true;
  return Failed ? NotDone : Done;
}
