//===- JSONText.cpp - Reading JSON with our diagnostics -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/JSONText.h"
#include "llvm/Support/Error.h"

using namespace ptxpredict;
namespace json = llvm::json;

std::optional<json::Value> ptxpredict::parseJSON(DiagnosticEngine &Diags) {
  Expected<json::Value> V = json::parse(Diags.text());
  if (V)
    return std::move(*V);
  // "[LINE:COLUMN, byte=OFFSET]: WHAT"
  std::string Text = llvm::toString(V.takeError());
  auto [Place, What] = StringRef(Text).split("]: ");
  size_t Offset = 0;
  SMLoc Loc;
  if (!Place.split("byte=").second.getAsInteger(10, Offset) &&
      Offset <= Diags.text().size())
    Loc = SMLoc::getFromPointer(Diags.text().data() + Offset);
  Diags.error(Loc, "not valid JSON: " + (What.empty() ? Text : What));
  return std::nullopt;
}
