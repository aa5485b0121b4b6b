//===- OptionTable.cpp - Options as help texts show them ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OptionTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {
/// Options of all subcommands that are about one thing, in the order in which
/// help shows them.
struct GroupNames {
  StringRef Title, Names;
};
} // namespace

static constexpr GroupNames Groups[] = {
    {"What to look at",
     "kernel arch model published mwp-case lambda mean sweep compare rules "
     "energy list-rules min-gain severity baseline write-baseline git-base "
     "max-regression noise by power-cap slowdown weight scaling "
     "static-share placement gated joint-power series times bytes-in "
     "bytes-out bytes-whole top blocks check data "
     "code only counters-at worst without "
     "refit ablation list sets name power regression split folds seed "
     "trainer inputs nccl ranks hops pinned system set points best "
     "efficiency solve n p f no-memory-limit from-nsys measured"},
    {"Launch",
     "launch grid block cluster dynamic-smem shared arg trip-count "
     "branch-probability work profile counters launch-index measured-us "
     "measured-at resident"},
    {"Device",
     "device device-file link link-file clocks core-mhz mem-mhz active-sms "
     "power-limit power-model"},
    {"Registers", "registers ptxas-info via"},
    {"Sources", "lower compiler compile-commands query-driver source-root "
                "config no-config"},
    {"Output",
     "format o dump dump-buffer profile-out trace-out fail-on quiet verbose "
     "color"},
    {"The run", "j work-limit max-instructions cache-dir no-cache time-report "
                "help version"},
};
/// Of those that stand in no group.
static constexpr StringRef OtherTitle = "More";

std::string OptionRow::form() const {
  if (Value.empty())
    return Name;
  const std::string Shown = "<" + Value + ">";
  if (ValueIsOptional)
    return Name + "[=" + Shown + "]";
  return Name + (Name.size() == 2 ? " " : "=") + Shown;
}

static OptionRow rowOf(const cl::Option &O) {
  OptionRow Row;
  Row.Name = ((O.ArgStr.size() == 1 ? "-" : "--") + O.ArgStr).str();
  if (O.getValueExpectedFlag() != cl::ValueDisallowed)
    Row.Value = O.ValueStr.str();
  Row.ValueIsOptional = O.getValueExpectedFlag() == cl::ValueOptional;
  Row.IsRepeatable = O.getNumOccurrencesFlag() == cl::ZeroOrMore;
  Row.Meaning = O.ArgStr == "color"
                    ? "Colours (default: on a terminal without NO_COLOR)"
                : O.ArgStr == "help"    ? "Displays this text"
                : O.ArgStr == "version" ? "Displays the versions"
                                        : O.HelpStr.str();
  return Row;
}

/// Whether help shows \p O: it is one of ours, or LLVM's that everyone knows.
static bool isShown(const cl::Option &O) {
  return O.getOptionHiddenFlag() == cl::NotHidden &&
         (llvm::is_contained(O.Categories, &category()) ||
          llvm::is_contained({"color", "help", "version"}, O.ArgStr));
}

std::vector<OptionGroup> tool::optionGroups() {
  auto &Registered = cl::getRegisteredOptions();
  std::vector<StringRef> Left;
  for (auto &Entry : Registered)
    if (isShown(*Entry.second))
      Left.push_back(Entry.first);
  llvm::sort(Left);
  std::vector<OptionGroup> Result;
  auto Add = [&](OptionGroup &To, StringRef Name) {
    auto At = llvm::find(Left, Name);
    if (At == Left.end())
      return;
    To.Rows.push_back(rowOf(*Registered.find(Name)->second));
    Left.erase(At);
  };
  for (const GroupNames &G : Groups) {
    OptionGroup Group;
    Group.Title = G.Title;
    for (StringRef Name : llvm::split(G.Names, ' '))
      Add(Group, Name);
    if (!Group.Rows.empty())
      Result.push_back(std::move(Group));
  }
  OptionGroup Others;
  Others.Title = OtherTitle;
  for (StringRef Name : std::vector<StringRef>(Left))
    Add(Others, Name);
  if (!Others.Rows.empty())
    Result.push_back(std::move(Others));
  return Result;
}

std::string tool::positionalForm() {
  std::string Text;
  for (const cl::Option *O : cl::SubCommand::getTopLevel().PositionalOpts)
    Text += (Text.empty() ? "" : " ") + O->HelpStr.str();
  return Text;
}
