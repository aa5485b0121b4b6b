//===- LiftCluster.cpp - Blocks that run together -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {
/// Where bank 0 of constants holds what a launch says of clusters, in bytes;
/// from sm_100 on behind an index that depends on the size of a cluster.
struct ClusterWords {
  uint32_t IsExplicit;
  uint32_t Size, Reciprocal, Number; ///< x, y, z
  uint32_t Blocks;
};
constexpr unsigned FirstWithClusters = 90, FirstWithIndex = 100;
constexpr ClusterWords OfHopper = {0x140, 0x144, 0x150, 0x15c, 0x188},
                       Since100 = {0x36c, 0x2a0, 0x2ac, 0x2c0, 0x2cc};
} // namespace

bool FunctionLift::usesClusters() {
  if (!UsesClusters) {
    UsesClusters = false;
    for (const Block *X : M.graph().Blocks)
      for (const Instruction *I : X->Instructions)
        if (const MachineInstruction *Is = M.machineOf(*I))
          *UsesClusters |= Is->mnemonic().contains("CGABAR") ||
                           Is->mnemonic() == "STAS" ||
                           Is->mnemonic() == "REDAS" ||
                           hasWord(*Is, "MULTICAST") || hasWord(*Is, "2CTA");
  }
  return *UsesClusters;
}

bool FunctionLift::emitClusterWord(const Operand &To, uint32_t Offset,
                                   bool IsIndexed) {
  if (architecture() < FirstWithClusters)
    return false;
  const bool HasIndex = architecture() >= FirstWithIndex;
  const ClusterWords &W = HasIndex ? Since100 : OfHopper;
  if (Offset == W.IsExplicit && !IsIndexed) {
    const Operand Is = compute("mov.pred", ScalarType::Pred,
                               {special("%is_explicit_cluster")});
    emit("selp.b32", {To, number(1), number(0), Is});
    return true;
  }
  if (HasIndex != IsIndexed)
    return false;
  static constexpr StringRef Sizes[] = {"%cluster_nctaid.x",
                                        "%cluster_nctaid.y",
                                        "%cluster_nctaid.z"},
                             Numbers[] = {"%nclusterid.x", "%nclusterid.y",
                                          "%nclusterid.z"};
  for (unsigned D = 0; D != 3; ++D) {
    if (Offset == W.Size + 4 * D) {
      emit("mov.u32", {To, special(Sizes[D])});
      return true;
    }
    if (Offset == W.Number + 4 * D) {
      emit("mov.u32", {To, special(Numbers[D])});
      return true;
    }
    if (Offset == W.Reciprocal + 4 * D) {
      // A bit more, so that a product is never below a whole number.
      const Operand Size = compute("mov.u32", Word, {special(Sizes[D])});
      const Operand Float = compute("cvt.rn.f32.u32", Word, {Size});
      const Operand R = compute("rcp.rn.f32", Word, {Float});
      emit("add.u32", {To, R, number(1)});
      return true;
    }
  }
  if (Offset == W.Blocks) {
    emit("mov.u32", {To, special("%cluster_nctarank")});
    return true;
  }
  return false;
}

/// "add.u32": what a reduction in another block's memory does; empty if PTX has
/// no such.
static std::string reductionOf(const MachineInstruction &I) {
  const bool IsLong = hasWord(I, "64") || hasWord(I, "S64");
  const bool IsSigned = hasWord(I, "S32") || hasWord(I, "S64");
  for (StringRef W : {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR"}) {
    if (!hasWord(I, W))
      continue;
    const bool IsBits = W == "AND" || W == "OR" || W == "XOR";
    const bool IsSum = W == "ADD" && IsLong;
    return W.lower() + "." +
           (IsBits               ? "b"
            : IsSigned && !IsSum ? "s"
                                 : "u") +
           (IsLong ? "64" : "32");
  }
  return {};
}

/// UGETNEXTWORKID: the place of blocks that have not started yet. The machine's
/// answer has y and z in one word, and then whether there are some.
bool FunctionLift::liftNextWork() {
  const MachineOperand *To = memory(0), *Barrier = memory(1);
  if (!To || !To->Offset || !Barrier || !Barrier->Offset ||
      (has("BROADCAST") && usesClusters()))
    return false;
  const Operand At = address(
                    registerOperand(machine::FirstUniform + *To->Offset)),
                Signalled = address(
                    registerOperand(machine::FirstUniform + *Barrier->Offset));
  emitOnce("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::"
           "complete_tx::bytes.b128",
           {At, Signalled});
  SmallVector<Operand, 4> Answer;
  for (unsigned N = 0; N != 4; ++N)
    Answer.push_back(temporary(Word));
  constexpr unsigned HalfWord = 16;
  emitAlsoOnce("ld.shared.v4.b32", {vector(Answer), At});
  const Operand Z = compute("shl.b32", Word, {Answer[2], number(HalfWord)});
  const Operand Both = compute("or.b32", Word, {Answer[1], Z});
  emitAlsoOnce("st.shared.v4.b32",
               {At, vector({Answer[0], Both, Answer[3], number(0)})});
  return true;
}

bool FunctionLift::liftCluster(StringRef Name) {
  if (Name == "UGETNEXTWORKID")
    return liftNextWork();
  if (Name == "STAS" || Name == "REDAS") {
    // The address, and behind it that of the barrier.
    const MachineOperand *At = memory();
    if (!At || At->Number == MachineOperand::RegisterZero)
      return false;
    const MachineOperand &Data = machine().Operands.back();
    const Operand To = address(registerOperand(At->Number), At->Value),
                  Barrier = address(registerOperand(At->Number + 1));
    if (Name == "REDAS") {
      const std::string Operation = reductionOf(machine());
      if (Operation.empty())
        return false;
      const bool IsWide = StringRef(Operation).ends_with("64");
      emitMain("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx"
               "::bytes." +
                   Operation,
               {To, IsWide ? wide(Data) : raw(Data), Barrier});
      return true;
    }
    const unsigned N = has("128") ? 4 : has("64") ? 2 : 1;
    SmallVector<Operand, 4> All;
    for (unsigned R = 0; R != N; ++R)
      All.push_back(raw(Data, R));
    const StringRef Type = N == 4 ? ".v4.b32" : N == 2 ? ".v2.b32" : ".b32";
    emitMain("st.async.shared::cluster.mbarrier::complete_tx::bytes" + Type,
             {To, N == 1 ? All[0] : vector(All), Barrier});
    return true;
  }
  if (Name == "ACQBULK") {
    emitMain("griddepcontrol.wait", {});
    return true;
  }
  if (Name == "PREEXIT") {
    emitMain("griddepcontrol.launch_dependents", {});
    return true;
  }
  if (Name == "USETMAXREG") {
    const Operand P = predicateResult(81);
    emitMain(has("DEALLOC") ? "setmaxnreg.dec.sync.aligned.u32"
                            : "setmaxnreg.inc.sync.aligned.u32",
             {number(uint64_t(machine().Operands.back().Value))});
    // There are always enough of them.
    setPredicate(P, truth(true));
    return true;
  }
  return false;
}
