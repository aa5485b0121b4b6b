//===- Cubin.cpp - Machine code for one architecture ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The layout was read off cubins of CUDA 11.8 to 13.2
// (docs/formats/MachineCode.md).
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/Cubin.h"
#include "CubinHead.h"
#include "FatBinary.h"
#include "InfoRecords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include <unordered_map>

using namespace ptxpredict;
using namespace ptxpredict::sass;
using llvm::object::ELF64LE;
using llvm::object::ELF64LEFile;
namespace elf = llvm::ELF;

std::optional<CubinHead> sass::readCubinHead(StringRef Bytes) {
  constexpr uint64_t MachineAt = 0x12, FlagsAt = 0x30;
  const ByteReader In(Bytes);
  if (!Bytes.starts_with("\x7f"
                         "ELF\x02\x01") ||
      In.at<uint16_t>(MachineAt) != uint16_t(elf::EM_CUDA))
    return std::nullopt;
  const auto Flags = In.at<uint32_t>(FlagsAt);
  if (!Flags)
    return std::nullopt;
  CubinHead Head;
  Head.ABIVersion = uint8_t(Bytes[elf::EI_ABIVERSION]);
  constexpr unsigned FirstWithLaterFlags = 8;
  Head.Architecture =
      Head.ABIVersion >= FirstWithLaterFlags
          ? (*Flags & elf::EF_CUDA_SM_MASK) >> elf::EF_CUDA_SM_OFFSET
          : *Flags & elf::EF_CUDA_SM;
  return Head;
}

namespace {

/// Bits of a symbol's st_other, and of a section's sh_flags.
constexpr uint8_t IsEntry = 0x10;
constexpr unsigned BarriersShift = 20, BarriersMask = 0x7f;
/// From sm_90 on a block's shared memory begins with bytes of the system's,
/// which .nv.shared has, too, if the kernel has variables there.
constexpr uint64_t ReservedSharedBytes = 1024;
constexpr unsigned FirstWithReserved = 90;
/// Of a parameter's record, above what else it says.
constexpr unsigned ParameterBytesShift = 18;
/// Where nobody capped the registers.
constexpr unsigned NoCap = 255;
/// The first release known to note every spill, 12.8; 12.4 does not.
constexpr uint32_t FirstNotingSpills = 128;

class CubinReader {
public:
  CubinReader(StringRef Bytes, ELF64LEFile File, CubinHead Head)
      : Bytes(Bytes), File(std::move(File)) {
    Result.Architecture = Head.Architecture;
    Result.ABIVersion = Head.ABIVersion;
    Result.Target = "sm_" + std::to_string(Head.Architecture);
    Result.IsLinked = this->File.getHeader().e_type == elf::ET_EXEC;
  }

  llvm::Expected<Cubin> read();

private:
  using Section = ELF64LE::Shdr;

  StringRef Bytes;
  ELF64LEFile File;
  Cubin Result;
  /// By the number of a symbol (no DenseMap: a record may name any number, and
  /// two are special there), and by name.
  std::unordered_map<unsigned, size_t> BySymbol;
  llvm::StringMap<size_t> ByName;

  void problem(StringRef Name, uint64_t Offset, const Twine &What) {
    Result.Problems.push_back(located({"", Name.str(), 0}, Offset, What));
  }
  void problem(llvm::Error Why) {
    Result.Problems.push_back(llvm::toString(std::move(Why)));
  }
  /// Empty if it cannot be read (noted).
  StringRef nameOf(const Section &S);
  StringRef contentOf(const Section &S);

  void addFunction(const Section &S, StringRef Name);
  void readSymbols(const Section &S);
  void readBanks(const Section &S, StringRef Name);
  void readTarget(StringRef Note);
  void readInfo(const Section &S, StringRef Name);
  void take(const InfoRecord &R, CubinFunction &F);
  CubinFunction *functionOf(StringRef Name) {
    auto It = ByName.find(Name);
    return It == ByName.end() ? nullptr : &Result.Functions[It->second];
  }
};

} // namespace

StringRef CubinReader::nameOf(const Section &S) {
  llvm::Expected<StringRef> Name = File.getSectionName(S);
  if (Name)
    return *Name;
  problem(Name.takeError());
  return {};
}

StringRef CubinReader::contentOf(const Section &S) {
  llvm::Expected<llvm::ArrayRef<uint8_t>> Content = File.getSectionContents(S);
  if (Content)
    return llvm::toStringRef(*Content);
  problem(Content.takeError());
  return {};
}

void CubinReader::addFunction(const Section &S, StringRef Name) {
  CubinFunction F;
  F.Name = Name.str();
  F.Offset = S.sh_offset;
  F.CodeBytes = contentOf(S).size();
  // Later ones have a record of it.
  F.Barriers = unsigned(S.sh_flags >> BarriersShift) & BarriersMask;
  ByName.try_emplace(Name, Result.Functions.size());
  Result.Functions.push_back(std::move(F));
}

void CubinReader::readSymbols(const Section &S) {
  auto Symbols = File.symbols(&S);
  auto Names = File.getStringTableForSymtab(S);
  if (!Symbols)
    return problem(Symbols.takeError());
  if (!Names)
    return problem(Names.takeError());
  unsigned Number = 0;
  for (const ELF64LE::Sym &Symbol : *Symbols) {
    const unsigned I = Number++;
    if (Symbol.getType() != elf::STT_FUNC)
      continue;
    llvm::Expected<StringRef> Name = Symbol.getName(*Names);
    if (!Name) {
      problem(Name.takeError());
      continue;
    }
    if (CubinFunction *F = functionOf(*Name)) {
      F->IsKernel = (Symbol.st_other & IsEntry) != 0;
      BySymbol[I] = size_t(F - Result.Functions.data());
    }
  }
}

void CubinReader::readBanks(const Section &S, StringRef Name) {
  StringRef Of = Name;
  if (Of.consume_front(".nv.shared.")) {
    if (CubinFunction *F = functionOf(Of)) {
      F->SharedBytes = S.sh_size;
      if (Result.Architecture >= FirstWithReserved)
        F->SharedBytes -= std::min(F->SharedBytes, ReservedSharedBytes);
    }
  } else if (Of.consume_front(".nv.constant0.")) {
    if (CubinFunction *F = functionOf(Of))
      F->ConstantBytes = S.sh_size;
  }
}

/// What ptxas was called with: "... -arch sm_90a ...".
void CubinReader::readTarget(StringRef Note) {
  const StringRef Rest =
      Note.substr(Note.find("-arch sm_"))
          .drop_front(Note.contains("-arch sm_") ? StringRef("-arch ").size()
                                                 : 0);
  const StringRef Target =
      Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  StringRef Suffix = Target;
  if (Suffix.consume_front(Result.Target) && (Suffix == "a" || Suffix == "f"))
    Result.Target = Target.str();
}

static std::optional<KernelBounds::Extent> extentOf(const InfoRecord &R) {
  const auto X = R.at<uint32_t>(0), Y = R.at<uint32_t>(4),
             Z = R.at<uint32_t>(8);
  if (!X || !Y || !Z)
    return std::nullopt;
  return KernelBounds::Extent{*X, *Y, *Z};
}

/// For each: its address, a zero, how many targets there are, and these.
static void takeJumps(const InfoRecord &R, CubinFunction &F) {
  constexpr uint64_t WordBytes = 4, Head = 3;
  for (uint64_t At = 0;;) {
    const auto Address = R.at<uint32_t>(At),
               Number = R.at<uint32_t>(At + 2 * WordBytes);
    if (!Address || !Number ||
        *Number > R.Data.size() / WordBytes) // more than there are
      return;
    CubinJump J;
    J.Address = *Address;
    At += Head * WordBytes;
    for (uint32_t N = 0; N != *Number; ++N, At += WordBytes)
      if (const auto Target = R.at<uint32_t>(At))
        J.Targets.push_back(*Target);
    F.Jumps.push_back(std::move(J));
  }
}

/// Which instructions the compiler noted as spills. Not all are known where it
/// noted others: how long those notes are nobody knows.
static void takeSpills(const InfoRecord &R, CubinFunction &F) {
  constexpr uint64_t WordBytes = 4;
  constexpr uint32_t IsSpill = 1;
  if (!F.Spills)
    F.Spills.emplace();
  for (uint64_t At = 0;; At += 2 * WordBytes) {
    const auto Kind = R.at<uint32_t>(At),
               Address = R.at<uint32_t>(At + WordBytes);
    if (!Kind || !Address)
      return;
    if (*Kind != IsSpill)
      return F.Spills.reset();
    F.Spills->push_back(*Address);
  }
}

void CubinReader::take(const InfoRecord &R, CubinFunction &F) {
  switch (R.Attribute) {
  case InfoAttribute::MaxThreads:
    F.Bounds.MaxThreads = extentOf(R);
    break;
  case InfoAttribute::RequiredThreads:
    F.Bounds.RequiredThreads = extentOf(R);
    break;
  case InfoAttribute::RequiredCluster:
    F.Bounds.RequiredCluster = extentOf(R);
    break;
  case InfoAttribute::ParameterPlace:
    F.ParameterBase = R.at<uint16_t>(4).value_or(0);
    F.ParameterBytes = R.at<uint16_t>(6).value_or(F.ParameterBytes);
    break;
  case InfoAttribute::ParameterBytes:
    F.ParameterBytes = R.at<uint16_t>(0).value_or(0);
    break;
  case InfoAttribute::Parameter:
    if (const auto Sizes = R.at<uint32_t>(8))
      F.Parameters.push_back({R.at<uint16_t>(4).value_or(0),
                              R.at<uint16_t>(6).value_or(0),
                              unsigned(*Sizes >> ParameterBytesShift)});
    break;
  case InfoAttribute::RegisterCap:
    if (const unsigned Cap = R.at<uint16_t>(0).value_or(NoCap); Cap != NoCap)
      F.RegisterCap = Cap;
    break;
  case InfoAttribute::Barriers:
    F.Barriers = R.at<uint8_t>(0).value_or(0);
    break;
  case InfoAttribute::JumpTables:
    takeJumps(R, F);
    break;
  case InfoAttribute::CompilerRelease:
    if (R.at<uint32_t>(0).value_or(0) >= FirstNotingSpills && !F.Spills)
      F.Spills.emplace();
    break;
  case InfoAttribute::Annotations:
    takeSpills(R, F);
    break;
  case InfoAttribute::FrameBytes:
  case InfoAttribute::StackBytes:
  case InfoAttribute::Registers:
    break; // of the file's own section
  }
}

void CubinReader::readInfo(const Section &S, StringRef Name) {
  StringRef Of = Name;
  CubinFunction *F = nullptr;
  if (Of.consume_front(".nv.info.")) {
    F = functionOf(Of);
    if (!F)
      return; // of code that the file does not have
  }
  auto Take = [&](const InfoRecord &R) {
    if (F)
      return take(R, *F);
    const auto Symbol = R.at<uint32_t>(0);
    const auto Value = R.at<uint32_t>(4);
    if (!Symbol || !Value)
      return;
    auto It = BySymbol.find(*Symbol);
    if (It == BySymbol.end())
      return;
    CubinFunction &Named = Result.Functions[It->second];
    if (R.Attribute == InfoAttribute::Registers)
      Named.Registers = Value;
    else if (R.Attribute == InfoAttribute::FrameBytes)
      Named.FrameBytes = *Value;
    // Nobody knows how deep what it calls calls itself: all bits are set.
    else if (R.Attribute == InfoAttribute::StackBytes && *Value != UINT32_MAX)
      Named.StackBytes = *Value;
  };
  if (const auto At = forEachInfoRecord(contentOf(S), Take))
    problem(Name, *At, "a damaged record");
  if (F && F->Spills)
    llvm::sort(*F->Spills);
  if (F)
    llvm::sort(F->Parameters,
               [](const CubinParameter &A, const CubinParameter &B) {
                 return A.Position < B.Position;
               });
}

llvm::Expected<Cubin> CubinReader::read() {
  auto Sections = File.sections();
  if (!Sections)
    return Sections.takeError();
  SmallVector<std::pair<const Section *, StringRef>, 0> Named;
  for (const Section &S : *Sections)
    if (const StringRef Name = nameOf(S); !Name.empty())
      Named.emplace_back(&S, Name);
  for (auto [S, Name] : Named)
    if (StringRef Of = Name; Of.consume_front(".text.") && !Of.empty())
      addFunction(*S, Of);
  for (auto [S, Name] : Named)
    if (S->sh_type == elf::SHT_SYMTAB)
      readSymbols(*S);
  for (auto [S, Name] : Named) {
    readBanks(*S, Name);
    if (Name == ".nv.info" || Name.starts_with(".nv.info."))
      readInfo(*S, Name);
    else if (Name == ".note.nv.tkinfo")
      readTarget(contentOf(*S));
    Result.HasLines |= Name == ".debug_line";
  }
  return std::move(Result);
}

unsigned Cubin::numKernels() const {
  return unsigned(llvm::count_if(
      Functions, [](const CubinFunction &F) { return F.IsKernel; }));
}

bool sass::isCubin(StringRef Bytes) { return readCubinHead(Bytes).has_value(); }

llvm::Expected<Cubin> sass::readCubin(StringRef Bytes) {
  const std::optional<CubinHead> Head = readCubinHead(Bytes);
  if (!Head)
    return llvm::createStringError("no ELF file for a GPU");
  llvm::Expected<ELF64LEFile> File = ELF64LEFile::create(Bytes);
  if (!File)
    return File.takeError();
  return CubinReader(Bytes, std::move(*File), *Head).read();
}
