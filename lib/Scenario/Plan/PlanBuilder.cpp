//===- PlanBuilder.cpp - Processes run through, task by task --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PlanBuilder.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <set>

using namespace ptxpredict;
using Kind = OperationKind;

/// Errors of a plan that are worth to be read.
static constexpr size_t MaxPlanErrors = 20;

/// The values of \p F's names.
static SmallVector<double, 8> valuesOf(const ScenarioFormula &F,
                                       ArrayRef<double> Slots) {
  SmallVector<double, 8> Values;
  for (SlotNumber Slot : F.Slots)
    Values.push_back(Slots[Slot]);
  return Values;
}

bool ptxpredict::evaluateVariables(const Scenario &S,
                                   const PlanRequest &Request,
                                   std::vector<double> &Values,
                                   std::vector<PlanError> &Errors) {
  std::vector<double> Slots(S.numSlots());
  Values.assign(S.Variables.size(), 0);
  for (const auto &[Index, V] : llvm::enumerate(S.Variables)) {
    const auto Given = llvm::find_if(
        Request.Variables, [I = Index](const auto &G) { return G.first == I; });
    if (Given != Request.Variables.end()) {
      Values[Index] = Given->second;
    } else if (V.Value != NoFormula) {
      const ScenarioFormula &F = S.Formulas[V.Value];
      std::string Why;
      std::optional<double> Value = F.Text.evaluate(valuesOf(F, Slots), Why);
      if (!Value)
        Errors.push_back(
            {F.Text.place(), Why + describeNames(F, Slots), {}, {}});
      Values[Index] = Value.value_or(0);
    }
    Slots[FirstVariableSlot + Index] = Values[Index];
  }
  return Errors.empty();
}

static void listOperations(ArrayRef<Operation> List,
                           std::vector<const Operation *> &All) {
  for (const Operation &Op : List) {
    All[Op.Number] = &Op;
    listOperations(Op.Body, All);
    listOperations(Op.Otherwise, All);
  }
}

std::vector<const Operation *> ptxpredict::listOperations(const Scenario &S) {
  std::vector<const Operation *> All(S.NumOperations);
  for (const ScenarioProcess &P : S.Processes)
    ::listOperations(P.Operations, All);
  return All;
}

void PlanBuilder::error(SMLoc Place, const Twine &Text) {
  // What every process does wrong is said once.
  if (Result.Errors.size() >= MaxPlanErrors ||
      llvm::any_of(Result.Errors,
                   [&](const PlanError &E) { return E.Place == Place; }))
    return;
  Result.Errors.push_back({Place, Text.str(), {}, {}});
}

void PlanBuilder::assume(std::string Text) {
  if (!llvm::is_contained(Result.Assumptions, Text))
    Result.Assumptions.push_back(std::move(Text));
}

double PlanBuilder::value(FormulaNumber N, StringRef What, bool MayBeNegative) {
  if (N == NoFormula)
    return 0;
  const ScenarioFormula &F = S.Formulas[N];
  Cached &C = Constants[N];
  if (C.IsKnown)
    return C.Value;
  std::string Why;
  std::optional<double> V = F.Text.evaluate(valuesOf(F, Slots), Why);
  if (!V)
    error(F.Text.place(), Why + describeNames(F, Slots));
  else if (*V < 0 && !MayBeNegative)
    error(F.Text.place(), What + " must not be negative; it is " +
                              shortestDecimal(*V) + describeNames(F, Slots));
  const double Result = V ? std::max(*V, MayBeNegative ? *V : 0.0) : 0.0;
  if (!F.IsOfProcess)
    C = {Result, true};
  return Result;
}

std::optional<uint64_t> PlanBuilder::whole(FormulaNumber N, StringRef What,
                                           uint64_t Default) {
  if (N == NoFormula)
    return Default;
  const double V = value(N, What);
  if (V == std::floor(V) && V < 1e15)
    return uint64_t(V);
  const ScenarioFormula &F = S.Formulas[N];
  error(F.Text.place(), What + " must be a whole number; it is " +
                            shortestDecimal(V) + describeNames(F, Slots));
  return std::nullopt;
}

TaskNumber PlanBuilder::addTask(const Operation &Op, double Seconds,
                                ArrayRef<ServerNumber> Servers, double Bytes,
                                ArrayRef<LinkUse> Links) {
  Result.Tasks.push_back({Now.Number, Op.Number, Now.Phase, false, 0});
  return Result.Graph.addTask(Seconds, Servers, Bytes, Links);
}

TaskNumber PlanBuilder::join(const Operation &Op, ArrayRef<TaskNumber> All) {
  SmallVector<TaskNumber, 8> Which;
  for (TaskNumber T : All)
    if (T != NoTask && !llvm::is_contained(Which, T))
      Which.push_back(T);
  if (Which.empty())
    return NoTask;
  if (Which.size() == 1)
    return Which.front();
  const TaskNumber Both = addTask(Op, 0);
  for (TaskNumber T : Which)
    after(Both, T);
  return Both;
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

/// Calls \p Do with each place of \p Label, in order, until it answers false.
template <typename FnT>
static void forEachPlace(const SystemLayout &Layout, StringRef Label, FnT Do) {
  uint32_t Node = 0;
  for (const auto &[Kind, N] : llvm::enumerate(Layout.system().Nodes))
    for (uint64_t I = 0; I != Layout.numNodes(unsigned(Kind)); ++I, ++Node)
      for (const auto &[Index, C] : llvm::enumerate(N.Components))
        for (const PlaceLabel &L : C.Labels)
          for (uint64_t P = 0; L.Label == Label && P != C.Count * L.Places; ++P)
            if (!Do(ComponentPlace{Node, uint16_t(Kind), uint16_t(Index),
                                   uint32_t(P / L.Places)}))
              return;
}

static uint64_t countPlaces(const SystemLayout &Layout, StringRef Label) {
  uint64_t Count = 0;
  for (const auto &[Kind, N] : llvm::enumerate(Layout.system().Nodes))
    for (const SystemComponent &C : N.Components)
      for (const PlaceLabel &L : C.Labels)
        if (L.Label == Label)
          Count += Layout.numNodes(unsigned(Kind)) * C.Count * L.Places;
  return Count;
}

bool PlanBuilder::placeProcesses() {
  for (const auto &[Index, P] : llvm::enumerate(S.Processes)) {
    const uint64_t Places = countPlaces(Layout, P.Label);
    std::optional<uint64_t> Count = whole(P.Count, "count", Places);
    if (!Count)
      return false;
    if (*Count > Places || Places == 0) {
      std::set<StringRef> Labels;
      for (const NodeKind &N : Layout.system().Nodes)
        for (const SystemComponent &C : N.Components)
          for (const PlaceLabel &L : C.Labels)
            Labels.insert(L.Label);
      const std::vector<StringRef> Known(Labels.begin(), Labels.end());
      const std::string &Name = Layout.system().Name;
      error(P.Place, Places == 0
                         ? "the system '" + Name + "' has no place for '" +
                               P.Label + "'" + meantOrListed(P.Label, Known)
                         : std::to_string(*Count) + " processes '" + P.Label +
                               "', but the system '" + Name + "' has " +
                               plural(Places, "place") + " for them");
      continue;
    }
    if (Result.Processes.size() + *Count > Request.MaxTasks) {
      error(P.Place,
            "there are more than " + Twine(Request.MaxTasks) + " processes");
      return false;
    }
    LabelStart.push_back(uint32_t(Result.Processes.size()));
    LabelSize.push_back(uint32_t(*Count));
    Result.Processes.reserve(Result.Processes.size() + *Count);
    uint32_t Rank = 0;
    forEachPlace(Layout, P.Label, [&, Label = Index](const ComponentPlace &At) {
      if (Rank == *Count)
        return false;
      PlannedProcess New{unsigned(Label), Rank++, At, {}, {}};
      New.CPU = Layout.cpuOf(At);
      New.GPU = Layout.component(At).Kind == ComponentKind::GPU
                    ? std::optional(At)
                    : Layout.gpu(At.Node, 0);
      if (New.CPU)
        ++OnCPU[Layout.coresOf(*New.CPU)];
      Result.Processes.push_back(New);
      return true;
    });
  }
  return Result.Errors.empty();
}

void PlanBuilder::runProcess(uint32_t Number) {
  const PlannedProcess &P = Result.Processes[Number];
  Now = State();
  Now.Number = Number;
  Now.Of = &S.Processes[P.Label];
  Now.Events.assign(Now.Of->Events.size(), NoTask);
  Now.Streams.resize(Now.Of->Streams.size());
  Slots[RankSlot] = P.Rank;
  Slots[SizeSlot] = LabelSize[P.Label];
  Slots[NodeSlot] = P.Place.Node;
  Slots[GPUSlot] = P.GPU ? Layout.gpuNumber(*P.GPU) : 0;
  for (const auto &[Index, A] : llvm::enumerate(S.Attributes)) {
    const std::optional<ComponentPlace> &Of = A.IsOfGPU ? P.GPU : P.CPU;
    double &Slot = Slots[S.firstAttributeSlot() + Index];
    Slot = NAN; // which no formula takes
    if (!Of)
      continue;
    const auto &Attributes = Layout.component(*Of).Attributes;
    if (auto At = Attributes.find(A.Name); At != Attributes.end())
      Slot = At->second;
    else if (A.Name == "performance" && !A.IsOfGPU)
      Slot = Layout.component(*Of).Performance.Value.value_or(NAN);
  }
  run(Now.Of->Operations);
}

void PlanBuilder::run(ArrayRef<Operation> List) {
  for (const Operation &Op : List) {
    if (IsTooLong)
      return;
    if (++NumSteps > Request.MaxTasks ||
        Result.Tasks.size() > Request.MaxTasks) {
      IsTooLong = true;
      return error(Op.Place, "the scenario has more than " +
                                 Twine(Request.MaxTasks) +
                                 " operations; repeat fewer times, or let "
                                 "fewer processes run");
    }
    run(Op);
  }
}

void PlanBuilder::run(const Operation &Op) {
  switch (groupOf(Op.Kind)) {
  case OperationGroup::Host:
    return runHost(Op);
  case OperationGroup::Copy:
    return Op.Kind == Kind::WithinDevice || Op.Kind == Kind::Fill
               ? runWithin(Op)
               : runCopy(Op);
  case OperationGroup::Kernel:
    return runLaunch(Op);
  case OperationGroup::Message:
    return runMessage(Op);
  case OperationGroup::Collective:
    return runCollective(Op);
  case OperationGroup::Order:
    return runOrder(Op);
  }
}

void PlanBuilder::runHost(const Operation &Op) {
  const PlannedProcess &P = Result.Processes[Now.Number];
  double Seconds = value(Op.Amount, "seconds");
  if (Op.Operations != NoFormula) {
    double Performance = value(Op.Performance, "performance");
    if (Op.Performance == NoFormula && P.CPU)
      Performance = Layout.component(*P.CPU).Performance.Value.value_or(0);
    if (!(Performance > 0))
      return error(Op.Place, "nobody knows how many operations the CPU does a "
                             "second; the system's cpu has 'performance', or "
                             "the operation has it");
    Seconds = value(Op.Operations, "operations") / Performance;
  }
  SmallVector<ServerNumber, 1> Cores;
  if (P.CPU) {
    const ServerNumber At = Layout.coresOf(*P.CPU);
    if (OnCPU[At] > Layout.component(*P.CPU).Cores)
      Cores.push_back(At);
  }
  const TaskNumber T = addTask(Op, Seconds, Cores);
  Result.Tasks.back().IsOfHost = true;
  after(T, Now.Host);
  Now.Host = T;
}

void PlanBuilder::runMemory(const Operation &Op) {
  GPUState *G = gpuOf(Op);
  if (!G)
    return;
  const SystemComponent &C = Layout.component(G->Place);
  double &Bytes = Taken[Layout.kernelsOf(G->Place)];
  const double Amount = value(Op.Amount, "bytes");
  Bytes += Op.Kind == Kind::Alloc ? Amount : -Amount;
  if (Bytes < 0)
    return error(Op.Place, "more is freed than was allocated");
  if (Request.ChecksMemory && C.MemoryBytes && Bytes > *C.MemoryBytes)
    error(Op.Place, shortestDecimal(Bytes) + " bytes are allocated, but '" +
                        C.Name + "' has " + shortestDecimal(*C.MemoryBytes) +
                        "; --no-memory-limit leaves that open");
}

void PlanBuilder::runRepeat(const Operation &Op) {
  std::optional<uint64_t> Times = whole(Op.Amount, "times", 0);
  const double Outer = Slots[Op.Counter];
  for (uint64_t I = 0; Times && I != *Times && !IsTooLong; ++I) {
    Slots[Op.Counter] = double(I);
    if (++NumSteps > Request.MaxTasks) { // an empty body, too
      IsTooLong = true;
      error(Op.Place,
            "it is repeated more than " + Twine(Request.MaxTasks) + " times");
    }
    run(Op.Body);
  }
  Slots[Op.Counter] = Outer;
}

void PlanBuilder::runOrder(const Operation &Op) {
  switch (Op.Kind) {
  case Kind::Phase:
    Now.Phase = uint16_t(Op.Phase + 1);
    return;
  case Kind::Alloc:
  case Kind::Free:
    return runMemory(Op);
  case Kind::Repeat:
    return runRepeat(Op);
  case Kind::If:
    return run(value(Op.Amount, "the condition", /*MayBeNegative=*/true) != 0
                   ? Op.Body
                   : Op.Otherwise);
  case Kind::Event: {
    TaskNumber &Mark = Now.Events[Op.Event];
    if (Op.HasStream) {
      if (GPUState *G = gpuOf(Op)) {
        Mark = join(Op, {Now.Host, lastOf(Op, *G, Op.Stream)});
        issue(*G, Op, Mark);
      }
      return;
    }
    // In the default streams: everything later waits for them.
    SmallVector<TaskNumber, 4> All{Now.Host};
    for (GPUState &G : Now.GPUs) {
      All.push_back(lastOf(Op, G, 0));
      issue(G, Op, All.back());
    }
    Mark = join(Op, All);
    return;
  }
  case Kind::Wait: {
    const TaskNumber Marked = Now.Events[Op.Event];
    if (!Op.HasStream) {
      Now.Host = join(Op, {Now.Host, Marked});
      return;
    }
    if (GPUState *G = gpuOf(Op))
      issue(*G, Op, join(Op, {lastOf(Op, *G, Op.Stream), Now.Host, Marked}));
    return;
  }
  case Kind::Sync: {
    Now.Host = join(Op, {Now.Host, Op.HasStream ? Now.Streams[Op.Stream].Last
                                                : lastOfAll(Op)});
    return;
  }
  default: { // Delay
    const TaskNumber T = addTask(Op, value(Op.Amount, "seconds"));
    after(T, Now.Host);
    if (!Op.HasStream) {
      Now.Host = T;
      return;
    }
    if (GPUState *G = gpuOf(Op)) {
      after(T, lastOf(Op, *G, Op.Stream));
      issue(*G, Op, T);
    }
    return;
  }
  }
}

Plan PlanBuilder::build() {
  std::vector<double> Variables;
  Slots.assign(S.numSlots(), 0);
  Constants.resize(S.Formulas.size());
  if (Layout.numServers() + Layout.numLinks() > Request.MaxTasks) {
    error({}, "the system '" + Layout.system().Name + "' has more than " +
                  Twine(Request.MaxTasks) + " cores, copy engines and links");
    return std::move(Result);
  }
  if (!evaluateVariables(S, Request, Variables, Result.Errors))
    return std::move(Result);
  llvm::copy(Variables, Slots.begin() + FirstVariableSlot);
  Result.Variables = std::move(Variables);
  if (!placeProcesses())
    return std::move(Result);
  if (S.Work != NoFormula) {
    Slots[SizeSlot] = LabelSize.front();
    Result.Work = value(S.Work, "work");
  }
  Layout.addResources(Result.Graph);
  Collectives.resize(S.Processes.size());
  NextCollective.resize(Result.Processes.size());
  for (uint32_t N = 0; N != Result.Processes.size() && !IsTooLong; ++N)
    runProcess(N);
  if (!IsTooLong) {
    matchMessages();
    checkCollectives();
  }
  return std::move(Result);
}

Plan ptxpredict::makePlan(const Scenario &S, SystemLayout &Layout,
                          KernelTimes &Kernels, const PlanRequest &Request) {
  return PlanBuilder(S, Layout, Kernels, Request).build();
}
