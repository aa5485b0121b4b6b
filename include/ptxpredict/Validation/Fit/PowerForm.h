//===- PowerForm.h - What boards draw, by physical numbers ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Energies of an access at a process, shares of what memory's pins and the
// board's limit allow, and a voltage by clock are alike on all boards. What a
// board draws follows from them and from facts of its device file: process,
// memory, limit, clocks, SMs. docs/models/Power.md has the equations.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_FIT_POWERFORM_H
#define PTXPREDICT_VALIDATION_FIT_POWERFORM_H

#include "ptxpredict/Model/Power.h"
#include <vector>

namespace ptxpredict {

/// A number that boards share, and how surely it is known. It is fitted as the
/// logarithm of its factor.
struct PowerNumber {
  enum class Kind {
    Energy,      ///< of an access of a unit, nJ at 16 nm and the least voltage
    Memory,      ///< of an access of device memory, over the prior's
    Leakage,     ///< share of the limit less idle power, at the least voltage
    Activation,  ///< share of what memory's pins draw at full bandwidth
    MemoryClock, ///< the same
    ConstSM,     ///< share of the limit less idle power, for each GHz
    Knee,        ///< clock where the voltage begins to rise, over process_clock
    Slope,       ///< of the voltage beyond it
    SteepKnee,   ///< clock where it begins to rise more, over process_clock
    SteepSlope,  ///< by how much more beyond it
    Floor,       ///< the least voltage, memory's low state aside
    Node         ///< exponent of the process in energies
  };
  Kind What;
  PowerUnit Of = PowerUnit::FP; ///< of an energy
  double Prior = 1;
  double Sigma = 1;    ///< where many boards are fitted together
  double OwnSigma = 1; ///< where one is fitted, starting from the others
  /// Where a board's own fit begins, of what the others say nothing of; 0: from
  /// the others.
  double OwnStart = 0;
};

/// The numbers of the form, always in this order.
ArrayRef<PowerNumber> powerNumbers();
/// A value for each of powerNumbers().
using PowerNumbers = std::vector<double>;
/// The priors.
PowerNumbers powerPriors();

/// A board that the form can say something of.
class PowerBoard {
public:
  /// \p D fulfils canBe().
  explicit PowerBoard(const Device &D);

  /// The file of \p D has the facts, and the units of newer devices.
  static bool canBe(const Device &D);

  /// What it draws, by its file's peaks. Watts are those at the boost clock.
  PowerParameters parameters(ArrayRef<double> Numbers) const;
  const ByPowerUnit<bool> &has() const { return Has; }

private:
  const Device *On;
  ByPowerUnit<bool> Has{};
  PowerParameters File;
};

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_FIT_POWERFORM_H
