//===- RandomScenarioText.cpp - Random scenarios as files -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RandomScenario.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using Kind = OperationKind;

namespace {

class ScenarioWriter {
public:
  explicit ScenarioWriter(const RandomScenario &S) : S(S) {}
  std::string write();

private:
  void writeList(const RandomProcess &P,
                 const std::vector<RandomOperation> &List,
                 const std::string &Indent);
  void write(const RandomProcess &P, const RandomOperation &Op,
             const std::string &Indent);
  std::string fields(const RandomProcess &P, const RandomOperation &Op);
  std::string shortForm(const RandomProcess &P, const RandomOperation &Op);

  const RandomScenario &S;
  std::string Text;
};

} // namespace

/// What stands in braces.
std::string ScenarioWriter::fields(const RandomProcess &P,
                                   const RandomOperation &Op) {
  std::string T;
  auto Add = [&T](const char *Key, const std::string &Value) {
    if (!Value.empty())
      T += (T.empty() ? "" : ", ") + std::string(Key) + ": " + Value;
  };
  const bool IsOfTime = Op.Kind == Kind::Host || Op.Kind == Kind::Delay;
  Add(IsOfTime ? "seconds" : "bytes", Op.Amount.Text);
  Add("operations", Op.Operations.Text);
  Add("performance", Op.Performance.Text);
  Add("seconds", Op.Seconds.Text);
  if (Op.Kind == Kind::Launch)
    Add("kernel", S.Kernels[Op.Kernel].Name);
  if (Op.With)
    Add("with", "{" + S.Variables[0].first + ": " + Op.With.Text + "}");
  Add("times", Op.Times.Text);
  if (Op.Kind == Kind::Event)
    Add("name", P.Events[Op.Event]);
  if (Op.Kind == Kind::Wait)
    Add("event", P.Events[Op.Event]);
  if (Op.Kind == Kind::Send)
    Add("to", S.Processes[Op.Label].Label);
  if (Op.Kind == Kind::Receive)
    Add("from", S.Processes[Op.Label].Label);
  Add(Op.Kind == Kind::PeerToPeer  ? "to"
      : Op.Kind == Kind::Broadcast ? "root"
                                   : "rank",
      Op.Peer.Text);
  Add("tag", Op.Tag.Text);
  Add("policy", Op.HasPolicy ? "saver" : "");
  Add("gpu", Op.GPU.Text);
  Add("stream", P.Streams[Op.Stream]);
  Add("pinned", Op.IsPinned ? "true" : "");
  if (Op.Algorithm == CollectiveAlgorithm::Tree)
    Add("algorithm", "tree");
  return T;
}

std::string ScenarioWriter::shortForm(const RandomProcess &P,
                                      const RandomOperation &Op) {
  switch (Op.Kind) {
  case Kind::Launch:
    return S.Kernels[Op.Kernel].Name;
  case Kind::Event:
  case Kind::Wait:
    return P.Events[Op.Event];
  case Kind::Phase:
    return Op.Name;
  case Kind::Sync:
    return "all";
  default:
    return Op.Amount.Text;
  }
}

void ScenarioWriter::write(const RandomProcess &P, const RandomOperation &Op,
                           const std::string &Indent) {
  const std::string Key = toString(Op.Kind).str();
  Text += Indent + "- " + Key;
  if (Op.Kind == Kind::Repeat || Op.Kind == Kind::If) {
    const bool IsLoop = Op.Kind == Kind::Repeat;
    const std::string Inner = Indent + "    ";
    Text += ":\n" + Inner + (IsLoop ? "times: " : "when: ") + Op.Amount.Text;
    if (!Op.Counter.empty())
      Text += "\n" + Inner + "as: " + Op.Counter;
    Text += "\n" + Inner + (IsLoop ? "do:\n" : "then:\n");
    writeList(P, Op.Body, Inner);
    if (!Op.Otherwise.empty()) {
      Text += Inner + "else:\n";
      writeList(P, Op.Otherwise, Inner);
    }
    return;
  }
  const std::string Fields = fields(P, Op);
  if (Op.IsShort || Op.Kind == Kind::Phase)
    Text += ": " + shortForm(P, Op);
  else if (!Fields.empty())
    Text += ": {" + Fields + "}";
  Text += "\n";
}

void ScenarioWriter::writeList(const RandomProcess &P,
                               const std::vector<RandomOperation> &List,
                               const std::string &Indent) {
  for (const RandomOperation &Op : List)
    write(P, Op, Indent);
}

std::string ScenarioWriter::write() {
  Text = "schema: ptx-predict/scenario\nversion: 1\nname: random\n"
         "system: system.yaml\nvariables:\n";
  for (const auto &[V, Formula] : llvm::zip(S.Variables, S.VariableTexts))
    Text += "  " + V.first + ": " + Formula + "\n";
  if (S.LaunchUs)
    Text += "launch_us: " + shortestDecimal(*S.LaunchUs) + "\n";
  if (S.ConcurrentKernels)
    Text += "concurrent_kernels: " + std::to_string(S.ConcurrentKernels) + "\n";
  Text += "kernels:\n";
  for (const RandomKernel &K : S.Kernels) {
    Text += "  " + K.Name + ": {time_us: " + K.TimeUs.Text;
    if (K.PowerW)
      Text += ", power_w: " + shortestDecimal(*K.PowerW);
    Text += "}\n";
  }
  Text += "processes:\n";
  for (const RandomProcess &P : S.Processes) {
    Text += "- label: " + P.Label + "\n";
    if (!P.CountText.empty())
      Text += "  count: " + P.CountText + "\n";
    Text += "  operations:\n";
    writeList(P, P.Operations, "  ");
  }
  return std::move(Text);
}

std::string RandomScenario::text() const {
  return ScenarioWriter(*this).write();
}
