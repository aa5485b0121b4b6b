//===- ReplayedScenario.h - A scenario's operations, run ---------*- C++ -*-==//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the streams of CUDA make of the operations that scenarioFromTrace()
// writes, without the rest of the project: a loop over the operations that
// knows when each stream, each event and the process were last done.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_TRACE_REPLAYEDSCENARIO_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_TRACE_REPLAYEDSCENARIO_H

#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAMLNodes.h"
#include "gtest/gtest.h"
#include <map>

namespace ptxpredict {

using Fields = std::map<std::string, std::string>;

/// One operation that was run.
struct RanOperation {
  std::string Key; ///< "launch"
  Fields With;     ///< its fields; of `with` as "with.us"
  double Start = 0, Seconds = 0;
};

/// The scenario of \p Text, run by each rank.
class ReplayedScenario {
public:
  /// \p Faster: factors for the times of kernels.
  explicit ReplayedScenario(StringRef Text,
                            std::map<std::string, double> Faster = {})
      : Faster(std::move(Faster)),
        Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "s")), Nodes(Diags) {
    Nodes.readDocument([this](llvm::yaml::Node &Root) { read(Root); });
    for (const Diagnostic &D : Diags.diagnostics())
      ADD_FAILURE() << "line " << D.Line << ": " << D.Message;
  }

  Fields Top; ///< keys with plain values
  std::map<std::string, Fields> Kernels;
  std::vector<std::vector<RanOperation>> Ranks;
  size_t NumRepeats = 0;

  double Total = 0; ///< when the last operation ended, delays included

private:
  using Node = llvm::yaml::Node;
  struct Step {
    std::string Key;
    Fields With;
    std::vector<Step> Body;
  };
  struct State {
    double Process = 0; ///< and all before a blocking copy
    double Last = 0;    ///< of all
    std::map<std::string, double> Streams, Events;
  };

  void read(Node &Root) {
    std::vector<Step> Steps;
    Nodes.forEachEntry(Root, "root", {}, [&](YAMLText &Key, Node &Value) {
      if (Key.Text == "kernels")
        Nodes.forEachEntry(Value, "kernels", {}, [&](YAMLText &K, Node &V) {
          readFields(V, "", Kernels[K.Text]);
        });
      else if (Key.Text == "processes")
        Nodes.forEachElement(Value, "processes", [&](Node &Process) {
          Nodes.forEachEntry(Process, "process", {}, [&](YAMLText &K, Node &V) {
            if (K.Text == "operations")
              Steps = readSteps(V);
            else
              Top[K.Text] = Nodes.text(V, "x")->Text;
          });
        });
      else if (llvm::isa<llvm::yaml::MappingNode>(Value))
        readFields(Value, Key.Text + ".", Top);
      else
        Top[Key.Text] = Nodes.text(Value, "x")->Text;
    });
    Ranks.resize(size_t(std::stoul(Top["count"])));
    for (size_t Rank = 0; Rank != Ranks.size(); ++Rank) {
      State S;
      run(Steps, Rank, S);
      Total = std::max(Total, S.Last);
    }
  }

  void readFields(Node &N, const std::string &Prefix, Fields &Into) {
    Nodes.forEachEntry(N, "fields", {}, [&](YAMLText &Key, Node &Value) {
      if (llvm::isa<llvm::yaml::MappingNode>(Value)) {
        readFields(Value, Key.Text + ".", Into);
      } else if (llvm::isa<llvm::yaml::SequenceNode>(Value)) {
        std::string &List = Into[Prefix + Key.Text];
        Nodes.forEachElement(Value, "list", [&](Node &E) {
          List += Nodes.text(E, "x")->Text + " ";
        });
      } else {
        Into[Prefix + Key.Text] = Nodes.text(Value, "x")->Text;
      }
    });
  }

  std::vector<Step> readSteps(Node &List) {
    std::vector<Step> Steps;
    Nodes.forEachElement(List, "operations", [&](Node &N) {
      Step S;
      Nodes.forEachEntry(N, "operation", {}, [&](YAMLText &Key, Node &Value) {
        S.Key = Key.Text;
        if (S.Key != "repeat" && S.Key != "if")
          return readFields(Value, "", S.With);
        Nodes.forEachEntry(Value, "body", {}, [&](YAMLText &K, Node &V) {
          if (K.Text == "do" || K.Text == "then")
            S.Body = readSteps(V);
          else
            S.With[K.Text] = Nodes.text(V, "x")->Text;
        });
      });
      Steps.push_back(std::move(S));
    });
    return Steps;
  }

  double secondsOf(const Step &S) {
    if (S.Key != "launch")
      return *parseNumber(S.With.at("seconds"));
    const std::string &Name = S.With.at("kernel");
    const Fields &Kernel = Kernels.at(Name);
    auto At = Kernel.find("time_us");
    std::string Time = At == Kernel.end() ? "" : At->second;
    if (Time == "us")
      Time = S.With.at("with.us");
    const double Factor = Faster.count(Name) ? Faster[Name] : 1;
    return Time.empty() ? 0 : *parseNumber(Time) * 1e-6 * Factor;
  }

  void run(const std::vector<Step> &Steps, size_t Rank, State &S) {
    for (const Step &Op : Steps) {
      if (Op.Key == "repeat") {
        ++NumRepeats;
        for (unsigned long N = std::stoul(Op.With.at("times")); N != 0; --N)
          run(Op.Body, Rank, S);
        continue;
      }
      if (Op.Key == "if") {
        if (Op.With.at("when") == "rank == " + std::to_string(Rank))
          run(Op.Body, Rank, S);
        continue;
      }
      auto At = Op.With.find("stream");
      if (At == Op.With.end()) {
        // Only copies from and to pageable memory stand in no stream.
        EXPECT_TRUE(Op.Key == "h2d" || Op.Key == "d2h") << Op.Key;
        RanOperation Ran{Op.Key, Op.With, S.Last, secondsOf(Op)};
        S.Process = S.Last = Ran.Start + Ran.Seconds;
        Ranks[Rank].push_back(std::move(Ran));
        continue;
      }
      double &Stream = S.Streams[At->second];
      Stream = std::max(Stream, S.Process);
      if (Op.Key == "event") {
        S.Events[Op.With.at("name")] = Stream;
      } else if (Op.Key == "wait") {
        Stream = std::max(Stream, S.Events.at(Op.With.at("event")));
      } else {
        RanOperation Ran{Op.Key, Op.With, Stream, secondsOf(Op)};
        Stream += Ran.Seconds;
        S.Last = std::max(S.Last, Stream);
        if (Op.Key != "delay")
          Ranks[Rank].push_back(std::move(Ran));
      }
    }
  }

  std::map<std::string, double> Faster;
  DiagnosticEngine Diags;
  YAMLNodes Nodes;
};

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_TRACE_REPLAYEDSCENARIO_H
