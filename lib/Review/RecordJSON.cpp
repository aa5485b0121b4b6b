//===- RecordJSON.cpp - Records of inputs as text -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/RecordJSON.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Support/JSONText.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;
namespace json = llvm::json;

namespace ptxpredict {

static json::Value text(StringRef S) { return json::fixUTF8(S); }

/// JSON has no numbers that are not finite.
static json::Value number(double V) {
  if (std::isfinite(V))
    return V;
  return std::isnan(V) ? "nan" : V > 0 ? "inf" : "-inf";
}

static bool readNumber(const json::Value &E, double &V, json::Path P) {
  if (std::optional<double> N = E.getAsNumber()) {
    V = *N;
    return true;
  }
  std::optional<StringRef> Word = E.getAsString();
  if (!Word || (*Word != "nan" && *Word != "inf" && *Word != "-inf")) {
    P.report("expected a number");
    return false;
  }
  V = *Word == "nan"
          ? std::nan("")
          : std::copysign(HUGE_VAL, Word->starts_with("-") ? -1.0 : 1.0);
  return true;
}

static json::Value toJSON(const Estimate &C) {
  if (C.isKnown() && C.Low == C.Value && C.High == C.Value)
    return number(C.Value);
  return json::Array{unsigned(C.Status), number(C.Value), number(C.Low),
                     number(C.High)};
}

static bool fromJSON(const json::Value &E, Estimate &C, json::Path P) {
  const json::Array *A = E.getAsArray();
  if (!A) {
    double V = 0;
    if (!readNumber(E, V, P))
      return false;
    C = Estimate::known(V);
    return true;
  }
  int64_t How = A->size() == 4 ? (*A)[0].getAsInteger().value_or(-1) : -1;
  if (How < 0 || How > int64_t(Status::Unknown)) {
    P.report("expected an estimate");
    return false;
  }
  C.Status = Status(How);
  return readNumber((*A)[1], C.Value, P.index(1)) &&
         readNumber((*A)[2], C.Low, P.index(2)) &&
         readNumber((*A)[3], C.High, P.index(3));
}

static json::Value toJSON(const Dim3 &D) {
  return json::Array{int64_t(D.X), int64_t(D.Y), int64_t(D.Z)};
}

static bool fromJSON(const json::Value &E, Dim3 &D, json::Path P) {
  std::vector<int64_t> V;
  if (!json::fromJSON(E, V, P) || V.size() != 3) {
    P.report("expected three numbers");
    return false;
  }
  D = {uint64_t(V[0]), uint64_t(V[1]), uint64_t(V[2])};
  return true;
}

static json::Value toJSON(Severity S) { return unsigned(S); }

static bool fromJSON(const json::Value &E, Severity &S, json::Path P) {
  int64_t V = E.getAsInteger().value_or(-1);
  if (V < 0 || V > int64_t(Severity::Note)) {
    P.report("expected a severity");
    return false;
  }
  S = Severity(V);
  return true;
}

static json::Value toJSON(TimeLimiter L) { return toString(L); }

static bool fromJSON(const json::Value &E, TimeLimiter &L, json::Path P) {
  std::optional<StringRef> Name = E.getAsString();
  std::optional<TimeLimiter> Found =
      Name ? findTimeLimiter(*Name) : std::nullopt;
  if (!Found) {
    P.report("expected a limiter");
    return false;
  }
  L = *Found;
  return true;
}

static json::Value toJSON(const FindingValue &V) {
  return json::Array{text(V.Name), text(V.Device), number(V.Number),
                     text(V.Text)};
}

static bool fromJSON(const json::Value &E, FindingValue &V, json::Path P) {
  const json::Array *A = E.getAsArray();
  if (!A || A->size() != 4) {
    P.report("expected a value");
    return false;
  }
  return json::fromJSON((*A)[0], V.Name, P) &&
         json::fromJSON((*A)[1], V.Device, P) &&
         readNumber((*A)[2], V.Number, P) && json::fromJSON((*A)[3], V.Text, P);
}

static json::Value toJSON(const FindingGain &G) {
  return json::Array{text(G.Device), number(G.Share)};
}

static bool fromJSON(const json::Value &E, FindingGain &G, json::Path P) {
  const json::Array *A = E.getAsArray();
  if (!A || A->size() != 2) {
    P.report("expected a gain");
    return false;
  }
  return json::fromJSON((*A)[0], G.Device, P) &&
         readNumber((*A)[1], G.Share, P);
}

static json::Value texts(ArrayRef<std::string> Values) {
  json::Array A;
  for (StringRef V : Values)
    A.push_back(text(V));
  return A;
}

static json::Value toJSON(const FindingRecord &R) {
  const Finding &F = R.Found;
  return json::Object{{"id", F.Id},
                      {"level", toJSON(F.Level)},
                      {"message", text(F.Message)},
                      {"kernel", text(F.Kernel)},
                      {"path", text(F.Where.Path)},
                      {"line", F.Where.Line},
                      {"column", F.Where.Column},
                      {"inlined_at", texts(F.Where.InlinedAt)},
                      {"input_line", F.Where.InputLine},
                      {"values", json::Array(F.Values)},
                      {"gains", json::Array(F.Gains)},
                      {"help", text(F.Help)},
                      {"code", text(R.Code)},
                      {"text", text(R.Line)},
                      {"before", text(R.LineBefore)}};
}

static bool fromJSON(const json::Value &E, FindingRecord &R, json::Path P) {
  Finding &F = R.Found;
  std::string Id;
  json::ObjectMapper M(E, P);
  if (!M || !M.map("id", Id) || !M.map("level", F.Level) ||
      !M.map("message", F.Message) || !M.map("kernel", F.Kernel) ||
      !M.map("path", F.Where.Path) || !M.map("line", F.Where.Line) ||
      !M.map("column", F.Where.Column) ||
      !M.map("inlined_at", F.Where.InlinedAt) ||
      !M.map("input_line", F.Where.InputLine) || !M.map("values", F.Values) ||
      !M.map("gains", F.Gains) || !M.map("help", F.Help) ||
      !M.map("code", R.Code) || !M.map("text", R.Line) ||
      !M.map("before", R.LineBefore))
    return false;
  const Rule *TheRule = findRule(Id);
  if (!TheRule) {
    P.field("id").report("expected a rule");
    return false;
  }
  F.Id = TheRule->Id;
  F.Remark = TheRule->Remark;
  return true;
}

static json::Value toJSON(const DeviceRecord &D) {
  return json::Object{{"device", text(D.Device)},
                      {"model", text(D.Model)},
                      {"time_us", D.TimeUs},
                      {"energy_j", D.EnergyJ},
                      {"limiter", D.Limiter},
                      {"registers", D.Registers},
                      {"blocks_per_sm", D.BlocksPerSM},
                      {"occupancy", number(D.Occupancy)}};
}

static bool fromJSON(const json::Value &E, DeviceRecord &D, json::Path P) {
  json::ObjectMapper M(E, P);
  return M && M.map("device", D.Device) && M.map("model", D.Model) &&
         M.map("time_us", D.TimeUs) && M.map("energy_j", D.EnergyJ) &&
         M.map("limiter", D.Limiter) && M.map("registers", D.Registers) &&
         M.map("blocks_per_sm", D.BlocksPerSM) &&
         M.map("occupancy", D.Occupancy);
}

static json::Value toJSON(const KernelRecord &K) {
  json::Object Mix, Opcodes;
  for (const auto &[Class, C] : K.Mix)
    Mix[Class] = toJSON(C);
  for (const auto &[Opcode, N] : K.MemoryOpcodes)
    Opcodes[Opcode] = N;
  return json::Object{{"name", text(K.Name)},
                      {"demangled", text(K.Demangled)},
                      {"line", K.Line},
                      {"grid", K.Grid},
                      {"block", K.Block},
                      {"registers", K.Registers},
                      {"spill_bytes", K.SpillBytes},
                      {"static_shared_bytes", K.StaticSharedBytes},
                      {"local_bytes", K.LocalBytes},
                      {"static", K.NumStatic},
                      {"instructions", K.Instructions},
                      {"mix", std::move(Mix)},
                      {"memory_opcodes", std::move(Opcodes)},
                      {"devices", json::Array(K.Devices)},
                      {"findings", json::Array(K.Findings)}};
}

static bool fromJSON(const json::Value &E, KernelRecord &K, json::Path P) {
  json::ObjectMapper M(E, P);
  return M && M.map("name", K.Name) && M.map("demangled", K.Demangled) &&
         M.map("line", K.Line) && M.map("grid", K.Grid) &&
         M.map("block", K.Block) && M.map("registers", K.Registers) &&
         M.map("spill_bytes", K.SpillBytes) &&
         M.map("static_shared_bytes", K.StaticSharedBytes) &&
         M.map("local_bytes", K.LocalBytes) && M.map("static", K.NumStatic) &&
         M.map("instructions", K.Instructions) && M.map("mix", K.Mix) &&
         M.map("memory_opcodes", K.MemoryOpcodes) &&
         M.map("devices", K.Devices) && M.map("findings", K.Findings);
}

static json::Value toJSON(const Diagnostic &D) {
  return json::Object{{"level", toJSON(D.Level)},
                      {"path", text(D.Path)},
                      {"line", D.Line},
                      {"column", D.Column},
                      {"message", text(D.Message)},
                      {"source", text(D.SourceLine)},
                      {"caret", D.CaretColumn},
                      {"has_text", D.HasText}};
}

static bool fromJSON(const json::Value &E, Diagnostic &D, json::Path P) {
  json::ObjectMapper M(E, P);
  return M && M.map("level", D.Level) && M.map("path", D.Path) &&
         M.map("line", D.Line) && M.map("column", D.Column) &&
         M.map("message", D.Message) && M.map("source", D.SourceLine) &&
         M.map("caret", D.CaretColumn) && M.map("has_text", D.HasText);
}

} // namespace ptxpredict

/// Calls \p Do with every path of \p R that may be the input's own.
template <typename Record, typename Fn>
static void forEachPath(Record &R, Fn Do) {
  for (auto &K : R.Kernels)
    for (auto &F : K.Findings)
      Do(F.Found.Where.Path);
  for (auto &D : R.Messages)
    Do(D.Path);
}

std::string ptxpredict::writeRecord(const InputRecord &Of) {
  InputRecord R = Of;
  forEachPath(R, [&](std::string &Path) {
    if (Path == Of.Path)
      Path.clear();
  });
  std::string Text;
  llvm::raw_string_ostream(Text)
      << json::Value(json::Object{{"frontend", text(R.Frontend)},
                                  {"target", text(R.Target)},
                                  {"kernels", json::Array(R.Kernels)},
                                  {"messages", json::Array(R.Messages)},
                                  {"failed", R.Failed}});
  return Text;
}

std::optional<InputRecord> ptxpredict::readRecord(StringRef Text,
                                                  StringRef Path) {
  std::optional<json::Value> V = parseJSON(Text);
  if (!V)
    return std::nullopt;
  InputRecord R;
  json::Path::Root Root;
  json::ObjectMapper M(*V, Root);
  if (!M || !M.map("frontend", R.Frontend) || !M.map("target", R.Target) ||
      !M.map("kernels", R.Kernels) || !M.map("messages", R.Messages) ||
      !M.map("failed", R.Failed))
    return std::nullopt;
  R.Path = Path.str();
  forEachPath(R, [&](std::string &At) {
    if (At.empty())
      At = R.Path;
  });
  return R;
}
