//===- DeviceReport.h - Devices as a table and as JSON ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_DEVICE_DEVICEREPORT_H
#define PTXPREDICT_REPORT_DEVICE_DEVICEREPORT_H

#include "ptxpredict/Device/Device.h"

namespace ptxpredict {

constexpr StringRef DevicesSchemaName = "ptx-predict/devices";
constexpr unsigned DevicesSchemaVersion = 1;

/// One line a device: name, compute capability, SMs, clocks, bandwidth.
void printDeviceTable(ArrayRef<const Device *> Devices, raw_ostream &OS);

/// Every number of a device with its unit, meaning and source.
void printDeviceText(const Device &D, raw_ostream &OS);

/// One JSON object, schema "ptx-predict/devices"
/// (docs/schemas/devices.schema.json).
void printDevicesJSON(ArrayRef<const Device *> Devices, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_DEVICE_DEVICEREPORT_H
