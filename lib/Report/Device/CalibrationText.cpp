//===- CalibrationText.cpp - What a calibration changes -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Device/CalibrationReport.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

using Align = TextTable::Align;

/// "+12 %", "-0.4 %", "same"; "new" without a former number.
static std::string change(const CalibratedNumber &N) {
  if (!N.Old)
    return "new";
  const double By = N.New / *N.Old - 1;
  if (By == 0)
    return "same";
  if (!std::isfinite(By))
    return "";
  const double Percent = By * 100;
  const double Rounded = std::fabs(Percent) < 9.95
                             ? std::round(Percent * 10) / 10
                             : std::round(Percent);
  return (Rounded < 0 ? "" : "+") + shortNumber(Rounded) + " %";
}

void ptxpredict::printCalibrationText(const Calibration &C, raw_ostream &To,
                                      bool Verbose) {
  PrintableStream OS(To);
  OS << C.Base->Name << ", " << C.Numbers.size()
     << (C.Numbers.size() == 1 ? " number" : " numbers") << " decided\n";
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Left, Align::Left});
  T.addRow({"number", "old", "new", "change", "unit", "decided by"});
  bool AnyDefault = false;
  for (const CalibratedNumber &N : C.Numbers) {
    AnyDefault |= N.OldIsDefault;
    T.addRow({N.Section + "." + N.Key.str(),
              N.Old ? shortNumber(*N.Old) + (N.OldIsDefault ? "*" : "")
                    : std::string("-"),
              shortNumber(N.New), change(N), N.Unit.str(),
              StringRef(N.Source).split(',').first.split(' ').second.str()});
  }
  T.print(OS);
  if (AnyDefault)
    OS << "  * a default of the model: no file has it\n";
  std::vector<StringRef> Others;
  for (StringRef Name : C.Unused)
    if (!Name.starts_with("transfer."))
      Others.push_back(Name);
  if (const size_t Transfers = C.Unused.size() - Others.size())
    OS << Transfers << (Transfers == 1 ? " result is" : " results are")
       << " of transfers: --link=NAME takes them\n";
  if (Others.empty())
    return;
  if (!Verbose) {
    OS << Others.size()
       << (Others.size() == 1 ? " result decides" : " results decide")
       << " nothing yet (--verbose)\n";
    return;
  }
  OS << "Decide nothing yet: ";
  printWrapped(OS, llvm::join(Others, ", "), 20, 2);
}
