//===- CharacteristicsJSON.cpp - What a kernel does, as JSON --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CharacteristicsJSON.h"

using namespace ptxpredict;

static void writePlace(JSONWriter &J, const InstructionPlace &I) {
  J.attribute("line", I.Place.Line);
  if (!I.Place.Source.empty())
    J.text("source", I.Place.Source);
  if (!I.Place.InlinedAt.empty())
    J.texts("inlined_at", I.Place.InlinedAt);
  J.text("opcode", I.Opcode);
}

void ptxpredict::writeInputs(JSONWriter &J, ArrayRef<InputReport> Inputs) {
  J.attributeArray("inputs", [&] {
    for (const InputReport &I : Inputs)
      J.object([&] {
        J.text("path", I.Path);
        J.text("frontend", toString(I.Frontend));
        if (!I.ISAVersion.empty())
          J.text("isa_version", I.ISAVersion);
        if (!I.Target.empty())
          J.text("target", I.Target);
        if (!I.Hash.empty())
          J.text("hash", I.Hash);
      });
  });
}

void ptxpredict::writeLaunch(JSONWriter &J, const LaunchConfig &L) {
  J.attributeObject("launch", [&] {
    J.extent("grid", L.Grid);
    J.extent("block", L.Block);
    J.extent("cluster", L.Cluster);
    J.attribute("dynamic_shared_bytes", L.DynamicSharedBytes);
  });
}

void ptxpredict::writeWaits(JSONWriter &J,
                            ArrayRef<PathCharacteristics> Waits) {
  J.attributeArray("waits", [&] {
    for (const PathCharacteristics &P : Waits)
      J.object([&] {
        J.attribute("line", P.Line);
        if (!P.Source.empty())
          J.text("source", P.Source);
        J.attribute("latency", toString(P.What));
        J.number("share", P.Share);
      });
  });
}

static void writeRecurrence(JSONWriter &J, const RecurrenceCharacteristics &R) {
  J.attributeObject("recurrence", [&] {
    J.attribute("iterations", R.Iterations);
    J.attributeArray("instructions", [&] {
      for (const InstructionPlace &I : R.Instructions)
        J.object([&] { writePlace(J, I); });
    });
  });
}

static void writeDependence(JSONWriter &J, const DependenceCharacteristics &D) {
  J.estimate("ilp", D.ILP);
  J.estimate("dep", D.DEP);
  J.estimate("mstr", D.MSTR);
  J.estimate("memory_parallelism", D.MemoryParallelism);
  J.estimate("round_trips", D.RoundTrips);
  J.estimate("shared_round_trips", D.SharedRoundTrips);
  J.attributeObject("critical_path", [&] {
    J.estimate("instructions", D.PathInstructions);
    J.attributeArray("lines", [&] {
      for (const PathCharacteristics &P : D.Path)
        J.value(P.Line);
    });
    writeWaits(J, D.Path);
  });
}

static void writeRoles(JSONWriter &J, const WarpRoles &R) {
  auto Numbers = [&J](StringRef Key, const RoleSet &Roles) {
    J.attributeArray(Key, [&] {
      for (unsigned N : Roles)
        J.value(N);
    });
  };
  J.attributeArray("roles", [&] {
    for (const WarpRole &Role : R.Roles)
      J.object([&] {
        J.attributeArray("warps", [&] {
          for (const WarpRange &W : Role.Warps)
            J.object([&] {
              J.attribute("first", W.First);
              J.attribute("number", W.Number);
            });
        });
        if (Role.Registers)
          J.attribute("registers", Role.Registers);
        J.estimate("instructions", Role.Instructions);
        J.estimate("copies", Role.Copies);
        J.estimate("tensor_macs", Role.TensorMACs);
        J.estimate("stores", Role.Stores);
        J.attributeArray("loops", [&] {
          for (const WarpRole::Loop &L : Role.Loops)
            J.object([&] {
              J.attribute("line", L.Line);
              J.estimate("executions", L.Executions);
            });
        });
      });
  });
  J.attributeArray("mbarriers", [&] {
    for (const MBarrierArray &A : R.Barriers)
      J.object([&] {
        J.attribute("at", A.Place);
        // What nobody knows is absent.
        if (A.Number)
          J.attribute("number", A.Number);
        if (A.Arrivals)
          J.attribute("arrivals", A.Arrivals);
        if (A.Bytes)
          J.attribute("bytes", A.Bytes);
        J.attribute("of_copies", A.IsOfCopies);
        J.attribute("of_matrices", A.IsOfMatrices);
        J.attribute("of_cluster", A.IsOfCluster);
        J.attribute("starts_free", A.StartsFree);
        Numbers("arriving", A.Arriving);
        Numbers("waiting", A.Waiting);
      });
  });
  J.attributeArray("pipelines", [&] {
    for (const RolePipeline &P : R.Pipelines)
      J.object([&] {
        J.attribute("producer", P.Producer);
        J.attribute("consumer", P.Consumer);
        J.attribute("full", P.Full);
        if (P.Empty)
          J.attribute("empty", *P.Empty);
        if (P.Stages)
          J.attribute("stages", P.Stages);
        J.estimate("steps", P.Steps);
      });
  });
}

static void writeReuse(JSONWriter &J, const Locality &L) {
  J.attributeObject("imbalance", [&] {
    J.estimate("warps", L.Imbalance.Warps);
    J.estimate("blocks", L.Imbalance.Blocks);
  });
  J.attributeObject("locality", [&] {
    J.estimate("warp_bytes", L.Warp.Bytes);
    J.estimate("warp_sectors", L.Warp.Sectors);
    J.estimate("block_sectors", L.Block.Sectors);
    J.estimate("grid_sectors", L.Grid.Sectors);
    J.attributeArray("first_blocks", [&] {
      for (const BlocksFootprint &F : L.Blocks)
        J.object([&] {
          J.attribute("blocks", F.Blocks);
          J.estimate("bytes", F.Touched.Bytes);
          J.estimate("sectors", F.Touched.Sectors);
        });
    });
  });
}

static void writeBranch(JSONWriter &J, const BranchCharacteristics &B) {
  if (!B.Divergent)
    return; // a guarded call
  J.object([&] {
    J.attribute("line", B.Line);
    if (!B.Source.empty())
      J.text("source", B.Source);
    J.estimate("executions", B.Executions);
    J.estimate("taken_fraction", *B.Taken);
    J.estimate("divergent_fraction", *B.Divergent);
  });
}

/// Where other blocks and warps have their accesses, and how atomics meet.
static void writeNeighbours(JSONWriter &J, const MemoryCharacteristics &M) {
  static constexpr StringRef Axes[] = {"x", "y", "z"};
  if (llvm::any_of(M.BlockStrideBytes,
                   [](const auto &S) { return S.has_value(); }))
    J.attributeObject("block_stride_bytes", [&] {
      for (auto [Axis, Stride] : llvm::zip(Axes, M.BlockStrideBytes))
        if (Stride)
          J.attribute(Axis, *Stride);
    });
  if (M.WarpStrideBytes)
    J.attribute("warp_stride_bytes", *M.WarpStrideBytes);
  if (M.Addresses)
    J.estimate("addresses_per_request", *M.Addresses);
  if (M.HottestRequests)
    J.estimate("hottest_requests", *M.HottestRequests);
  if (M.HottestLanes)
    J.estimate("hottest_lanes", *M.HottestLanes);
  if (M.SpreadBytes)
    J.estimate("spread_bytes", *M.SpreadBytes);
  if (M.Passes)
    J.estimate("atomic_passes_per_request", *M.Passes);
  if (M.Merge != AtomicMerge::None)
    J.text("merged", toString(M.Merge));
}

static void writeMemory(JSONWriter &J, const MemoryCharacteristics &M,
                        bool OfRun) {
  J.object([&] {
    J.attribute("line", M.Place.Line);
    if (!M.Place.Source.empty())
      J.text("source", M.Place.Source);
    if (!M.Place.InlinedAt.empty())
      J.texts("inlined_at", M.Place.InlinedAt);
    J.text("opcode", M.Opcode);
    if (!M.MachineOpcode.empty())
      J.text("machine_opcode", M.MachineOpcode);
    J.attribute("space", toString(M.Space));
    J.attribute("access", toString(M.Access));
    if (M.BytesPerLane != 0)
      J.attribute("bytes_per_lane", M.BytesPerLane);
    if (!OfRun && M.Loop)
      J.attribute("loop", *M.Loop);
    if (M.LaneStrideBytes)
      J.attribute("lane_stride_bytes", *M.LaneStrideBytes);
    if (!M.LaneStrideSymbolic.empty())
      J.text("lane_stride_symbolic", M.LaneStrideSymbolic);
    J.estimate("requests", M.Requests);
    J.estimate("active_lanes", M.ActiveLanes);
    if (M.Sectors)
      J.estimate("sectors_per_request", *M.Sectors);
    if (M.Lines)
      J.estimate("lines_per_request", *M.Lines);
    if (M.Wavefronts)
      J.estimate("wavefronts_per_request", *M.Wavefronts);
    if (M.hasTransactions())
      J.attributeObject("transactions_per_request", [&] {
        for (auto [Rule, N] : llvm::enumerate(M.Transactions))
          if (N)
            J.estimate(toString(AccessRule(Rule)), *N);
      });
    if (!OfRun)
      writeNeighbours(J, M);
    if (OfRun && M.Lanes)
      J.attribute("lanes", *M.Lanes);
    if (OfRun && M.UniqueBytes)
      J.attribute("unique_bytes", *M.UniqueBytes);
  });
}

static void writeTensorWork(JSONWriter &J, const KernelCharacteristics &K) {
  J.estimate("tensor_macs", *K.TensorMACs);
  J.attributeObject("tensor_macs_by_type", [&] {
    for (const auto &[Type, MACs] : tensorMACsByType(K))
      J.estimate(Type, MACs);
  });
  J.attributeArray("tensor_work", [&] {
    for (const TensorWorkCharacteristics &W : K.TensorWork)
      J.object([&] {
        J.text("type", W.Type);
        J.attribute("m", W.M);
        J.attribute("n", W.N);
        J.attribute("k", W.K);
        J.attribute("sms", W.SMs);
        if (W.SharedBytes > 0)
          J.attribute("shared_bytes", W.SharedBytes);
        J.estimate("macs", W.MACs);
      });
  });
}

void ptxpredict::writeCharacteristics(JSONWriter &J,
                                      const KernelCharacteristics &K,
                                      bool OfRun) {
  J.attributeObject("characteristics", [&] {
    J.estimate("instructions", K.Instructions);
    J.attributeObject("by_class", [&] {
      for (unsigned C = 0; C != NumOpClasses; ++C)
        if (K.ByClass[C])
          J.estimate(toString(OpClass(C)), *K.ByClass[C]);
    });
    if (!OfRun)
      J.attributeObject("by_work", [&] {
        for (unsigned L = 0; L != NumSchedClasses; ++L)
          if (K.ByWork[L])
            J.estimate(toString(SchedClass(L)), *K.ByWork[L]);
      });
    if (K.TensorMACs)
      writeTensorWork(J, K);
    if (!OfRun)
      J.estimate("block_barriers", K.BlockBarriers);
    J.attributeArray("blocks", [&] {
      for (const BlockCharacteristics &B : K.Blocks)
        J.object([&] {
          J.text("label", B.Label);
          if (!B.Function.empty())
            J.text("function", B.Function);
          J.attribute("line", B.Line);
          J.estimate("frequency", B.Frequency);
        });
    });
    J.attributeArray("loops", [&] {
      for (const LoopCharacteristics &L : K.Loops)
        J.object([&] {
          J.text("header", L.Header);
          J.attribute("line", L.Line);
          J.attribute("depth", L.Depth);
          J.estimate("trip_count", L.TripCount);
          if (!L.TripCountSymbolic.empty())
            J.text("trip_count_symbolic", L.TripCountSymbolic);
          J.estimate("executions", L.Executions);
          if (!L.WaitsFor.empty())
            J.text("waits_for", L.WaitsFor);
          if (!OfRun && L.Recurrence)
            writeRecurrence(J, *L.Recurrence);
        });
    });
    J.attributeArray("branches", [&] {
      for (const BranchCharacteristics &B : K.Branches)
        writeBranch(J, B);
    });
    J.attributeArray("memory", [&] {
      for (const MemoryCharacteristics &M : K.Memory)
        writeMemory(J, M, OfRun);
    });
    if (!OfRun && !K.Dependence.Summary.Functions.empty())
      writeDependence(J, K.Dependence);
    if (!K.Roles.empty() && !OfRun)
      writeRoles(J, K.Roles);
    if (const auto &F = K.Footprint)
      J.attributeObject("footprint", [&] {
        J.estimate("block_bytes", F->BlockBytes);
        J.estimate("grid_bytes", F->GridBytes);
        J.estimate("grid_read_bytes", F->GridReadBytes);
        J.estimate("grid_written_bytes", F->GridWrittenBytes);
      });
    if (const std::optional<Locality> &L = K.Reuse; L && !OfRun)
      writeReuse(J, *L);
    if (const auto &H = K.Heaviest; H && !OfRun)
      J.attributeObject("heaviest_blocks", [&] {
        J.attribute("number", H->Number);
        J.attribute("before", H->Before);
        J.attribute("instructions", H->Instructions);
      });
    J.attributeObject("coverage", [&] {
      J.attribute("modelled", K.ModelledInstructions);
      J.attribute("total", K.TotalInstructions);
      J.attributeObject("unknown_opcodes", [&] {
        for (const auto &[Opcode, N] : K.UnknownOpcodes)
          J.attribute(Opcode, N);
      });
    });
  });
}

void ptxpredict::printReportJSON(
    const DocumentSchema &Schema, const Report &R, size_t NumKernels,
    llvm::function_ref<void(size_t, raw_ostream &)> Kernel, raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(Schema.Name, Schema.Version);
    writeInputs(J, R.Inputs);
    J.texts("premises", R.Premises);
    J.attributeArray("kernels", [&] {
      for (size_t N = 0; N != NumKernels; ++N)
        J.rawValue([&](raw_ostream &Raw) { Kernel(N, Raw); });
    });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : R.Diagnostics)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}
