//===- CharacteristicsYAMLWrite.cpp - Characteristics to YAML -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Line by line: what is absent leaves no key, and an estimate takes one line,
// which a test can check.
//===----------------------------------------------------------------------===//
#include "CharacteristicsYAMLFields.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

namespace {

/// Of texts that YAML reads as such without quotes.
bool isPlainWord(StringRef Text) {
  return !Text.empty() && llvm::isAlnum(Text.front()) && Text.back() != ':' &&
         llvm::all_of(Text, [](char C) {
           return llvm::isAlnum(C) || StringRef("_.:-/").contains(C);
         });
}

/// Writes the fields of one mapping.
class Writer {
public:
  /// What stands before the mapping; or it is written on one line, in braces.
  enum class After { Nothing, Key, Dash, Brace };
  Writer(raw_ostream &OS, unsigned Indent, After Where)
      : OS(OS), Indent(Indent), Where(Where) {}
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;
  ~Writer() {
    if (Where == After::Brace)
      OS << (Any ? "}" : "{}");
    else if (!Any)
      OS << " {}\n";
  }

  template <typename T>
  void required(StringRef Key, const T &Value) {
    begin(Key);
    write(Value);
  }
  template <typename T>
  void optional(StringRef Key, const T &Value) {
    if (!isAbsent(Value))
      required(Key, Value);
  }
  void word(StringRef Key, StringRef Text) {
    begin(Key);
    Line L(*this);
    if (isPlainWord(Text))
      OS << Text;
    else
      OS << quoteYAML(Text);
  }
  void constant(StringRef Key, StringRef Text) { word(Key, Text); }
  void constant(StringRef Key, unsigned Number) { required(Key, Number); }
  template <typename F>
  void section(StringRef Key, F Body) {
    begin(Key);
    Writer Inner(OS, Indent + 2, After::Key);
    Body(Inner);
  }
  template <typename F>
  void optionalSection(StringRef Key, bool IsThere, F Body) {
    if (IsThere)
      section(Key, Body);
  }

  /// A mapping takes members to read into them or to write them; this does not
  /// change them.
  template <typename T>
  void fields(const T &Value) {
    mapFields(*this, const_cast<T &>(Value));
  }

private:
  /// What stands about a value that takes no line of its own.
  struct Line {
    explicit Line(Writer &W) : W(W) {
      if (W.Where != After::Brace)
        W.OS << ' ';
    }
    ~Line() {
      if (W.Where != After::Brace)
        W.OS << '\n';
    }
    Writer &W;
  };

  void begin(StringRef Key) {
    if (Where == After::Brace) {
      OS << (Any ? ", " : "{") << Key << ": ";
      Any = true;
      return;
    }
    if (!Any && Where == After::Key)
      OS << '\n';
    if (Any || Where != After::Dash)
      OS.indent(Indent);
    Any = true;
    OS << Key << ':';
  }

  template <typename T>
  static bool isAbsent(const std::optional<T> &Value) {
    return !Value;
  }
  template <typename T>
  static bool isAbsent(const T &Value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      return Value == T();
    else
      return Value.empty();
  }

  // What takes part of a line.
  void inLine(const std::string &Text) { OS << quoteYAML(Text); }
  void inLine(bool Value) { OS << (Value ? "true" : "false"); }
  void inLine(double Value) { OS << decimalOrNull(Value); }
  template <typename T>
  std::enable_if_t<std::is_integral_v<T>> inLine(T Value) {
    OS << Value;
  }
  template <typename T>
  std::enable_if_t<std::is_enum_v<T>> inLine(T Value) {
    OS << toString(Value);
  }
  void inLine(OpenReason R) { OS << quoteYAML(toString(R)); }
  void inLine(const Estimate &C) {
    OS << "{value: " << decimalOrNull(C.Value)
       << ", status: " << toString(C.Status);
    if (!C.isKnown())
      OS << ", low: " << decimalOrNull(C.Low)
         << ", high: " << decimalOrNull(C.High);
    OS << '}';
  }
  template <typename T>
  void inLine(ArrayRef<T> Elements) {
    OS << '[';
    llvm::ListSeparator Comma;
    for (const T &Element : Elements) {
      OS << Comma;
      inLine(Element);
    }
    OS << ']';
  }
  void inLine(const KernelBounds::Extent &E) { inLine(ArrayRef(E)); }
  void inLine(const Dim3 &D) { inLine(KernelBounds::Extent{D.X, D.Y, D.Z}); }
  void inLine(const Capability &C) {
    OS << C.Number / 10 << '.' << C.Number % 10;
  }
  void inLine(const AssumedWhat &W) { inLine(W.Target.what()); }
  void inLine(const AssumedValue &V) {
    OS << (V.Target.IsNumber ? V.Target.Value : quoteYAML(V.Target.Value));
  }

  template <typename T>
  void write(const std::optional<T> &Value) {
    write(*Value);
  }
  template <typename T>
  void write(const std::vector<T> &Elements) {
    if constexpr (std::is_arithmetic_v<T>) {
      Line L(*this);
      inLine(ArrayRef(Elements));
      return;
    }
    OS << (Elements.empty() ? " []\n" : "\n");
    for (const T &Element : Elements) {
      OS.indent(Indent + 2) << "-";
      writeElement(Element);
    }
  }
  void write(const std::vector<Assumption> &Assumptions) {
    std::vector<Assumption> Written;
    llvm::copy_if(Assumptions, std::back_inserter(Written),
                  [](const Assumption &A) { return !A.isOfQuestion(); });
    write<Assumption>(Written);
  }
  void write(const std::map<std::string, unsigned> &Numbers) {
    Writer Inner(OS, Indent + 2, After::Key);
    for (const auto &[Key, Number] : Numbers)
      Inner.required(quoteYAML(Key), Number);
  }
  template <typename T>
  void write(const T &Value) {
    if constexpr (IsStored<T>) {
      writeFields(rowOf(Value), Indent + 2, After::Key);
    } else if constexpr (HasFields<T>) {
      writeFields(Value, Indent + 2, After::Key);
    } else {
      Line L(*this);
      inLine(Value);
    }
  }

  template <typename T>
  void writeElement(const T &Element) {
    if constexpr (IsOneLine<T>) {
      OS << ' ';
      writeFields(Element, 0, After::Brace);
      OS << '\n';
    } else if constexpr (IsStored<T>) {
      OS << ' ';
      writeFields(rowOf(Element), Indent + 4, After::Dash);
    } else if constexpr (HasFields<T>) {
      OS << ' ';
      writeFields(Element, Indent + 4, After::Dash);
    } else {
      Line L(*this);
      inLine(Element);
    }
  }
  template <typename T>
  void writeFields(const T &Value, unsigned At, After Before) {
    Writer(OS, At, Before).fields(Value);
  }

  raw_ostream &OS;
  unsigned Indent;
  After Where;
  bool Any = false;
};

} // namespace

void ptxpredict::print(const KernelCharacteristics &K, raw_ostream &OS) {
  OS << "---\n";
  Writer(OS, 0, Writer::After::Nothing).fields(K);
}
