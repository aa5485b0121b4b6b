//===- Device.cpp - Device files as inputs of the fuzzer ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Report/Device/DeviceReport.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static std::string printed(const Device &D) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printDevice(D, OS);
  return Text;
}

bool fuzz::runDevice(StringRef Text) {
  if (isCompressed(Text))
    return false;
  auto Diags = makeEngine(Text, "input");
  std::unique_ptr<Device> D = parseDevice(*Diags);
  check((D != nullptr) != Diags->hasErrors(),
        "errors and a device, or neither");
  if (!D)
    return false;

  std::string Once = printed(*D);
  auto Again = makeEngine(Once, "printed");
  std::unique_ptr<Device> Second = parseDevice(*Again);
  check(Second != nullptr,
        "what was printed is not read: " +
            (Second ? "" : Again->diagnostics().front().Message) + "\n" + Once);
  std::string Twice = printed(*Second);
  check(Once == Twice, "print, parse, print is not the identity:\n" + Once +
                           "\n---\n" + Twice);

  std::string Report;
  llvm::raw_string_ostream OS(Report);
  printDeviceTable({D.get()}, OS);
  printDeviceText(*D, OS);
  Report.clear();
  printDevicesJSON({D.get()}, OS);
  Expected<llvm::json::Value> Value = llvm::json::parse(Report);
  if (!Value)
    check(false, "the report is no JSON: " + toString(Value.takeError()));

  MemoryFile File(Text);
  DriverOptions Options;
  Options.DeviceFiles = {File.path()};
  Options.Devices = {D->Name};
  Options.Models = {"all"};
  Options.WorkLimit = FewSteps;
  Driver Run(std::move(Options));
  if (!Run.prepare()) // a base that stands for no device, say
    return true;
  check(Run.read(PTXPREDICT_SOURCE_DIR "/docs/examples/matmul.ptx") != nullptr,
        "no example matmul.ptx");
  printAll(Run.run());
  return true;
}
