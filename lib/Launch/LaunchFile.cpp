//===- LaunchFile.cpp - The launch file, launches: in YAML ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/LaunchFile.h"
#include "TensorMapReader.h"
#include "ptxpredict/Launch/ArgumentPlace.h"
#include "ptxpredict/Launch/BufferElements.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/OwnedGlob.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAMLNodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace ptxpredict;
using llvm::yaml::MappingNode;
using llvm::yaml::Node;
using llvm::yaml::ScalarNode;
using llvm::yaml::SequenceNode;

namespace {

/// A value with its place, for the checks that need the whole buffer.
struct PlacedValue {
  double Value;
  SMLoc Loc;
};

class LaunchFileReader {
public:
  LaunchFileReader(DiagnosticEngine &Diags, LaunchFile &Result)
      : Diags(Diags), Nodes(Diags), Result(Result) {}

  void read() {
    Nodes.readDocument([this](Node &Root) { readRoot(Root); });
  }

private:
  void readRoot(Node &Root);
  void readEntry(Node &N);
  std::optional<Dim3> readDim3(Node &N, StringRef What);
  void readShape(Node &N, LaunchShape Which, LaunchFileEntry &Entry,
                 std::optional<Dim3> &Shape);
  void readArguments(Node &N, LaunchSpec &Spec);
  void readBuffers(Node &N, LaunchFileEntry &Entry);
  void readBuffer(const YAMLText &Name, Node &N, LaunchFileEntry &Entry);
  void readFill(Node &N, BufferFill &Fill);
  void readExpectation(Node &N, SMLoc Loc, BufferExpectation &Expect);
  void readFile(Node &N, std::string &File, SMLoc &Place);
  std::optional<double> readElement(Node &N, const Twine &What);
  void checkElement(const ElementType &Type, const PlacedValue &V);

  DiagnosticEngine &Diags;
  YAMLNodes Nodes;
  LaunchFile &Result;
  /// Buffers and tensor maps that arguments of the present entry name.
  std::vector<YAMLText> BufferUses, MapUses;
  /// Values of the present buffer, until its type is known.
  std::vector<PlacedValue> Elements;
};

} // namespace

void LaunchFileReader::readRoot(Node &Root) {
  bool Seen = false;
  auto Entry = [&](YAMLText &, Node &Value) {
    Seen = true;
    if (Nodes.forEachElement(Value, "launches",
                             [&](Node &N) { readEntry(N); }) &&
        Result.Launches.empty())
      Nodes.error(Nodes.place(Value), "launches has no entry");
  };
  if (Nodes.forEachEntry(Root, "a launch file", {"launches"}, Entry) && !Seen)
    Nodes.error(Nodes.place(Root), "the key 'launches' is missing");
}

void LaunchFileReader::readEntry(Node &N) {
  static constexpr StringRef Keys[] = {
      "kernel",  "grid",        "block",
      "cluster", "args",        "dynamic_shared",
      "buffers", "trip_counts", "branch_probabilities",
      "work",    "tensor_maps"};
  LaunchFileEntry &Entry = Result.Launches.emplace_back();
  LaunchSpec &Spec = Entry.Spec;
  BufferUses.clear();
  MapUses.clear();
  TensorMapReader MapReader(Nodes, Spec.Maps);
  bool HasKernel = false;

  auto ReadFactors = [&](Node &Value, StringRef What, double Most, auto &Into,
                         auto &Places) {
    Nodes.forEachEntry(Value, What, {}, [&](YAMLText &Key, Node &V) {
      std::optional<double> D = Nodes.number(V, "'" + Key.Text + "'");
      if (D && (*D < 0 || *D > Most))
        Nodes.error(Nodes.place(V),
                    std::isfinite(Most)
                        ? "a probability must lie between 0 and 1"
                        : "a trip count must not be negative");
      else if (D)
        Into[Key.Text] = *D, Places[Key.Text] = Key.Loc;
    });
  };

  bool Whole =
      Nodes.forEachEntry(N, "a launch", Keys, [&](YAMLText &Key, Node &Value) {
        StringRef K = Key.Text;
        if (K == "kernel") {
          HasKernel = true;
          std::optional<YAMLText> T = Nodes.text(Value, "kernel");
          if (!T)
            return;
          if (T->Text.empty())
            return Nodes.error(T->Loc, "kernel must not be empty");
          Entry.Place = T->Loc;
          if (auto Glob = OwnedGlob::create(T->Text))
            Entry.Kernel = std::move(T->Text);
          else
            Nodes.error(T->Loc, "kernel: " + toString(Glob.takeError()));
        } else if (K == "grid") {
          readShape(Value, LaunchShape::Grid, Entry, Spec.Grid);
        } else if (K == "block") {
          readShape(Value, LaunchShape::Block, Entry, Spec.Block);
        } else if (K == "cluster") {
          readShape(Value, LaunchShape::Cluster, Entry, Spec.Cluster);
        } else if (K == "dynamic_shared") {
          Spec.DynamicSharedBytes = Nodes.unsignedInteger(Value, K);
        } else if (K == "args") {
          readArguments(Value, Spec);
        } else if (K == "buffers") {
          readBuffers(Value, Entry);
        } else if (K == "tensor_maps") {
          MapReader.read(Value);
        } else if (K == "trip_counts") {
          ReadFactors(Value, K, std::numeric_limits<double>::infinity(),
                      Spec.TripCounts, Entry.TripCountPlaces);
        } else if (K == "work") {
          Spec.Work = Nodes.number(Value, K);
          if (Spec.Work && *Spec.Work < 0)
            Nodes.error(Nodes.place(Value), "work must not be negative");
        } else {
          ReadFactors(Value, K, 1, Spec.BranchProbabilities,
                      Entry.BranchProbabilityPlaces);
        }
      });
  if (!Whole)
    return;
  if (!HasKernel)
    Nodes.error(Nodes.place(N), "a launch needs the key 'kernel'");
  auto CheckUses = [&](ArrayRef<YAMLText> Uses, const auto &Declared,
                       StringRef What) {
    for (const YAMLText &Use : Uses) {
      if (Declared.count(Use.Text))
        continue;
      SmallVector<StringRef, 8> Names(llvm::make_first_range(Declared));
      Nodes.error(Use.Loc, "no " + What + " '" + Use.Text +
                               "' is declared here" +
                               meantOrListed(Use.Text, Names));
    }
  };
  CheckUses(BufferUses, Entry.Buffers, "buffer");
  CheckUses(MapUses, Spec.Maps, "tensor map");
  MapReader.checkBuffers(Entry.Buffers);
  if (!Diags.hasErrors()) // one of which may be why
    MapReader.warnOfUnused(MapUses);
}

std::optional<Dim3> LaunchFileReader::readDim3(Node &N, StringRef What) {
  SmallVector<uint64_t, 3> Extents;
  bool Bad = false;
  auto Add = [&](Node &E) {
    std::optional<uint64_t> V = Nodes.unsignedInteger(E, "an extent");
    if (V && !*V)
      Nodes.error(Nodes.place(E), "an extent must be at least 1");
    Bad |= !V || !*V;
    if (V)
      Extents.push_back(*V);
  };
  if (isa<SequenceNode>(&N)) {
    if (!Nodes.forEachElement(N, What, Add))
      return std::nullopt;
    if (Extents.size() > 3 || (Extents.empty() && !Bad)) {
      Nodes.error(Nodes.place(N), What + " takes 1 to 3 numbers");
      return std::nullopt;
    }
  } else {
    std::optional<YAMLText> T = Nodes.text(N, What, "1 to 3 numbers");
    if (!T)
      return std::nullopt;
    if (std::optional<Dim3> D = parseDim3(T->Text))
      return D;
    Nodes.error(T->Loc, What + " takes 1 to 3 positive numbers, such as 1024, "
                               "16x16 or [32, 8, 1]");
    return std::nullopt;
  }
  if (Bad)
    return std::nullopt;
  std::optional<Dim3> D = makeDim3(Extents);
  if (!D)
    Nodes.error(Nodes.place(N), What + " is too large");
  return D;
}

/// A shape that some device takes.
void LaunchFileReader::readShape(Node &N, LaunchShape Which,
                                 LaunchFileEntry &Entry,
                                 std::optional<Dim3> &Shape) {
  Entry.Shapes[size_t(Which)] = Nodes.place(N);
  Shape = readDim3(N, toString(Which));
  if (!Shape)
    return;
  if (std::string Why = whyNoShape(Which, *Shape); !Why.empty())
    Nodes.error(Nodes.place(N), toString(Which) + ": " + Why);
}

void LaunchFileReader::readArguments(Node &N, LaunchSpec &Spec) {
  Nodes.forEachEntry(N, "args", {}, [&](YAMLText &Key, Node &Value) {
    ArgumentValue V;
    if (isa<MappingNode>(&Value)) {
      bool Seen = false;
      bool Whole = Nodes.forEachEntry(
          Value, "an argument", {"buffer", "tensor_map"},
          [&](YAMLText &Kind, Node &B) {
            if (Seen)
              Nodes.error(Kind.Loc,
                          "an argument takes either buffer or tensor_map");
            Seen = true;
            if (std::optional<YAMLText> T = Nodes.text(B, Kind.Text)) {
              bool IsMap = Kind.Text == "tensor_map";
              V.Kind = IsMap ? ArgumentValue::KindTy::TensorMap
                             : ArgumentValue::KindTy::Buffer;
              V.Buffer = T->Text;
              (IsMap ? MapUses : BufferUses).push_back(std::move(*T));
            }
          });
      if (Whole && !Seen)
        Nodes.error(Nodes.place(Value),
                    "the key 'buffer' or 'tensor_map' is missing");
    } else {
      std::optional<YAMLText> T =
          Nodes.text(Value, "argument '" + Key.Text + "'");
      if (!T)
        return;
      std::optional<ArgumentValue> Parsed = parseArgumentValue(T->Text);
      if (!Parsed)
        return Nodes.error(T->Loc, "an argument must be a number or {buffer: "
                                   "NAME}");
      V = std::move(*Parsed);
    }
    ArgumentPlace Place;
    if (std::string Why = parseArgumentPlace(Key.Text, V, Place); !Why.empty())
      return Nodes.error(Key.Loc, Why);
    Spec.Args.push_back({std::move(Key.Text), std::move(V), Key.Loc});
  });
}

void LaunchFileReader::readBuffers(Node &N, LaunchFileEntry &Entry) {
  Nodes.forEachEntry(N, "buffers", {}, [&](YAMLText &Key, Node &Value) {
    Nodes.checkName(Key, "a buffer");
    readBuffer(Key, Value, Entry);
  });
}

void LaunchFileReader::readBuffer(const YAMLText &Name, Node &N,
                                  LaunchFileEntry &Entry) {
  static constexpr StringRef Keys[] = {"type", "count", "align", "fill",
                                       "expect"};
  BufferSpec &B = Entry.Buffers[Name.Text];
  B.Place = Name.Loc;
  const ElementType *Type = nullptr;
  bool HasType = false, HasCount = false;
  SMLoc CountLoc, ValuesLoc;
  Elements.clear();
  bool Whole = Nodes.forEachEntry(
      N, "buffer '" + Name.Text + "'", Keys, [&](YAMLText &Key, Node &Value) {
        StringRef K = Key.Text;
        if (K == "type") {
          HasType = true;
          std::optional<YAMLText> T = Nodes.text(Value, K);
          if (!T)
            return;
          if ((Type = findElementType(T->Text))) {
            B.Type = std::move(T->Text);
            return;
          }
          Nodes.error(T->Loc, unknownElementType(T->Text));
        } else if (K == "count") {
          HasCount = true;
          std::optional<uint64_t> C = Nodes.unsignedInteger(Value, K);
          CountLoc = Nodes.place(Value);
          B.Count = C.value_or(0);
          if (C && !*C)
            Nodes.error(CountLoc, "count must be at least 1");
        } else if (K == "align") {
          std::optional<uint64_t> A = Nodes.unsignedInteger(Value, K);
          if (A && !llvm::isPowerOf2_64(*A))
            Nodes.error(Nodes.place(Value), "align must be a power of two");
          else if (A)
            B.Align = *A;
        } else if (K == "fill") {
          B.IsFillGiven = true;
          readFill(Value, B.Fill);
        } else {
          ValuesLoc = B.ExpectPlace = Key.Loc;
          readExpectation(Value, Key.Loc, B.Expect.emplace());
        }
      });
  if (!Whole)
    return;
  if (!HasType)
    Nodes.error(Name.Loc, "buffer '" + Name.Text + "' needs the key 'type'");
  if (!HasCount)
    Nodes.error(Name.Loc, "buffer '" + Name.Text + "' needs the key 'count'");
  if (Type && B.Count > (uint64_t(1) << 62) / Type->Bytes)
    Nodes.error(CountLoc, "the buffer is too large");
  if (Type)
    for (const PlacedValue &V : Elements)
      checkElement(*Type, V);
  if (B.Expect && B.Count && B.Expect->Values.size() > B.Count)
    Nodes.error(ValuesLoc, "expect has " + Twine(B.Expect->Values.size()) +
                               " values, the buffer " + Twine(B.Count));
}

/// A buffer's element: a number, or what floating-point types have besides.
std::optional<double> LaunchFileReader::readElement(Node &N,
                                                    const Twine &What) {
  if (!isa<ScalarNode>(&N))
    return Nodes.number(N, What);
  std::optional<YAMLText> T = Nodes.text(N, What);
  StringRef Name = T->Text;
  bool Negative = Name.consume_front("-");
  Name.consume_front("."); // YAML writes .inf and .nan
  std::optional<double> V;
  if (Name.equals_insensitive("nan"))
    V = std::numeric_limits<double>::quiet_NaN();
  else if (Name.equals_insensitive("inf"))
    V = Negative ? -std::numeric_limits<double>::infinity()
                 : std::numeric_limits<double>::infinity();
  else
    V = parseNumber(T->Text);
  if (V)
    Elements.push_back({*V, T->Loc});
  else
    Nodes.error(T->Loc, What + " must be a number");
  return V;
}

void LaunchFileReader::checkElement(const ElementType &Type,
                                    const PlacedValue &V) {
  if (!Type.holds(V.Value))
    Nodes.error(V.Loc,
                shortestDecimal(V.Value) + " is no value of type " + Type.Name);
}

void LaunchFileReader::readFile(Node &N, std::string &File, SMLoc &Place) {
  std::optional<YAMLText> T = Nodes.text(N, "file");
  if (T && T->Text.empty())
    Nodes.error(T->Loc, "file must not be empty");
  if (!T)
    return;
  File = std::move(T->Text);
  Place = T->Loc;
}

void LaunchFileReader::readFill(Node &N, BufferFill &Fill) {
  static constexpr StringRef Keys[] = {"constant", "random", "low", "high",
                                       "file"};
  using Kind = BufferFill::KindTy;
  if (!isa<MappingNode>(&N)) {
    std::optional<YAMLText> T = Nodes.text(N, "fill");
    if (T && T->Text != "zeros" && T->Text != "iota")
      Nodes.error(T->Loc, "fill must be zeros, iota, {constant: V}, {random: "
                          "SEED, low: A, high: B} or {file: PATH}");
    else if (T)
      Fill.Kind = T->Text == "iota" ? Kind::Iota : Kind::Zeros;
    return;
  }
  unsigned Kinds = 0;
  SMLoc Range;
  bool Whole =
      Nodes.forEachEntry(N, "fill", Keys, [&](YAMLText &Key, Node &Value) {
        StringRef K = Key.Text;
        if (K == "constant") {
          ++Kinds;
          Fill.Kind = Kind::Constant;
          Fill.Constant = readElement(Value, K).value_or(0);
        } else if (K == "random") {
          ++Kinds;
          Fill.Kind = Kind::Random;
          Fill.Seed = Nodes.unsignedInteger(Value, K).value_or(0);
        } else if (K == "file") {
          ++Kinds;
          Fill.Kind = Kind::File;
          readFile(Value, Fill.File, Fill.FilePlace);
        } else {
          Range = Key.Loc;
          (K == "low" ? Fill.Low : Fill.High) =
              Nodes.number(Value, K).value_or(K == "low" ? 0 : 1);
        }
      });
  if (!Whole)
    return;
  if (Kinds != 1)
    Nodes.error(Nodes.place(N),
                "fill takes exactly one of constant, random and file");
  else if (Range.isValid() && Fill.Kind != Kind::Random)
    Nodes.error(Range, "low and high belong to random");
  else if (Fill.Low > Fill.High)
    Nodes.error(Range.isValid() ? Range : Nodes.place(N),
                "low must not be above high");
}

void LaunchFileReader::readExpectation(Node &N, SMLoc Loc,
                                       BufferExpectation &Expect) {
  static constexpr StringRef Keys[] = {"file", "values", "tolerance"};
  unsigned Kinds = 0;
  bool Whole =
      Nodes.forEachEntry(N, "expect", Keys, [&](YAMLText &Key, Node &Value) {
        StringRef K = Key.Text;
        if (K == "file") {
          ++Kinds;
          readFile(Value, Expect.File, Expect.FilePlace);
        } else if (K == "values") {
          ++Kinds;
          Nodes.forEachElement(Value, K, [&](Node &E) {
            if (std::optional<double> V = readElement(E, "a value"))
              Expect.Values.push_back(*V);
          });
        } else {
          Expect.Tolerance = Nodes.number(Value, K);
          if (Expect.Tolerance && *Expect.Tolerance < 0)
            Nodes.error(Nodes.place(Value), "tolerance must not be negative");
        }
      });
  if (Whole && Kinds != 1)
    Nodes.error(Loc, "expect takes either file or values");
}

/// Whether the entry is for a kernel of one of \p Names.
static bool starts(const LaunchFileEntry &Entry, ArrayRef<StringRef> Names) {
  Expected<OwnedGlob> Glob = OwnedGlob::create(Entry.Kernel);
  if (!Glob) {
    consumeError(Glob.takeError());
    return false;
  }
  return llvm::any_of(Names, [&](StringRef N) { return Glob->match(N); });
}

const LaunchFileEntry *LaunchFile::find(ArrayRef<StringRef> Names) const {
  for (const LaunchFileEntry &Entry : Launches)
    if (starts(Entry, Names))
      return &Entry;
  return nullptr;
}

std::vector<const LaunchFileEntry *>
LaunchFile::findAll(ArrayRef<StringRef> Names) const {
  std::vector<const LaunchFileEntry *> All;
  for (const LaunchFileEntry &Entry : Launches)
    if (starts(Entry, Names))
      All.push_back(&Entry);
  return All;
}

bool ptxpredict::parseLaunchFile(DiagnosticEngine &Diags, LaunchFile &Result) {
  LaunchFileReader(Diags, Result).read();
  // LLVM's parser may end within a mapping, such as at a directive, without a
  // word.
  if (!Diags.hasErrors() && Result.Launches.empty())
    Diags.error(SMLoc::getFromPointer(Diags.text().data()), "not valid YAML");
  return Diags.hasErrors();
}
