//===- CounterForms.cpp - Layouts of files of counters --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CounterForms.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

static constexpr CounterColumn Columns[] = {
    {CounterForm::NcuWide, "Kernel Name", CounterRole::Kernel, true},
    {CounterForm::NcuWide, "ID", CounterRole::Launch, false},
    {CounterForm::NcuWide, "Process ID", CounterRole::Process, false},
    {CounterForm::NcuWide, "Device", CounterRole::Other, false},
    {CounterForm::NcuWide, "CC", CounterRole::Capability, false},
    {CounterForm::NcuWide, "Grid Size", CounterRole::Grid, false},
    {CounterForm::NcuWide, "Block Size", CounterRole::Block, false},
    {CounterForm::NcuWide, "Process Name", CounterRole::Other, false},
    {CounterForm::NcuWide, "Host Name", CounterRole::Other, false},
    {CounterForm::NcuWide, "Kernel Time", CounterRole::Other, false},
    {CounterForm::NcuWide, "Context", CounterRole::Other, false},
    {CounterForm::NcuWide, "Stream", CounterRole::Other, false},
    {CounterForm::NcuWide, "device__attribute_display_name",
     CounterRole::Device, false},
    {CounterForm::NcuLong, "Kernel Name", CounterRole::Kernel, true},
    {CounterForm::NcuLong, "ID", CounterRole::Launch, true},
    {CounterForm::NcuLong, "Process ID", CounterRole::Process, false},
    {CounterForm::NcuLong, "CC", CounterRole::Capability, false},
    {CounterForm::NcuLong, "Grid Size", CounterRole::Grid, false},
    {CounterForm::NcuLong, "Block Size", CounterRole::Block, false},
    {CounterForm::NcuLong, "Metric Name", CounterRole::Metric, true},
    {CounterForm::NcuLong, "Metric Unit", CounterRole::Unit, true},
    {CounterForm::NcuLong, "Metric Value", CounterRole::Value, true},
    {CounterForm::Nvprof, "Device", CounterRole::Device, true},
    {CounterForm::Nvprof, "Kernel", CounterRole::Kernel, true},
    {CounterForm::Nvprof, "Invocations", CounterRole::Launches, true},
    {CounterForm::Nvprof, "Avg", CounterRole::Value, true},
    {CounterForm::Plain, "kernel", CounterRole::Kernel, false},
    {CounterForm::Plain, "device", CounterRole::Device, false},
    {CounterForm::Plain, "grid", CounterRole::Grid, false},
    {CounterForm::Plain, "block", CounterRole::Block, false},
};

ArrayRef<CounterColumn> ptxpredict::counterColumns() { return Columns; }

static bool has(ArrayRef<StringRef> Cells, StringRef Title) {
  return llvm::is_contained(Cells, Title);
}

CounterForm ptxpredict::counterFormOf(ArrayRef<StringRef> Heading) {
  if (has(Heading, "Invocations") ||
      (has(Heading, "Device") && has(Heading, "Kernel")))
    return CounterForm::Nvprof;
  if (has(Heading, "Metric Name") || has(Heading, "Metric Value"))
    return CounterForm::NcuLong;
  if (has(Heading, "Kernel Name") || has(Heading, "ID"))
    return CounterForm::NcuWide;
  return CounterForm::Plain;
}
