//===- Profile.cpp - Profiles as JSON -------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// JSON is read as the YAML that it also is, so that errors have their places
// and a profile may be edited with comments.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/Profile.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAMLNodes.h"
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
  if (!P.Args.empty())
    J.attributeObject("args", [&] {
      for (const auto &[Index, A] : P.Args) {
        J.attributeBegin(std::to_string(Index));
        if (A.Kind == ArgumentValue::KindTy::Integer)
          J.value(A.Integer);
        else
          J.rawValue(decimalOrNull(A.Float));
        J.attributeEnd();
      }
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

/// On one line: there are many.
static void writeInstruction(llvm::json::OStream &Whole,
                             const InstructionProfile &I) {
  std::string Line;
  llvm::raw_string_ostream OS(Line);
  llvm::json::OStream J(OS, /*IndentSize=*/0);
  J.object([&] {
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
    if (I.Memory)
      writeMemory(J, *I.Memory);
  });
  Whole.rawValue(Line);
}

void ptxpredict::writeCounts(llvm::json::OStream &J, const KernelProfile &P) {
  J.attributeBegin("block_bytes");
  J.rawValue(decimalOrNull(P.BlockBytes));
  J.attributeEnd();
  J.attribute("grid_bytes", P.GridBytes);
  J.attribute("grid_read_bytes", P.GridReadBytes);
  J.attribute("grid_written_bytes", P.GridWrittenBytes);
  J.attributeArray("functions", [&] {
    ArrayRef<InstructionProfile> Rest = P.Instructions;
    while (!Rest.empty()) {
      StringRef Name = Rest.front().Function;
      ArrayRef<InstructionProfile> Of = Rest.take_while(
          [&](const InstructionProfile &I) { return I.Function == Name; });
      Rest = Rest.drop_front(Of.size());
      J.object([&] {
        J.attribute("name", Name);
        J.attributeArray("instructions", [&] {
          for (const InstructionProfile &I : Of)
            writeInstruction(J, I);
        });
      });
    }
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
  /// A key of a mapping and what reads its value.
  struct Field {
    StringRef Key;
    std::function<void(Node &)> Read; ///< null: the value is not looked at
    bool Required = true;
    bool Seen = false;
  };

  void readFields(Node &N, StringRef What, MutableArrayRef<Field> Fields);
  Field number(StringRef Key, uint64_t &Out, bool Required = true);
  Field text(StringRef Key, std::string &Out);
  Field extent(StringRef Key, Dim3 &Out);
  static Field skipped(StringRef Key) { return {Key, nullptr, false, false}; }

  void readRoot(Node &N);
  void readInput(Node &N);
  void readKernel(Node &N);
  void readRun(Node &N, KernelProfile &P);
  void readCounts(Node &N, KernelProfile &P);
  void readInstruction(Node &N, StringRef Function, KernelProfile &P);
  void readMemory(Node &N, MemoryProfile &M);

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

void ProfileReader::readFields(Node &N, StringRef What,
                               MutableArrayRef<Field> Fields) {
  SmallVector<StringRef, 16> Keys;
  for (const Field &F : Fields)
    Keys.push_back(F.Key);
  bool Whole =
      Nodes.forEachEntry(N, What, Keys, [&](YAMLText &Key, Node &Value) {
        for (Field &F : Fields)
          if (F.Key == Key.Text) {
            F.Seen = true;
            if (F.Read)
              F.Read(Value);
          }
      });
  if (!Whole)
    return;
  for (const Field &F : Fields)
    if (F.Required && !F.Seen)
      Nodes.error(Nodes.place(N), What + " needs the key '" + F.Key + "'");
}

ProfileReader::Field ProfileReader::number(StringRef Key, uint64_t &Out,
                                           bool Required) {
  return {Key,
          [this, Key, &Out](Node &N) {
            Out = Nodes.unsignedInteger(N, Key).value_or(0);
          },
          Required};
}

ProfileReader::Field ProfileReader::text(StringRef Key, std::string &Out) {
  return {Key, [this, Key, &Out](Node &N) {
            if (std::optional<YAMLText> T = Nodes.text(N, Key))
              Out = std::move(T->Text);
          }};
}

ProfileReader::Field ProfileReader::extent(StringRef Key, Dim3 &Out) {
  return {
      Key, [this, Key, &Out](Node &N) {
        SmallVector<uint64_t, 3> Extents;
        bool Whole = Nodes.forEachElement(N, Key, [&](Node &E) {
          Extents.push_back(Nodes.unsignedInteger(E, "an extent").value_or(1));
        });
        std::optional<Dim3> D = makeDim3(Extents);
        if (D)
          Out = *D;
        else if (Whole)
          Nodes.error(Nodes.place(N), Key + " takes 1 to 3 positive numbers");
      }};
}

void ProfileReader::readRoot(Node &N) {
  uint64_t Version = ProfileSchemaVersion;
  auto ReadSchema = [&](Node &Value) {
    std::optional<YAMLText> T = Nodes.text(Value, "schema");
    if (T && T->Text != ProfileSchemaName)
      Nodes.error(T->Loc, "no profile: the schema is '" + T->Text + "', not '" +
                              ProfileSchemaName + "'");
  };
  auto ReadVersion = [&](Node &Value) {
    std::optional<uint64_t> V = Nodes.unsignedInteger(Value, "version");
    if (V && *V != Version)
      Nodes.error(Nodes.place(Value), "version " + Twine(*V) +
                                          " is not read, only version " +
                                          Twine(Version));
  };
  Field Fields[] = {
      {"schema", ReadSchema},
      {"version", ReadVersion},
      skipped("tool"),
      {"inputs",
       [&](Node &List) {
         Nodes.forEachElement(List, "inputs", [&](Node &I) { readInput(I); });
       }},
      {"kernels", [&](Node &List) {
         Nodes.forEachElement(List, "kernels", [&](Node &K) { readKernel(K); });
       }}};
  readFields(N, "a profile", Fields);
  for (const InputUse &U : Uses)
    if (U.Input < Hashes.size())
      Result[U.Kernel].InputHash = Hashes[U.Input];
    else
      Nodes.error(U.Place, "there is no input " + Twine(U.Input));
}

void ProfileReader::readInput(Node &N) {
  std::string &Hash = Hashes.emplace_back();
  Field Fields[] = {skipped("path"), skipped("frontend"),
                    skipped("isa_version"), skipped("target"),
                    text("hash", Hash)};
  readFields(N, "an input", Fields);
}

void ProfileReader::readKernel(Node &N) {
  size_t Index = Result.size();
  KernelProfile &P = Result.emplace_back();
  auto ReadInput = [&](Node &Value) {
    if (auto I = Nodes.unsignedInteger(Value, "input"))
      Uses.push_back({Index, *I, Nodes.place(Value)});
  };
  auto ReadLaunch = [&](Node &Value) {
    Field Fields[] = {extent("grid", P.Grid), extent("block", P.Block),
                      extent("cluster", P.Cluster),
                      number("dynamic_shared_bytes", P.DynamicSharedBytes)};
    readFields(Value, "launch", Fields);
  };
  Field Fields[] = {text("name", P.Name),
                    skipped("demangled"),
                    {"input", ReadInput},
                    skipped("line"),
                    {"launch", ReadLaunch},
                    {"run", [&](Node &Value) { readRun(Value, P); }},
                    skipped("characteristics"),
                    {"counts", [&](Node &Value) { readCounts(Value, P); }}};
  readFields(N, "a kernel", Fields);
}

void ProfileReader::readRun(Node &N, KernelProfile &P) {
  auto ReadArgs = [&](Node &Value) {
    Nodes.forEachEntry(Value, "args", {}, [&](YAMLText &Key, Node &V) {
      unsigned Index;
      if (StringRef(Key.Text).getAsInteger(10, Index))
        return Nodes.error(Key.Loc, "an argument is named by its index");
      std::optional<YAMLText> T = Nodes.text(V, "an argument");
      std::optional<ArgumentValue> A =
          T ? parseArgumentValue(T->Text) : std::nullopt;
      if (A)
        P.Args[Index] = *A;
      else if (T)
        Nodes.error(T->Loc, "an argument must be a number");
    });
  };
  Field Fields[] = {
      number("blocks", P.Blocks),     number("blocks_in_grid", P.BlocksInGrid),
      number("warps", P.Warps),       number("threads", P.Threads),
      skipped("thread_instructions"), skipped("interrupted"),
      {"args", ReadArgs, false}};
  readFields(N, "run", Fields);
  if (P.Warps == 0 && Fields[2].Seen)
    Nodes.error(Nodes.place(N), "a run of no warps has no counts");
}

void ProfileReader::readCounts(Node &N, KernelProfile &P) {
  auto ReadMean = [&](Node &Value) {
    P.BlockBytes = Nodes.number(Value, "block_bytes").value_or(0);
  };
  auto ReadFunction = [&](Node &F) {
    // The name may stand behind the instructions.
    std::string Name;
    size_t First = P.Instructions.size();
    auto ReadInstructions = [&](Node &List) {
      Nodes.forEachElement(List, "instructions",
                           [&](Node &I) { readInstruction(I, Name, P); });
    };
    Field Fields[] = {text("name", Name), {"instructions", ReadInstructions}};
    readFields(F, "a function", Fields);
    for (size_t I = First; I != P.Instructions.size(); ++I)
      P.Instructions[I].Function = Name;
  };
  Field Fields[] = {{"block_bytes", ReadMean},
                    number("grid_bytes", P.GridBytes),
                    number("grid_read_bytes", P.GridReadBytes),
                    number("grid_written_bytes", P.GridWrittenBytes),
                    {"functions", [&](Node &List) {
                       Nodes.forEachElement(List, "functions", ReadFunction);
                     }}};
  readFields(N, "counts", Fields);
}

void ProfileReader::readInstruction(Node &N, StringRef Function,
                                    KernelProfile &P) {
  InstructionProfile I;
  I.Function = Function.str();
  uint64_t Id = 0, Line = 0;
  auto ReadMemory = [&](Node &Value) { readMemory(Value, I.Memory.emplace()); };
  Field Fields[] = {number("id", Id),
                    number("line", Line),
                    text("opcode", I.Opcode),
                    number("executions", I.Executions),
                    number("lanes", I.Lanes),
                    number("taken", I.Taken, false),
                    number("jumps", I.Jumps, false),
                    number("divergent", I.Divergent, false),
                    {"memory", ReadMemory, false}};
  readFields(N, "an instruction", Fields);
  if (Id > MaxProfileInstructions)
    return Nodes.error(Nodes.place(N), "no kernel has so many instructions");
  if (I.Jumps > I.Executions || I.Divergent > I.Executions)
    return Nodes.error(Nodes.place(N),
                       "more jumps than executions of a branch");
  I.Id = unsigned(Id);
  I.Line = unsigned(Line);
  P.Instructions.push_back(std::move(I));
}

void ProfileReader::readMemory(Node &N, MemoryProfile &M) {
  auto ReadTransactions = [&](Node &Value) {
    Field Fields[] = {number(RuleNames[0], M.Transactions[0]),
                      number(RuleNames[1], M.Transactions[1]),
                      number(RuleNames[2], M.Transactions[2])};
    readFields(Value, "transactions", Fields);
  };
  Field Fields[] = {number("requests", M.Requests),
                    number("shared_requests", M.SharedRequests, false),
                    number("shared_lanes", M.SharedLanes, false),
                    number("lanes", M.Lanes),
                    number("sectors", M.Sectors, false),
                    number("lines", M.Lines, false),
                    {"transactions", ReadTransactions, false},
                    number("wavefronts", M.Wavefronts, false),
                    number("unique_bytes", M.UniqueBytes, false)};
  readFields(N, "memory", Fields);
  if (M.SharedRequests > M.Requests)
    Nodes.error(Nodes.place(N), "more shared_requests than requests");
  if (M.SharedLanes > M.Lanes)
    Nodes.error(Nodes.place(N), "more shared_lanes than lanes");
}

bool ptxpredict::readProfile(DiagnosticEngine &Diags,
                             std::vector<KernelProfile> &Result) {
  ProfileReader(Diags, Result).read();
  if (!Diags.hasErrors() && Result.empty())
    Diags.error(SMLoc(), "the profile has no kernel");
  return Diags.hasErrors();
}
