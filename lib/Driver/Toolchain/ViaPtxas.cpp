//===- ViaPtxas.cpp - Exact resources from the user's ptxas ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ViaPtxas.h"
#include "ptxpredict/Frontend/SASS/Cubin.h"
#include "ptxpredict/Support/ChildProcess.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::SmallString;

/// Changes with the form of the entries.
static constexpr StringRef CacheVersion = "ptx-predict ptxas cache 3";

static llvm::Error viaError(const Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "--via: " + Message);
}

namespace {

/// A file of a process's own, removed with the object.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef Suffix)
      : Problem(fs::createTemporaryFile("ptx-predict", Suffix, Path)) {}
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() {
    if (!Problem)
      (void)fs::remove(Path);
  }
  StringRef path() const { return Path; }
  std::error_code problem() const { return Problem; }

private:
  SmallString<128> Path;
  std::error_code Problem;
};

} // namespace

static llvm::Error cannotWrite(std::error_code EC) {
  return viaError("cannot write a temporary file: " + EC.message());
}

/// The whole file; empty if it cannot be read.
static std::string contents(StringRef Path) {
  const std::unique_ptr<llvm::MemoryBuffer> Buffer =
      readFoundFile(Path, MaxInputBytes);
  return Buffer ? Buffer->getBuffer().str() : std::string();
}

/// Runs the program without input. What it prints goes to \p Log; its exit code
/// is returned. An error if it could not be run or was killed.
static Expected<int> execute(StringRef Program, ArrayRef<StringRef> Arguments,
                             std::string &Log) {
  TemporaryFile File("log");
  if (File.problem())
    return cannotWrite(File.problem());
  SmallVector<StringRef, 8> All{Program};
  All.append(Arguments.begin(), Arguments.end());
  std::string Why;
  bool Failed = false;
  int Code = llvm::sys::ExecuteAndWait(
      Program, All, /*Env=*/std::nullopt,
      {StringRef(""), File.path(), File.path()},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Why, &Failed);
  if (Failed || Code < 0)
    return viaError("cannot run '" + Program + "'" +
                    (Why.empty() ? "" : ": " + Twine(Why)));
  Log = contents(File.path());
  return Code;
}

/// The program at \p Path; for an empty one that on PATH, else in
/// $CUDA_HOME/bin.
static Expected<std::string> findProgram(StringRef Path) {
  if (!Path.empty()) {
    if (!fs::can_execute(Path) || fs::is_directory(Path))
      return viaError("there is no program '" + Path + "'");
    return Path.str();
  }
  if (auto Found = findOnPath("ptxas"))
    return *Found;
  if (std::optional<std::string> Home =
          llvm::sys::Process::GetEnv("CUDA_HOME")) {
    SmallString<128> Bin(*Home);
    path::append(Bin, "bin", "ptxas");
    if (fs::can_execute(Bin))
      return std::string(Bin);
  }
  return viaError("there is no ptxas on PATH or in $CUDA_HOME/bin; say where "
                  "it is with --via=ptxas=PATH");
}

static Expected<std::string> sizeAndTime(StringRef Program) {
  fs::file_status Status;
  if (std::error_code EC = fs::status(Program, Status))
    return viaError("cannot read '" + Program + "': " + EC.message());
  return std::to_string(Status.getSize()) + ' ' +
         std::to_string(
             Status.getLastModificationTime().time_since_epoch().count());
}

std::string Ptxas::identityOf(StringRef Path) {
  auto OrEmpty = [](Expected<std::string> Text) {
    if (Text)
      return *Text;
    llvm::consumeError(Text.takeError());
    return std::string();
  };
  const std::string Program = OrEmpty(findProgram(Path));
  return Program.empty() ? Program
                         : Program + '\n' + OrEmpty(sizeAndTime(Program));
}

Expected<Ptxas> Ptxas::find(StringRef Path) {
  Ptxas Result;
  Expected<std::string> Program = findProgram(Path);
  if (!Program)
    return Program.takeError();
  Result.Program = std::move(*Program);
  std::string Version;
  if (Expected<int> Code = execute(Result.Program, {"--version"}, Version);
      !Code)
    return Code.takeError();
  Expected<std::string> OfFile = sizeAndTime(Result.Program);
  if (!OfFile)
    return OfFile.takeError();
  Result.Identity = Version + '\n' + *OfFile;
  Result.Cache = ContentCache(ContentCache::userFolder("ptxas"));
  return Result;
}

static std::string serialise(const PtxasAnswer &Answer) {
  std::string Body;
  llvm::raw_string_ostream OS(Body);
  OS << (Answer.Refused ? "refused" : "compiled") << '\n'
     << Answer.CodeBytes.size() << '\n';
  for (const auto &[Name, Bytes] : Answer.CodeBytes)
    OS << Bytes << ' ' << Name << '\n';
  OS << Answer.Log.size() << '\n' << Answer.Log << Answer.Cubin;
  return Body;
}

/// Nothing if \p Text is no entry.
static std::optional<PtxasAnswer> deserialise(StringRef Text) {
  auto TakeLine = [&Text] {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    return Line;
  };
  PtxasAnswer Answer;
  Answer.Refused = TakeLine() == "refused";
  size_t Number = 0;
  if (TakeLine().getAsInteger(10, Number))
    return std::nullopt;
  for (; Number != 0; --Number) {
    auto [Bytes, Name] = TakeLine().split(' ');
    if (Bytes.getAsInteger(10, Answer.CodeBytes[Name.str()]))
      return std::nullopt;
  }
  size_t LogBytes = 0;
  if (TakeLine().getAsInteger(10, LogBytes) || LogBytes > Text.size())
    return std::nullopt;
  Answer.Log = Text.take_front(LogBytes).str();
  Answer.Cubin = Text.drop_front(LogBytes).str();
  return Answer;
}

Expected<PtxasAnswer> Ptxas::answer(StringRef Text, StringRef Architecture,
                                    bool KeepsCubin) const {
  std::string Key =
      ContentCache::hash({CacheVersion, Identity, Program, Architecture,
                          KeepsCubin ? "cubin" : "", Text});
  if (std::optional<std::string> Entry = Cache.find(Key))
    if (std::optional<PtxasAnswer> Answer = deserialise(*Entry))
      return *Answer;
  Expected<PtxasAnswer> Answer = run(Text, Architecture, KeepsCubin);
  if (Answer) {
    Cache.store(Key, serialise(*Answer));
    Cache.prune();
  }
  return Answer;
}

/// Bytes of machine code of each function; empty for what is no cubin.
static std::map<std::string, uint64_t> readCodeSizes(StringRef Bytes) {
  std::map<std::string, uint64_t> Sizes;
  Expected<sass::Cubin> Code = sass::readCubin(Bytes);
  if (!Code) {
    llvm::consumeError(Code.takeError());
    return Sizes;
  }
  for (const sass::CubinFunction &F : Code->Functions)
    Sizes[F.Name] = F.CodeBytes;
  return Sizes;
}

Expected<PtxasAnswer> Ptxas::run(StringRef Text, StringRef Architecture,
                                 bool KeepsCubin) const {
  TemporaryFile Input("ptx"), Output("cubin");
  if (std::error_code EC = Input.problem() ? Input.problem() : Output.problem())
    return cannotWrite(EC);
  std::error_code EC;
  llvm::raw_fd_ostream OS(Input.path(), EC);
  if (!EC) {
    OS << Text;
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  if (EC)
    return cannotWrite(EC);

  PtxasAnswer Answer;
  std::string For = ("-arch=" + Architecture).str();
  SmallVector<StringRef, 8> Arguments{"-v", For, Input.path(), "-o",
                                      Output.path()};
  if (KeepsCubin)
    Arguments.push_back("-lineinfo");
  Expected<int> Code = execute(Program, Arguments, Answer.Log);
  // Code that calls what is linked to it later.
  if (Code && *Code != 0 &&
      StringRef(Answer.Log).contains("Unresolved extern")) {
    Arguments.push_back("-c");
    Code = execute(Program, Arguments, Answer.Log);
  }
  if (!Code)
    return Code.takeError();
  Answer.Refused = *Code != 0;
  if (Answer.Refused)
    return Answer;
  std::string Cubin = contents(Output.path());
  Answer.CodeBytes = readCodeSizes(Cubin);
  if (KeepsCubin)
    Answer.Cubin = std::move(Cubin);
  return Answer;
}

std::string ptxpredict::architectureFor(StringRef Target,
                                        unsigned TargetCapability,
                                        unsigned DeviceCapability) {
  if (DeviceCapability == TargetCapability)
    return Target.str();
  bool SameFamily =
      Target.ends_with("f") && DeviceCapability / 10 == TargetCapability / 10;
  return "sm_" + std::to_string(DeviceCapability) + (SameFamily ? "f" : "");
}

namespace {

/// The first complaint in a log: "ptxas F, line 12; error   : TEXT".
struct Complaint {
  unsigned Line = 0; ///< 0 without one
  std::string Text;
};

} // namespace

static Complaint firstComplaint(StringRef Log) {
  Complaint Result;
  while (!Log.empty()) {
    StringRef Line;
    std::tie(Line, Log) = Log.split('\n');
    for (StringRef Severity : {"fatal", "error"}) {
      size_t At = Line.find(Severity);
      StringRef Rest = Line.substr(At).drop_front(
          At == StringRef::npos ? 0 : Severity.size());
      Rest = Rest.ltrim();
      if (At == StringRef::npos || !Rest.consume_front(":"))
        continue;
      Result.Text = Rest.trim().str();
      StringRef Place = Line.take_front(At);
      if (size_t Comma = Place.rfind(", line "); Comma != StringRef::npos)
        Place.substr(Comma + strlen(", line "))
            .split(';')
            .first.getAsInteger(10, Result.Line);
      return Result;
    }
  }
  Result.Text = "it says nothing";
  return Result;
}

static SMLoc startOfLine(StringRef Text, unsigned Line) {
  for (; Line > 1 && !Text.empty(); --Line)
    Text = Text.split('\n').second;
  return Line == 0 ? SMLoc() : SMLoc::getFromPointer(Text.data());
}

/// That \p Assembler refuses \p Text, which is that of \p Diags or was made of
/// it.
static void reportRefusal(const Ptxas &Assembler, StringRef Text,
                          StringRef Architecture, const Complaint &Why,
                          DiagnosticEngine &Diags) {
  const bool IsInput = Text.data() == Diags.text().data();
  Diags.error(IsInput ? startOfLine(Text, Why.Line) : SMLoc(),
              "'" + Assembler.path() + "' does not compile this for " +
                  Architecture + ": " + Why.Text);
}

std::optional<std::string> ptxpredict::assembleVia(const Ptxas &Assembler,
                                                   StringRef Text,
                                                   StringRef Architecture,
                                                   DiagnosticEngine &Diags,
                                                   DiagnosticEngine &General) {
  Expected<PtxasAnswer> Answer = Assembler.assemble(Text, Architecture);
  if (!Answer) {
    General.error(SMLoc(), llvm::toString(Answer.takeError()));
    return std::nullopt;
  }
  if (Answer->Refused) {
    reportRefusal(Assembler, Text, Architecture, firstComplaint(Answer->Log),
                  Diags);
    return std::nullopt;
  }
  return std::move(Answer->Cubin);
}

bool ptxpredict::compileVia(const Ptxas &Assembler, const CompileRequest &R,
                            CompileAnswer &Result, DiagnosticEngine &Diags,
                            DiagnosticEngine &General) {
  for (const std::string &Architecture : R.Architectures) {
    Expected<PtxasAnswer> Answer = Assembler.compile(R.Text, Architecture);
    if (!Answer) {
      General.error(SMLoc(), llvm::toString(Answer.takeError()));
      return true;
    }
    if (Answer->Refused) {
      Complaint Why = firstComplaint(Answer->Log);
      bool Unknown = StringRef(Why.Text).contains("is not defined for option");
      if (Architecture == R.Target && !Unknown) {
        reportRefusal(Assembler, R.Text, Architecture, Why, Diags);
        return true;
      }
      Result.Refusals[Architecture] = std::move(Why.Text);
      continue;
    }
    DiagnosticEngine Log(llvm::MemoryBuffer::getMemBuffer(
        Answer->Log, "", /*RequiresNullTerminator=*/false));
    PtxasInfo Info;
    if (parsePtxasInfo(Log, Info)) {
      General.error(SMLoc(), "--via: '" + Assembler.path() +
                                 "' does not print what 'ptxas -v' does: no "
                                 "line says how many registers a kernel uses");
      return true;
    }
    for (PtxasFunctionInfo &F : Info.Functions) {
      if (auto It = Answer->CodeBytes.find(F.Name);
          It != Answer->CodeBytes.end())
        F.CodeBytes = It->second;
      Result.Info.Functions.push_back(std::move(F));
    }
  }
  return false;
}
