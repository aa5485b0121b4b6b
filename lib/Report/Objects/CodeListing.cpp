//===- CodeListing.cpp - Machine code as text -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Objects/CodeListing.h"
#include "ptxpredict/Frontend/SASS/Decoder.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

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

static void printFunction(const CubinFunction &F, StringRef Code,
                          unsigned Architecture, ListingAnswer &Answer,
                          raw_ostream &OS) {
  OS << (F.IsKernel ? "kernel " : "function ")
     << printable(KernelNames(F.Name).Demangled) << ", " << F.CodeBytes
     << " bytes";
  if (F.Registers)
    OS << ", " << *F.Registers << " registers";
  OS << '\n';
  for (uint64_t At = 0; At + InstructionBytes <= Code.size();
       At += InstructionBytes) {
    const char *Bytes = Code.data() + At;
    const Encoding E = {llvm::support::endian::read64le(Bytes),
                        llvm::support::endian::read64le(Bytes + 8)};
    const MachineInstruction I = decode(E, Architecture, At);
    OS << "  " << llvm::format_hex_no_prefix(At, 4) << "  ";
    printControl(I.Control, OS);
    OS << "  ";
    print(I, E, OS);
    OS << '\n';
    ++Answer.Instructions;
    Answer.Unknown += I.Operation == nullptr;
  }
}

ListingAnswer ptxpredict::printCodeListing(StringRef File,
                                           const ListingRequest &Request,
                                           raw_ostream &OS) {
  ListingAnswer Answer;
  CodeEntries Found = findCode(File);
  Answer.Problems = std::move(Found.Problems);
  unsigned Architecture = Request.Architecture;
  if (Architecture == 0)
    for (const CodeEntry &E : Found.Entries)
      if (E.Kind == CodeKind::Machine)
        Architecture = std::max(Architecture, E.Architecture);
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
    for (const CubinFunction &F : Code->Functions)
      if (Request.Shows(F.Name))
        printFunction(F, Text.substr(F.Offset, F.CodeBytes), Architecture,
                      Answer, OS);
  }
  return Answer;
}
