//===- TestDevices.h - Devices that tests look up or make up ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_MODEL_TESTDEVICES_H
#define PTXPREDICT_TEST_UNIT_MODEL_TESTDEVICES_H

#include "ptxpredict/Device/Device.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ptxpredict {

/// A device of the database, which is there.
inline const Device &device(StringRef Name) {
  static DeviceRegistry Registry;
  return **Registry.find(Name);
}

/// That of the tests' inputs.
inline Device toyDevice() {
  DiagnosticEngine Diags(std::move(
      *llvm::MemoryBuffer::getFile(PTXPREDICT_TEST_INPUTS "/toy.yaml")));
  return *parseDevice(Diags);
}

inline void set(Quantity &Q, double Value) {
  Q.Value = Value;
  Q.Source = "made up";
}

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_MODEL_TESTDEVICES_H
