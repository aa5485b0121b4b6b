//===- RolesText.cpp - Warps with work of their own -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CharacteristicsText.h"

using namespace ptxpredict;

/// "warp 4", "warps 0-3"
static std::string warpsText(const WarpRole &R) {
  const bool IsOne = R.Warps.size() == 1 && R.Warps.front().Number == 1;
  return (IsOne ? "warp " : "warps ") + toString(R.Warps);
}

void CharacteristicsText::printRoles() {
  const WarpRoles &R = K.Roles;
  if (R.Roles.size() < 2)
    return;
  heading("Roles of a block's warps");
  OS << '\n';
  using Align = TextTable::Align;
  TextTable T({Align::Left, Align::Right, Align::Left, Align::Left});
  T.addRow({"", "", "", ""});
  for (const WarpRole &Role : R.Roles) {
    std::string Does;
    auto Add = [&](const Estimate &N, StringRef What) {
      if (N.Value > 0)
        Does += (Does.empty() ? "" : ", ") + mark(N) + " " + What.str();
    };
    Add(Role.Copies, "copies");
    Add(Role.TensorMACs, "tensor multiply-adds");
    Add(Role.Stores, "stores");
    T.addRow({warpsText(Role), mark(Role.Instructions), "instructions",
              Role.Registers ? std::to_string(Role.Registers) + " registers" +
                                   (Does.empty() ? "" : ", ") + Does
                             : Does});
  }
  T.print(OS);
  for (const RolePipeline &P : R.Pipelines) {
    const MBarrierArray &Full = R.Barriers[P.Full];
    OS << "  " << warpsText(R.Roles[P.Producer]) << " -> "
       << warpsText(R.Roles[P.Consumer]) << ": ";
    if (P.Stages)
      OS << P.Stages << (P.Stages == 1 ? " buffer" : " buffers");
    else
      OS << "buffers";
    if (Full.Bytes)
      OS << " of " << Full.Bytes << " B";
    OS << ", waited for " << mark(P.Steps) << " times\n";
  }
}
