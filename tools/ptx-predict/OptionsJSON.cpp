//===- OptionsJSON.cpp - Options for programs that offer them -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Help.h"
#include "OptionTable.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

std::string tool::optionsJSON(StringRef Subcommand, StringRef Overview) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  JSONWriter J(OS);
  J.object([&] {
    J.text("subcommand", Subcommand.empty() ? "predict" : Subcommand);
    J.text("overview", Overview);
    J.text("takes", positionalForm());
    J.attributeArray("options", [&] {
      for (const OptionGroup &G : optionGroups())
        for (const OptionRow &Row : G.Rows)
          J.object([&] {
            J.text("name", StringRef(Row.Name).ltrim('-'));
            J.text("group", G.Title);
            J.text("value", Row.Value);
            J.attribute("value_is_optional", Row.ValueIsOptional);
            J.attribute("repeatable", Row.IsRepeatable);
            J.text("meaning", Row.Meaning);
          });
    });
  });
  OS << '\n';
  return Text;
}
