//===- DeviceRequests.h - A kernel's requests to device memory --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_MODEL_DEVICEREQUESTS_H
#define PTXPREDICT_LIB_MODEL_DEVICEREQUESTS_H

#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/Model/MWPCWP.h"

namespace ptxpredict {

/// What one transaction moves, at most: of a device that has sectors, and of
/// older ones, that have segments or lines (CUDA C Programming Guide 5.x, G.3.2
/// and G.4.2).
double transactionBytes(AccessRule Rule);

/// A kernel's requests to global, local and generic memory, summed per warp. A
/// bulk copy, which no lane makes alone, and a prefetch, which nothing waits
/// for, are none. A request is coalesced if it takes no more transactions than
/// as many lanes do with their words side by side.
struct DeviceRequests {
  double Coalesced = 0, Uncoalesced = 0;
  double CoalescedBytes = 0; ///< moved by coalesced requests
  double UncoalescedTransactions = 0;
  double LoadBytes = 0, Bytes = 0; ///< moved by loads, and by all
  double RequestedBytes = 0;

  double count() const { return Coalesced + Uncoalesced; }
};

DeviceRequests sumDeviceRequests(const KernelCharacteristics &K,
                                 AccessRule Rule, EstimateMember Which);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_MODEL_DEVICEREQUESTS_H
