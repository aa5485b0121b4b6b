//===- Profile.cpp - Profiles as JSON -------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// JSON is read as the YAML that it also is, so that errors have their places
// and a profile may be edited with comments.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/Profile.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/Launch/ArgumentPlace.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAMLFields.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using llvm::yaml::Node;

/// The rules of MemoryProfile::Transactions.
static constexpr StringRef RuleNames[] = {"cc10", "cc12", "cc20"};

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void ptxpredict::writeRun(llvm::json::OStream &J, const KernelProfile &P) {
  J.attribute("blocks", P.Blocks);
  J.attribute("blocks_in_grid", P.BlocksInGrid);
  J.attribute("warps", P.Warps);
  J.attribute("threads", P.Threads);
  if (P.Args.empty() && P.Parts.empty())
    return;
  auto Write = [&J](StringRef Key, const ArgumentValue &A) {
    J.attributeBegin(Key);
    if (A.Kind == ArgumentValue::KindTy::Integer)
      J.value(A.Integer);
    else
      J.rawValue(decimalOrNull(A.Float));
    J.attributeEnd();
  };
  J.attributeObject("args", [&] {
    for (const auto &[Index, A] : P.Args)
      Write(std::to_string(Index), A);
    for (const auto &[Place, A] : P.Parts)
      Write(Place, A);
  });
}

static void writeMemory(llvm::json::OStream &J, const MemoryProfile &M) {
  J.attributeObject("memory", [&] {
    J.attribute("requests", M.Requests);
    if (M.SharedRequests)
      J.attribute("shared_requests", M.SharedRequests);
    if (M.SharedLanes)
      J.attribute("shared_lanes", M.SharedLanes);
    J.attribute("lanes", M.Lanes);
    if (M.Sectors || M.Lines) {
      J.attribute("sectors", M.Sectors);
      J.attribute("lines", M.Lines);
      J.attributeObject("transactions", [&] {
        for (auto [Name, N] : llvm::zip(RuleNames, M.Transactions))
          J.attribute(Name, N);
      });
    }
    if (M.Wavefronts)
      J.attribute("wavefronts", M.Wavefronts);
    if (M.UniqueBytes)
      J.attribute("unique_bytes", M.UniqueBytes);
  });
}

/// An object on one line: there are many.
static void writeLine(llvm::json::OStream &Whole,
                      llvm::function_ref<void(llvm::json::OStream &)> Members) {
  std::string Line;
  llvm::raw_string_ostream OS(Line);
  llvm::json::OStream J(OS, /*IndentSize=*/0);
  J.object([&] { Members(J); });
  Whole.rawValue(Line);
}

static void writeInstruction(llvm::json::OStream &Whole,
                             const InstructionProfile &I) {
  writeLine(Whole, [&](llvm::json::OStream &J) {
    J.attribute("id", I.Id);
    J.attribute("line", I.Line);
    J.attribute("opcode", I.Opcode);
    J.attribute("executions", I.Executions);
    J.attribute("lanes", I.Lanes);
    if (I.Taken) {
      J.attribute("taken", I.Taken);
      J.attribute("jumps", I.Jumps);
    }
    if (I.Divergent)
      J.attribute("divergent", I.Divergent);
    if (I.Polls)
      J.attribute("polls", I.Polls);
    if (I.Memory)
      writeMemory(J, *I.Memory);
    if (!I.Products.empty())
      J.attributeArray("products", [&] {
        for (const ProductProfile &P : I.Products)
          J.object([&] {
            if (P.Descriptor)
              J.attribute("descriptor", P.Descriptor);
            J.attribute("macs", P.MACs);
          });
      });
  });
}

static void writeBlock(llvm::json::OStream &Whole, const BlockProfile &B) {
  writeLine(Whole, [&](llvm::json::OStream &J) {
    J.attribute("id", B.Id);
    J.attribute("runs", B.Runs);
    if (B.Entries)
      J.attribute("entries", *B.Entries);
  });
}

void ptxpredict::writeCounts(llvm::json::OStream &J, const KernelProfile &P) {
  J.attributeBegin("block_bytes");
  J.rawValue(decimalOrNull(P.BlockBytes));
  J.attributeEnd();
  J.attribute("grid_bytes", P.GridBytes);
  J.attribute("grid_read_bytes", P.GridReadBytes);
  J.attribute("grid_written_bytes", P.GridWrittenBytes);
  struct Rows {
    std::vector<const InstructionProfile *> Instructions;
    std::vector<const BlockProfile *> Blocks;
  };
  llvm::MapVector<StringRef, Rows> Functions;
  for (const InstructionProfile &I : P.Instructions)
    Functions[I.Function].Instructions.push_back(&I);
  for (const BlockProfile &B : P.CodeBlocks)
    Functions[B.Function].Blocks.push_back(&B);
  J.attributeArray("functions", [&] {
    for (const auto &[Name, Of] : Functions)
      J.object([&, Name = Name, &Of = Of] {
        J.attribute("name", Name);
        J.attributeArray("instructions", [&] {
          for (const InstructionProfile *I : Of.Instructions)
            writeInstruction(J, *I);
        });
        if (!Of.Blocks.empty())
          J.attributeArray("blocks", [&] {
            for (const BlockProfile *B : Of.Blocks)
              writeBlock(J, *B);
          });
      });
  });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// As much as an input may have; a kernel of 100,000 instructions takes a
/// third.
static constexpr size_t MaxBytes = size_t(1) << 28;

namespace {

class ProfileReader {
public:
  ProfileReader(DiagnosticEngine &Diags, std::vector<KernelProfile> &Result)
      : Nodes(Diags), Result(Result) {}

  void read() {
    Nodes.readDocument([this](Node &Root) { readRoot(Root); }, MaxBytes);
  }

private:
  YAMLFields::ReadFunction number(uint64_t &Out);
  YAMLFields::ReadFunction text(std::string &Out);
  YAMLFields::ReadFunction shape(LaunchShape Which, KernelProfile &P,
                                 Dim3 &Out);
  /// Reads each element of a list.
  YAMLFields::ReadFunction each(llvm::function_ref<void(Node &)> Read);

  void readRoot(Node &N);
  void readInput(Node &N);
  void readKernel(Node &N);
  void readRun(Node &N, KernelProfile &P);
  void readCounts(Node &N, KernelProfile &P);
  void readFunction(Node &N, KernelProfile &P);
  void readInstruction(Node &N, KernelProfile &P);
  void readBlock(Node &N, KernelProfile &P);
  void readMemory(Node &N, MemoryProfile &M);
  void readProduct(Node &N, InstructionProfile &I);

  YAMLNodes Nodes;
  std::vector<KernelProfile> &Result;
  std::vector<std::string> Hashes; ///< of the inputs
  struct InputUse {
    size_t Kernel; ///< index into Result
    uint64_t Input;
    SMLoc Place;
  };
  std::vector<InputUse> Uses;
};

} // namespace

YAMLFields::ReadFunction ProfileReader::number(uint64_t &Out) {
  return [this, &Out](Node &N, StringRef Key) {
    Out = Nodes.unsignedInteger(N, Key).value_or(0);
  };
}

YAMLFields::ReadFunction ProfileReader::text(std::string &Out) {
  return [this, &Out](Node &N, StringRef Key) {
    if (std::optional<YAMLText> T = Nodes.text(N, Key))
      Out = std::move(T->Text);
  };
}

/// A shape that some device takes.
YAMLFields::ReadFunction ProfileReader::shape(LaunchShape Which,
                                              KernelProfile &P, Dim3 &Out) {
  return [this, Which, &P, &Out](Node &N, StringRef Key) {
    const SMLoc Place = Nodes.place(N);
    P.Shapes[size_t(Which)] = Place;
    SmallVector<uint64_t, 3> Extents;
    bool IsWhole = Nodes.forEachElement(N, Key, [&](Node &E) {
      Extents.push_back(Nodes.unsignedInteger(E, "an extent").value_or(1));
    });
    std::optional<Dim3> D = makeDim3(Extents);
    if (D)
      Out = *D;
    else if (IsWhole)
      Nodes.error(Place, Key + " takes 1 to 3 positive numbers");
    if (std::string Why = whyNoShape(Which, Out); !Why.empty())
      Nodes.error(Place, Key + ": " + Why);
  };
}

YAMLFields::ReadFunction
ProfileReader::each(llvm::function_ref<void(Node &)> Read) {
  return [this, Read](Node &N, StringRef Key) {
    Nodes.forEachElement(N, Key, Read);
  };
}

void ProfileReader::readRoot(Node &N) {
  YAMLFields Fields;
  Fields.required("schema", [&](Node &Value, StringRef Key) {
    std::optional<YAMLText> T = Nodes.text(Value, Key);
    if (T && T->Text != ProfileSchemaName)
      Nodes.error(T->Loc, "no profile: the schema is '" + T->Text + "', not '" +
                              ProfileSchemaName + "'");
  });
  Fields.required("version", [&](Node &Value, StringRef Key) {
    std::optional<uint64_t> V = Nodes.unsignedInteger(Value, Key);
    if (V && *V != ProfileSchemaVersion)
      Nodes.error(Nodes.place(Value), "version " + Twine(*V) +
                                          " is not read, only version " +
                                          Twine(ProfileSchemaVersion));
  });
  Fields.skipped("tool");
  auto ReadInput = [&](Node &I) { readInput(I); };
  auto ReadKernel = [&](Node &K) { readKernel(K); };
  Fields.required("inputs", each(ReadInput));
  Fields.required("kernels", each(ReadKernel));
  Fields.read(Nodes, N, "a profile");
  for (const InputUse &U : Uses)
    if (U.Input < Hashes.size())
      Result[U.Kernel].InputHash = Hashes[U.Input];
    else
      Nodes.error(U.Place, "there is no input " + Twine(U.Input));
}

void ProfileReader::readInput(Node &N) {
  YAMLFields Fields;
  for (StringRef Key : {"path", "frontend", "isa_version", "target"})
    Fields.skipped(Key);
  Fields.required("hash", text(Hashes.emplace_back()));
  Fields.read(Nodes, N, "an input");
}

void ProfileReader::readKernel(Node &N) {
  size_t Index = Result.size();
  KernelProfile &P = Result.emplace_back();
  YAMLFields Fields;
  Fields.required("name", text(P.Name));
  Fields.skipped("demangled");
  Fields.required("input", [&](Node &Value, StringRef Key) {
    if (auto I = Nodes.unsignedInteger(Value, Key))
      Uses.push_back({Index, *I, Nodes.place(Value)});
  });
  Fields.skipped("line");
  Fields.required("launch", [&](Node &Value, StringRef Key) {
    YAMLFields Launch;
    Launch.required("grid", shape(LaunchShape::Grid, P, P.Grid));
    Launch.required("block", shape(LaunchShape::Block, P, P.Block));
    Launch.required("cluster", shape(LaunchShape::Cluster, P, P.Cluster));
    Launch.required("dynamic_shared_bytes", number(P.DynamicSharedBytes));
    Launch.read(Nodes, Value, Key);
  });
  Fields.required("run", [&](Node &Value, StringRef) { readRun(Value, P); });
  Fields.skipped("characteristics");
  Fields.required("counts",
                  [&](Node &Value, StringRef) { readCounts(Value, P); });
  Fields.read(Nodes, N, "a kernel");
}

void ProfileReader::readRun(Node &N, KernelProfile &P) {
  YAMLFields Fields;
  Fields.required("blocks", number(P.Blocks));
  Fields.required("blocks_in_grid", number(P.BlocksInGrid));
  Fields.required("warps", number(P.Warps));
  Fields.required("threads", number(P.Threads));
  Fields.skipped("thread_instructions");
  Fields.skipped("interrupted");
  Fields.optional("args", [&](Node &Value, StringRef Args) {
    Nodes.forEachEntry(Value, Args, {}, [&](YAMLText &Key, Node &V) {
      unsigned Index;
      ArgumentPlace Place;
      std::optional<YAMLText> T = Nodes.text(V, "an argument");
      std::optional<ArgumentValue> A =
          T ? parseArgumentValue(T->Text) : std::nullopt;
      if (T && !A)
        Nodes.error(T->Loc, "an argument must be a number");
      if (!A)
        return;
      if (!parseArgumentPlace(Key.Text, *A, Place).empty() ||
          Place.Parameter.getAsInteger(10, Index))
        Nodes.error(Key.Loc, "an argument is named by its index, a part of one "
                             "as 0+8:u32");
      else if (Place.Offset)
        P.Parts[Key.Text] = *A;
      else
        P.Args[Index] = *A;
    });
  });
  Fields.read(Nodes, N, "run");
  if (P.Warps == 0 && Fields.has("warps"))
    Nodes.error(Nodes.place(N), "a run of no warps has no counts");
}

void ProfileReader::readFunction(Node &N, KernelProfile &P) {
  // The name may stand behind the instructions.
  std::string Name;
  const size_t First = P.Instructions.size(), FirstBlock = P.CodeBlocks.size();
  auto ReadInstruction = [&](Node &I) { readInstruction(I, P); };
  auto ReadBlock = [&](Node &B) { readBlock(B, P); };
  YAMLFields Fields;
  Fields.required("name", text(Name));
  Fields.required("instructions", each(ReadInstruction));
  Fields.optional("blocks", each(ReadBlock));
  Fields.read(Nodes, N, "a function");
  for (size_t I = First; I != P.Instructions.size(); ++I)
    P.Instructions[I].Function = Name;
  for (size_t B = FirstBlock; B != P.CodeBlocks.size(); ++B)
    P.CodeBlocks[B].Function = Name;
}

void ProfileReader::readCounts(Node &N, KernelProfile &P) {
  auto ReadFunction = [&](Node &F) { readFunction(F, P); };
  YAMLFields Fields;
  Fields.required("block_bytes", [&](Node &Value, StringRef Key) {
    P.BlockBytes = Nodes.number(Value, Key).value_or(0);
  });
  Fields.required("grid_bytes", number(P.GridBytes));
  Fields.required("grid_read_bytes", number(P.GridReadBytes));
  Fields.required("grid_written_bytes", number(P.GridWrittenBytes));
  Fields.required("functions", each(ReadFunction));
  Fields.read(Nodes, N, "counts");
}

/// Whether there are more lanes than that many warps have.
static bool exceedsWarps(uint64_t Lanes, uint64_t Warps) {
  return Lanes / WarpSize > Warps ||
         (Lanes / WarpSize == Warps && Lanes % WarpSize != 0);
}

void ProfileReader::readInstruction(Node &N, KernelProfile &P) {
  InstructionProfile I;
  uint64_t Id = 0, Line = 0;
  YAMLFields Fields;
  Fields.required("id", number(Id));
  Fields.required("line", number(Line));
  Fields.required("opcode", text(I.Opcode));
  Fields.required("executions", number(I.Executions));
  Fields.required("lanes", number(I.Lanes));
  Fields.optional("taken", number(I.Taken));
  Fields.optional("jumps", number(I.Jumps));
  Fields.optional("divergent", number(I.Divergent));
  Fields.optional("polls", number(I.Polls));
  Fields.optional("memory", [&](Node &Value, StringRef) {
    readMemory(Value, I.Memory.emplace());
  });
  auto ReadProduct = [&](Node &Value) { readProduct(Value, I); };
  Fields.optional("products", each(ReadProduct));
  Fields.read(Nodes, N, "an instruction");
  if (Id > MaxProfileInstructions)
    return Nodes.error(Nodes.place(N), "no kernel has so many instructions");
  if (I.Jumps > I.Executions || I.Divergent > I.Executions)
    return Nodes.error(Nodes.place(N),
                       "more jumps than executions of a branch");
  if (Fields.has("executions") && exceedsWarps(I.Lanes, I.Executions))
    return Nodes.error(Nodes.place(N),
                       "more lanes than the warps of its executions have");
  I.Id = unsigned(Id);
  I.Line = unsigned(Line);
  P.Instructions.push_back(std::move(I));
}

void ProfileReader::readBlock(Node &N, KernelProfile &P) {
  BlockProfile B;
  uint64_t Id = 0;
  YAMLFields Fields;
  Fields.required("id", number(Id));
  Fields.required("runs", number(B.Runs));
  Fields.optional("entries", [&](Node &Value, StringRef Key) {
    B.Entries = Nodes.unsignedInteger(Value, Key);
  });
  Fields.read(Nodes, N, "a block");
  if (Id > MaxProfileInstructions)
    return Nodes.error(Nodes.place(N), "no kernel has so many blocks");
  if (B.Entries > B.Runs)
    return Nodes.error(Nodes.place(N), "more entries than runs of a block");
  B.Id = unsigned(Id);
  P.CodeBlocks.push_back(std::move(B));
}

void ProfileReader::readMemory(Node &N, MemoryProfile &M) {
  YAMLFields Fields;
  Fields.required("requests", number(M.Requests));
  Fields.optional("shared_requests", number(M.SharedRequests));
  Fields.optional("shared_lanes", number(M.SharedLanes));
  Fields.required("lanes", number(M.Lanes));
  Fields.optional("sectors", number(M.Sectors));
  Fields.optional("lines", number(M.Lines));
  Fields.optional("transactions", [&](Node &Value, StringRef Key) {
    YAMLFields Rules;
    for (auto [Name, Out] : llvm::zip(RuleNames, M.Transactions))
      Rules.required(Name, number(Out));
    Rules.read(Nodes, Value, Key);
  });
  Fields.optional("wavefronts", number(M.Wavefronts));
  Fields.optional("unique_bytes", number(M.UniqueBytes));
  Fields.read(Nodes, N, "memory");
  if (M.SharedRequests > M.Requests)
    Nodes.error(Nodes.place(N), "more shared_requests than requests");
  if (M.SharedLanes > M.Lanes)
    Nodes.error(Nodes.place(N), "more shared_lanes than lanes");
  if (Fields.has("requests") && exceedsWarps(M.Lanes, M.Requests))
    Nodes.error(Nodes.place(N),
                "more lanes than the warps of its requests have");
}

void ProfileReader::readProduct(Node &N, InstructionProfile &I) {
  ProductProfile P;
  uint64_t Descriptor = 0;
  YAMLFields Fields;
  Fields.optional("descriptor", number(Descriptor));
  Fields.required("macs", number(P.MACs));
  Fields.read(Nodes, N, "a product");
  if (Descriptor > UINT32_MAX)
    return Nodes.error(Nodes.place(N), "an instruction descriptor has 32 bits");
  P.Descriptor = uint32_t(Descriptor);
  I.Products.push_back(P);
}

bool ptxpredict::readProfile(DiagnosticEngine &Diags,
                             std::vector<KernelProfile> &Result) {
  ProfileReader(Diags, Result).read();
  if (!Diags.hasErrors() && Result.empty())
    Diags.error(SMLoc(), "the profile has no kernel");
  return Diags.hasErrors();
}
