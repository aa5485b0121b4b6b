//===- PowerRegressionFile.cpp - Files of learned power -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/PowerRegressionFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAMLNodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using llvm::yaml::Node;

namespace {

constexpr StringRef RootKeys[] = {"schema",       "version", "device",
                                  "regression",   "inputs",  "power",
                                  "coefficients", "weights", "training"};
constexpr StringRef TrainingKeys[] = {"counts", "trainer", "decay",  "seed",
                                      "rows",   "kernels", "split",  "folds",
                                      "error",  "rmse_w",  "sources"};

class RegressionReader {
public:
  RegressionReader(DiagnosticEngine &Diags, PowerRegression &Result)
      : Diags(Diags), Nodes(Diags), R(Result) {}

  void read() {
    Nodes.readDocument([this](Node &Root) { readRoot(Root); },
                       /*MaxBytes=*/size_t(1) << 20);
  }

private:
  void readRoot(Node &Root);
  void readHead(StringRef Key, Node &Value);
  void readInput(Node &N);
  void readPower(Node &N);
  void readNumbers(Node &N, StringRef What, std::vector<double> &Into);
  void readLayer(Node &N);
  void readTraining(Node &N);
  void readSource(Node &N);
  void readName(Node &N, StringRef What, std::string &Into);
  template <typename T>
  void readChoice(Node &N, StringRef What, ArrayRef<StringRef> Names, T &Into) {
    if (std::optional<size_t> I = Nodes.oneOf(N, What, Names))
      Into = T(*I);
  }
  bool readBounds(Node &N, StringRef What, ArrayRef<StringRef> Keys,
                  llvm::function_ref<void(YAMLText &, Node &)> Other,
                  double &Least, double &Most);
  void checkShape(Node &Root);

  DiagnosticEngine &Diags;
  YAMLNodes Nodes;
  PowerRegression &R;
  std::vector<StringRef> Seen; ///< keys of the root
  SMLoc InputsPlace, CoefficientsPlace, WeightsPlace;
  /// Of each layer: where it stands, and its neurons.
  struct Neuron {
    SMLoc Place;
    std::vector<double> Numbers;
  };
  struct Layer {
    SMLoc Place;
    std::vector<Neuron> Neurons;
  };
  std::vector<Layer> Layers;
};

} // namespace

void RegressionReader::readName(Node &N, StringRef What, std::string &Into) {
  std::optional<YAMLText> T = Nodes.text(N, What);
  if (!T)
    return;
  if (T->Text.empty())
    Nodes.error(T->Loc, What + " must not be empty");
  Nodes.checkName(*T, What);
  Into = std::move(T->Text);
}

void RegressionReader::readNumbers(Node &N, StringRef What,
                                   std::vector<double> &Into) {
  Nodes.forEachElement(N, What, [&](Node &E) {
    // A number that is none is one for the shape.
    Into.push_back(Nodes.number(E, What).value_or(0));
  });
}

/// The keys `least` and `most` beside those of \p Other. False where one is
/// missing or both are wrong (reported).
bool RegressionReader::readBounds(
    Node &N, StringRef What, ArrayRef<StringRef> Keys,
    llvm::function_ref<void(YAMLText &, Node &)> Other, double &Least,
    double &Most) {
  std::optional<double> Bounds[2];
  SMLoc MostPlace;
  if (!Nodes.forEachEntry(N, What, Keys, [&](YAMLText &Key, Node &Value) {
        if (Key.Text == "least") {
          Bounds[0] = Nodes.number(Value, Key.Text);
        } else if (Key.Text == "most") {
          MostPlace = Nodes.place(Value);
          Bounds[1] = Nodes.number(Value, Key.Text);
        } else {
          Other(Key, Value);
        }
      }))
    return false;
  if (!Bounds[0] || !Bounds[1]) {
    if (!Diags.hasErrors())
      Nodes.error(Nodes.place(N),
                  What + " needs the keys 'least' and 'most', numbers");
    return false;
  }
  if (!(*Bounds[0] < *Bounds[1])) {
    Nodes.error(MostPlace, What + ": most must be above least, " +
                               shortestDecimal(*Bounds[0]));
    return false;
  }
  Least = *Bounds[0];
  Most = *Bounds[1];
  return true;
}

void RegressionReader::readInput(Node &N) {
  RegressionInput In;
  std::optional<YAMLText> Name, Unit;
  if (!readBounds(
          N, "an input", {"name", "unit", "least", "most"},
          [&](YAMLText &Key, Node &Value) {
            (Key.Text == "name" ? Name : Unit) = Nodes.text(Value, Key.Text);
          },
          In.Least, In.Most))
    return;
  if (!Name || !Unit) {
    if (!Diags.hasErrors())
      Nodes.error(Nodes.place(N), "an input needs the keys 'name' and 'unit'");
    return;
  }
  if (Name->Text == "core_mhz") {
    In.Kind = RegressionInput::KindTy::CoreClock;
  } else if (Name->Text == "mem_mhz") {
    In.Kind = RegressionInput::KindTy::MemoryClock;
  } else if (std::optional<PowerEvent> E = findPowerEvent(Name->Text)) {
    In.Event = *E;
  } else {
    std::vector<StringRef> Known(powerEventNames());
    Known.insert(Known.end(), {"core_mhz", "mem_mhz"});
    return Nodes.error(Name->Loc, "there is no input '" + Name->Text + "'" +
                                      meantOrListed(Name->Text, Known));
  }
  if (Unit->Text != In.unit())
    Nodes.error(Unit->Loc, "'" + Name->Text + "' is in " + In.unit() +
                               ", not in '" + Unit->Text + "'");
  if (llvm::any_of(R.Inputs, [&](const RegressionInput &Other) {
        return Other.name() == In.name();
      }))
    return Nodes.error(Name->Loc, "'" + Name->Text + "' is there twice");
  R.Inputs.push_back(In);
}

void RegressionReader::readPower(Node &N) {
  readBounds(
      N, "power", {"unit", "least", "most"},
      [&](YAMLText &, Node &Value) {
        if (std::optional<YAMLText> T = Nodes.text(Value, "unit"))
          Nodes.checkUnit(*T, "power", "W");
      },
      R.LeastW, R.MostW);
}

void RegressionReader::readLayer(Node &N) {
  Layer &L = Layers.emplace_back();
  L.Place = Nodes.place(N);
  Nodes.forEachElement(N, "a layer", [&](Node &E) {
    Neuron &Of = L.Neurons.emplace_back();
    Of.Place = Nodes.place(E);
    readNumbers(E, "a neuron", Of.Numbers);
  });
}

void RegressionReader::readSource(Node &N) {
  RegressionSource &S = R.Sources.emplace_back();
  Nodes.forEachEntry(N, "a source", {"dataset", "csv", "sha256"},
                     [&](YAMLText &Key, Node &Value) {
                       readName(Value, Key.Text,
                                Key.Text == "dataset" ? S.Dataset
                                : Key.Text == "csv"   ? S.CSV
                                                      : S.SHA256);
                     });
}

void RegressionReader::readTraining(Node &N) {
  auto Number = [&](Node &Value, StringRef Key, double &Into) {
    Into = Nodes.number(Value, Key).value_or(0);
    if (Into < 0)
      Nodes.error(Nodes.place(Value), Key + " must not be negative");
  };
  Nodes.forEachEntry(
      N, "training", TrainingKeys, [&](YAMLText &Key, Node &Value) {
        const StringRef K = Key.Text;
        if (K == "counts")
          readChoice(Value, K, regressionCountsNames(), R.Counts);
        else if (K == "trainer")
          readChoice(Value, K, regressionTrainerNames(), R.Trainer);
        else if (K == "split")
          readChoice(Value, K, regressionSplitNames(), R.Split);
        else if (K == "decay")
          Number(Value, K, R.Decay);
        else if (K == "error")
          Number(Value, K, R.Error.MAPE);
        else if (K == "rmse_w")
          Number(Value, K, R.Error.RMSEW);
        else if (K == "seed")
          R.Seed = Nodes.unsignedInteger(Value, K).value_or(0);
        else if (K == "rows")
          R.Rows = Nodes.unsignedInteger(Value, K).value_or(0);
        else if (K == "kernels")
          R.Kernels = Nodes.unsignedInteger(Value, K).value_or(0);
        else if (K == "folds")
          R.Folds = unsigned(std::min<uint64_t>(
              Nodes.unsignedInteger(Value, K).value_or(0), UINT32_MAX));
        else
          Nodes.forEachElement(Value, K, [&](Node &E) { readSource(E); });
      });
}

void RegressionReader::readHead(StringRef Key, Node &Value) {
  if (Key == "schema") {
    std::optional<YAMLText> T = Nodes.text(Value, Key);
    if (T && T->Text != PowerRegressionSchemaName)
      Nodes.error(T->Loc, "schema must be " + PowerRegressionSchemaName);
  } else if (Key == "version") {
    std::optional<uint64_t> V = Nodes.unsignedInteger(Value, Key);
    if (V && *V != PowerRegressionSchemaVersion)
      Nodes.error(Nodes.place(Value),
                  "version must be " + Twine(PowerRegressionSchemaVersion));
  } else if (Key == "device") {
    readName(Value, Key, R.Device);
  } else {
    readChoice(Value, Key, regressionKindNames(), R.Kind);
  }
}

void RegressionReader::readRoot(Node &Root) {
  const bool Whole = Nodes.forEachEntry(
      Root, "a power regression", RootKeys, [&](YAMLText &Key, Node &Value) {
        const StringRef K = Key.Text;
        Seen.push_back(*llvm::find(RootKeys, K));
        if (K == "inputs") {
          InputsPlace = Nodes.place(Value);
          Nodes.forEachElement(Value, K, [&](Node &E) { readInput(E); });
        } else if (K == "power") {
          readPower(Value);
        } else if (K == "coefficients") {
          CoefficientsPlace = Nodes.place(Value);
          readNumbers(Value, K, R.Coefficients);
        } else if (K == "weights") {
          WeightsPlace = Nodes.place(Value);
          Nodes.forEachElement(Value, K, [&](Node &E) { readLayer(E); });
        } else if (K == "training") {
          readTraining(Value);
        } else {
          readHead(K, Value);
        }
      });
  if (Whole && !Diags.hasErrors())
    checkShape(Root);
}

void RegressionReader::checkShape(Node &Root) {
  const bool IsNetwork = R.Kind == RegressionKind::Network;
  const StringRef Form = IsNetwork ? "weights" : "coefficients",
                  Other = IsNetwork ? "coefficients" : "weights";
  for (StringRef Key :
       {StringRef("schema"), StringRef("version"), StringRef("device"),
        StringRef("regression"), StringRef("inputs"), StringRef("power"), Form})
    if (!llvm::is_contained(Seen, Key))
      Nodes.error(Nodes.place(Root), "the key '" + Key + "' is missing");
  if (Diags.hasErrors())
    return;
  if (llvm::is_contained(Seen, Other))
    return Nodes.error(IsNetwork ? CoefficientsPlace : WeightsPlace,
                       "regression " + toString(R.Kind) + " has " + Form +
                           ", no " + Other);
  if (R.Inputs.empty())
    return Nodes.error(InputsPlace, "inputs has no entry");
  if (!IsNetwork) {
    if (R.Coefficients.size() != R.Inputs.size() + 1)
      Nodes.error(CoefficientsPlace,
                  "needs " + Twine(R.Inputs.size() + 1) +
                      " coefficients, a constant and one for each input, not " +
                      Twine(R.Coefficients.size()));
    return;
  }
  if (Layers.empty() || Layers.size() > PowerNetwork::MaxLayers)
    return Nodes.error(WeightsPlace,
                       "a network has 1 to " + Twine(PowerNetwork::MaxLayers) +
                           " layers, not " + Twine(Layers.size()));
  R.Network.Widths = {unsigned(R.Inputs.size())};
  for (auto [Number, L] : llvm::enumerate(Layers)) {
    const bool IsLast = Number + 1 == Layers.size();
    const size_t Most = IsLast ? 1 : PowerNetwork::MaxWidth;
    if (L.Neurons.empty() || L.Neurons.size() > Most)
      return Nodes.error(L.Place, (IsLast ? "the last layer has 1 neuron, not "
                                          : "a layer has 1 to " + Twine(Most) +
                                                " neurons, not ") +
                                      Twine(L.Neurons.size()));
    const unsigned Before = R.Network.Widths.back();
    for (const Neuron &N : L.Neurons) {
      if (N.Numbers.size() != Before + 1)
        return Nodes.error(N.Place, "a neuron of this layer has " +
                                        Twine(Before + 1) +
                                        " numbers, its bias and a weight for "
                                        "each that it takes, not " +
                                        Twine(N.Numbers.size()));
      llvm::append_range(R.Network.Weights, N.Numbers);
    }
    R.Network.Widths.push_back(unsigned(L.Neurons.size()));
  }
}

bool ptxpredict::readPowerRegression(DiagnosticEngine &Diags,
                                     PowerRegression &Result) {
  RegressionReader(Diags, Result).read();
  if (!Diags.hasErrors() && Result.Inputs.empty())
    Diags.error(SMLoc::getFromPointer(Diags.text().data()), "not valid YAML");
  return Diags.hasErrors();
}

static void printNumbers(ArrayRef<double> Numbers, raw_ostream &OS) {
  OS << '[';
  llvm::interleave(
      Numbers, OS, [&](double V) { OS << shortestDecimal(V); }, ", ");
  OS << ']';
}

void ptxpredict::printPowerRegression(const PowerRegression &R,
                                      raw_ostream &OS) {
  auto Bounds = [&](double Least, double Most) {
    OS << "least: " << shortestDecimal(Least)
       << ", most: " << shortestDecimal(Most) << "}\n";
  };
  OS << "schema: " << PowerRegressionSchemaName
     << "\nversion: " << PowerRegressionSchemaVersion
     << "\ndevice: " << quoteYAML(R.Device)
     << "\nregression: " << toString(R.Kind) << "\ninputs:\n";
  for (const RegressionInput &In : R.Inputs) {
    OS << "  - {name: " << In.name() << ", unit: " << In.unit() << ", ";
    Bounds(In.Least, In.Most);
  }
  OS << "power: {unit: W, ";
  Bounds(R.LeastW, R.MostW);
  if (R.Kind != RegressionKind::Network) {
    OS << "# a constant, then W for each unit of each input\ncoefficients: ";
    printNumbers(R.Coefficients, OS);
    OS << '\n';
  } else {
    OS << "# by layer, a line a neuron: its bias, then a weight for each that "
          "it takes\nweights:\n";
    ArrayRef<double> Rest(R.Network.Weights);
    for (size_t L = 1; L < R.Network.Widths.size(); ++L)
      for (unsigned J = 0; J != R.Network.Widths[L]; ++J) {
        const size_t Count = R.Network.Widths[L - 1] + 1;
        OS << (J == 0 ? "  - - " : "    - ");
        printNumbers(Rest.take_front(Count), OS);
        OS << '\n';
        Rest = Rest.drop_front(Count);
      }
  }
  OS << "training:\n  counts: " << regressionCountsNames()[size_t(R.Counts)]
     << '\n';
  if (R.Kind == RegressionKind::Network)
    OS << "  trainer: " << regressionTrainerNames()[size_t(R.Trainer)]
       << "\n  decay: " << shortestDecimal(R.Decay) << '\n';
  OS << "  seed: " << R.Seed << "\n  rows: " << R.Rows
     << "\n  kernels: " << R.Kernels
     << "\n  split: " << regressionSplitNames()[size_t(R.Split)]
     << "\n  folds: " << R.Folds
     << "\n  error: " << shortestDecimal(R.Error.MAPE)
     << "\n  rmse_w: " << shortestDecimal(R.Error.RMSEW) << '\n';
  if (R.Sources.empty())
    return;
  OS << "  sources:\n";
  for (const RegressionSource &S : R.Sources)
    OS << "    - {dataset: " << quoteYAML(S.Dataset)
       << ", csv: " << quoteYAML(S.CSV) << ", sha256: " << quoteYAML(S.SHA256)
       << "}\n";
}
