//===- Compiler.cpp - The compiler of CUDA and OpenCL source --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Compiler.h"
#include "ptxpredict/Driver/Toolchain/HarmlessArguments.h"
#include "ptxpredict/Support/ChildProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace ptxpredict;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The architecture for which source is compiled if nobody says.
static constexpr unsigned DefaultCapability = 80;
/// The first one that compilers of today still know.
static constexpr unsigned OldestCapability = 50;

/// The PTX of the newest CUDA toolkit that clang 22 knows. clang takes that of
/// the toolkit that it finds; without one it takes 4.2, which its back end
/// refuses for the architectures of today.
static constexpr StringRef PTXFeature = "--cuda-feature=+ptx88";
static_assert(LLVM_VERSION_MAJOR == 22, "look up PTXFeature of this clang");

static llvm::Error failure(const Twine &Message) {
  return llvm::createStringError(Message);
}

/// What a program says of itself; empty if it cannot be run.
static std::string versionOf(const std::string &Program) {
  Expected<ChildResult> Result = runProgram(Program, {"--version"});
  if (!Result) {
    llvm::consumeError(Result.takeError());
    return {};
  }
  return Result->Output;
}

static StringRef ourVersion() {
  return StringRef(LLVM_VERSION_STRING).split('.').first;
}

/// Whether an answer to --version is that of a clang of this LLVM.
static bool isOurClang(StringRef Answer) {
  return Answer.contains(("clang version " + ourVersion() + ".").str());
}

/// How clang is called for a language.
static StringRef clangOf(bool OfOpenCL) {
  return OfOpenCL ? "clang" : "clang++";
}

/// A clang of this LLVM, which writes IR that this LLVM reads.
static std::optional<SourceCompiler> findClang(bool OfOpenCL) {
  const std::string Number = ourVersion().str();
  const StringRef Name = clangOf(OfOpenCL);
  if (auto Found = findOnPath((Name + "-" + Number).str()))
    return SourceCompiler{*Found, false, true};
  if (auto Found = findOnPath(Name))
    if (isOurClang(versionOf(*Found)))
      return SourceCompiler{*Found, false, true};
  return std::nullopt;
}

static std::optional<SourceCompiler> findNVCC() {
  if (auto Found = findOnPath("nvcc"))
    return SourceCompiler{*Found, true};
  if (std::optional<std::string> Home =
          llvm::sys::Process::GetEnv("CUDA_HOME")) {
    llvm::SmallString<128> Program(*Home);
    path::append(Program, "bin", "nvcc");
    if (fs::can_execute(Program))
      return SourceCompiler{Program.str().str(), true};
  }
  return std::nullopt;
}

/// Why there is no clang, nor a compiler at all if none was asked for.
static llvm::Error noCompiler(bool OfOpenCL, bool OnlyClang) {
  constexpr StringRef Elsewhere = "; say where it is with --compiler=PATH";
  const std::string Version = ourVersion().str();
  const std::string Clang = clangOf(OfOpenCL).str();
  if (OnlyClang)
    return failure("there is no " + Clang + "-" + Version + " and no " + Clang +
                   " of that version on PATH" + Elsewhere);
  if (OfOpenCL)
    return failure("OpenCL C is compiled by clang " + Version +
                   ", which is not on PATH" + Elsewhere);
  return failure("CUDA source is compiled by clang++ " + Version +
                 " or nvcc, and neither is on PATH (nvcc also not in "
                 "$CUDA_HOME/bin)" +
                 Elsewhere);
}

Expected<SourceCompiler> SourceCompiler::find(StringRef Asked, bool OfOpenCL) {
  constexpr StringRef Elsewhere = "; say where it is with --compiler=PATH";
  constexpr StringRef NotOpenCL =
      " does not compile OpenCL C; leave --compiler away, or name a clang";
  if (OfOpenCL && Asked == "nvcc")
    return failure("nvcc" + NotOpenCL);
  std::optional<SourceCompiler> Found;
  if (Asked.empty() || Asked == "clang")
    Found = findClang(OfOpenCL);
  if (!Found && !OfOpenCL && (Asked.empty() || Asked == "nvcc"))
    Found = findNVCC();
  if (Found)
    return *Found;
  if (Asked.empty() || Asked == "clang")
    return noCompiler(OfOpenCL, Asked == "clang");
  if (Asked == "nvcc")
    return failure("there is no nvcc on PATH or in $CUDA_HOME/bin" +
                   Twine(Elsewhere));

  std::string Path = Asked.str();
  if (!path::has_parent_path(Path))
    if (auto OnPath = findOnPath(Path))
      Path = *OnPath;
  if (!fs::can_execute(Path) || fs::is_directory(Path))
    return failure("--compiler: there is no program '" + Asked + "'");
  std::string Answer = versionOf(Path);
  StringRef Said = Answer;
  if (!Said.contains("clang version") && !Said.contains("nvcc"))
    return failure("--compiler: '" + Asked +
                   "' does not say that it is clang or nvcc when it is run "
                   "with --version");
  if (OfOpenCL && Said.contains("nvcc"))
    return failure("--compiler: '" + Asked + "' is nvcc, which" + NotOpenCL);
  return SourceCompiler{Path, Said.contains("nvcc"), isOurClang(Said)};
}

/// What may be run of the compilers that a project names: nothing of its own.
static std::optional<SourceCompiler> findForProject(const ReadOptions &Options,
                                                    bool OfOpenCL) {
  const ProjectCommand &Project = *Options.Project;
  if (OfOpenCL && Project.isNVCC())
    return std::nullopt;
  std::optional<SourceCompiler> Ours =
      Project.isNVCC() ? findNVCC() : findClang(OfOpenCL);
  std::string Path = Project.Compiler;
  if (!path::has_parent_path(Path))
    Path = findOnPath(Path).value_or("");
  if (Ours && (Path == Ours->Path || fs::equivalent(Path, Ours->Path)))
    return Ours;
  if (!Path.empty() &&
      llvm::any_of(Options.QueryDrivers,
                   [&](const OwnedGlob &G) { return G.match(Path); }))
    return SourceCompiler{Path, Project.isNVCC()};
  return std::nullopt;
}

Expected<SourceCompiler> SourceCompiler::find(const ReadOptions &Options,
                                              DiagnosticEngine &Diags) {
  const bool OfOpenCL = looksLikeOpenCL(Diags.path());
  if (!Options.Compiler.empty() || !Options.Project)
    return find(Options.Compiler, OfOpenCL);
  if (auto Found = findForProject(Options, OfOpenCL))
    return *Found;
  std::optional<SourceCompiler> Nearest =
      Options.Project->isNVCC() && !OfOpenCL ? findNVCC() : std::nullopt;
  Expected<SourceCompiler> Instead =
      Nearest ? Expected<SourceCompiler>(*Nearest) : find("", OfOpenCL);
  if (Instead)
    Diags.note(SMLoc(), "compiled by '" + Instead->Path +
                            "'; the compile command's '" +
                            Options.Project->Compiler +
                            "' is not run unless --query-driver=GLOB allows "
                            "it");
  return Instead;
}

namespace {

/// Arguments for a compiler without what says for which architecture or what
/// is to be written.
class GivenArguments {
public:
  GivenArguments(ArrayRef<std::string> Given, bool OfOpenCL) {
    for (size_t I = 0; I != Given.size(); ++I) {
      StringRef Text = Given[I];
      StringRef Next = I + 1 != Given.size() ? StringRef(Given[I + 1]) : "";
      if (is(Text, {"-c", "-S", "-ptx", "--ptx", "--compile", "-dc", "-dw"}))
        continue;
      if (is(Text, {"-o", "--output-file"})) {
        ++I;
        continue;
      }
      if (is(Text, {"-arch", "--gpu-architecture", "-gencode",
                    "--generate-code", "--offload-arch", "--cuda-gpu-arch"})) {
        addArchitectures(Next);
        ++I;
        continue;
      }
      auto [Name, Value] = Text.split('=');
      const bool OfTarget = OfOpenCL && is(Name, {"-march", "-mcpu"});
      if (!Value.empty() &&
          (OfTarget ||
           is(Name, {"-arch", "--gpu-architecture", "-gencode",
                     "--generate-code", "--offload-arch", "--cuda-gpu-arch"})))
        addArchitectures(Value);
      else
        Others.push_back(Text.str());
    }
  }

  std::vector<std::string> Others, Architectures;

private:
  static bool is(StringRef Text, ArrayRef<StringRef> Names) {
    return llvm::is_contained(Names, Text);
  }
  /// "sm_80", "sm_80,sm_90" or "arch=compute_80,code=[sm_80,compute_80]".
  void addArchitectures(StringRef Text) {
    bool Generated = Text.consume_front("arch=");
    for (StringRef Name : llvm::split(Text, ',')) {
      std::string Real = Name.str();
      if (Name.consume_front("compute_"))
        Real = ("sm_" + Name).str();
      if (!llvm::is_contained(Architectures, Real))
        Architectures.push_back(Real);
      if (Generated) // what follows is the code that is made of it
        return;
    }
  }
};

} // namespace

/// Whether clang is to do without a CUDA toolkit, and nobody says which PTX is
/// meant.
static bool lacksPTXFeature(ArrayRef<std::string> Arguments, bool OfOpenCL) {
  bool Headers = !OfOpenCL, Library = !OfOpenCL;
  for (StringRef Text : Arguments) {
    if (Text.starts_with("--cuda-path=") || Text.starts_with("--cuda-feature="))
      return false;
    Headers &= Text != "-nocudainc" && Text != "-nogpuinc";
    Library &= Text != "-nocudalib" && Text != "-nogpulib";
  }
  return !Headers && !Library;
}

CompilerCall ptxpredict::callFor(const SourceCompiler &Compiler, StringRef Path,
                                 const ReadOptions &Options, StringRef Libclc) {
  const bool IsOpenCL = looksLikeOpenCL(Path);
  CompilerCall Call;
  std::vector<std::string> Given;
  if (Options.Project) {
    HarmlessArguments Project = keepHarmless(
        Options.Project->Arguments, Options.Project->isNVCC(), Compiler.IsNVCC);
    Given = std::move(Project.Kept);
    Call.Refused = std::move(Project.LeftOut);
  }
  llvm::append_range(Given, Options.CompilerArguments);
  GivenArguments User(Given, IsOpenCL);
  if (User.Architectures.empty()) {
    unsigned Capability = Options.ComputeCapability;
    if (Capability < OldestCapability)
      Capability = DefaultCapability;
    Call.Architecture = "sm_" + std::to_string(Capability);
  } else {
    Call.Architecture = User.Architectures.front();
    Call.LeftOut.assign(User.Architectures.begin() + 1,
                        User.Architectures.end());
  }
  auto Add = [&](std::initializer_list<std::string> More) {
    Call.Arguments.insert(Call.Arguments.end(), More);
  };
  const bool IsNVCC = Compiler.IsNVCC && !IsOpenCL;
  if (IsNVCC)
    Add({"-x", "cu", "-lineinfo"});
  else
    Add({"-x", IsOpenCL ? "cl" : "cuda", "-O3", "-gline-tables-only",
         "-fno-discard-value-names"});
  if (IsOpenCL)
    Add({"-cl-std=CL3.0"});
  else if (!IsNVCC)
    Add({"-Wno-unknown-cuda-version"});
  llvm::append_range(Call.Arguments, User.Others);
  if (Compiler.IsOurClang && lacksPTXFeature(User.Others, IsOpenCL))
    Add({PTXFeature.str()});
  if (IsNVCC)
    Add({"-ptx", "-arch=" + Call.Architecture});
  else if (IsOpenCL)
    // NVIDIA's OpenCL, as libclc calls it: work items' indices are special
    // registers, kernels are kernels, and local memory is shared memory.
    Add({"-target", "nvptx64--nvidiacl", "-march=" + Call.Architecture,
         "-emit-llvm", "-c"});
  else
    Add({"--cuda-device-only", "-emit-llvm", "-c",
         "--offload-arch=" + Call.Architecture});
  // Linked as files are (-mlink-bitcode-file), all of the library would become
  // code, with what the back end has no instructions for.
  if (!Libclc.empty())
    Add({"-Xclang", "-mlink-builtin-bitcode", "-Xclang", Libclc.str()});
  Add({"-o", "-"});
  // A name that would be an option.
  Call.Arguments.push_back(((Path.starts_with("-") ? "./" : "") + Path).str());
  return Call;
}
