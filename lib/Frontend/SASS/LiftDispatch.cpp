//===- LiftDispatch.cpp - Which file lifts which operation ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "OperationTable.h"
#include "llvm/ADT/StringMap.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {

/// What lifts an operation: a file each.
enum class Lifter : uint8_t {
  Unknown,
  Integer,
  Bits,
  Move,
  Float,
  Half,
  Convert,
  Memory,
  Control,
  Matrix,
  Async,
  Cluster,
  Bulk,
  Warpgroup,
  TensorMemory
};

struct Names {
  Lifter Of;
  StringRef Text;
};

/// How a row of the table is lifted.
struct Lifted {
  StringRef Name; ///< without the U of what is computed once for the warp
  Lifter Of = Lifter::Unknown;
};

} // namespace

static constexpr Names AllNames[] = {
    {Lifter::Integer, "IADD3 IADD VIADD IMAD LEA ISETP IMNMX VIMNMX VIMNMX3 "
                      "VIADDMNMX IABS VABSDIFF VABSDIFF4 IDP"},
    {Lifter::Bits, "SHF LOP3 PRMT SGXT BMSK BREV POPC FLO"},
    {Lifter::Move, "MOV SEL S2R S2UR CS2R CS2UR R2UR PLOP3 VOTE VOTEU SHFL P2R "
                   "UP2UR R2P UR2UP CREDUX REDUX MATCH ELECT"},
    {Lifter::Float,
     "FADD FMUL FFMA FSEL FMNMX FMNMX3 FSETP FSET MUFU FCHK FADD2 "
     "FMUL2 FFMA2 DADD DMUL DFMA DSETP"},
    {Lifter::Half, "HADD2 HMUL2 HFMA2 HMNMX2 HSET2 HSETP2"},
    {Lifter::Convert, "F2I I2F I2FP F2F FRND F2FP I2I I2IP"},
    {Lifter::Memory, "LDG LD STG ST LDS STS LDL STL LDC ULDC LDCU ATOMS ATOMG "
                     "ATOM RED REDG LDGSTS LDGDEPBAR DEPBAR LDSM STSM MEMBAR "
                     "QSPC FENCE CCTL ERRBAR CGAERRBAR"},
    {Lifter::Control,
     "NOP BSSY BSYNC BREAK YIELD WARPSYNC BMOV ENDCOLLECTIVE PMTRIG RPCMOV "
     "LEPC BRA CALL RET BRX BRXU EXIT BPT BAR B2R NANOSLEEP CGABAR_ARV "
     "CGABAR_WAIT UCGABAR_ARV UCGABAR_WAIT"},
    {Lifter::Matrix, "HMMA IMMA DMMA BMMA QMMA OMMA MOVM"},
    {Lifter::Async, "ARRIVES SYNCS"},
    {Lifter::Cluster, "UGETNEXTWORKID STAS REDAS ACQBULK PREEXIT USETMAXREG"},
    {Lifter::Bulk, "UTMALDG UTMASTG UTMAREDG UTMAPF UBLKCP UBLKRED UBLKPF "
                   "UTMACCTL UMEMSETS UTMACMDFLUSH"},
    {Lifter::Warpgroup, "HGMMA IGMMA QGMMA BGMMA WARPGROUP"},
    {Lifter::TensorMemory,
     "UTCHMMA UTCIMMA UTCQMMA UTCOMMA LDTM STTM UTCATOMSWS "
     "UVIRTCOUNT UTCBAR UTCSHIFT UTCCP"}};

/// The same for the warp is computed in the same way as for a thread.
static StringRef nameForThread(StringRef Name) {
  const bool IsUniform = Name.size() > 2 && Name[0] == 'U' &&
                         !Name.starts_with("UT") && !Name.starts_with("UC") &&
                         !Name.starts_with("UB") && !Name.starts_with("UV");
  const bool IsOther = Name == "UR2UP" || Name == "UP2UR" ||
                       Name == "USETMAXREG" || Name == "UGETNEXTWORKID" ||
                       Name == "UMEMSETS" || Name == "UREDGR" || Name == "ULDC";
  const bool IsUniformAfterAll =
      Name == "UBMSK" || Name == "UBREV" || Name == "UVIMNMX";
  return (IsUniform && !IsOther) || IsUniformAfterAll ? Name.drop_front()
                                                      : Name;
}

/// By the place of the row in the table.
static std::vector<Lifted> findAll() {
  llvm::StringMap<Lifter> Lifters;
  for (const Names &N : AllNames) {
    SmallVector<StringRef, 32> Each;
    N.Text.split(Each, ' ');
    for (StringRef Name : Each)
      Lifters[Name] = N.Of;
  }
  std::vector<Lifted> All;
  for (const OperationRow &Row : operationRows()) {
    const StringRef Name = nameForThread(Row.Mnemonic);
    All.push_back({Name, Lifters.lookup(Name)});
  }
  return All;
}

void FunctionLift::dispatch() {
  static const std::vector<Lifted> All = findAll();
  const Lifted &L = All[Machine->Operation - operationRows().data()];
  auto IsLifted = [&] {
    switch (L.Of) {
    case Lifter::Unknown:
      return false;
    case Lifter::Integer:
      return liftInteger(L.Name);
    case Lifter::Bits:
      return liftBits(L.Name);
    case Lifter::Move:
      return liftMove(L.Name);
    case Lifter::Float:
      return liftFloat(L.Name);
    case Lifter::Half:
      return liftHalf(L.Name);
    case Lifter::Convert:
      return liftConvert(L.Name);
    case Lifter::Memory: // arrivals at a barrier are atomic operations, too
      return liftMemory(L.Name) || liftAsync(L.Name);
    case Lifter::Control:
      return liftControl(L.Name);
    case Lifter::Matrix:
      return liftMatrix(L.Name);
    case Lifter::Async:
      return liftAsync(L.Name);
    case Lifter::Cluster:
      return liftCluster(L.Name);
    case Lifter::Bulk:
      return liftBulk(L.Name);
    case Lifter::Warpgroup:
      return liftWarpgroup(L.Name);
    case Lifter::TensorMemory:
      return liftTensorMemory(L.Name);
    }
    llvm_unreachable("all are handled");
  };
  if (!IsLifted())
    emitUnknown();
}
