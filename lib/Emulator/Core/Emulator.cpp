//===- Emulator.cpp - Runs a kernel on the CPU ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ClusterQueue.h"
#include "Emulator/Memory/Buffers.h"
#include "Emulator/Memory/TensorMap.h"
#include "Machine.h"
#include "ptxpredict/Launch/LaunchShape.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/Thread.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include <condition_variable>
#include <deque>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {
struct PlacedBuffer {
  std::string Name, Directory;
  BufferSpec Spec;
  uint64_t Address = 0, Bytes = 0;
};

/// What a cluster leaves, if anything.
struct ClusterOutcome {
  std::string Printed;
  std::vector<EmulationProblem> Problems;
  std::optional<Fault> Failure;
};

/// What all threads of a run share.
struct Team {
  std::mutex Mutex;
  std::condition_variable Changed;
  size_t Ended = 0; ///< blocks
  unsigned Working = 0;
  std::map<uint64_t, ClusterOutcome> Outcomes;
};
} // namespace

struct Emulation::Impl {
  Impl(const InstructionGraph &Kernel, LaunchConfig Launch,
       EmulationOptions Options)
      : Kernel(Kernel), Launch(std::move(Launch)), Options(std::move(Options)),
        Bodies(Kernel),
        Memory(this->Options.MemoryBytes ? this->Options.MemoryBytes
                                         : DeviceMemory::defaultLimit()) {}

  const InstructionGraph &Kernel;
  LaunchConfig Launch;
  EmulationOptions Options;
  HeldBodies Bodies;
  DeviceMemory Memory;
  std::vector<PlacedBuffer> Buffers;

  PlacedBuffer *find(StringRef Name) {
    for (PlacedBuffer &B : Buffers)
      if (B.Name == Name)
        return &B;
    return nullptr;
  }
  MutableArrayRef<uint8_t> contents(const PlacedBuffer &B) const {
    const DeviceMemory::Region *R = Memory.find(B.Address);
    return R ? MutableArrayRef<uint8_t>(R->at(B.Address), B.Bytes)
             : MutableArrayRef<uint8_t>();
  }
  Error checkLaunch() const;
  Error bind(const Parameter &P, const ArgumentValue &V, uint8_t *Out);
  Error bindMap(const Parameter &P, StringRef Name, uint64_t Bytes,
                uint8_t *Out);
  Error bindBuffer(const Parameter &P, StringRef Name, uint64_t Bytes,
                   bool IsAggregate, uint8_t *Out);
  Error bindParts(unsigned Index, uint8_t *Out);
  std::string missingBytes(unsigned Index) const;
  bool bindLocal(unsigned Index, const Program &P, uint8_t *Out) const;
  Error bindAll(const Program &Of, std::vector<uint8_t> &Params);
  std::vector<uint64_t> chooseClusters() const;
  void collect(const Program &P, ArrayRef<std::unique_ptr<Worker>> Workers,
               KernelProfile &Out) const;
};

template <typename... Ts>
static Error makeError(const Ts &...Parts) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  (OS << ... << Parts);
  return llvm::createStringError(Text);
}

//===----------------------------------------------------------------------===//
// Launch and arguments
//===----------------------------------------------------------------------===//

Error Emulation::Impl::checkLaunch() const {
  const Dim3 &G = Launch.Grid, &C = Launch.Cluster;
  for (const std::string &Why :
       {whyNoShape(LaunchShape::Block, Launch.Block),
        whyNoShape(LaunchShape::Grid, G), whyNoShape(LaunchShape::Cluster, C)})
    if (!Why.empty())
      return makeError(Why);
  if (G.X % C.X || G.Y % C.Y || G.Z % C.Z)
    return makeError("a grid of ", toString(G),
                     " blocks is not made of clusters of ", toString(C));
  return Error::success();
}

static bool isInteger(ScalarType Type) {
  return kindOf(Type) == TypeKind::Unsigned || kindOf(Type) == TypeKind::Signed;
}

/// Whether \p V is a number with a fraction for which \p Type has no room.
static bool exceedsInteger(ScalarType Type, const ArgumentValue &V) {
  return isInteger(Type) && V.Kind == ArgumentValue::KindTy::Float &&
         !(V.Float > -0x1p63 && V.Float < 0x1p64);
}

/// \p Bytes of a number as the parameter's type says.
static uint64_t argumentBits(ScalarType Type, uint64_t Bytes,
                             const ArgumentValue &V) {
  bool IsFloat =
      kindOf(Type) == TypeKind::Float || V.Kind == ArgumentValue::KindTy::Float;
  if (!IsFloat)
    return uint64_t(V.Integer);
  if (isInteger(Type))
    return V.Float < 0 ? uint64_t(int64_t(V.Float)) : uint64_t(V.Float);
  switch (Bytes) {
  case 2:
    return doubleToHalf(V.Float);
  case 4:
    return llvm::bit_cast<uint32_t>(float(V.Float));
  default:
    return llvm::bit_cast<uint64_t>(V.Float);
  }
}

/// \p Bytes is what there is for the map or its address, as in bindBuffer.
Error Emulation::Impl::bindMap(const Parameter &P, StringRef Name,
                               uint64_t Bytes, uint8_t *Out) {
  auto It = Launch.Maps.find(Name);
  if (It == Launch.Maps.end())
    return makeError("parameter '", P.shownName(),
                     "': no tensor map is named '", Name, "'");
  const PlacedBuffer *B = find(It->second.Buffer);
  if (!B)
    return makeError("tensor map '", Name, "': no buffer is named '",
                     It->second.Buffer, "'");
  if (It->second.extentBytes() > B->Bytes)
    return makeError("tensor map '", Name, "' takes ", It->second.extentBytes(),
                     " bytes of buffer '", B->Name, "', which has ", B->Bytes);
  const TensorMapObject O = TensorMapObject::of(It->second, B->Address);
  if (Bytes == sizeof(uint64_t)) { // the map lies in global memory
    Expected<uint64_t> Address = Memory.allocate(
        Name, TensorMapObject::Bytes, PointerAlignment, /*ReadOnly=*/true);
    if (!Address)
      return Address.takeError();
    memcpy(Memory.find(*Address)->Host, &O, sizeof O);
    memcpy(Out, &*Address, sizeof *Address);
    return Error::success();
  }
  if (Bytes < TensorMapObject::Bytes)
    return makeError("parameter '", P.shownName(), "' has ", Bytes,
                     " bytes; a tensor map has ", TensorMapObject::Bytes + 0,
                     ", and the address of one 8");
  memcpy(Out, &O, sizeof O);
  return Error::success();
}

Error Emulation::Impl::bindBuffer(const Parameter &P, StringRef Name,
                                  uint64_t Bytes, bool IsAggregate,
                                  uint8_t *Out) {
  PlacedBuffer *B = find(Name);
  if (!B) {
    std::vector<StringRef> Names(Buffers.size());
    llvm::transform(Buffers, Names.begin(), [](const PlacedBuffer &Known) {
      return StringRef(Known.Name);
    });
    return makeError("parameter '", P.shownName(), "': no buffer is named '",
                     Name, "'", didYouMean(Name, Names));
  }
  // A structure is passed by value: its bytes are the buffer's.
  if (IsAggregate && B->Bytes == Bytes) {
    memcpy(Out, contents(*B).data(), Bytes);
    return Error::success();
  }
  if (Bytes != sizeof B->Address)
    return makeError("parameter '", P.shownName(), "' has ", Bytes, " bytes; ",
                     IsAggregate ? "it takes a buffer of as many bytes"
                                 : "the address of a buffer has 8");
  memcpy(Out, &B->Address, sizeof B->Address);
  return Error::success();
}

/// What the launch gives of a parameter's bytes by themselves.
Error Emulation::Impl::bindParts(unsigned Index, uint8_t *Out) {
  const Parameter &P = Kernel.Parameters[Index];
  for (auto It = Launch.Parts.lower_bound({Index, 0});
       It != Launch.Parts.end() && It->first.first == Index; ++It) {
    const ArgumentPart &Part = It->second;
    uint8_t *To = Out + It->first.second;
    if (Part.isNumber()) {
      memcpy(To, &Part.Bits, Part.Bytes);
      continue;
    }
    const ArgumentValue &V = Part.Value;
    if (Error E = V.Kind == ArgumentValue::KindTy::TensorMap
                      ? bindMap(P, V.Buffer, Part.Bytes, To)
                      : bindBuffer(P, V.Buffer, Part.Bytes,
                                   /*IsAggregate=*/false, To))
      return E;
  }
  return Error::success();
}

/// "4 to 7, 20 to 39": the bytes of a parameter that no part gives; empty if
/// there are none.
std::string Emulation::Impl::missingBytes(unsigned Index) const {
  std::string Text;
  uint64_t Next = 0;
  auto Skip = [&](uint64_t Begin) {
    if (Begin > Next)
      Text += (Text.empty() ? "" : ", ") + std::to_string(Next) + " to " +
              std::to_string(Begin - 1);
  };
  for (auto It = Launch.Parts.lower_bound({Index, 0});
       It != Launch.Parts.end() && It->first.first == Index; ++It) {
    Skip(It->first.second);
    Next = It->first.second + It->second.Bytes;
  }
  Skip(Kernel.Parameters[Index].Bytes);
  return Text;
}

Error Emulation::Impl::bind(const Parameter &P, const ArgumentValue &V,
                            uint8_t *Out) {
  bool IsAggregate = P.Elements > 1;
  if (V.Kind == ArgumentValue::KindTy::TensorMap)
    return bindMap(P, V.Buffer, P.Bytes, Out);
  if (V.Kind == ArgumentValue::KindTy::Buffer)
    return bindBuffer(P, V.Buffer, P.Bytes, IsAggregate, Out);
  if (IsAggregate && (V.Kind != ArgumentValue::KindTy::Integer || V.Integer))
    return makeError("parameter '", P.shownName(), "' is ", Kernel.describe(P),
                     "; give its parts, a buffer of as many bytes, or 0 for "
                     "zeros");
  if (exceedsInteger(P.Type, V))
    return makeError("parameter '", P.shownName(), "' is ", Kernel.describe(P),
                     ", which ", shortestDecimal(V.Float), " does not fit");
  uint64_t Bits = argumentBits(P.Type, P.Bytes, V);
  memcpy(Out, &Bits, std::min<uint64_t>(P.Bytes, 8));
  return Error::success();
}

/// What users know a parameter by; for messages, since debug information may
/// have to be read.
static StringRef nameOf(const InstructionGraph &Kernel, unsigned Index) {
  const Parameter &P = Kernel.Parameters[Index];
  ArrayRef<SourceParameter> Known = Kernel.Parent->sourceParameters(Kernel);
  return Known.empty() || Known[Index].Name.empty() ? P.shownName()
                                                    : Known[Index].Name;
}

/// The only pointer of OpenCL C to local memory whose size the host gives: it
/// points to the launch's dynamic shared memory. False if \p Index is no such.
bool Emulation::Impl::bindLocal(unsigned Index, const Program &P,
                                uint8_t *Out) const {
  auto IsLocal = [](const Parameter &Other) {
    return Other.PointerSpace == AddressSpace::Shared;
  };
  if (!IsLocal(Kernel.Parameters[Index]) ||
      llvm::count_if(Kernel.Parameters, IsLocal) != 1 ||
      Launch.DynamicSharedBytes == 0)
    return false;
  memcpy(Out, &P.DynamicSharedOffset,
         std::min<size_t>(Kernel.Parameters[Index].Bytes,
                          sizeof P.DynamicSharedOffset));
  return true;
}

Error Emulation::Impl::bindAll(const Program &Of,
                               std::vector<uint8_t> &Params) {
  std::string Missing;
  for (const auto &[N, P] : llvm::enumerate(Kernel.Parameters)) {
    auto Index = unsigned(N);
    auto It = Launch.Args.find(Index);
    const bool IsGiven = It != Launch.Args.end();
    auto Part = Launch.Parts.lower_bound({Index, 0});
    const bool HasParts =
        Part != Launch.Parts.end() && Part->first.first == Index;
    const uint64_t Offset = P.Offset;
    if (Params.size() < Offset + P.Bytes)
      Params.resize(Offset + P.Bytes);
    if (!IsGiven && !HasParts && bindLocal(Index, Of, Params.data() + Offset))
      continue;
    if (!IsGiven && !HasParts) {
      std::string What = Kernel.describe(P);
      Missing += (Missing.empty() ? "" : ", ") + std::to_string(N) + " ('" +
                 nameOf(Kernel, Index).str() + "'" +
                 (What.empty() ? "" : ", ") + What + ")";
      continue;
    }
    if (!IsGiven)
      if (std::string Bytes = missingBytes(Index); !Bytes.empty())
        return makeError("no value for bytes ", Bytes, " of parameter ", N,
                         " ('", nameOf(Kernel, Index), "'); an argument ", N,
                         " of 0 makes them zeros");
    if (IsGiven)
      if (Error E = bind(P, It->second, Params.data() + Offset))
        return E;
    if (Error E = bindParts(Index, Params.data() + Offset))
      return E;
  }
  if (!Missing.empty())
    return makeError("no value for parameter ", Missing,
                     "; the launch file's args or --arg=INDEX=VALUE give it");
  return Error::success();
}

/// The clusters to be run, ascending: the first ones, and others drawn without
/// repetition (Floyd's algorithm) by a generator with a fixed seed. With fewer
/// blocks than a whole number of clusters the rest of a cluster runs too.
std::vector<uint64_t> Emulation::Impl::chooseClusters() const {
  const uint64_t Size = Launch.Cluster.count();
  uint64_t All = Launch.blocks() / Size;
  const BlockSample S = {llvm::divideCeil(Options.Blocks.First, Size),
                         llvm::divideCeil(Options.Blocks.Random, Size)};
  std::vector<uint64_t> Blocks;
  if (S.isWhole() || S.First >= All || S.Random >= All - S.First) {
    Blocks.resize(All);
    for (uint64_t N = 0; N != All; ++N)
      Blocks[N] = N;
    return Blocks;
  }
  for (uint64_t N = 0; N != S.First; ++N)
    Blocks.push_back(N);
  uint64_t Rest = All - S.First, State = 0;
  auto Draw = [&](uint64_t Below) { // SplitMix64
    uint64_t Z = State += 0x9E3779B97F4A7C15;
    Z = (Z ^ Z >> 30) * 0xBF58476D1CE4E5B9;
    Z = (Z ^ Z >> 27) * 0x94D049BB133111EB;
    return (Z ^ Z >> 31) % Below;
  };
  std::set<uint64_t> Drawn;
  for (uint64_t J = Rest - S.Random; J != Rest; ++J)
    if (uint64_t N = Draw(J + 1); !Drawn.insert(N).second)
      Drawn.insert(J);
  for (uint64_t N : Drawn)
    Blocks.push_back(S.First + N);
  return Blocks;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// What the blocks of a cluster printed and found, in the order of their ranks.
static ClusterOutcome takeOutcome(ClusterMachine &C) {
  ClusterOutcome Out;
  for (const auto &B : C.Blocks) {
    Out.Printed += B->Printed;
    llvm::move(B->Problems, std::back_inserter(Out.Problems));
    if (!Out.Failure)
      Out.Failure = std::move(B->Failure);
  }
  return Out;
}

/// The next cluster; nothing if there is none, or the run ends.
static std::optional<uint64_t> takeCluster(const Run &R) {
  return R.isInterrupted() ? std::nullopt : R.Queue.start(R.FirstFault.load());
}

/// How many run at a time; at least one.
static size_t residentClusters(const Run &R) {
  constexpr uint64_t MostBlocks = 2048;
  const uint64_t Resident = R.Options.Resident;
  return std::max<size_t>(
      1, (Resident ? std::min(Resident, MostBlocks) : MostBlocks) /
             R.Launch.Cluster.count());
}

/// Runs clusters until there are none left.
static void work(Run &R, Worker &W, Team &T) {
  // Those that wait for others take turns.
  const size_t Size = R.Launch.Cluster.count(), MaxActive = residentClusters(R);
  std::deque<std::unique_ptr<ClusterMachine>> Active;
  bool WantsMore = true;
  for (;;) {
    if (Active.empty() || (WantsMore && Active.size() < MaxActive))
      if (std::optional<uint64_t> Index = takeCluster(R))
        Active.push_front(std::make_unique<ClusterMachine>(R, W, *Index));
    WantsMore = false;
    if (Active.empty())
      break;
    std::unique_ptr<ClusterMachine> C = std::move(Active.front());
    Active.pop_front();
    ClusterMachine::Status S = C->run();
    if (S == ClusterMachine::Status::Paused) {
      Active.push_back(std::move(C));
      WantsMore = true;
      continue;
    }
    if (S == ClusterMachine::Status::Done) {
      W.Touched.endBlocks();
      const uint64_t Blocks = Size * (1 + C->NumTakenOver);
      W.Blocks += Blocks;
      W.Warps += R.Launch.warpsPerBlock() * Blocks;
      W.Threads += R.Launch.threadsPerBlock() * Blocks;
    }
    std::lock_guard<std::mutex> Lock(T.Mutex);
    T.Ended += Size * (1 + C->NumTakenOver);
    if (S == ClusterMachine::Status::Failed) {
      uint64_t Known = R.FirstFault.load();
      R.FirstFault.store(std::min(Known, C->Index));
    }
    ClusterOutcome Out = takeOutcome(*C);
    if (!Out.Printed.empty() || !Out.Problems.empty() || Out.Failure)
      T.Outcomes[C->Index] = std::move(Out);
  }
  std::lock_guard<std::mutex> Lock(T.Mutex);
  --T.Working;
  T.Changed.notify_all();
}

static bool mallocs(const Program &P) {
  return llvm::any_of(P.Steps, [](const Step *S) {
    return S->Call && !S->Call->Callee && S->Call->Name == "malloc";
  });
}

/// Adds what another worker counted.
static void addTo(Worker &Sum, const Worker &W) {
  Sum.Touched.merge(W.Touched);
  Sum.Blocks += W.Blocks;
  Sum.Warps += W.Warps;
  Sum.Threads += W.Threads;
  for (auto [A, B] : llvm::zip(Sum.Steps, W.Steps))
    A += B;
  for (auto [A, B] : llvm::zip(Sum.CodeBlocks, W.CodeBlocks))
    A += B;
  for (auto [A, B] : llvm::zip(Sum.Memory, W.Memory))
    A.Sum += B.Sum;
  for (auto [A, B] : llvm::zip(Sum.PollSteps, W.PollSteps))
    A += B;
  for (const auto &[Of, MACs] : W.Products)
    Sum.Products[Of] += MACs;
}

/// In the order of steps and descriptors.
static std::map<std::pair<uint32_t, uint32_t>, uint64_t>
sortedProducts(const Worker &W) {
  return {W.Products.begin(), W.Products.end()};
}

void Emulation::Impl::collect(const Program &P,
                              ArrayRef<std::unique_ptr<Worker>> Workers,
                              KernelProfile &Out) const {
  Out.Name = Kernel.Name.str();
  Out.Grid = Launch.Grid;
  Out.Block = Launch.Block;
  Out.Cluster = Launch.Cluster;
  Out.DynamicSharedBytes = Launch.DynamicSharedBytes;
  Out.BlocksInGrid = Launch.blocks();
  Worker &Sum = *Workers.front();
  for (const auto &W : Workers.drop_front())
    addTo(Sum, *W);
  Out.Blocks = Sum.Blocks;
  Out.Warps = Sum.Warps;
  Out.Threads = Sum.Threads;
  const auto Products = sortedProducts(Sum);
  for (const Step *S : P.Steps) {
    InstructionProfile &I = Out.Instructions.emplace_back();
    I.IsUncounted = S->I->IsUncounted;
    const StepCounter &C = Sum.Steps[S->Index];
    I.Function = S->I->Parent->Parent->Name.str();
    I.Id = S->I->Id;
    I.Line = S->I->Line;
    I.Opcode = S->I->Mnemonic.str();
    I.Executions = C.Executions;
    I.Lanes = C.Lanes;
    I.Taken = C.Taken;
    I.Jumps = C.Jumps;
    I.Divergent = C.Divergent;
    if (!Sum.PollSteps.empty())
      I.Polls = Sum.PollSteps[S->Index].Executions;
    if (S->MemoryIndex >= 0) {
      I.Memory = Sum.Memory[size_t(S->MemoryIndex)].Sum;
      I.Memory->UniqueBytes =
          Sum.Touched.instructionBytes(unsigned(S->MemoryIndex));
    }
    for (auto It = Products.lower_bound({S->Index, 0});
         It != Products.end() && It->first.first == S->Index; ++It)
      I.Products.push_back({It->first.second, It->second});
  }
  // Within a function in the order of the code, not in that of execution.
  llvm::StringMap<size_t> Order;
  for (const InstructionProfile &I : Out.Instructions)
    Order.try_emplace(I.Function, Order.size());
  auto Place = [&](const InstructionProfile &I) {
    return std::pair(Order.lookup(I.Function), I.Id);
  };
  llvm::sort(Out.Instructions,
             [&](const InstructionProfile &A, const InstructionProfile &B) {
               return Place(A) < Place(B);
             });
  for (auto [Of, C] : llvm::zip(P.CountedBlocks, Sum.CodeBlocks)) {
    BlockProfile &B = Out.CodeBlocks.emplace_back();
    B.Function = Of.B->Parent->Name.str();
    B.Id = Of.B->Number;
    B.Runs = C.Runs;
    if (Of.IsHeader)
      B.Entries = C.Entries;
  }
  Footprint::GridBytes Grid = Sum.Touched.gridBytes();
  Out.GridBytes = Grid.Touched;
  Out.GridReadBytes = Grid.Read;
  Out.GridWrittenBytes = Grid.Written;
  if (uint64_t N = Sum.Touched.numBlocks())
    Out.BlockBytes = double(Sum.Touched.sumOfBlockBytes()) / double(N);
}

/// By memory step: how it accesses global memory, as Footprint has it.
static std::vector<uint8_t> globalAccesses(const Program &P) {
  std::vector<uint8_t> Accesses;
  for (const Step *M : P.MemorySteps) {
    uint8_t A = 0;
    for (const MemoryEffect &E : M->I->Effects)
      if (E.Space == AddressSpace::Global || E.Space == AddressSpace::Generic)
        A |= (E.Reads ? Footprint::Reads : 0) |
             (E.Writes ? Footprint::Writes : 0);
    Accesses.push_back(A);
  }
  return Accesses;
}

/// Runs all of the team's blocks, each worker in a thread of its own. Those of
/// threads that the system refuses have nothing to do.
static void workTogether(Run &R, Team &T,
                         ArrayRef<std::unique_ptr<Worker>> Workers,
                         StageTimer &Timer) {
  std::deque<Thread> Threads;
  // Who has ended waits to say so until it is known how many there are.
  std::unique_lock<std::mutex> Lock(T.Mutex);
  for (const auto &W : Workers) {
    Threads.emplace_back([&R, &T, &W, &Timer] {
      StageTimer Mine(&Timer);
      work(R, *W, T);
    });
    if (!Threads.back().isRunning())
      break;
    ++T.Working;
  }
  if (T.Working == 0) {
    T.Working = 1;
    Lock.unlock();
    return work(R, *Workers.front(), T);
  }
  while (T.Working) {
    T.Changed.wait_for(Lock, std::chrono::milliseconds(200));
    if (R.Options.OnProgress && T.Working)
      R.Options.OnProgress(T.Ended, R.Queue.size() * R.Launch.Cluster.count());
  }
}

/// What clusters printed and what was wrong in them, up to the first fault.
static void takeOutcomes(Team &T, const Run &R, EmulationResult &Result) {
  for (auto &[Index, O] : T.Outcomes) {
    if (Index > R.FirstFault.load())
      break;
    Result.Printed += O.Printed;
    for (EmulationProblem &Problem : O.Problems)
      if (llvm::none_of(Result.Problems, [&](const EmulationProblem &Known) {
            return Known.Kind == Problem.Kind && Known.Where == Problem.Where &&
                   Known.Other == Problem.Other;
          }))
        Result.Problems.push_back(std::move(Problem));
    if (O.Failure && !Result.Fault) {
      Result.Fault.emplace();
      Result.Fault->Kind = "fault";
      Result.Fault->Where = O.Failure->Where;
      Result.Fault->Message = O.Failure->Message;
    }
  }
}

Expected<EmulationResult> Emulation::run() {
  StageTimer Timer(Stage::Emulation);
  Impl &S = *State;
  if (S.Bodies.failed())
    return makeError("the kernel's code could not be read");
  if (Error E = S.checkLaunch())
    return E;
  Expected<std::unique_ptr<Program>> P =
      Program::create(S.Kernel, S.Launch, S.Memory);
  if (!P)
    return P.takeError();
  if (S.Options.Check)
    (*P)->watchRegisters();
  if (mallocs(**P))
    if (Error E = S.Memory.allocateHeap())
      return E;
  const uint64_t Size = S.Launch.Cluster.count();
  ClusterQueue Queue(S.chooseClusters(),
                     S.Options.Resident
                         ? std::max<uint64_t>(1, S.Options.Resident / Size)
                         : ~uint64_t(0));
  Run R{**P, S.Launch, S.Options, S.Memory, Queue, {}, {}};
  R.KernelParams.resize((*P)->KernelParamBytes);
  if (Error E = S.bindAll(**P, R.KernelParams))
    return E;

  Team T;
  auto Jobs = unsigned(
      std::min(numThreads(S.Options.Jobs), std::max<size_t>(1, Queue.size())));
  if (S.Options.Observer || S.Options.Resident)
    Jobs = 1;
  std::vector<std::unique_ptr<Worker>> Workers;
  Workers.reserve(Jobs);
  const std::vector<uint8_t> Accesses = globalAccesses(**P);
  for (unsigned N = 0; N != Jobs; ++N)
    Workers.push_back(std::make_unique<Worker>((*P)->Steps.size(),
                                               (*P)->CountedBlocks.size(),
                                               Accesses, (*P)->hasPolling()));
  workTogether(R, T, Workers, Timer);

  EmulationResult Result;
  S.collect(**P, Workers, Result.Profile);
  Result.Interrupted = R.isInterrupted();
  const uint64_t NumWarps = S.Launch.warpsPerBlock() * S.Launch.Cluster.count();
  if (S.Options.Check && NumWarps > EmulationResult::MostCheckedWarps)
    Result.UncheckedWarps = NumWarps;
  takeOutcomes(T, R, Result);
  return Result;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Emulation::Emulation(const InstructionGraph &Kernel, LaunchConfig Launch,
                     EmulationOptions Options)
    : State(std::make_unique<Impl>(Kernel, std::move(Launch),
                                   std::move(Options))) {}
Emulation::~Emulation() = default;

Error Emulation::addBuffer(StringRef Name, const BufferSpec &Spec,
                           StringRef LaunchFileDir) {
  PlacedBuffer B;
  B.Name = Name.str();
  B.Directory = LaunchFileDir.str();
  B.Spec = Spec;
  unsigned Element = bufferElementBytes(Spec.Type).value_or(1);
  if (Spec.Count > (uint64_t(1) << 60) / Element)
    return makeError("buffer '", Name, "': ", Spec.Count,
                     " elements are more than any memory holds");
  B.Bytes = Spec.Count * Element;
  Expected<uint64_t> Address =
      State->Memory.allocate(Name, B.Bytes, Spec.Align);
  if (!Address)
    return Address.takeError();
  B.Address = *Address;
  if (Error E = fillBuffer(Spec, State->contents(B), LaunchFileDir))
    return makeError("buffer '", Name, "': ", toString(std::move(E)));
  State->Buffers.push_back(std::move(B));
  return Error::success();
}

MutableArrayRef<uint8_t> Emulation::buffer(StringRef Name) {
  const PlacedBuffer *B = State->find(Name);
  return B ? State->contents(*B) : MutableArrayRef<uint8_t>();
}

Expected<std::vector<BufferFailure>> Emulation::checkBuffers() {
  std::vector<BufferFailure> Failures;
  for (const PlacedBuffer &B : State->Buffers) {
    auto Mismatch = checkBuffer(B.Spec, State->contents(B), B.Directory);
    if (!Mismatch)
      return makeError("buffer '", B.Name,
                       "': ", toString(Mismatch.takeError()));
    if (*Mismatch)
      Failures.push_back({B.Name, (*Mismatch)->Index, (*Mismatch)->Got,
                          (*Mismatch)->Want, (*Mismatch)->NumMismatches});
  }
  return Failures;
}
