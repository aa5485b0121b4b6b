//===- CompileCommands.cpp - How a project compiles its sources -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Toolchain/CompileCommands.h"
#include "ptxpredict/Driver/Inputs/SourceTexts.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/JSONText.h"
#include "ptxpredict/Support/Paths.h"
#include "ptxpredict/Support/ProjectBoundary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace ptxpredict;
namespace json = llvm::json;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool ptxpredict::looksLikeHeader(StringRef Path) {
  return llvm::StringSwitch<bool>(path::extension(Path).lower())
      .Cases({".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".inc"}, true)
      .Default(false);
}

/// \p Path, which is relative to \p Folder.
static std::string in(StringRef Folder, StringRef Path) {
  if (path::is_absolute(Path))
    return absolutePath(Path);
  llvm::SmallString<128> Full(Folder);
  path::append(Full, Path);
  return absolutePath(Full);
}

/// Options with a value that is the next argument, and that say nothing of the
/// code.
static bool takesUnusedValue(StringRef Text) {
  return llvm::is_contained({"-o",
                             "--output-file",
                             "-MF",
                             "-MT",
                             "-MQ",
                             "-MJ",
                             "--dependency-output",
                             "-x",
                             "-Xcompiler",
                             "--compiler-options",
                             "-ccbin",
                             "-Xptxas",
                             "--ptxas-options",
                             "-Xlinker",
                             "-Xfatbin",
                             "-Xnvlink",
                             "--threads",
                             "-t",
                             "--compiler-bindir",
                             "-odir"},
                            Text);
}

static bool isUnused(StringRef Text) {
  return llvm::is_contained({"-c", "-MD", "-MMD", "-MP", "-M", "-MM", "-dc",
                             "--compile", "--device-c", "--", "-S", "-fPIC",
                             "-fpic", "-fPIE", "-fpie", "-pthread",
                             "-emit-llvm", "-forward-unknown-to-host-compiler"},
                            Text) ||
         llvm::any_of(
             std::initializer_list<StringRef>{
                 "-Xcompiler=", "--compiler-options=", "-ccbin=", "-Xptxas=",
                 "--ptxas-options=", "-march=", "-mtune="},
             [&](StringRef Start) { return Text.starts_with(Start); });
}

/// The arguments of a command that matter for device code. That of OpenCL C is
/// made for one target, whichever the command has.
static std::vector<std::string> usedArguments(ArrayRef<StringRef> All,
                                              StringRef Folder, StringRef File,
                                              bool IsOpenCL) {
  std::vector<std::string> Used;
  for (size_t I = 0; I < All.size(); ++I) {
    if (takesUnusedValue(All[I]) || (IsOpenCL && All[I] == "-target")) {
      ++I;
      continue;
    }
    if (!isUnused(All[I]) && !(IsOpenCL && All[I].starts_with("--target=")) &&
        (All[I].starts_with("-") || in(Folder, All[I]) != File))
      Used.push_back(All[I].str());
  }
  return Used;
}

ReadOptions CompileCommand::readOptions(ReadOptions Base) const {
  Base.Project = {Compiler, Arguments};
  Base.CompilerFolder = Folder;
  return Base;
}

bool CompileCommands::read(DiagnosticEngine &Diags) {
  std::optional<json::Value> V = parseJSON(Diags);
  if (!V)
    return true;
  const json::Array *All = V->getAsArray();
  if (!All) {
    Diags.error(SMLoc(), "not a compilation database: it must be an array of "
                         "commands");
    return true;
  }
  for (size_t I = 0; I != All->size(); ++I) {
    const json::Object *O = (*All)[I].getAsObject();
    std::optional<StringRef> File = O ? O->getString("file") : std::nullopt;
    std::optional<StringRef> Folder =
        O ? O->getString("directory") : std::nullopt;
    const json::Array *List = O ? O->getArray("arguments") : nullptr;
    std::optional<StringRef> Line = O ? O->getString("command") : std::nullopt;
    if (!File || !Folder || (!List && !Line)) {
      Diags.error(SMLoc(), "command " + Twine(I) +
                               " lacks 'directory', 'file', or both 'command' "
                               "and 'arguments'");
      continue;
    }
    llvm::BumpPtrAllocator Memory;
    llvm::StringSaver Saver(Memory);
    SmallVector<const char *, 32> Split;
    SmallVector<StringRef, 32> Words;
    if (!List)
      llvm::cl::TokenizeGNUCommandLine(*Line, Saver, Split);
    else
      for (const json::Value &A : *List)
        Words.push_back(A.getAsString().value_or(""));
    Words.append(Split.begin(), Split.end());
    bool IsSource = looksLikeSource(*File);
    for (size_t W = 0; W + 1 < Words.size(); ++W)
      IsSource |=
          Words[W] == "-x" && (Words[W + 1] == "cu" || Words[W + 1] == "cuda");
    if (!IsSource || Words.empty())
      continue;
    CompileCommand C;
    C.Folder = Folder->str();
    C.File = in(C.Folder, *File);
    if (!isSourceName(realPath(C.File))) {
      Diags.warning(SMLoc(), "command " + Twine(I) + " compiles '" + C.File +
                                 "', whose name is not that of a source; it "
                                 "is left out");
      continue;
    }
    C.Compiler = Words.front().str();
    if (path::has_parent_path(C.Compiler))
      C.Compiler = in(C.Folder, C.Compiler);
    C.Arguments = usedArguments(ArrayRef(Words).drop_front(), C.Folder, C.File,
                                looksLikeOpenCL(C.File));
    if (ByFile.emplace(C.File, Commands.size()).second)
      Commands.push_back(std::move(C));
  }
  return Diags.hasErrors();
}

const CompileCommand *CompileCommands::find(StringRef Path) const {
  auto It = ByFile.find(Path);
  return It == ByFile.end() ? nullptr : &Commands[It->second];
}

namespace {

/// What files include, by their text.
class IncludeGraph {
public:
  /// Whether \p C's source includes \p Wanted.
  bool reaches(const CompileCommand &C, StringRef Wanted);

private:
  struct Name {
    std::string Text;
    bool IsQuoted;
  };
  llvm::StringMap<std::vector<Name>> ByFile;

  const std::vector<Name> &namesIn(StringRef File);
};

} // namespace

const std::vector<IncludeGraph::Name> &IncludeGraph::namesIn(StringRef File) {
  auto [It, IsNew] = ByFile.try_emplace(File);
  std::vector<Name> &Names = It->second;
  if (!IsNew)
    return Names;
  const std::unique_ptr<llvm::MemoryBuffer> Text =
      readFoundFile(File, MaxInputBytes);
  if (!Text)
    return Names;
  for (StringRef Line : llvm::split(Text->getBuffer(), '\n')) {
    Line = Line.ltrim();
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim();
    if (!Line.consume_front("include"))
      continue;
    Line = Line.ltrim();
    bool IsQuoted = Line.starts_with("\"");
    if (!IsQuoted && !Line.starts_with("<"))
      continue;
    StringRef Inner = Line.drop_front();
    Names.push_back({Inner.split(IsQuoted ? '"' : '>').first.str(), IsQuoted});
  }
  return Names;
}

bool IncludeGraph::reaches(const CompileCommand &C, StringRef Wanted) {
  std::vector<std::string> Folders;
  for (size_t I = 0; I != C.Arguments.size(); ++I) {
    StringRef Text = C.Arguments[I];
    if ((Text == "-I" || Text == "-isystem" || Text == "-iquote") &&
        I + 1 != C.Arguments.size())
      Folders.push_back(in(C.Folder, C.Arguments[++I]));
    else if (Text.consume_front("-isystem=") || Text.consume_front("-I"))
      Folders.push_back(in(C.Folder, Text));
  }
  llvm::StringSet<> Seen;
  std::vector<std::string> Work{C.File};
  Seen.insert(C.File);
  while (!Work.empty()) {
    std::string File = std::move(Work.back());
    Work.pop_back();
    if (File == Wanted)
      return true;
    for (const Name &N : namesIn(File)) {
      std::vector<std::string> Candidates;
      if (N.IsQuoted)
        Candidates.push_back(in(path::parent_path(File), N.Text));
      for (StringRef Folder : Folders)
        Candidates.push_back(in(Folder, N.Text));
      for (std::string &Path : Candidates)
        if (Seen.contains(Path) || fs::exists(Path)) {
          if (Seen.insert(Path).second)
            Work.push_back(std::move(Path));
          break;
        }
    }
  }
  return false;
}

std::vector<const CompileCommand *>
CompileCommands::including(StringRef Path) const {
  IncludeGraph Graph;
  std::vector<const CompileCommand *> Found;
  for (const CompileCommand &C : Commands)
    if (Graph.reaches(C, Path))
      Found.push_back(&C);
  return Found;
}

std::string ptxpredict::findCompileCommands(StringRef Folder) {
  for (; !Folder.empty(); Folder = path::parent_path(Folder))
    for (StringRef Below : {"", "build"}) {
      llvm::SmallString<128> Path(Folder);
      path::append(Path, Below, "compile_commands.json");
      if (fs::exists(Path))
        return std::string(Path);
    }
  return {};
}
