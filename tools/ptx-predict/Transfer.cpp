//===- Transfer.cpp - ptx-predict transfer BYTES... -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OutputFile.h"
#include "RegistryFiles.h"
#include "Subcommands.h"
#include "ptxpredict/Scenario/View/LinkView.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict transfer BYTES...`; registered while it lives.
struct TransferCommand {
  StringList Sizes{cl::Positional, cl::desc("[<bytes>|<from>:<to>...]"),
                   cl::cat(category())};
  StringList Links{"link", cl::value_desc("name"), cl::cat(category()),
                   cl::desc("What the bytes go over, or all (repeatable)")};
  StringList LinkFiles{"link-file", cl::value_desc("file.yaml"),
                       cl::cat(category()),
                       cl::desc("Adds a link (repeatable)")};
  cl::opt<bool> Pinned{
      "pinned", cl::cat(category()),
      cl::desc("The host's memory is pinned (default: pageable)")};
  StringOpt Format{"format", cl::init("text"),
                   cl::value_desc("text|json|csv|yaml"), cl::cat(category()),
                   cl::desc("Form of the answer; yaml: the links as files")};
  StringOpt Output{"o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the answer goes (default: -, standard "
                            "output)")};

  /// What is listed where no size is given.
  bool isList() const { return Sizes.empty() && Links.empty(); }
  bool readSizes(std::vector<uint64_t> &Result) const;
  bool findLinks(LinkRegistry &Registry,
                 std::vector<const Link *> &Result) const;
};

enum TransferFormat : unsigned {
  TransferText,
  TransferJSON,
  TransferCSV,
  TransferYAML
};

} // namespace

/// "400M", "400MB", "64Ki", "64KiB", "4B".
static std::optional<uint64_t> parseBytes(StringRef Text) {
  StringRef Number = Text;
  Number.consume_back("B");
  const std::optional<double> V = parseNumber(Number);
  constexpr double Most = 1e18;
  if (!V || *V < 0 || *V > Most || *V != double(uint64_t(*V)))
    return std::nullopt;
  return uint64_t(*V);
}

bool TransferCommand::readSizes(std::vector<uint64_t> &Result) const {
  constexpr size_t MostSizes = 10'000;
  auto Wrong = [](StringRef Text, const Twine &Why) {
    return usageError("'" + Text + "' is no size: " + Why) != Done;
  };
  for (StringRef Argument : Sizes)
    for (StringRef Text : llvm::split(Argument, ',')) {
      const auto [First, Second] = Text.split(':');
      const std::optional<uint64_t> From = parseBytes(First);
      const std::optional<uint64_t> To =
          Text.contains(':') ? parseBytes(Second) : From;
      if (!From || !To)
        return Wrong(Text, "bytes are written 400M, 64Ki or 4096, and from 4 "
                           "on, each twice the one before, 4:64Mi; at most "
                           "1e18");
      if (*From > *To)
        return Wrong(Text, "the first one is the smaller one");
      if (*From == 0 && *To != 0)
        return Wrong(Text, "twice nothing is nothing; begin at 1");
      for (uint64_t Bytes = *From; Bytes <= *To; Bytes *= 2) {
        Result.push_back(Bytes);
        if (Bytes == 0)
          break;
      }
      if (Result.size() > MostSizes)
        return usageError("at most " + Twine(MostSizes) + " sizes") != Done;
    }
  return false;
}

bool TransferCommand::findLinks(LinkRegistry &Registry,
                                std::vector<const Link *> &Result) const {
  const bool IsAll = isList() || llvm::is_contained(Links, "all");
  bool Failed = false;
  for (StringRef Name :
       IsAll ? Registry.names()
             : std::vector<std::string>(Links.begin(), Links.end())) {
    Expected<const Link *> L = Registry.find(Name);
    if (!L) {
      usageError("--link: " + llvm::toString(L.takeError()));
      Failed = true;
    } else if (!llvm::is_contained(Result, *L)) {
      Result.push_back(*L);
    }
  }
  return Failed;
}

/// Links alone: which there are, or all that is known of some.
static void printLinks(ArrayRef<const Link *> Links, unsigned Form, bool IsList,
                       raw_ostream &OS) {
  if (Form == TransferCSV)
    return printLinksCSV(Links, OS);
  if (Form == TransferText && IsList)
    return printLinkTable(Links, OS);
  for (const Link *L : Links) {
    if (Form == TransferYAML) {
      OS << "---\n";
      printLink(*L, OS);
      continue;
    }
    if (L != Links.front())
      OS << '\n';
    printLinkText(*L, OS);
  }
}

int tool::runTransfer(ArrayRef<const char *> Arguments) {
  TransferCommand C;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Computes how long bytes take over a link, by way and "
                     "kind of host memory. Without bytes it shows the link "
                     "with the source of every number, without a link it "
                     "lists all."))
    return *Code;
  unsigned Form = TransferText;
  std::vector<uint64_t> Sizes;
  if (readChoice("format", C.Format, {"text", "json", "csv", "yaml"}, Form) ||
      C.readSizes(Sizes))
    return NotDone;
  if (C.Output.empty()) {
    valueError("o", "a file, or - for standard output", C.Output);
    return NotDone;
  }
  if (!Sizes.empty() && C.Links.empty())
    return usageError("over which link? --link=NAME says it; 'ptx-predict "
                      "transfer' lists them");
  if (!Sizes.empty() && Form == TransferYAML)
    return usageError("--format=yaml writes links; leave the sizes out");
  if (Sizes.empty() && C.Pinned)
    return usageError("--pinned goes with sizes, such as 400M");

  LinkRegistry Registry;
  std::vector<const Link *> Links;
  if (addFiles(C.LinkFiles, Registry) || C.findLinks(Registry, Links))
    return NotDone;
  const TransferReport R{Links, Sizes,
                         C.Pinned ? HostMemory::Pinned : HostMemory::Pageable};
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Form == TransferJSON)
    printTransfersJSON(R, OS);
  else if (Sizes.empty())
    printLinks(Links, Form, C.isList(), OS);
  else if (Form == TransferCSV)
    printTransfersCSV(R, OS);
  else
    printTransfersText(R, OS);
  return writeResult(C.Output, Text) ? NotDone : Done;
}
