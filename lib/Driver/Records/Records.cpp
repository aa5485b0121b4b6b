//===- Records.cpp - Records of inputs, from the cache if possible --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Records/Records.h"
#include "Driver/Toolchain/ViaPtxas.h"
#include "ptxpredict/Launch/BufferFile.h"
#include "ptxpredict/Review/RecordJSON.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Support/SourceLines.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace ptxpredict;

/// Changes with what a record holds, or how it is found.
static constexpr StringRef RecordVersion = "ptx-predict record 1";

/// Inputs that are in memory together have about so many bytes at most: code
/// takes many times its text.
static constexpr size_t BytesAtOnce = size_t(1) << 25;
static constexpr size_t InputsAtOnce = 128;

/// Whether an answer depends on nothing but these options, input and program.
static bool isWorthKeeping(const DriverOptions &O) {
  return O.KernelGlobs.empty() && O.Launch.Args.empty() &&
         O.Launch.Buffers.empty() && O.Launch.TripCounts.empty() &&
         O.Launch.BranchProbabilities.empty() && !O.Launch.Work &&
         O.ProfilePath.empty() && O.CountersPath.empty() &&
         O.PtxasInfoPath.empty() && (!O.Via || O.Via->OnlyNearSteps) &&
         O.Sweeps.empty();
}

/// The files with what buffers of a launch file hold, each once.
static std::vector<std::string> dataFiles(StringRef LaunchFilePath) {
  DiagnosticEngine Diags;
  LaunchFile File;
  std::vector<std::string> Paths;
  if (readInputFile(LaunchFilePath, Diags) || parseLaunchFile(Diags, File))
    return Paths; // reported elsewhere
  for (const LaunchFileEntry &Entry : File.Launches)
    for (const auto &[Name, B] : Entry.Buffers)
      if (!B.Fill.File.empty())
        Paths.push_back(
            BufferFile::pathOf(B.Fill.File,
                               llvm::sys::path::parent_path(LaunchFilePath))
                .str()
                .str());
  llvm::sort(Paths);
  Paths.erase(llvm::unique(Paths), Paths.end());
  return Paths;
}

/// All options that an answer depends on, those of isWorthKeeping() aside.
static std::string describe(const DriverOptions &O) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  auto Add = [&](StringRef Name, const Twine &Value) {
    OS << Name << '=' << Value << '\n';
  };
  auto AddShape = [&](StringRef Name, const std::optional<Dim3> &D) {
    Add(Name, D ? toString(*D) : "");
  };
  auto AddNumber = [&](StringRef Name, const auto &N) {
    Add(Name, N ? shortestDecimal(double(*N)) : "");
  };
  auto AddFile = [&](StringRef Name, StringRef Path) {
    const std::unique_ptr<llvm::MemoryBuffer> File =
        readFoundFile(Path, std::numeric_limits<uint64_t>::max());
    Add(Name, File ? ContentCache::hash(File->getBuffer()) : "");
  };
  AddShape("grid", O.Launch.Grid);
  AddShape("block", O.Launch.Block);
  AddShape("cluster", O.Launch.Cluster);
  AddNumber("dynamic-smem", O.Launch.DynamicSharedBytes);
  if (!O.LaunchFilePath.empty()) {
    AddFile("launch", O.LaunchFilePath);
    for (const std::string &Path : dataFiles(O.LaunchFilePath))
      AddFile("data", Path);
  }
  Add("every-launch", Twine(O.EveryLaunch));
  Add("lower", Twine(O.Read.LowerToPTX + O.Read.LowerToSASS));
  for (StringRef D : O.Devices)
    Add("device", D);
  for (StringRef D : O.DeviceFiles)
    AddFile("device-file", D);
  for (StringRef M : O.Models)
    Add("model", M);
  Add("clocks", Twine(unsigned(O.Clocks)));
  AddNumber("power-limit", O.PowerLimitW);
  AddNumber("core-mhz", O.CoreMHz);
  AddNumber("mem-mhz", O.MemMHz);
  AddNumber("active-sms", O.ActiveSMs);
  AddNumber("work-limit", O.WorkLimit);
  Add("published", Twine(O.Model.Published));
  Add("mwp-case", Twine(unsigned(O.Model.Case)));
  AddNumber("lambda", O.Model.Lambda);
  AddNumber("registers", O.Registers);
  if (O.Via)
    Add("assembler", Ptxas::identityOf(O.Via->Path));
  return Text;
}

/// \p Line without white space around it and without the numbers of registers,
/// values and labels.
static std::string normalizedCode(StringRef Line) {
  std::string Text;
  bool InName = false;
  for (char C : Line.split("//").first.trim()) {
    if (C == '%' || C == '$')
      InName = true;
    else if (!llvm::isAlnum(C) && C != '_')
      InName = false;
    if (!(InName && llvm::isDigit(C)))
      Text += C;
  }
  return Text;
}

/// The same of a line of the listing of machine code, whose address and control
/// code stand in front, and without the addresses that it jumps to.
static std::string normalizedMachineCode(StringRef Line) {
  StringRef Code = Line.split("//").first.trim();
  for (unsigned Front = 0; Front != 2; ++Front)
    Code = Code.split(' ').second.ltrim();
  std::string Text;
  bool IsJump = false;
  while (!Code.empty()) {
    StringRef Word =
        Code.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    if (Word.empty()) {
      Text += Code.front();
      Code = Code.drop_front();
      continue;
    }
    Code = Code.drop_front(Word.size());
    IsJump |= llvm::is_contained({"BRA", "CALL", "BSSY", "BRX"}, Word);
    StringRef File = Word.rtrim("0123456789");
    if (llvm::is_contained({"R", "UR", "P", "UP", "B", "SB"}, File))
      Text += File;
    else if (!IsJump || !Word.starts_with("0x"))
      Text += Word;
  }
  return Text;
}

/// What a review keeps of a kernel of \p In. \p Lines are of its text.
static KernelRecord recordOf(const KernelReport &R, const InputReport &In,
                             SourceLines &Lines) {
  const KernelCharacteristics &K = *R.Characteristics;
  KernelRecord Result;
  Result.Name = K.Name;
  Result.Demangled = K.Demangled;
  Result.Line = K.Line;
  Result.Grid = K.Launch.Grid;
  Result.Block = K.Launch.Block;
  Result.Registers = K.Resources.Registers;
  Result.SpillBytes = K.Resources.SpillBytes;
  Result.StaticSharedBytes = K.Resources.StaticSharedBytes;
  Result.LocalBytes = K.Resources.LocalBytes;
  Result.NumStatic = K.TotalInstructions;
  Result.Instructions = K.Instructions;
  for (unsigned C = 0; C != NumOpClasses; ++C)
    if (K.ByClass[C])
      Result.Mix[toString(OpClass(C)).str()] = *K.ByClass[C];
  for (const MemoryCharacteristics &M : K.Memory)
    ++Result.MemoryOpcodes[M.Opcode];
  for (const Prediction &P : R.Predictions)
    Result.Devices.push_back({P.Device, P.Model, P.TimeUs, P.EnergyJ, P.Limiter,
                              P.Registers, P.Occ.BlocksPerSM, P.Occ.Fraction});
  const bool IsMachineCode = In.Frontend == FrontendKind::SASS;
  for (const Finding &F : R.Findings) {
    const StringRef Text = In.Code ? In.Code->lines() : StringRef();
    FindingRecord Of{F};
    unsigned N = F.Where.InputLine;
    if (std::optional<StringRef> Line = N ? Lines.find(Text, N) : std::nullopt)
      Of.Line = Line->str();
    if (std::optional<StringRef> Line =
            N > 1 ? Lines.find(Text, N - 1) : std::nullopt)
      Of.LineBefore = Line->str();
    if (N != K.Line) // what is about the kernel as a whole lies at its head
      Of.Code = IsMachineCode ? normalizedMachineCode(Of.Line)
                              : normalizedCode(Of.Line);
    Result.Findings.push_back(std::move(Of));
  }
  return Result;
}

namespace {

/// One input on its way.
struct Item {
  DriverInput Given;
  std::string Key; ///< empty: the answer is not kept
  InputRecord Record;
  bool IsDone = false;
};

class Recorder {
public:
  Recorder(std::vector<DriverInput> Inputs, RecordRequest R);
  RecordAnswer run();

private:
  RecordRequest Request;
  std::vector<Item> Items;
  std::string Question; ///< hash of all that keys of inputs share
  RecordAnswer Answer;
  size_t NumDone = 0;

  void look(Item &It) const;
  /// Analyses some of Items, by their numbers. False if nothing fits.
  bool analyze(ArrayRef<size_t> Some);
  void advance(size_t Num);
};

} // namespace

Recorder::Recorder(std::vector<DriverInput> Inputs, RecordRequest R)
    : Request(std::move(R)) {
  Items.reserve(Inputs.size());
  for (DriverInput &In : Inputs)
    Items.emplace_back().Given = std::move(In);
}

void Recorder::advance(size_t Num) {
  NumDone += Num;
  if (Request.OnProgress)
    Request.OnProgress(NumDone, Items.size());
}

/// Reads the input and, if there is a question, looks for it in the cache.
void Recorder::look(Item &It) const {
  StringRef Path = It.Given.Path;
  if (looksLikeSource(Path))
    return; // depends on what it includes, and a compiler
  if (!It.Given.Text) {
    auto Text = readInputFile(Path);
    if (!Text) {
      llvm::consumeError(Text.takeError());
      return; // the driver says why
    }
    It.Given.Text = std::move(*Text);
  }
  if (Question.empty())
    return;
  It.Key = ContentCache::hash(
      {Question, llvm::sys::path::extension(Path), It.Given.Text->getBuffer()});
  if (std::optional<std::string> Kept = Request.Cache.find(It.Key))
    if (std::optional<InputRecord> R =
            readRecord(*Kept, It.Given.Text->getBufferIdentifier())) {
      It.Record = std::move(*R);
      It.IsDone = true;
      It.Given.Text.reset();
    }
}

bool Recorder::analyze(ArrayRef<size_t> Some) {
  Driver D(Request.Options);
  auto TakeMessages = [&] {
    Answer.Failed = true;
    for (const DiagnosticEngine *E : D.diagnostics())
      llvm::append_range(Answer.Messages, E->shown());
    return false;
  };
  if (!D.prepare())
    return TakeMessages();
  std::vector<DriverInput> Inputs;
  for (size_t N : Some)
    Inputs.push_back(std::move(Items[N].Given));
  (void)D.readAll(std::move(Inputs));
  ArrayRef<const DiagnosticEngine *> Engines = D.inputDiagnostics();
  llvm::StringMap<size_t> ByPath; // among Some
  std::vector<SourceLines> Lines(Some.size());
  for (size_t I = 0; I != Some.size(); ++I)
    ByPath[Engines[I]->path()] = I;
  std::vector<std::map<size_t, KernelRecord>> Kernels(Some.size());
  std::mutex Mutex; // of Kernels and what is of inputs in Items
  Report Head =
      D.run([&](const Report &R, size_t Number, const KernelReport &K) {
        const InputReport &In = R.Inputs[K.Input];
        auto At = ByPath.find(In.Path);
        if (At == ByPath.end())
          return;
        size_t I = At->second;
        KernelRecord Record = recordOf(K, In, Lines[I]);
        std::lock_guard<std::mutex> Lock(Mutex);
        Kernels[I].emplace(Number, std::move(Record));
      });
  if (D.hasUsageErrors())
    return TakeMessages();
  Answer.UsesCounters |= D.usesCounters();
  for (const DiagnosticEngine *E : D.diagnostics())
    if (E->path() == Request.Options.CountersPath) // what is missing there
      llvm::append_range(Answer.Messages, E->shown());
  for (const InputReport &In : Head.Inputs)
    if (auto At = ByPath.find(In.Path); At != ByPath.end()) {
      Items[Some[At->second]].Record.Frontend = toString(In.Frontend);
      Items[Some[At->second]].Record.Target = In.Target;
    }
  // A file may have several modules, each with messages of its own. Refusals
  // have engines of their path, too.
  llvm::StringMap<std::vector<const DiagnosticEngine *>> Modules;
  const std::vector<const DiagnosticEngine *> Refusals = D.refusals();
  for (const DiagnosticEngine *E : D.diagnostics())
    if (ByPath.count(E->path()) && !llvm::is_contained(Refusals, E))
      Modules[E->path()].push_back(E);
  forEachInParallel(
      Some.size(), numThreads(Request.Options.Jobs), [&](size_t I) {
        Item &It = Items[Some[I]];
        InputRecord &R = It.Record;
        R.Path = Engines[I]->path().str();
        R.Failed = Engines[I]->hasErrors();
        R.Messages = Engines[I]->shown();
        for (const DiagnosticEngine *Of : Modules.lookup(R.Path))
          if (Of != Engines[I]) {
            R.Failed |= Of->hasErrors();
            llvm::append_range(R.Messages, Of->shown());
          }
        for (const DiagnosticEngine *Of : Modules.lookup(R.Path))
          if (const DiagnosticEngine *E = D.refusalsOf(*Of)) {
            R.Failed = true;
            llvm::append_range(R.Messages, E->shown());
          }
        for (auto &[Number, K] : Kernels[I])
          R.Kernels.push_back(std::move(K));
        It.IsDone = true;
        if (It.Key.empty() || R.Failed)
          return;
        // What is kept is what is answered, now and later.
        std::string Text = writeRecord(R);
        if (std::optional<InputRecord> Kept = readRecord(Text, R.Path))
          R = std::move(*Kept);
        Request.Cache.store(It.Key, Text);
      });
  return true;
}

RecordAnswer Recorder::run() {
  DriverOptions &O = Request.Options;
  O.FindDefects = true;
  O.LaunchFileIsShared = true;
  // Any error in options and files is to be seen also if all is in the cache.
  Driver Check(O);
  if (!Check.prepare()) {
    Answer.Failed = true;
    for (const DiagnosticEngine *E : Check.diagnostics())
      llvm::append_range(Answer.Messages, E->shown());
    return std::move(Answer);
  }
  // What is said of them is said once, and answers are kept by their names.
  for (const DiagnosticEngine *E : Check.diagnostics())
    llvm::append_range(Answer.Messages, E->shown());
  if (!O.Devices.empty()) {
    O.Devices.clear();
    for (const Device *D : Check.devices())
      O.Devices.push_back(D->Name);
  }
  // Options about single kernels, which may be in any input, need all at once.
  const bool InParts = isWorthKeeping(O);
  if (Request.Cache.isOn() && InParts)
    Question = ContentCache::hash(
        {RecordVersion, programIdentity(), StringRef(describe(O))});
  forEachInParallel(Items.size(), numThreads(O.Jobs),
                    [&](size_t N) { look(Items[N]); });
  std::vector<size_t> Left;
  for (size_t N = 0; N != Items.size(); ++N)
    if (!Items[N].IsDone)
      Left.push_back(N);
  Answer.NumCached = Items.size() - Left.size();
  advance(Answer.NumCached);

  for (ArrayRef<size_t> Rest = Left; !Rest.empty();) {
    size_t Num = 0, Bytes = 0;
    for (; Num != Rest.size(); ++Num) {
      const DriverInput &In = Items[Rest[Num]].Given;
      Bytes += In.Text ? In.Text->getBufferSize() : 0;
      if (InParts && Num != 0 && (Num == InputsAtOnce || Bytes > BytesAtOnce))
        break;
    }
    if (!analyze(Rest.take_front(Num)))
      return std::move(Answer);
    Rest = Rest.drop_front(Num);
    advance(Num);
  }
  Request.Cache.prune();
  for (Item &It : Items)
    Answer.Inputs.push_back(std::move(It.Record));
  return std::move(Answer);
}

RecordAnswer ptxpredict::recordInputs(std::vector<DriverInput> Inputs,
                                      RecordRequest R) {
  return Recorder(std::move(Inputs), std::move(R)).run();
}
