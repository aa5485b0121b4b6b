//===- BlockMachine.cpp - A block of a running cluster --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Machine.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

Dim3 emulator::firstBlockOf(const LaunchConfig &Launch, uint64_t Cluster) {
  const Dim3 &Grid = Launch.Grid, &Size = Launch.Cluster;
  const uint64_t InX = Grid.X / Size.X, InY = Grid.Y / Size.Y;
  return {Cluster % InX * Size.X, Cluster / InX % InY * Size.Y,
          Cluster / InX / InY * Size.Z};
}

BlockMachine::BlockMachine(ClusterMachine &C, unsigned Rank)
    : Cluster(C), R(C.R), W(C.W), Rank(Rank), Check(C.Check.get()) {
  const Dim3 &Grid = R.Launch.Grid, &Size = R.Launch.Cluster;
  const Dim3 First = firstBlockOf(R.Launch, C.Index);
  Position = {First.X + Rank % Size.X, First.Y + Rank / Size.X % Size.Y,
              First.Z + Rank / Size.X / Size.Y};
  Index = (Position.Z * Grid.Y + Position.Y) * Grid.X + Position.X;
  Shared.resize(R.Code.SharedBytes);
  auto NumWarps = unsigned(R.Launch.warpsPerBlock());
  uint64_t Threads = R.Launch.threadsPerBlock();
  Warps.reserve(NumWarps);
  Warpgroups.resize(NumWarps / 4);
  for (unsigned N = 0; N != NumWarps; ++N) {
    uint64_t Here = std::min<uint64_t>(WarpSize, Threads - N * WarpSize);
    Warps.push_back(std::make_unique<WarpMachine>(
        *this, N, uint32_t((uint64_t(1) << Here) - 1)));
    if (R.Options.Check)
      Warps.back()->Pending = std::make_unique<PendingRegisters>();
  }
}

void BlockMachine::report(StringRef Kind, const Step &S, const Twine &Message,
                          const Step *Other, const Twine &OtherMessage) {
  for (const EmulationProblem &P : Problems)
    if (P.Kind == Kind && P.Where == S.I &&
        P.Other == (Other ? Other->I : nullptr))
      return;
  EmulationProblem P;
  P.Kind = Kind.str();
  P.Where = S.I;
  P.Message = Message.str();
  P.Other = Other ? Other->I : nullptr;
  P.OtherMessage = OtherMessage.str();
  Problems.push_back(std::move(P));
}
