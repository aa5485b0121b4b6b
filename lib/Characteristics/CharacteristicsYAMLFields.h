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
// toString and a LastOf, a structure with a mapFields, or an optional, a vector
// or an array by enumerators of these. Keys are those of the JSON report.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_CHARACTERISTICSYAMLFIELDS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_CHARACTERISTICSYAMLFIELDS_H

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

/// A compute capability, "9.0" for 90.
struct Capability {
  unsigned &Number;
};
/// The text of an assumption: a number or a quoted text.
struct AssumedValue {
  Assumption &Of;
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
  M.required("why", R.Why);
}

/// The rest of it is what the bounds say.
template <typename Map>
void mapFields(Map &M, RegisterDemand &D) {
  M.required("packed", D.Packed);
  M.required("hoisted", D.Hoisted);
  M.required("calls_unseen", D.CallsUnseen);
}

template <typename Map>
void mapFields(Map &M, ResourceCharacteristics &R) {
  M.required("registers", R.Registers);
  M.optional("registers_are_given", R.RegistersAreGiven);
  M.optional("spill_bytes", R.SpillBytes);
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
void mapFields(Map &M, LoopCharacteristics &L) {
  M.required("header", L.Header);
  M.required("line", L.Line);
  M.required("depth", L.Depth);
  M.required("trip_count", L.TripCount);
  M.optional("trip_count_symbolic", L.TripCountSymbolic);
}

template <typename Map>
void mapFields(Map &M, BranchCharacteristics &B) {
  M.required("line", B.Line);
  M.optional("block", B.Block);
  M.required("block_line", B.BlockLine);
  M.optional("taken_fraction", B.Taken);
  M.optional("divergent_fraction", B.Divergent);
}

template <typename Map>
void mapFields(Map &M, MemoryCharacteristics &C) {
  M.required("line", C.Place.Line);
  M.optional("source", C.Place.Source);
  M.optional("inlined_at", C.Place.InlinedAt);
  M.word("opcode", C.Opcode);
  M.required("space", C.Space);
  M.required("access", C.Access);
  M.required("bytes_per_lane", C.BytesPerLane);
  M.optional("lane_stride_bytes", C.LaneStrideBytes);
  M.optional("lane_stride_symbolic", C.LaneStrideSymbolic);
  M.required("requests", C.Requests);
  M.required("active_lanes", C.ActiveLanes);
  M.optional("sectors_per_request", C.Sectors);
  M.optional("lines_per_request", C.Lines);
  M.optional("wavefronts_per_request", C.Wavefronts);
  M.optionalSection("transactions_per_request", C.hasTransactions(),
                    [&C](auto &S) {
                      for (unsigned I = 0; I != C.Transactions.size(); ++I)
                        S.optional(toString(AccessRule(I)), C.Transactions[I]);
                    });
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
void mapFields(Map &M, Assumption &A) {
  M.required("what", A.What);
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
    S.required("block_barriers", K.BlockBarriers);
    S.required("blocks", K.Blocks);
    S.required("loops", K.Loops);
    S.required("branches", K.Branches);
    S.required("memory", K.Memory);
    S.optional("footprint", K.Footprint);
    S.section("coverage", [&K](auto &C) {
      C.required("modelled", K.ModelledInstructions);
      C.required("total", K.TotalInstructions);
      C.optional("unknown_opcodes", K.UnknownOpcodes);
    });
  });
  M.required("premises", K.Premises);
  M.required("assumptions", K.Assumptions);
}

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_CHARACTERISTICSYAMLFIELDS_H
