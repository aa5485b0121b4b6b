//===- TestDevices.h - What tests look up or make up -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_MODEL_TESTDEVICES_H
#define PTXPREDICT_TEST_UNIT_MODEL_TESTDEVICES_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
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

/// 20 warps, each with 10 loads of 4 to 8 sectors, of 5 at a guess.
inline KernelCharacteristics countedKernel() {
  KernelCharacteristics K;
  K.Launch.Grid = {10, 1, 1};
  K.Launch.Block = {64, 1, 1};
  MemoryCharacteristics M;
  M.Opcode = "ld.global.f32";
  M.Space = AddressSpace::Global;
  M.Access = AccessKind::Load;
  M.BytesPerLane = 4;
  M.Requests = Estimate::known(10);
  M.ActiveLanes = Estimate::known(32);
  M.Sectors = Estimate(5, Status::Estimated, 4, 8);
  M.Lines = Estimate::known(1);
  K.Memory = {M};
  return K;
}

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_MODEL_TESTDEVICES_H
