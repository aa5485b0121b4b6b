//===- Main.cpp - measure: what a GPU can do, in files --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// See docs/commands/Measure.md.
//===----------------------------------------------------------------------===//
#include "Supervisor.h"
#include "ptxpredict/Support/OwnedGlob.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::measure;
using llvm::Twine;

namespace {

constexpr int Done = 0, FoundWrong = 1, NotDone = 2;

constexpr const char *Help =
    R"(usage: measure [OPTIONS]

Measures the GPU that is here: what it is, how fast it does what, and kernels
with their results, times, clocks and power. Writes files for `ptx-predict
calibrate` and `ptx-predict validate`.

  --output=FOLDER         where they go (default: measured)
  --only=GLOB             steps by name or group; repeatable (default: all)
  --list                  only lists the steps
  --kernels=FOLDER        these kernels, launch files with their PTX, instead
                          of those of test/accuracy
  --time-limit=SECONDS    of all steps (default: 1500)
  --step-limit=SECONDS    of one (default: 120)
  --power-seconds=SECONDS how long each power is read; 0: not (default: 3)
  --dump=FOLDER           what each kernel leaves in its buffers
  --emulate-seconds=SECONDS  for one kernel on the CPU; 0: none is emulated
                          (default: 20)
  --once                  launches each kernel once and takes no times, for a
                          profiler around it
  --core-mhz=A,B          locks the core clock at A, and for blocks at each
  --mem-mhz=A,B           locks the memory clock at A, and reads memory at each
                          pair of clocks
  --as=DEVICE             the device that is calibrated and predicted
                          (default: the one that is named like the GPU)
  --device=N              which GPU (default: 0)
  --folder=FOLDER         test/accuracy (default: where it was built)
  --driver=FILE           the CUDA driver (default: libcuda.so.1)
  --management=FILE       the management library (default: libnvidia-ml.so.1)
  --rehearse              runs everything against a stub, which needs no GPU and
                          whose numbers are made up
  --quiet                 only the last lines
)";

int fail(const Twine &Message) {
  llvm::errs() << "measure: error: " << Message << '\n';
  return NotDone;
}

/// The options, one value each, as the command line has them.
class CommandLine {
public:
  /// True on error (printed).
  bool read(int Count, char **Arguments, Options &O);
  bool AsksHelp = false, IsQuiet = false;

private:
  bool readOne(StringRef Name, StringRef Value, Options &O);
};

bool CommandLine::readOne(StringRef Name, StringRef Value, Options &O) {
  std::pair<const char *, std::string *> Texts[] = {
      {"output", &O.Output}, {"kernels", &O.Kernels},
      {"as", &O.As},         {"folder", &O.Folder},
      {"driver", &O.Driver}, {"management", &O.Management},
      {"dump", &O.Dump}};
  for (auto &[Known, Into] : Texts)
    if (Name == Known) {
      *Into = Value.str();
      return Value.empty() && fail("--" + Name + " takes a name; not ''");
    }
  std::pair<const char *, double *> Numbers[] = {
      {"time-limit", &O.TimeLimit},
      {"step-limit", &O.StepLimit},
      {"power-seconds", &O.PowerSeconds},
      {"emulate-seconds", &O.EmulateSeconds}};
  for (auto &[Known, Into] : Numbers)
    if (Name == Known) {
      const std::optional<double> Number = parseNumber(Value);
      if (!Number || *Number < 0)
        return fail("--" + Name + " takes seconds; not '" + Value + "'") != 0;
      *Into = *Number;
      return false;
    }
  if (Name == "only") {
    O.Only.push_back(Value.str());
    return Value.empty() && fail("--only takes a glob; not ''");
  }
  if (Name == "device")
    return Value.getAsInteger(10, O.Device) &&
           fail("--device takes a number from 0; not '" + Value + "'");
  if (Name == "core-mhz" || Name == "mem-mhz") {
    SmallVector<StringRef, 4> Parts;
    Value.split(Parts, ',');
    for (StringRef Part : Parts) {
      unsigned MHz = 0;
      if (Part.getAsInteger(10, MHz) || MHz == 0)
        return fail("--" + Name + " takes whole numbers; not '" + Value +
                    "'") != 0;
      std::vector<unsigned> &Clocks =
          Name == "core-mhz" ? O.CoreMHz : O.MemoryMHz;
      if (llvm::is_contained(Clocks, MHz))
        return fail("--" + Name + " has " + Part + " twice") != 0;
      Clocks.push_back(MHz);
    }
    return false;
  }
  static constexpr StringRef Names[] = {
      "output",        "only",    "list",     "kernels",    "time-limit",
      "step-limit",    "as",      "device",   "folder",     "driver",
      "power-seconds", "quiet",   "help",     "management", "emulate-seconds",
      "core-mhz",      "mem-mhz", "rehearse", "dump",       "once"};
  return fail("there is no option --" + Name + didYouMean(Name, Names)) != 0;
}

bool CommandLine::read(int Count, char **Arguments, Options &O) {
  for (int I = 1; I < Count; ++I) {
    StringRef Text = Arguments[I];
    if (!Text.consume_front("--"))
      return fail("'" + Text + "' is no option; try --help") != 0;
    if (Text == "help")
      AsksHelp = true;
    else if (Text == "quiet")
      IsQuiet = true;
    else if (Text == "once")
      O.Once = true;
    else if (Text == "list")
      O.List = true;
    else if (Text == "rehearse")
      O.Rehearse = true;
    else if (!Text.contains('=') && I + 1 == Count)
      return readOne(Text, "", O);
    else if (!Text.contains('=')) {
      if (readOne(Text, Arguments[++I], O))
        return true;
    } else if (readOne(Text.split('=').first, Text.split('=').second, O))
      return true;
  }
  return false;
}

/// One line of what came out of a step.
void report(const StepOutcome &S, const Results &R) {
  if (S.Status != "done") {
    if (S.Status == "failed")
      llvm::outs() << S.Name << ": failed: " << S.Detail << '\n';
    return;
  }
  if (StringRef(S.Name).starts_with("kernel.")) {
    if (R.Kernels.empty()) { // --once
      llvm::outs() << S.Name << ": launched\n";
      return;
    }
    const Record &Row = R.Kernels.back();
    const StringRef Detail = kernelCell(Row, "detail");
    llvm::outs() << S.Name << ": " << kernelCell(Row, "result") << ", "
                 << kernelCell(Row, "time_us") << " us"
                 << (Detail.empty() ? "" : "; ") << Detail << '\n';
  } else {
    const std::vector<std::string> &F = R.Benchmarks.back().Fields;
    llvm::outs() << F[0] << ": " << F[1] << ' ' << F[2] << '\n';
  }
  llvm::outs().flush();
}

/// Those that --only asks for. True on error (printed).
bool choose(const Options &O, std::vector<Step> &Steps) {
  if (O.Only.empty())
    return false;
  std::vector<OwnedGlob> Globs;
  std::vector<bool> AreUsed(O.Only.size());
  for (const std::string &Text : O.Only) {
    Expected<OwnedGlob> G = OwnedGlob::create(Text);
    if (!G)
      return fail("--only=" + Text + ": " + toString(G.takeError())) != 0;
    Globs.push_back(std::move(*G));
  }
  llvm::erase_if(Steps, [&](const Step &S) {
    bool IsChosen = false;
    for (size_t I = 0; I != Globs.size(); ++I)
      if (Globs[I].match(S.Name) || Globs[I].match(S.Group)) {
        AreUsed[I] = true;
        IsChosen = true;
      }
    return !IsChosen;
  });
  for (size_t I = 0; I != Globs.size(); ++I)
    if (!AreUsed[I])
      return fail("--only=" + O.Only[I] +
                  " matches no step and no group; --list lists them") != 0;
  return false;
}

/// Lines that say what there is now, and the exit code.
int conclude(const Options &O, const Results &R, const Device &D,
             bool IsGuess) {
  auto Count = [&](StringRef Status) {
    return llvm::count_if(
        R.Steps, [&](const StepOutcome &S) { return S.Status == Status; });
  };
  llvm::outs() << R.fact("name") << ", compute capability "
               << R.fact("capability_major") << '.'
               << R.fact("capability_minor") << ", driver " << R.fact("driver")
               << '\n'
               << R.Benchmarks.size() << " results, " << R.Kernels.size()
               << " kernels; of " << R.Steps.size() << " steps "
               << Count("failed") << " failed, " << Count("skipped")
               << " need another device, " << Count("not run")
               << " were not run\n";
  if (IsGuess)
    llvm::outs() << "no device is described as '" << R.fact("name")
                 << "': predictions are for " << D.Name
                 << "; --as=DEVICE names another one\n";
  bool Failed = false;
  if (D.ComputeCapability != R.capability())
    llvm::outs() << "no device.yaml: " << D.Name
                 << " has another compute capability\n";
  else if (!R.Benchmarks.empty())
    Failed = writeDevice(O.Output, D);
  llvm::outs() << "written to " << O.Output << '\n';
  return Failed ? NotDone : R.isAnyWrong() ? FoundWrong : Done;
}

int run(const Options &O, bool IsQuiet) {
  Results R;
  Supervisor Processes(O, R);
  if (Error E = Processes.findFacts())
    return fail(toString(std::move(E)));
  DeviceRegistry Registry;
  bool IsGuess = false;
  Expected<const Device *> D = findDevice(R, O.As, Registry, IsGuess);
  if (!D)
    return fail("--as: " + toString(D.takeError()));
  if (findKernels(O.Kernels.empty() ? O.Folder : O.Kernels, O.Folder + "/ptx",
                  R.capability(), R.Cases))
    return NotDone;
  std::vector<Step> Kernels;
  for (const KernelCase &Case : R.Cases) {
    const StringRef Target = Case.Kernel->Parent->Target;
    // Others are tried: a target says what a compiler was asked for.
    const bool IsOfOne = Target.ends_with("a") || Target.ends_with("f");
    Kernels.push_back({Case.step(), "kernels",
                       [&Case](Measurement &S) { return runKernel(S, Case); },
                       !IsOfOne || runsOn(Target, R.capability())
                           ? ""
                           : "it needs " + Target.str()});
  }
  std::vector<Step> Steps =
      allSteps(O, R.capability(), R.numGPUs(), std::move(Kernels));
  if (choose(O, Steps))
    return NotDone;
  if (O.List) {
    for (const Step &S : Steps)
      llvm::outs() << S.Group << "  " << S.Name
                   << (S.WhyNot.empty() ? "" : "  (" + S.WhyNot + ")") << '\n';
    return Done;
  }
  for (const std::string &Folder : {O.Output, O.Dump}) {
    if (Folder.empty())
      continue;
    if (std::error_code EC = llvm::sys::fs::create_directories(Folder))
      return fail(Folder + ": " + EC.message());
    if (!llvm::sys::fs::is_directory(Folder))
      return fail(Folder + ": it is no folder");
  }
  // Before anything takes time.
  if (copyInputs(R, Steps, O.Output) || writeResults(R, O.Output, (*D)->Name))
    return NotDone;
  if (Error E = Processes.run(Steps, [&](const StepOutcome &S) {
        if (!IsQuiet)
          report(S, R);
        return !writeResults(R, O.Output, (*D)->Name);
      }))
    return fail(toString(std::move(E)));
  if (R.Steps.size() != Steps.size())
    return NotDone; // what cannot be written is said
  return conclude(O, R, **D, IsGuess);
}

} // namespace

int main(int Count, char **Arguments) {
  Options O;
  O.Folder = PTXPREDICT_ACCURACY_FOLDER;
  CommandLine Line;
  if (Line.read(Count, Arguments, O))
    return NotDone;
  if (Line.AsksHelp) {
    llvm::outs() << Help;
    return Done;
  }
  if (O.Rehearse) {
    // The stub lies beside the program's folder.
    llvm::SmallString<256> Stub(llvm::sys::path::parent_path(
        llvm::sys::fs::getMainExecutable(Arguments[0], nullptr)));
    llvm::sys::path::append(Stub, "..", "lib", "libPtxPredictStubCuda.so");
    for (std::string *Library : {&O.Driver, &O.Management})
      if (Library->empty())
        *Library = Stub.str().str();
  }
  return run(O, Line.IsQuiet);
}
