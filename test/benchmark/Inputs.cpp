//===- Inputs.cpp - What the benchmarks read ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "ptxpredict/Frontend/PTX/Lexer.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstdlib>

using namespace ptxpredict;

void bench::require(bool Holds, const Twine &Message) {
  if (Holds)
    return;
  llvm::errs() << "error: " << Message << '\n';
  std::exit(1);
}

static std::string readAny(StringRef Path) {
  auto Buffer = readInputFile(Path);
  if (!Buffer)
    bench::require(false, Path + ": " + toString(Buffer.takeError()));
  return (*Buffer)->getBuffer().str();
}

std::string bench::readSource(StringRef Path) {
  return readAny((PTXPREDICT_SOURCE_DIR "/" + Path).str());
}

namespace {

/// A module cut around the body of its first kernel.
struct CutModule {
  StringRef Head, Signature, Body, Tail;

  explicit CutModule(StringRef Text) {
    size_t Entry = Text.find(".visible .entry ");
    size_t Open = Text.find("\n{\n", Entry);
    size_t Close = Text.find("\n}\n", Open);
    bench::require(Close != StringRef::npos, "a module without a kernel");
    Head = Text.take_front(Entry);
    Signature = Text.slice(Entry, Open + 1);
    Body = Text.slice(Open + 3, Close + 1);
    Tail = Text.drop_front(Close + 3);
  }
};

} // namespace

std::string bench::repeatKernel(StringRef Text, unsigned N) {
  CutModule M(Text);
  StringRef Name = M.Signature.drop_front(StringRef(".visible .entry ").size());
  Name = Name.take_until([](char C) { return C == '('; });
  std::string Result = M.Head.str();
  for (unsigned K = 0; K != N; ++K) {
    // The names of parameters and shared variables hold the kernel's.
    std::string Renamed = (Name + "_" + Twine(K) + "_").str();
    StringRef Rest = Text.slice(M.Head.size(), Text.size() - M.Tail.size());
    for (size_t At; (At = Rest.find(Name)) != StringRef::npos;) {
      Result += Rest.take_front(At);
      Result += Renamed;
      Rest = Rest.drop_front(At + Name.size());
    }
    Result += Rest;
  }
  Result += M.Tail;
  return Result;
}

std::string bench::repeatBody(StringRef Text, unsigned N) {
  CutModule M(Text);
  // Declarations come once, with N times the registers.
  std::string Result = (M.Head + M.Signature + "{\n").str();
  std::string Code;
  std::map<std::string, unsigned, std::less<>> Count;
  for (StringRef Line : llvm::split(M.Body, '\n')) {
    StringRef Trimmed = Line.trim();
    if (Trimmed.starts_with(".reg ")) {
      auto [Start, Rest] = Line.split('<');
      StringRef Prefix = Start.drop_front(Start.rfind('%') + 1);
      unsigned Registers = 0;
      require(!Rest.consumeInteger(10, Registers), "no range of registers");
      Count[Prefix.str()] = Registers;
      Result += (Start + "<" + Twine(Registers * N) + Rest + "\n").str();
    } else if (Trimmed.starts_with(".shared ")) {
      Result += (Line + "\n").str();
    } else {
      Code += (Line + "\n").str();
    }
  }
  for (unsigned K = 0; K != N; ++K) {
    std::string Suffix = "_" + std::to_string(K);
    StringRef Rest = Code;
    while (!Rest.empty()) {
      size_t At = Rest.find_first_of("%$r");
      Result += Rest.take_front(At);
      if (At == StringRef::npos)
        break;
      Rest = Rest.drop_front(At);
      if (Rest.consume_front("ret;")) {
        Result += "bra $Done" + Suffix + ";";
      } else if (Rest.front() == '$') {
        StringRef Label = Rest.take_while(
            [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; });
        Rest = Rest.drop_front(Label.size());
        Result += (Label + Suffix).str();
      } else {
        char First = Rest.front();
        Result += First;
        Rest = Rest.drop_front();
        if (First == 'r')
          continue;
        StringRef Prefix = Rest.take_while(llvm::isAlpha);
        auto It = Count.find(Prefix);
        unsigned Number = 0;
        StringRef After = Rest.drop_front(Prefix.size());
        if (It == Count.end() || After.consumeInteger(10, Number))
          continue; // a special register
        Rest = After;
        Result += (Prefix + Twine(Number + K * It->second)).str();
      }
    }
    Result += "$Done" + Suffix + ":\n";
  }
  return Result + "ret;\n}\n" + M.Tail.str();
}

bench::AnalysedFunction::AnalysedFunction(const InstructionGraph &G,
                                          const LaunchConfig &Launch)
    : G(G), Launch(Launch), CF(G), E(Launch), V(G, CF, Launch, E) {}

bench::Source::Source(std::string T)
    : Text(std::move(T)), Diags(std::make_unique<DiagnosticEngine>(
                              llvm::MemoryBuffer::getMemBuffer(Text, "input"))),
      Tree(ptx::parse(*Diags)) {
  if (!Diags->hasErrors())
    M = ptx::lower(*Tree, *Diags);
  if (Diags->hasErrors()) {
    Diags->print(llvm::errs(), /*Colors=*/false);
    require(false, "an input of the benchmarks is wrong");
  }
}

bench::Input::Input(std::vector<std::string> Texts) {
  Launch.Grid = {1024, 1, 1};
  Launch.Block = {256, 1, 1};
  Launch.GridIsAssumed = Launch.BlockIsAssumed = true;
  for (std::string &Text : Texts) {
    Sources.push_back(std::make_unique<Source>(std::move(Text)));
    Source &S = *Sources.back();
    Bytes += S.Text.size();
    ptx::Lexer L(*S.Diags);
    for (ptx::Token T; L.next(T), !T.is(ptx::TokenKind::EndOfFile);)
      ++NumTokens;
    for (const auto &G : S.M->Functions)
      NumInstructions += G->NumInstructions;
  }
}

bench::Input::~Input() {
  for (const std::string &Path : Files)
    (void)llvm::sys::fs::remove(Path);
}

std::vector<std::unique_ptr<bench::AnalysedFunction>> &
bench::Input::functions() {
  if (Functions.empty())
    for (const auto &S : Sources)
      for (const auto &G : S->M->Functions)
        Functions.push_back(std::make_unique<AnalysedFunction>(*G, Launch));
  return Functions;
}

const std::vector<std::string> &bench::Input::files() {
  if (Files.empty())
    for (const auto &S : Sources) {
      int Descriptor = -1;
      llvm::SmallString<128> Path;
      require(!llvm::sys::fs::createTemporaryFile("ptx-predict-benchmark",
                                                  "ptx", Descriptor, Path),
              "no temporary file");
      llvm::raw_fd_ostream(Descriptor, /*shouldClose=*/true) << S->Text;
      Files.emplace_back(Path.str());
    }
  return Files;
}

const Report &bench::Input::report() {
  if (!TheReport) {
    Driver D({});
    require(D.prepare(), "the driver's defaults are refused");
    for (const std::string &Path : files())
      require(D.read(Path) != nullptr, Path + " is not read");
    TheReport = D.run();
  }
  return *TheReport;
}

bench::Input &bench::saxpy() {
  static Input I({readSource("docs/examples/saxpy.ptx")});
  return I;
}

bench::Input &bench::corpus() {
  static Input I = [] {
    std::vector<std::string> Paths, Texts;
    std::error_code EC;
    for (llvm::sys::fs::directory_iterator
             It(PTXPREDICT_SOURCE_DIR "/test/Inputs/kernels/ptx", EC),
         End;
         It != End && !EC; It.increment(EC))
      Paths.push_back(It->path());
    require(!EC && !Paths.empty(), "no corpus: " + EC.message());
    std::sort(Paths.begin(), Paths.end());
    for (const std::string &Path : Paths)
      Texts.push_back(readAny(Path));
    return Input(std::move(Texts));
  }();
  return I;
}

static bench::Input &scaled(std::map<unsigned, bench::Input> &Made, unsigned N,
                            std::string (*Repeat)(StringRef, unsigned)) {
  auto It = Made.find(N);
  if (It == Made.end())
    It = Made.try_emplace(
                 N, std::vector<std::string>{Repeat(
                        bench::readSource("docs/examples/matmul.ptx"), N)})
             .first;
  return It->second;
}

bench::Input &bench::kernels(unsigned N) {
  static std::map<unsigned, Input> Made;
  return scaled(Made, N, repeatKernel);
}

bench::Input &bench::bodies(unsigned N) {
  static std::map<unsigned, Input> Made;
  return scaled(Made, N, repeatBody);
}
