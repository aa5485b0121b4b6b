//===- CharacteristicsYAMLFields.h - Keys of the file -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The one place that says which key holds which member. A `Map` is the writer
// or the reader of the file, which so cannot disagree; a new member is a line:
//
//   Map.required(Key, Member)  always there
//   Map.optional(Key, Member)  left out where empty, nothing, false or 0
//   Map.word(Key, Member)      a required text, written without quotes if it
//                              is a plain word
//   Map.section(Key, Body)     a mapping of more members of the same object;
//                              optionalSection takes whether to write it
//
// A member is a number, a text, a Count, an extent, an enumeration with a
// toString and a LastOf, a structure with a mapFields, or an optional or a
// vector of these. Keys are those of the JSON report.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_CHARACTERISTICSYAMLFIELDS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_CHARACTERISTICSYAMLFIELDS_H

#include "CharacteristicsYAMLDependence.h"
#include "ptxpredict/Characteristics/CharacteristicsYAML.h"

namespace ptxpredict {

/// The last enumerator of an enumeration that begins with 0.
template <typename E>
constexpr E LastOf = E::None;
template <>
inline constexpr Status LastOf<Status> = Status::Unknown;
template <>
inline constexpr AddressSpace LastOf<AddressSpace> = AddressSpace::Texture;
template <>
inline constexpr AccessKind LastOf<AccessKind> = AccessKind::Prefetch;

template <>
inline constexpr WaitKind LastOf<WaitKind> = WaitKind::Lock;
template <>
inline constexpr BarrierMiss LastOf<BarrierMiss> = BarrierMiss::TooFew;
template <>
inline constexpr AtomicMerge LastOf<AtomicMerge> = AtomicMerge::Count;
template <>
inline constexpr OpenReason LastOf<OpenReason> = OpenReason::MatrixShape;
template <>
inline constexpr auto LastOf<LocalityLevel::KindTy> =
    LocalityLevel::KindTy::Whole;
template <>
inline constexpr auto LastOf<LocalityLevel::ScopeTy> =
    LocalityLevel::ScopeTy::Blocks;
template <>
inline constexpr SchedClass LastOf<SchedClass> = SchedClass::Other;
template <>
inline constexpr auto LastOf<IssuedInstruction::Copy> =
    IssuedInstruction::Copy::WaitBulk;

/// Structures that take one line, in braces, as elements of a list.
template <typename T>
constexpr bool IsOneLine = false;
template <>
inline constexpr bool IsOneLine<TargetFeature> = true;
template <>
inline constexpr bool IsOneLine<CompiledRegisters> = true;
template <>
inline constexpr bool IsOneLine<CompileRefusal> = true;
template <>
inline constexpr bool IsOneLine<InstructionRow> = true;
template <>
inline constexpr bool IsOneLine<EdgeRow> = true;
template <>
inline constexpr bool IsOneLine<IssuedLoop> = true;
template <>
inline constexpr bool IsOneLine<TensorWorkCharacteristics> = true;
template <>
inline constexpr bool IsOneLine<WarpRange> = true;
template <>
inline constexpr bool IsOneLine<WarpRole::Loop> = true;
template <>
inline constexpr bool IsOneLine<MBarrierArray> = true;
template <>
inline constexpr bool IsOneLine<RolePipeline> = true;

/// Structures that are written as what rowOf gives, and read by fromRow.
template <typename T>
constexpr bool IsStored = false;
template <>
inline constexpr bool IsStored<FunctionDependence> = true;

/// Mistakes in a structure that its fields do not show; empty if there are
/// none.
template <typename T>
std::string whyWrong(const T & /*Value*/) {
  return {};
}

std::string whyWrong(const RecurrenceCharacteristics &R);
std::string whyWrong(const PromotionCharacteristics &P);
std::string whyWrong(const BranchCharacteristics &B);
std::string whyWrong(const BarrierMissCharacteristics &M);
std::string whyWrong(const MemoryCharacteristics &M);
std::string whyWrong(const WarpRoles &R);
std::string whyWrong(const KernelCharacteristics &K);

/// A compute capability, "9.0" for 90.
struct Capability {
  unsigned &Number;
};
/// The text of an assumption's kind and detail.
struct AssumedWhat {
  Assumption &Target;
};

/// What is assumed: a number or a quoted text.
struct AssumedValue {
  Assumption &Target;
};

template <typename Map>
void mapFields(Map &M, TargetFeature &F) {
  M.required("name", F.Name);
  M.required("since", Capability{F.Since});
}

template <typename Map>
void mapFields(Map &M, CodeCharacteristics &C) {
  M.word("frontend", C.Frontend);
  M.optional("isa_version", C.ISAVersion);
  M.optional("target", C.Target);
  M.optional("features", C.Features);
}

template <typename Map>
void mapFields(Map &M, KernelBounds &B) {
  M.optional("max_threads", B.MaxThreads);
  M.optional("required_threads", B.RequiredThreads);
  M.optional("required_cluster", B.RequiredCluster);
  M.optional("min_blocks_per_sm", B.MinBlocksPerSM);
  M.optional("max_registers", B.MaxRegisters);
  M.optional("max_cluster_blocks", B.MaxClusterRank);
}

template <typename Map>
void mapFields(Map &M, LaunchConfig &L) {
  M.required("grid", L.Grid);
  M.required("block", L.Block);
  M.required("cluster", L.Cluster);
  M.required("dynamic_shared_bytes", L.DynamicSharedBytes);
}

template <typename Map>
void mapFields(Map &M, CompiledRegisters &R) {
  M.required("compute_capability", Capability{R.ComputeCapability});
  M.required("registers", R.Registers);
}

template <typename Map>
void mapFields(Map &M, CompileRefusal &R) {
  M.required("target", R.Target);
  M.required("why", R.Reason);
}

/// The rest of it is what the bounds say.
template <typename Map>
void mapFields(Map &M, RegisterDemand &D) {
  M.required("packed", D.Packed);
  M.required("hoisted", D.Hoisted);
  M.optional("scheduled", D.Scheduled);
  M.required("calls_unseen", D.CallsUnseen);
  M.optional("redistributed", D.IsRedistributed);
}

template <typename Map>
void mapFields(Map &M, ResourceCharacteristics &R) {
  M.required("registers", R.Registers);
  M.optional("registers_are_given", R.RegistersAreGiven);
  M.optional("spill_bytes", R.SpillBytes);
  M.optional("spill_load_bytes", R.SpillLoadBytes);
  M.optional("code_bytes", R.CodeBytes);
  M.required("static_shared_bytes", R.StaticSharedBytes);
  M.required("local_bytes", R.LocalBytes);
  M.required("barriers", R.Barriers);
  M.required("param_bytes", R.ParamBytes);
  M.required("register_demand", R.Demand);
  M.optional("compiled", R.Compiled);
  M.optional("not_compiled", R.Refusals);
}

template <typename Map>
void mapFields(Map &M, BlockCharacteristics &B) {
  M.required("label", B.Label);
  M.optional("function", B.Function);
  M.required("line", B.Line);
  M.required("frequency", B.Frequency);
}

template <typename Map>
void mapFields(Map &M, SourcePlace &P) {
  M.required("line", P.Line);
  M.optional("source", P.Source);
  M.optional("inlined_at", P.InlinedAt);
}

template <typename Map>
void mapFields(Map &M, InstructionPlace &I) {
  mapFields(M, I.Place);
  M.word("opcode", I.Opcode);
}

template <typename Map>
void mapFields(Map &M, RecurrenceCharacteristics &R) {
  M.required("iterations", R.Iterations);
  M.required("instructions", R.Instructions);
}

template <typename Map>
void mapFields(Map &M, PromotionCharacteristics &P) {
  M.optional("rounded", P.IsRounded);
  M.required("instructions", P.Instructions);
}

template <typename Map>
void mapFields(Map &M, WaitCharacteristics &W) {
  M.required("kind", W.Kind);
  M.required("line", W.Line);
  M.optional("source", W.Source);
  M.required("signal_line", W.SignalLine);
  M.required("executions", W.Executions);
  M.optional("round_trips", W.RoundTrips);
  M.optional("fences", W.Fences);
}

template <typename Map>
void mapFields(Map &M, LoopCharacteristics &L) {
  M.required("header", L.Header);
  M.required("line", L.Line);
  M.required("depth", L.Depth);
  M.required("trip_count", L.TripCount);
  M.optional("trip_count_symbolic", L.TripCountSymbolic);
  M.required("executions", L.Executions);
  M.optional("waits_for", L.WaitsFor);
  M.optional("recurrence", L.Recurrence);
}

template <typename Map>
void mapFields(Map &M, BranchCharacteristics &B) {
  M.required("line", B.Line);
  M.optional("block", B.Block);
  M.required("block_line", B.BlockLine);
  M.optional("source", B.Source);
  M.required("executions", B.Executions);
  M.optional("taken_fraction", B.Taken);
  M.optional("divergent_fraction", B.Divergent);
}

template <typename Map>
void mapFields(Map &M, BarrierMissCharacteristics &B) {
  M.required("how", B.Miss);
  M.optional("parted_by_line", B.PartedByLine);
  M.optional("parted_by", B.PartedBySource);
  M.optional("why", B.Reason);
  M.optional("needs_grid", B.NeedsGrid);
  M.required("block", B.Block);
  M.optional("threads", B.Threads);
  M.optional("reaching", B.Reaching);
}

template <typename Map>
void mapFields(Map &M, BarrierCharacteristics &B) {
  mapFields(M, B.Place);
  M.word("opcode", B.Opcode);
  M.required("executions", B.Executions);
  M.optional("missed", B.Miss);
  M.optional("redundant", B.IsRedundant);
}

template <typename Map>
void mapFields(Map &M, MemoryCharacteristics &C) {
  mapFields(M, C.Place);
  M.word("opcode", C.Opcode);
  M.optional("machine_opcode", C.MachineOpcode);
  M.required("space", C.Space);
  M.required("access", C.Access);
  M.required("bytes_per_lane", C.BytesPerLane);
  M.optional("loop", C.Loop);
  M.optional("lane_stride_bytes", C.LaneStrideBytes);
  M.optional("lane_stride_symbolic", C.LaneStrideSymbolic);
  M.required("requests", C.Requests);
  M.required("active_lanes", C.ActiveLanes);
  M.optional("sectors_per_request", C.Sectors);
  M.optional("lines_per_request", C.Lines);
  M.optional("wavefronts_per_request", C.Wavefronts);
  M.optional("l1_wavefronts_per_request", C.L1Wavefronts);
  M.optionalSection("joined", C.Joined > 1, [&C](auto &S) {
    S.required("accesses", C.Joined);
    S.optional("wavefronts", C.JoinedWavefronts);
  });
  M.optional("paired_wavefronts_per_request", C.PairedWavefronts);
  M.optionalSection("wider", C.WiderAccesses > 1, [&C](auto &S) {
    S.required("accesses", C.WiderAccesses);
    S.required("bytes", C.WiderBytes);
    S.optional("run", C.WiderRun);
  });
  M.optional("read_only_pointer", C.ReadOnlyPointer);
  M.optional("behind_store", C.IsBehindStore);
  M.optional("spill", C.IsSpill);
  M.optionalSection("transactions_per_request", C.hasTransactions(),
                    [&C](auto &S) {
                      for (unsigned I = 0; I != C.Transactions.size(); ++I)
                        S.optional(toString(AccessRule(I)), C.Transactions[I]);
                    });
  M.optionalSection("block_stride_bytes",
                    llvm::any_of(C.BlockStrideBytes,
                                 [](const auto &S) { return S.has_value(); }),
                    [&C](auto &S) {
                      S.optional("x", C.BlockStrideBytes[0]);
                      S.optional("y", C.BlockStrideBytes[1]);
                      S.optional("z", C.BlockStrideBytes[2]);
                    });
  M.optional("warp_stride_bytes", C.WarpStrideBytes);
  M.optional("addresses_per_request", C.Addresses);
  M.optional("hottest_requests", C.HottestRequests);
  M.optional("hottest_lanes", C.HottestLanes);
  M.optional("spread_bytes", C.SpreadBytes);
  M.optional("atomic_passes_per_request", C.Passes);
  M.optionalSection("merged", C.Merge != AtomicMerge::None,
                    [&C](auto &S) { S.required("by", C.Merge); });
  M.optional("lanes", C.Lanes);
  M.optional("unique_bytes", C.UniqueBytes);
}

template <typename Map>
void mapFields(Map &M, FootprintCharacteristics &F) {
  M.required("block_bytes", F.BlockBytes);
  M.required("grid_bytes", F.GridBytes);
  M.required("grid_read_bytes", F.GridReadBytes);
  M.required("grid_written_bytes", F.GridWrittenBytes);
}

template <typename Map>
void mapFields(Map &M, TouchedMemory &T) {
  M.required("bytes", T.Bytes);
  M.required("read_bytes", T.ReadBytes);
  M.required("written_bytes", T.WrittenBytes);
  M.required("sectors", T.Sectors);
  M.required("read_sectors", T.ReadSectors);
  M.required("written_sectors", T.WrittenSectors);
}

template <typename Map>
void mapFields(Map &M, BlocksFootprint &F) {
  M.required("blocks", F.Blocks);
  mapFields(M, F.Touched);
  M.optional("spread", F.Spread);
}

template <typename Map>
void mapFields(Map &M, RequestRun &R) {
  M.required("unique", R.Unique);
  M.required("fresh", R.Fresh);
}

template <typename Map>
void mapFields(Map &M, LevelTraffic &T) {
  M.required("requested", T.Requested);
  M.required("unique", T.Unique);
  M.required("fresh", T.Fresh);
  M.optional("runs", T.Runs);
}

template <typename Map>
void mapFields(Map &M, LocalityLevel &L) {
  M.required("what", L.Kind);
  M.required("of", L.Scope);
  M.optional("header", L.Header);
  M.optional("line", L.Line);
  M.optional("depth", L.Depth);
  M.optional("has_barrier", L.HasBarrier);
  M.optional("load_stretches", L.LoadStretches);
  M.required("blocks", L.NumBlocks);
  M.required("instances", L.Instances);
  M.required("sectors", L.All);
  M.required("read_sectors", L.Loads);
}

template <typename Map>
void mapFields(Map &M, WorkImbalance &I) {
  M.required("warps", I.Warps);
  M.required("blocks", I.Blocks);
}

template <typename Map>
void mapFields(Map &M, Locality &L) {
  M.required("warp", L.Warp);
  M.required("block", L.Block);
  M.required("grid", L.Grid);
  M.optional("common_sectors", L.CommonSectors);
  M.optional("common_read_sectors", L.CommonReadSectors);
  M.required("first_blocks", L.Blocks);
  M.required("levels", L.Levels);
  M.required("imbalance", L.Imbalance);
}

template <typename Map>
void mapFields(Map &M, PathCharacteristics &P) {
  M.required("line", P.Line);
  M.optional("source", P.Source);
  M.required("latency", P.What);
  M.required("share", P.Share);
}

template <typename Map>
void mapFields(Map &M, InstructionRow &I) {
  M.required("line", I.Issued.Line);
  M.optional("source", I.Issued.Source);
  M.required("result", I.Issued.Result);
  M.optional("writes", I.Writes);
  M.optional("reads", I.Reads);
  M.optional("copies", I.Issued.Copies);
  M.optional("argument", I.Argument);
  M.optional("guarded", I.Issued.IsGuarded);
  M.optional("long_load", I.Issued.IsLongLoad);
  M.optional("shared_load", I.Issued.IsSharedLoad);
  M.optional("paired", I.Issued.IsPaired);
  M.optional("stall", I.Issued.Stall);
}

template <typename Map>
void mapFields(Map &M, EdgeRow &E) {
  M.optional("to", E.To);
  M.required("share", E.Share);
}

template <typename Map>
void mapFields(Map &M, BlockRow &B) {
  M.required("runs", B.Runs);
  M.optional("both", B.Both);
  M.optional("is_branch", B.IsBranch);
  M.required("edges", B.Edges);
  M.required("instructions", B.Instructions);
  M.optional("packed_order", B.PackedOrder);
}

template <typename Map>
void mapFields(Map &M, IssuedLoop &L) {
  M.required("first", L.First);
  M.required("end", L.End);
  M.required("runs", L.Runs);
  M.optional("waits_for", L.WaitsFor);
}

template <typename Map>
void mapFields(Map &M, FunctionRow &F) {
  M.optional("name", F.Name);
  M.required("entries", F.Entries);
  M.optional("scoreboards", F.NumScoreboards);
  M.required("loops", F.Loops);
  M.required("blocks", F.Blocks);
}

template <typename Map>
void mapFields(Map &M, DependenceSummary &S) {
  M.optional("sources", S.Sources);
  M.required("functions", S.Functions);
}

template <typename Map>
void mapFields(Map &M, WarpPath &P) {
  M.required("summary", P.Summary);
  M.optional("machine_summary", P.Machine);
}

template <typename Map>
void mapFields(Map &M, DependenceCharacteristics &D) {
  M.required("ilp", D.ILP);
  M.required("dep", D.DEP);
  M.required("mstr", D.MSTR);
  M.required("memory_parallelism", D.MemoryParallelism);
  M.required("round_trips", D.RoundTrips);
  M.required("shared_round_trips", D.SharedRoundTrips);
  M.required("path_instructions", D.PathInstructions);
  M.required("path", D.Path);
  mapFields(M, static_cast<WarpPath &>(D));
  M.optional("longest_warps", D.Longest);
}

/// Numbers by form of an assembler.
template <typename Map, typename T>
void mapForms(Map &M, StringRef Key, std::array<T, NumMachineForms> &ByForm) {
  M.optionalSection(Key,
                    llvm::any_of(ByForm, [](const T &C) { return bool(C); }),
                    [&ByForm](auto &C) {
                      for (unsigned I = 0; I != NumMachineForms; ++I)
                        C.optional(toString(MachineForm(I)), ByForm[I]);
                    });
}

template <typename Map>
void mapFields(Map &M, WarpRange &R) {
  M.required("first", R.First);
  M.required("number", R.Number);
}

template <typename Map>
void mapFields(Map &M, WarpRole::Loop &L) {
  M.required("line", L.Line);
  M.required("executions", L.Executions);
}

template <typename Map>
void mapFields(Map &M, WarpRole &R) {
  M.required("warps", R.Warps);
  M.optional("registers", R.Registers);
  M.required("instructions", R.Instructions);
  M.required("copies", R.Copies);
  M.required("tensor_macs", R.TensorMACs);
  M.required("stores", R.Stores);
  M.optional("loops", R.Loops);
}

template <typename Map>
void mapFields(Map &M, MBarrierArray &A) {
  M.required("at", A.Place);
  M.optional("number", A.Number);
  M.optional("arrivals", A.Arrivals);
  M.optional("bytes", A.Bytes);
  M.optional("of_copies", A.IsOfCopies);
  M.optional("of_matrices", A.IsOfMatrices);
  M.optional("of_cluster", A.IsOfCluster);
  M.optional("starts_free", A.StartsFree);
  M.optional("arriving", A.Arriving);
  M.optional("waiting", A.Waiting);
}

template <typename Map>
void mapFields(Map &M, RolePipeline &P) {
  M.required("producer", P.Producer);
  M.required("consumer", P.Consumer);
  M.required("full", P.Full);
  M.optional("empty", P.Empty);
  M.optional("stages", P.Stages);
  M.required("steps", P.Steps);
}

template <typename Map>
void mapFields(Map &M, WarpRoles &R) {
  M.required("warps", R.Roles);
  M.optional("mbarriers", R.Barriers);
  M.optional("pipelines", R.Pipelines);
}

template <typename Map>
void mapFields(Map &M, TensorWorkCharacteristics &W) {
  M.required("type", W.Type);
  M.required("m", W.M);
  M.required("n", W.N);
  M.required("k", W.K);
  M.required("sms", W.SMs);
  M.optional("shared_bytes", W.SharedBytes);
  M.required("macs", W.MACs);
}

template <typename Map>
void mapFields(Map &M, HeaviestBlocksCharacteristics &H) {
  M.required("number", H.Number);
  M.required("before", H.Before);
  M.required("instructions", H.Instructions);
  M.required("block_barriers", H.BlockBarriers);
  M.required("tensor_macs", H.TensorMACs);
  mapForms(M, "by_form", H.ByForm);
  mapForms(M, "uniform_by_form", H.UniformByForm);
  M.required("requests", H.Requests);
  mapFields(M, H.Path);
}

template <typename Map>
void mapFields(Map &M, Assumption &A) {
  M.required("what", AssumedWhat{A});
  M.required("value", AssumedValue{A});
  M.optional("line", A.Line);
  M.required("option", A.Option);
}

template <typename Map>
void mapFields(Map &M, KernelCharacteristics &K) {
  M.constant("schema", CharacteristicsSchemaName);
  M.constant("version", CharacteristicsSchemaVersion);
  M.required("name", K.Name);
  M.required("demangled", K.Demangled);
  M.required("line", K.Line);
  M.required("code", K.Code);
  M.required("bounds", K.Bounds);
  M.required("launch", K.Launch);
  M.optional("profile", K.MeasuredOn);
  M.required("resources", K.Resources);
  M.section("characteristics", [&K](auto &S) {
    S.required("instructions", K.Instructions);
    S.section("by_class", [&K](auto &C) {
      for (unsigned I = 0; I != NumOpClasses; ++I)
        C.optional(toString(OpClass(I)), K.ByClass[I]);
    });
    S.optionalSection(
        "by_work",
        llvm::any_of(K.ByWork, [](const auto &C) { return C.has_value(); }),
        [&K](auto &C) {
          for (unsigned I = 0; I != NumSchedClasses; ++I)
            C.optional(toString(SchedClass(I)), K.ByWork[I]);
        });
    mapForms(S, "by_form", K.ByForm);
    mapForms(S, "uniform_by_form", K.UniformByForm);
    S.optional("tensor_macs", K.TensorMACs);
    S.optional("tensor_work", K.TensorWork);
    S.required("block_barriers", K.BlockBarriers);
    S.required("blocks", K.Blocks);
    S.required("loops", K.Loops);
    S.required("branches", K.Branches);
    S.optional("barriers", K.Barriers);
    S.required("memory", K.Memory);
    S.optional("waits", K.Waits);
    S.optional("promotions", K.Promotions);
    S.optional("roles", K.Roles);
    S.optional("footprint", K.Footprint);
    S.required("dependence", K.Dependence);
    S.optional("locality", K.Reuse);
    S.optional("heaviest_blocks", K.Heaviest);
    S.section("coverage", [&K](auto &C) {
      C.required("modelled", K.ModelledInstructions);
      C.required("total", K.TotalInstructions);
      C.optional("unknown_opcodes", K.UnknownOpcodes);
    });
  });
  M.required("premises", K.Premises);
  M.required("assumptions", K.Assumptions);
}

/// Whether \p T has a mapFields.
struct NoMap {};
template <typename T, typename = void>
constexpr bool HasFields = false;
template <typename T>
constexpr bool
    HasFields<T, std::void_t<decltype(mapFields(std::declval<NoMap &>(),
                                                std::declval<T &>()))>> = true;

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_CHARACTERISTICSYAMLFIELDS_H
