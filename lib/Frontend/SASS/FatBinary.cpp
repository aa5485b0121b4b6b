//===- FatBinary.cpp - The entries of fat binaries ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The layout was read off files of CUDA 11.8 to 13.2
// (docs/formats/MachineCode.md).
//===----------------------------------------------------------------------===//
#include "FatBinary.h"
#include "ByteReader.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

static constexpr uint32_t FatBinaryMagic = 0xBA55ED50;
/// Bytes of the container's header that are read, and of an entry's.
static constexpr uint64_t ContainerHead = 16, EntryHead = 64;

/// Of an entry's flags.
static constexpr uint64_t IsLZ4 = 0x2000, IsZstd = 0x8000;

std::string sass::located(const Source &From, uint64_t Offset,
                          const Twine &What) {
  std::string Text;
  if (!From.Member.empty())
    Text += "member '" + From.Member + "', ";
  if (!From.Section.empty())
    Text += "section '" + From.Section + "', ";
  return (Text + Twine("offset 0x") + llvm::utohexstr(Offset, true) + ": " +
          What)
      .str();
}

bool sass::isFatBinary(StringRef Bytes, uint64_t Offset) {
  return ByteReader(Bytes).at<uint32_t>(Offset) == FatBinaryMagic;
}

namespace {

/// Reads one container.
class FatBinaryReader {
public:
  FatBinaryReader(StringRef Bytes, const Source &From, CodeEntries &Result)
      : In(Bytes), Bytes(Bytes), From(From), Result(Result) {}

  uint64_t read(uint64_t Offset);

private:
  ByteReader In;
  StringRef Bytes;
  const Source &From;
  CodeEntries &Result;

  void problem(uint64_t Offset, const Twine &What) {
    Result.Problems.push_back(located(From, Offset, What));
  }
  uint64_t Container = 0; ///< in the file
  /// Where the next one begins; 0 if nothing that follows can be read.
  uint64_t readEntry(uint64_t Offset, uint64_t End);
};

} // namespace

static CodeKind kindOf(uint16_t Kind) {
  constexpr uint16_t PTX = 1, Machine = 2;
  return Kind == PTX       ? CodeKind::PTX
         : Kind == Machine ? CodeKind::Machine
                           : CodeKind::Other;
}

uint64_t FatBinaryReader::readEntry(uint64_t Offset, uint64_t End) {
  if (End - Offset < EntryHead) {
    problem(Offset, "the fat binary ends within the head of an entry");
    return 0;
  }
  const uint64_t Head = In.at<uint32_t>(Offset + 4).value_or(0);
  const uint64_t Padded = In.at<uint64_t>(Offset + 8).value_or(0);
  if (Head < EntryHead || Head > End - Offset || Padded > End - Offset - Head) {
    problem(Offset, "an entry of " + Twine(Head) + " and " + Twine(Padded) +
                        " bytes is longer than the fat binary");
    return 0;
  }
  CodeEntry E;
  E.Member = From.Member;
  E.Kind = kindOf(In.at<uint16_t>(Offset).value_or(0));
  E.Architecture = In.at<uint32_t>(Offset + 28).value_or(0);
  const uint64_t Flags = In.at<uint64_t>(Offset + 40).value_or(0);
  const uint64_t Begin = Offset + Head, Next = Begin + Padded;
  if (const uint64_t At = In.at<uint32_t>(Offset + 20).value_or(0);
      At != 0 && At < Head)
    E.Options = Bytes.slice(Offset + At, Begin).split('\0').first;
  E.Packed = Flags & IsLZ4    ? Compression::LZ4
             : Flags & IsZstd ? Compression::Zstd
                              : Compression::None;
  uint64_t Stored = Padded;
  if (E.Packed == Compression::None) {
    E.Bytes = Stored;
  } else {
    Stored = In.at<uint32_t>(Offset + 16).value_or(0);
    E.Bytes = In.at<uint64_t>(Offset + 56).value_or(0);
    if (Stored > Padded) {
      problem(Offset, "an entry of " + Twine(Padded) + " bytes has " +
                          Twine(Stored) + " compressed ones");
      return Next;
    }
  }
  E.Container = Container;
  E.Offset = From.Offset + Begin;
  E.Stored = Bytes.substr(Begin, Stored);
  // Text ends at a zero byte in front of the padding.
  if (E.Kind == CodeKind::PTX && E.Packed == Compression::None) {
    E.Stored = E.Stored.split('\0').first;
    E.Bytes = E.Stored.size();
  }
  Result.Entries.push_back(std::move(E));
  return Next;
}

uint64_t FatBinaryReader::read(uint64_t Offset) {
  Container = From.Offset + Offset;
  const uint64_t Head = In.at<uint16_t>(Offset + 6).value_or(0);
  const std::optional<uint64_t> Length = In.at<uint64_t>(Offset + 8);
  if (!Length || Head < ContainerHead || Head > Bytes.size() - Offset) {
    problem(Offset, "the head of a fat binary is cut off");
    return Bytes.size();
  }
  const uint64_t Begin = Offset + Head;
  uint64_t End = Bytes.size();
  if (*Length > End - Begin)
    problem(Offset, "a fat binary of " + Twine(*Length) + " bytes, of which " +
                        Twine(End - Begin) + " are there");
  else
    End = Begin + *Length;
  for (uint64_t At = Begin; At < End;) {
    At = readEntry(At, End);
    if (At == 0)
      break;
  }
  return End;
}

uint64_t sass::readFatBinary(StringRef Bytes, uint64_t Offset,
                             const Source &From, CodeEntries &Result) {
  return FatBinaryReader(Bytes, From, Result).read(Offset);
}
