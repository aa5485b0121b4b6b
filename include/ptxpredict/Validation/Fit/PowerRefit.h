//===- PowerRefit.h - What units draw, fitted to others' rows ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The watts of a device's units are fitted to what the model predicts of the
// rows that were measured on it: its counts in its time. The fit starts from
// the numbers that suit all other devices (PowerForm.h); a device without rows
// gets what follows from these. docs/models/Power.md says how well that does.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_FIT_POWERREFIT_H
#define PTXPREDICT_VALIDATION_FIT_POWERREFIT_H

#include "ptxpredict/Model/Power.h"
#include "ptxpredict/Validation/Fit/LeftOut.h"
#include <string>

namespace ptxpredict {

/// A row to fit to and to predict.
struct PowerRow {
  const PreparedPower *Power = nullptr;
  const Device *On = nullptr;
  DevicePoint Point;
  Estimate Cycles;        ///< predicted; what is fitted to has these
  Estimate LeftOutCycles; ///< predicted without the row's group
  double Watts = 0;       ///< measured, of the board
  std::string Kernel;     ///< of a device: counts as much as any other
  LeftOut Group;          ///< left out together
  bool IsFitted = true;
};

/// What a device draws by the rows of a fit.
struct FittedPower {
  const Device *On = nullptr;
  size_t Rows = 0; ///< of its own that were fitted to; 0: from others
  PowerParameters Parameters;
  ByPowerUnit<bool> Has{};
};

struct PowerRefitResult {
  /// By row, from a fit without its group; nothing where no row remains.
  std::vector<std::optional<Estimate>> Watts;
  /// Fitted to all rows: those of the rows, and of \p Others those whose files
  /// have the facts that the fit needs.
  std::vector<FittedPower> Devices;
};

/// Does not depend on \p Jobs, the number of threads. \p Others: devices that
/// have no rows.
PowerRefitResult refitPower(ArrayRef<PowerRow> Rows,
                            ArrayRef<const Device *> Others, unsigned Jobs);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_FIT_POWERREFIT_H
