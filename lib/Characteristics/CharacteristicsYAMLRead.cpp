//===- CharacteristicsYAMLRead.cpp - Characteristics from YAML ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// mapFields makes the YAMLFields of a mapping, in which every key has what
// reads its value into the member.
//===----------------------------------------------------------------------===//
#include "CharacteristicsYAMLFields.h"
#include "ptxpredict/Launch/LaunchShape.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAMLFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <limits>

using namespace ptxpredict;
using llvm::yaml::Node;
using llvm::yaml::ScalarNode;

namespace {

class Reader;

/// What mapFields adds keys to; each reads its value by the Reader.
class Fields {
public:
  explicit Fields(Reader &R) : R(R) {}

  template <typename T>
  void required(StringRef Key, T &&Value) {
    Table.required(Key, reading(std::forward<T>(Value)));
  }
  template <typename T>
  void optional(StringRef Key, T &Value) {
    Table.optional(Key, reading(Value));
  }
  void word(StringRef Key, std::string &Text) { required(Key, Text); }
  template <typename T>
  void constant(StringRef Key, T Wanted);
  template <typename F>
  void section(StringRef Key, F Body) {
    Table.required(Key, readingSection(Body));
  }
  template <typename F>
  void optionalSection(StringRef Key, bool /*IsThere*/, F Body) {
    Table.optional(Key, readingSection(Body));
  }

  YAMLFields Table;

private:
  /// What reads into a member, or into a proxy that refers to one.
  template <typename T>
  YAMLFields::ReadFunction reading(T &Value);
  template <typename T>
  YAMLFields::ReadFunction reading(T &&Proxy);
  template <typename F>
  YAMLFields::ReadFunction readingSection(F Body);

  Reader &R;
};

/// Fills members from nodes. What is wrong is reported and left as it is.
class Reader {
public:
  explicit Reader(DiagnosticEngine &Diags) : Diags(Diags), Nodes(Diags) {}

  void readFile(std::vector<KernelCharacteristics> &Result) {
    Nodes.readDocuments(
        [&](Node &Root) {
          KernelCharacteristics &K = Result.emplace_back();
          read(Root, "a document", K);
          K.Resources.Demand.apply(K.Bounds);
        },
        MaxInputBytes);
  }

  bool readFields(Node &N, const Twine &What, Fields &Of) {
    return Of.Table.read(Nodes, N, What);
  }

  void read(Node &N, StringRef What, std::string &Text) {
    std::optional<YAMLText> T = Nodes.text(N, What);
    if (!T)
      return;
    // Only paths of sources may be anything.
    if (!What.contains("source") && !isPrintable(T->Text))
      Nodes.error(T->Loc, What + " has a character that is not printable");
    Text = std::move(T->Text);
  }
  void read(Node &N, StringRef What, bool &Value);
  void read(Node &N, StringRef What, double &Value);
  void read(Node &N, StringRef What, Estimate &C);
  void read(Node &N, StringRef What, KernelBounds::Extent &E);
  void read(Node &N, StringRef What, Dim3 &D);
  void read(Node &N, StringRef What, Capability C);
  void read(Node &N, StringRef What, AssumedWhat V);
  void read(Node &N, StringRef What, AssumedValue V);
  void read(Node &N, StringRef What, std::map<std::string, unsigned> &Numbers);
  template <typename T>
  std::enable_if_t<std::is_integral_v<T>> read(Node &N, StringRef What,
                                               T &Value);
  template <typename T>
  std::enable_if_t<std::is_enum_v<T>> read(Node &N, StringRef What, T &Value);
  template <typename T>
  std::enable_if_t<std::is_class_v<T>> read(Node &N, StringRef What, T &Value) {
    SMLoc Place = Nodes.place(N);
    unsigned Before = Diags.numErrors();
    if constexpr (IsStored<T>) {
      decltype(rowOf(Value)) Row;
      read(N, What, Row);
      if (Diags.numErrors() == Before)
        Value = fromRow(std::move(Row));
    } else {
      Fields Of(*this);
      mapFields(Of, Value);
      readFields(N, What, Of);
    }
    if (Diags.numErrors() != Before)
      return;
    if (std::string Why = whyWrong(Value); !Why.empty())
      Nodes.error(Place, What + ": " + Why);
  }
  template <typename T>
  void read(Node &N, StringRef What, std::optional<T> &Value) {
    read(N, What, Value.emplace());
  }
  template <typename T>
  void read(Node &N, StringRef What, std::vector<T> &Elements) {
    std::string Element = ("an element of " + What).str();
    Nodes.forEachElement(
        N, What, [&](Node &E) { read(E, Element, Elements.emplace_back()); });
  }
  void readConstant(Node &N, StringRef What, StringRef Wanted);
  void readConstant(Node &N, StringRef What, unsigned Wanted);

private:
  DiagnosticEngine &Diags;
  YAMLNodes Nodes;
};

} // namespace

/// A key in messages.
static std::string quoted(StringRef Key) { return ("'" + Key + "'").str(); }

template <typename T>
YAMLFields::ReadFunction Fields::reading(T &Value) {
  return
      [this, &Value](Node &N, StringRef Key) { R.read(N, quoted(Key), Value); };
}

template <typename T>
YAMLFields::ReadFunction Fields::reading(T &&Proxy) {
  return
      [this, Proxy](Node &N, StringRef Key) { R.read(N, quoted(Key), Proxy); };
}

template <typename T>
void Fields::constant(StringRef Key, T Wanted) {
  Table.required(Key, [this, Wanted](Node &N, StringRef K) {
    R.readConstant(N, quoted(K), Wanted);
  });
}

template <typename F>
YAMLFields::ReadFunction Fields::readingSection(F Body) {
  return [this, Body](Node &N, StringRef Key) {
    Fields Inner(R);
    Body(Inner);
    R.readFields(N, quoted(Key), Inner);
  };
}

void Reader::read(Node &N, StringRef What, bool &Value) {
  Value = Nodes.boolean(N, What).value_or(Value);
}

template <typename T>
std::enable_if_t<std::is_integral_v<T>> Reader::read(Node &N, StringRef What,
                                                     T &Value) {
  std::optional<YAMLText> Text = Nodes.text(N, What, "a whole number");
  if (!Text)
    return;
  using Limits = std::numeric_limits<T>;
  T Number = 0;
  if (!StringRef(Text->Text).getAsInteger(10, Number)) {
    Value = Number;
    return;
  }
  Nodes.error(Text->Loc, What + " must be a whole number from " +
                             Twine(Limits::min()) + " to " +
                             Twine(Limits::max()));
}

template <typename T>
std::enable_if_t<std::is_enum_v<T>> Reader::read(Node &N, StringRef What,
                                                 T &Value) {
  SmallVector<StringRef, 16> Names;
  for (unsigned I = 0; I <= unsigned(LastOf<T>); ++I)
    Names.push_back(toString(T(I)));
  if (std::optional<size_t> Index = Nodes.oneOf(N, What, Names))
    Value = T(*Index);
}

void Reader::read(Node &N, StringRef What, double &Value) {
  std::optional<YAMLText> T =
      Nodes.text(N, What, "a number, or null for no bound");
  if (!T)
    return;
  std::optional<double> V = T->Text == "null"
                                ? std::numeric_limits<double>::infinity()
                                : parseNumber(T->Text);
  if (!V)
    Nodes.error(T->Loc, What + " must be a number, or null for no bound");
  else if (*V < 0)
    Nodes.error(T->Loc, What + " must not be negative");
  else
    Value = *V;
}

void Reader::read(Node &N, StringRef What, Estimate &C) {
  std::optional<Status> How;
  Estimate Read;
  Read.Low = Read.High = std::numeric_limits<double>::quiet_NaN();
  Fields Of(*this);
  Of.required("value", Read.Value);
  Of.required("status", How);
  Of.optional("low", Read.Low);
  Of.optional("high", Read.High);
  SMLoc Place = Nodes.place(N);
  unsigned Before = Diags.numErrors();
  readFields(N, What, Of);
  if (Diags.numErrors() != Before)
    return;
  Read.Status = *How;
  bool HasLow = !std::isnan(Read.Low), HasHigh = !std::isnan(Read.High);
  if (!Read.isKnown() && (!HasLow || !HasHigh))
    return Nodes.error(Place, What + " is not known and lacks the key '" +
                                  (HasLow ? "high" : "low") + "'");
  if (Read.isKnown() && ((HasLow && Read.Low != Read.Value) ||
                         (HasHigh && Read.High != Read.Value)))
    return Nodes.error(Place, What + " is known, so its bounds are its value; "
                                     "leave them out");
  if (Read.isKnown())
    Read.Low = Read.High = Read.Value;
  if (Read.Low > Read.High)
    return Nodes.error(Place,
                       What + " has a 'low' of " + decimalOrNull(Read.Low) +
                           " above its 'high' of " + decimalOrNull(Read.High));
  if (Read.Value < Read.Low || Read.Value > Read.High)
    return Nodes.error(Place, What + " has a 'value' of " +
                                  decimalOrNull(Read.Value) + " outside of " +
                                  decimalOrNull(Read.Low) + " to " +
                                  decimalOrNull(Read.High));
  C = Read;
}

void Reader::read(Node &N, StringRef What, KernelBounds::Extent &E) {
  SmallVector<uint64_t, 3> Numbers;
  SMLoc Place = Nodes.place(N);
  unsigned Before = Diags.numErrors();
  Nodes.forEachElement(N, What, [&](Node &Element) {
    read(Element, ("an extent of " + What).str(), Numbers.emplace_back());
  });
  if (Diags.numErrors() != Before || N.failed())
    return;
  if (Numbers.size() != E.size())
    return Nodes.error(Place, What + " must be three whole numbers: [x, y, z]");
  llvm::copy(Numbers, E.begin());
}

void Reader::read(Node &N, StringRef What, Dim3 &D) {
  KernelBounds::Extent E{1, 1, 1};
  SMLoc Place = Nodes.place(N);
  read(N, What, E);
  if (std::optional<Dim3> Shape = makeDim3(E))
    D = *Shape;
  else
    Nodes.error(Place,
                What + (llvm::is_contained(E, 0) ? " must be of extents above 0"
                                                 : " has too large a product"));
  for (LaunchShape Which :
       {LaunchShape::Grid, LaunchShape::Block, LaunchShape::Cluster})
    if (What == quoted(toString(Which)))
      if (std::string Why = whyNoShape(Which, D); !Why.empty())
        Nodes.error(Place, What + ": " + Why);
}

void Reader::read(Node &N, StringRef What, Capability C) {
  C.Number = Nodes.computeCapability(N, What).value_or(C.Number);
}

void Reader::read(Node &N, StringRef What, AssumedWhat V) {
  std::string Text;
  read(N, What, Text);
  V.Target.setWhat(Text);
}

void Reader::read(Node &N, StringRef What, AssumedValue V) {
  std::optional<YAMLText> T = Nodes.text(N, What, "a number or a quoted text");
  if (!T)
    return;
  StringRef Raw = llvm::cast<ScalarNode>(N).getRawValue();
  V.Target.IsNumber = !Raw.starts_with("\"") && !Raw.starts_with("'");
  V.Target.Value = std::move(T->Text);
  if (!V.Target.IsNumber)
    return;
  if (std::optional<double> Number = parseNumber(V.Target.Value))
    V.Target.Value = shortestDecimal(*Number);
  else
    Nodes.error(T->Loc, What + " must be a number or a quoted text");
}

void Reader::read(Node &N, StringRef What,
                  std::map<std::string, unsigned> &Numbers) {
  Nodes.forEachEntry(N, What, {}, [&](YAMLText &Key, Node &Value) {
    read(Value, "'" + Key.Text + "'", Numbers[Key.Text]);
  });
}

void Reader::readConstant(Node &N, StringRef What, StringRef Wanted) {
  std::optional<YAMLText> T = Nodes.text(N, What);
  if (T && T->Text != Wanted)
    Nodes.error(T->Loc, What + " must be '" + Wanted + "'");
}

void Reader::readConstant(Node &N, StringRef What, unsigned Wanted) {
  SMLoc Place = Nodes.place(N);
  unsigned Before = Diags.numErrors();
  unsigned Number = Wanted;
  read(N, What, Number);
  if (Diags.numErrors() == Before && Number != Wanted)
    Nodes.error(Place, What + " " + Twine(Number) +
                           " of the file is not read by this program, which "
                           "reads " +
                           Twine(Wanted));
}

std::string ptxpredict::whyWrong(const RecurrenceCharacteristics &R) {
  return R.Instructions.empty() || R.Iterations == 0
             ? "it takes at least one instruction and one iteration"
             : "";
}

std::string ptxpredict::whyWrong(const PromotionCharacteristics &P) {
  return P.Instructions.empty() ? "it takes at least one instruction" : "";
}

std::string ptxpredict::whyWrong(const BranchCharacteristics &B) {
  return B.Taken.has_value() != B.Divergent.has_value()
             ? "'taken_fraction' and 'divergent_fraction' come together"
             : "";
}

std::string ptxpredict::whyWrong(const BarrierMissCharacteristics &M) {
  return M.Reaching > M.Threads
             ? "more threads reach a barrier than should come to it"
             : "";
}

std::string ptxpredict::whyWrong(const MemoryCharacteristics &M) {
  if (M.ActiveLanes.High > double(WarpSize))
    return "a warp has no more than 32 active lanes";
  if (M.WiderAccesses == 0 ||
      (M.WiderAccesses > 1 && M.WiderBytes <= M.BytesPerLane))
    return "a wider access has the bytes of more than one";
  return "";
}

std::string ptxpredict::whyWrong(const WarpRoles &R) {
  auto AreThere = [&](ArrayRef<unsigned> Roles) {
    return llvm::all_of(Roles, [&](unsigned N) { return N < R.Roles.size(); });
  };
  for (const MBarrierArray &A : R.Barriers)
    if (!AreThere(A.Arriving) || !AreThere(A.Waiting))
      return "an mbarrier has a role that is not there; they count from 0";
  for (const RolePipeline &P : R.Pipelines) {
    if (!AreThere({P.Producer, P.Consumer}))
      return "a pipeline has a role that is not there; they count from 0";
    if (std::max(P.Full, P.Empty.value_or(0)) >= R.Barriers.size())
      return "a pipeline has an mbarrier that is not there; they count from 0";
  }
  return {};
}

std::string ptxpredict::whyWrong(const KernelCharacteristics &K) {
  for (const MemoryCharacteristics &M : K.Memory)
    if (M.Loop && *M.Loop >= K.Loops.size())
      return "an access is in loop " + std::to_string(*M.Loop) +
             ", which is not there; loops count from 0";
  if (K.Heaviest && K.Heaviest->Requests.size() != K.Memory.size())
    return "the heaviest blocks have 'requests' for " +
           std::to_string(K.Heaviest->Requests.size()) + " of " +
           std::to_string(K.Memory.size()) + " accesses";
  if (K.Heaviest &&
      (K.Heaviest->Number == 0 || K.Heaviest->Number > K.Launch.blocks() ||
       K.Heaviest->Before >= K.Launch.blocks()))
    return "the heaviest blocks are not among those of the launch";
  return {};
}

/// What a document of a file begins with, behind comments and its marker.
static StringRef firstWords(StringRef Text) {
  Text.consume_front("\xef\xbb\xbf"); // a byte order mark
  while (true) {
    Text = Text.ltrim();
    if (!Text.starts_with("#") && !Text.starts_with("%") &&
        !Text.starts_with("---"))
      return Text;
    Text = Text.drop_until([](char C) { return C == '\n'; });
  }
}

static bool beginsWithSchema(StringRef Text) {
  Text = firstWords(Text);
  if (!Text.consume_front("schema:"))
    return false;
  Text = Text.ltrim(" \t");
  if (!Text.empty() && StringRef("\"'").contains(Text.front()))
    Text = Text.drop_front();
  return Text.starts_with(CharacteristicsSchemaName);
}

bool ptxpredict::isCharacteristicsFile(StringRef Path, StringRef Text) {
  return Path.ends_with_insensitive(".yaml") ||
         Path.ends_with_insensitive(".yml") || beginsWithSchema(Text);
}

bool ptxpredict::readCharacteristics(
    DiagnosticEngine &Diags, std::vector<KernelCharacteristics> &Result) {
  StringRef Words = firstWords(Diags.text());
  if (!Words.empty() && !beginsWithSchema(Words)) {
    // A file of another kind: no reason to go through its keys.
    Diags.error(SMLoc::getFromPointer(Words.data()),
                "this is no characteristics file, which begins with 'schema: " +
                    CharacteristicsSchemaName + "'");
    return true;
  }
  Reader(Diags).readFile(Result);
  return Diags.hasErrors();
}
