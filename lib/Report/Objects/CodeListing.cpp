//===- CodeListing.cpp - Machine code as text -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Objects/CodeListing.h"
#include "ptxpredict/Frontend/SASS/CodeLines.h"
#include "ptxpredict/Frontend/SASS/OperationFacts.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::sass;

/// The last part of a path, whichever system it is of.
static StringRef fileName(StringRef Path) {
  return Path.substr(Path.find_last_of("/\\") + 1);
}

/// "B0--3--:R-:W2:Y:S04": what it waits for, what it sets, and when the next
/// one is issued.
static void printControl(const ControlCode &C, raw_ostream &OS) {
  constexpr unsigned NumBarriers = 6;
  auto Number = [&](const std::optional<unsigned> &N) {
    if (N)
      OS << *N;
    else
      OS << '-';
  };
  OS << 'B';
  for (unsigned B = 0; B != NumBarriers; ++B)
    if (C.WaitMask >> B & 1)
      OS << B;
    else
      OS << '-';
  OS << ":R";
  Number(C.ReadBarrier);
  OS << ":W";
  Number(C.WriteBarrier);
  OS << (C.Yields ? ":Y:S" : ":-:S") << char('0' + C.Stall / 10)
     << char('0' + C.Stall % 10);
}

/// The bits of a known instruction that no field explains: its fields alone
/// give other ones.
static Encoding keptBits(Encoding E, const MachineInstruction &I,
                         unsigned Architecture, uint64_t At) {
  if (!I.Operation)
    return {};
  const Encoding Again = encode(I, Architecture, At).value_or(Encoding());
  return {E.Low ^ Again.Low, E.High ^ Again.High};
}

/// Calls \p Do with each instruction of \p Code.
template <typename Action>
static void forEachInstruction(StringRef Code, unsigned Architecture,
                               ListingAnswer &Answer, Action Do) {
  for (uint64_t At = 0; At + InstructionBytes <= Code.size();
       At += InstructionBytes) {
    const char *Bytes = Code.data() + At;
    const Encoding E = {llvm::support::endian::read64le(Bytes),
                        llvm::support::endian::read64le(Bytes + 8)};
    const MachineInstruction I = decode(E, Architecture, At);
    ++Answer.Instructions;
    Answer.Unknown += I.Operation == nullptr;
    const Encoding Kept = keptBits(E, I, Architecture, At);
    Answer.Kept += Kept.Low != 0 || Kept.High != 0;
    Do(At, E, I, Kept);
  }
}

namespace {
/// A function that is asked for.
struct ShownFunction {
  const CubinFunction &Function;
  StringRef Code;
  unsigned Architecture;
  const CodeLines &Lines;
  StringRef Member; ///< of an archive
  StringRef Target; ///< "sm_90a"
  bool IsFirst;     ///< of its cubin

  const CodeLine *lineAt(uint64_t Address) const {
    return Lines.of(Function.Name, Address);
  }
};
} // namespace

/// "sm_75, sm_90"
static std::string architecturesIn(const std::set<unsigned> &Numbers) {
  std::string Text;
  for (unsigned N : Numbers)
    Text += (Text.empty() ? "sm_" : ", sm_") + std::to_string(N);
  return Text;
}

std::string ptxpredict::whatHasNoCode(StringRef File,
                                      ArrayRef<CodeEntry> Entries) {
  constexpr size_t Beginning = 4096;
  if (File.empty())
    return "an empty file";
  if (llvm::any_of(Entries,
                   [](const CodeEntry &E) { return E.Kind == CodeKind::PTX; }))
    return "no machine code, but PTX; 'ptxas -arch=sm_90' makes it of that";
  if (mayHoldCode(File))
    return "no machine code in it; 'ptx-predict objects' lists what there is";
  if (File.take_front(Beginning).contains(".version"))
    return "PTX, no machine code; 'ptxas -arch=sm_90' makes it of that";
  return "neither a cubin nor a fat binary, nor an object, library or program "
         "that may hold one";
}

/// The parts of a file, such as members of an archive, that have older code
/// alone.
static std::string hiddenParts(ArrayRef<CodeEntry> Entries, unsigned Shown) {
  std::map<uint64_t, unsigned> Newest; // by fat binary
  for (const CodeEntry &E : Entries)
    if (E.Kind == CodeKind::Machine) {
      unsigned &There = Newest[E.Container];
      There = std::max(There, E.Architecture);
    }
  std::set<unsigned> Older;
  size_t Number = 0;
  for (auto [Container, Architecture] : Newest)
    if (Architecture != Shown) {
      Older.insert(Architecture);
      ++Number;
    }
  if (Number == 0)
    return {};
  return (Twine(Number) + " of " + Twine(Newest.size()) +
          " parts have no code for sm_" + Twine(Shown) +
          " and are not shown: --arch chooses " + architecturesIn(Older))
      .str();
}

/// Calls \p Do with each function that is asked for.
template <typename Action>
static ListingAnswer forEachFunction(StringRef File,
                                     const ListingRequest &Request, Action Do) {
  ListingAnswer Answer;
  CodeEntries Found = findCode(File);
  Answer.Problems = std::move(Found.Problems);
  std::set<unsigned> Architectures;
  for (const CodeEntry &E : Found.Entries)
    if (E.Kind == CodeKind::Machine)
      Architectures.insert(E.Architecture);
  if (Architectures.empty()) {
    Answer.WhyNothing = whatHasNoCode(File, Found.Entries);
    return Answer;
  }
  const unsigned Architecture = Request.Architecture != 0
                                    ? Request.Architecture
                                    : *Architectures.rbegin();
  if (Request.Architecture == 0)
    Answer.Hidden = hiddenParts(Found.Entries, Architecture);
  std::set<std::string> Targets;
  for (const CodeEntry &E : Found.Entries) {
    if (E.Kind != CodeKind::Machine || E.Architecture != Architecture)
      continue;
    auto Problem = [&](const Twine &What) {
      Answer.Problems.push_back((Twine("offset 0x") +
                                 llvm::utohexstr(E.Offset, /*LowerCase=*/true) +
                                 ": " + What)
                                    .str());
    };
    if (E.Architecture < FirstArchitecture) {
      Problem("code before sm_70 is not read");
      continue;
    }
    auto Bytes = unpack(E);
    if (!Bytes) {
      Problem(llvm::toString(Bytes.takeError()));
      continue;
    }
    const StringRef Text = (*Bytes)->getBuffer();
    Expected<Cubin> Code = readCubin(Text);
    if (!Code) {
      Problem("a damaged cubin: " + llvm::toString(Code.takeError()));
      continue;
    }
    for (const std::string &Why : Code->Problems)
      Problem("in the cubin, " + Why);
    CodeLines Lines;
    if (Code->HasLines) {
      if (auto Read = readCodeLines(Text))
        Lines = std::move(*Read);
      else
        Problem("in the cubin, " + llvm::toString(Read.takeError()));
    }
    Targets.insert(Code->Target);
    if (!Request.Target.empty() && Request.Target != Code->Target)
      continue;
    bool IsFirst = true;
    for (const CubinFunction &F : Code->Functions)
      if (Request.Shows(F.Name))
        Do({F, Text.substr(F.Offset, F.CodeBytes), Architecture, Lines,
            E.Member, Code->Target, std::exchange(IsFirst, false)},
           Answer);
  }
  if (!Architectures.count(Architecture))
    Answer.WhyNothing = "no code for sm_" + std::to_string(Architecture) +
                        " in it; there is " + architecturesIn(Architectures);
  else if (!Request.Target.empty() && !Targets.count(Request.Target.str()))
    Answer.WhyNothing = ("no code for " + Request.Target + " in it; there is " +
                         llvm::join(Targets, ", "))
                            .str();
  return Answer;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printFunction(StringRef Path, const ShownFunction &Shown,
                          ListingAnswer &Answer, raw_ostream &OS) {
  const CubinFunction &F = Shown.Function;
  if (Shown.IsFirst) {
    OS << printable(Path);
    if (!Shown.Member.empty())
      OS << '(' << printable(Shown.Member) << ')';
    OS << ": code for " << printable(Shown.Target) << '\n';
  }
  OS << (F.IsKernel ? "kernel " : "function ")
     << printable(KernelNames(F.Name).Demangled) << ", " << F.CodeBytes
     << " bytes";
  if (F.Registers)
    OS << ", " << *F.Registers << " registers";
  OS << '\n';
  auto Print = [&](uint64_t At, Encoding E, const MachineInstruction &I,
                   Encoding) {
    OS << "  " << llvm::format_hex_no_prefix(At, 4) << "  ";
    printControl(I.Control, OS);
    OS << "  ";
    print(I, E, OS);
    if (const auto Line = Shown.lineAt(At))
      OS << "  // " << printable(fileName(Line->File)) << ':' << Line->Line;
    OS << '\n';
  };
  forEachInstruction(Shown.Code, Shown.Architecture, Answer, Print);
}

ListingAnswer ptxpredict::printCodeListing(const ListedCode &File,
                                           const ListingRequest &Request,
                                           raw_ostream &OS) {
  return forEachFunction(
      File.Bytes, Request,
      [&](const ShownFunction &Shown, ListingAnswer &Answer) {
        printFunction(File.Path, Shown, Answer, OS);
      });
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeNumbers(JSONWriter &J, StringRef Key, unsigned Mask) {
  if (Mask == 0)
    return;
  J.attributeArray(Key, [&] {
    for (unsigned N = 0; Mask >> N != 0; ++N)
      if (Mask >> N & 1)
        J.value(N);
  });
}

/// What it reads, or writes: "R4", each register by itself.
static void writeRegisters(JSONWriter &J, StringRef Key,
                           ArrayRef<RegisterUse> Uses, bool IsWritten) {
  auto Is = [&](const RegisterUse &U) { return U.IsWritten == IsWritten; };
  if (llvm::none_of(Uses, Is))
    return;
  J.attributeArray(Key, [&] {
    for (const RegisterUse &U : llvm::make_filter_range(Uses, Is))
      for (unsigned N = 0; N != U.Number; ++N) {
        std::string Name;
        llvm::raw_string_ostream OS(Name);
        printRegister(U.File, U.First + N, OS);
        J.value(Name);
      }
  });
}

/// All 128 bits, the highest first.
static std::string hexadecimal(Encoding E) {
  constexpr unsigned Digits = 16;
  return llvm::utohexstr(E.High, /*LowerCase=*/true, Digits) +
         llvm::utohexstr(E.Low, /*LowerCase=*/true, Digits);
}

static void writeInstruction(JSONWriter &J, uint64_t At, Encoding E,
                             const MachineInstruction &I, Encoding Kept,
                             unsigned Architecture) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(I, E, OS);
  J.attribute("address", At);
  J.text("text", Text);
  J.text("encoding", hexadecimal(E));
  if (!I.Operation)
    J.attribute("known", false);
  if (Kept.Low != 0 || Kept.High != 0)
    J.text("kept", hexadecimal(Kept));
  const ControlCode &C = I.Control;
  J.attribute("stall", C.Stall);
  J.attribute("yields", C.Yields);
  writeNumbers(J, "waits", C.WaitMask);
  if (C.WriteBarrier)
    J.attribute("write_scoreboard", *C.WriteBarrier);
  if (C.ReadBarrier)
    J.attribute("read_scoreboard", *C.ReadBarrier);
  writeNumbers(J, "reuse", C.ReuseMask);
  const auto Facts = factsOf(I, Architecture);
  if (!Facts)
    return;
  J.text("pipe", sass::toString(Facts->RunsOn));
  J.text("class", toString(Facts->Class));
  J.attribute("timing", Facts->Results == Timing::Fixed ? "fixed" : "variable");
  const auto Uses = registersOf(I, Architecture);
  writeRegisters(J, "reads", Uses, /*IsWritten=*/false);
  writeRegisters(J, "writes", Uses, /*IsWritten=*/true);
}

void ptxpredict::printCodeJSON(
    ArrayRef<ListedCode> Files, const ListingRequest &Request,
    llvm::function_ref<std::vector<Diagnostic>(ArrayRef<ListingAnswer>)>
        Messages,
    raw_ostream &OS) {
  std::vector<ListingAnswer> Answers;
  JSONWriter J(OS);
  auto Function = [&](const ShownFunction &Shown, ListingAnswer &Answer) {
    const CubinFunction &F = Shown.Function;
    auto Write = [&](uint64_t At, Encoding E, const MachineInstruction &I,
                     Encoding Kept) {
      J.object([&] {
        writeInstruction(J, At, E, I, Kept, Shown.Architecture);
        if (const auto Line = Shown.lineAt(At)) {
          J.text("file", Line->File);
          J.attribute("line", Line->Line);
          if (Line->InlinedAt)
            J.attributeArray("inlined_at", [&] {
              for (const CodeLine *L = Line->InlinedAt; L; L = L->InlinedAt)
                J.text((L->File + ":" + Twine(L->Line)).str());
            });
        }
      });
    };
    J.object([&] {
      J.text("name", F.Name);
      J.text("demangled", KernelNames(F.Name).Demangled);
      J.attribute("kernel", F.IsKernel);
      if (!Shown.Member.empty())
        J.text("member", Shown.Member);
      J.text("target", Shown.Target);
      if (F.Registers)
        J.attribute("registers", *F.Registers);
      J.attributeArray("instructions", [&] {
        forEachInstruction(Shown.Code, Shown.Architecture, Answer, Write);
      });
    });
  };
  J.object([&] {
    J.header(CodeSchemaName, CodeSchemaVersion);
    J.attributeArray("files", [&] {
      for (const ListedCode &File : Files)
        J.object([&] {
          J.text("path", File.Path);
          J.attributeArray("functions", [&] {
            Answers.push_back(forEachFunction(File.Bytes, Request, Function));
          });
        });
    });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : Messages(Answers))
        J.diagnostic(D);
    });
  });
  OS << '\n';
}
