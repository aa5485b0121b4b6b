//===- ArgumentTargets.cpp - Where arguments go in a kernel ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Characteristics/ArgumentTargets.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Launch/ArgumentPlace.h"
#include "ptxpredict/Launch/BufferElements.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

std::optional<unsigned>
ptxpredict::parameterIndex(const InstructionGraph &Kernel, StringRef Key) {
  unsigned Index;
  if (!Key.getAsInteger(10, Index))
    return Index < Kernel.Parameters.size() ? std::optional(Index)
                                            : std::nullopt;
  for (StringRef Parameter::*Name : {&Parameter::Name, &Parameter::SourceName})
    for (auto [I, P] : llvm::enumerate(Kernel.Parameters))
      if (P.*Name == Key && !Key.empty())
        return unsigned(I);
  // "param_1", or "saxpy_param_1" of a mangled name: how compilers count them.
  if (auto [Of, Number] = Key.rsplit("param_");
      Key.contains("param_") && !Number.getAsInteger(10, Index) &&
      Index < Kernel.Parameters.size() &&
      Kernel.Parameters[Index].Name.ends_with(("_param_" + Number).str()) &&
      (Of.empty() || KernelNames(Kernel.Name).Short == Of.drop_back()))
    return Index;
  // Debug information is read only for what may be in it.
  if (!Key.empty() && !Key.contains('.') && !Key.contains('+'))
    for (auto [I, S] : llvm::enumerate(Kernel.Parent->sourceParameters(Kernel)))
      if (S.Name == Key)
        return unsigned(I);
  return std::nullopt;
}

/// What the source calls a parameter and what is in it, wherever that stands.
static SourceParameter sourceOf(const InstructionGraph &Kernel,
                                unsigned Index) {
  const Parameter &P = Kernel.Parameters[Index];
  if (P.Layout)
    return {P.SourceName, P.Layout};
  ArrayRef<SourceParameter> Known = Kernel.Parent->sourceParameters(Kernel);
  return Known.empty() ? SourceParameter{P.SourceName, nullptr} : Known[Index];
}

void ptxpredict::addParameterNames(const InstructionGraph &Kernel,
                                   std::vector<StringRef> &Names) {
  for (const Parameter &P : Kernel.Parameters) {
    Names.push_back(P.Name);
    if (!P.SourceName.empty())
      Names.push_back(P.SourceName);
  }
  for (const SourceParameter &S : Kernel.Parent->sourceParameters(Kernel))
    if (!S.Name.empty())
      Names.push_back(S.Name);
}

/// The parameter that \p Key begins with, and the members behind it: names may
/// have dots, so the longest counts.
static std::optional<unsigned> splitMembers(const InstructionGraph &Kernel,
                                            StringRef Key, StringRef &Members) {
  for (size_t Dot = Key.rfind('.'); Dot != StringRef::npos;
       Dot = Key.take_front(Dot).rfind('.'))
    if (std::optional<unsigned> Index =
            parameterIndex(Kernel, Key.take_front(Dot))) {
      Members = Key.drop_front(Dot + 1);
      return Index;
    }
  return std::nullopt;
}

namespace {
/// Finds one target.
class TargetFinder {
public:
  TargetFinder(const InstructionGraph &Kernel, const LaunchArgument &A)
      : Kernel(Kernel), A(A) {}

  ArgumentTarget find();

private:
  void checkWhole();
  void findRange(const ArgumentPlace &Place);
  void findMember(StringRef Members);
  void setNumber(StringRef Type);
  void setAddress(uint64_t Bytes);
  void fail(const Twine &Message) {
    T.Problem = ("'" + A.Parameter + "': " + Message).str();
  }
  const Parameter &parameter() const { return Kernel.Parameters[*T.Parameter]; }

  const InstructionGraph &Kernel;
  const LaunchArgument &A;
  ArgumentTarget T;
};
} // namespace

/// The bytes of a tensor map (CUDA Driver API, CUtensorMap).
static constexpr uint64_t TensorMapBytes = 128;

void TargetFinder::setNumber(StringRef Type) {
  std::optional<uint64_t> Bits = encodeNumber(Type, T.Part.Value);
  if (!Bits)
    return fail(shortestDecimal(T.Part.Value.Float) + " is no value of type " +
                Type);
  T.Part.Bits = *Bits;
  T.Part.Type = Type.str();
}

/// Of a buffer, or a tensor map or its address.
void TargetFinder::setAddress(uint64_t Bytes) {
  const uint64_t Address = Kernel.Parent->AddressBits / 8;
  const bool IsMap = A.Value.Kind == ArgumentValue::KindTy::TensorMap;
  if (Bytes == Address || (IsMap && Bytes == TensorMapBytes))
    return;
  fail(Twine(IsMap ? "a tensor map has 128 bytes, its address "
                   : "the address of a buffer has ") +
       Twine(Address) + "; there are " + Twine(Bytes) + " here");
}

/// A buffer or a tensor map for a parameter as a whole. A structure may have
/// the bytes of a buffer.
void TargetFinder::checkWhole() {
  const Parameter &P = parameter();
  const uint64_t Address = Kernel.Parent->AddressBits / 8;
  if (T.Part.isNumber() || P.Bytes == Address)
    return;
  const bool IsMap = A.Value.Kind == ArgumentValue::KindTy::TensorMap;
  if (IsMap ? P.Bytes < TensorMapBytes : P.Elements == 1)
    setAddress(P.Bytes);
}

void TargetFinder::findRange(const ArgumentPlace &Place) {
  T.Parameter = parameterIndex(Kernel, Place.Parameter);
  if (!T.Parameter)
    return;
  const Parameter &P = parameter();
  const ElementType *Type = findElementType(Place.Type);
  const bool IsMap = A.Value.Kind == ArgumentValue::KindTy::TensorMap;
  const uint64_t Address = Kernel.Parent->AddressBits / 8;
  T.IsPart = true;
  T.Offset = *Place.Offset;
  T.Part.Bytes = Type ? Type->Bytes : IsMap ? TensorMapBytes : Address;
  if (T.Offset > P.Bytes || T.Part.Bytes > P.Bytes - T.Offset)
    return fail("bytes " + Twine(T.Offset) + " to " +
                Twine(T.Offset + T.Part.Bytes - 1) +
                " are beyond the parameter's " + Twine(P.Bytes));
  const uint64_t Align = std::min<uint64_t>(T.Part.Bytes, 64);
  if (T.Offset % Align)
    return fail("byte " + Twine(T.Offset) + " is not a multiple of " +
                Twine(Align) + ", as the place of " +
                (Type    ? StringRef(Type->Name)
                 : IsMap ? StringRef("a tensor map")
                         : StringRef("an address")) +
                " is");
  if (T.Part.isNumber())
    setNumber(Place.Type);
  else
    setAddress(T.Part.Bytes);
}

void TargetFinder::findMember(StringRef Members) {
  using Kind = SourceType::KindTy;
  const Parameter &P = parameter();
  T.IsPart = true;
  const SourceParameter Source = sourceOf(Kernel, *T.Parameter);
  StringRef Name = Source.Name.empty() ? P.Name : Source.Name;
  if (P.Elements == 1)
    return fail("parameter '" + Name + "' is no structure");
  if (!Source.Layout)
    return fail("no debug information names the members of parameter '" + Name +
                "' (nvcc -G and clang -g write it, -lineinfo does not); " +
                Twine(*T.Parameter) + "+BYTE:TYPE gives bytes");
  MemberPlace At;
  std::string Why;
  if (ptxpredict::findMember(*Source.Layout, Members, At, Why))
    return fail(Why);
  T.Offset = At.Offset;
  T.Part.Bytes = At.Type->Bytes;
  // Debug data may be wrong.
  if (T.Offset > P.Bytes || T.Part.Bytes > P.Bytes - T.Offset)
    return fail("debug information says that " + Twine(T.Part.Bytes) +
                " bytes from byte " + Twine(T.Offset) + " on are '" + Members +
                "', beyond the parameter's " + Twine(P.Bytes));
  if (!T.Part.isNumber())
    return setAddress(T.Part.Bytes);
  if (At.Type->Kind == Kind::Structure || At.Type->Kind == Kind::Array)
    return fail(At.Type->Kind == Kind::Array
                    ? "an array takes a value for each element, such as [0]"
                    : "a structure takes a value for each member");
  const ElementType *Type = findElementType(At.Type->Scalar);
  if (!Type || Type->Bytes != T.Part.Bytes)
    return fail("its type is none of those that numbers have; " +
                Twine(*T.Parameter) + "+" + Twine(At.Offset) +
                ":TYPE gives its bytes");
  setNumber(At.Type->Scalar);
}

ArgumentTarget TargetFinder::find() {
  T.Part.Value = A.Value;
  if ((T.Parameter = parameterIndex(Kernel, A.Parameter))) {
    checkWhole();
    return T;
  }
  ArgumentPlace Place;
  if (std::string Why = parseArgumentPlace(A.Parameter, A.Value, Place);
      !Why.empty()) {
    T.Parameter = parameterIndex(Kernel, Place.Parameter);
    T.Problem = std::move(Why);
  } else if (Place.Offset) {
    findRange(Place);
  } else if (StringRef Members;
             (T.Parameter = splitMembers(Kernel, A.Parameter, Members))) {
    findMember(Members);
  }
  return T;
}

ArgumentTarget ptxpredict::findTarget(const InstructionGraph &Kernel,
                                      const LaunchArgument &Argument) {
  return TargetFinder(Kernel, Argument).find();
}

/// Adds the parts of arguments that overlap others of this kernel.
static void
findOverlaps(ArrayRef<std::pair<const LaunchArgument *, ArgumentTarget>> Parts,
             std::vector<ArgumentProblem> &Problems) {
  std::map<std::pair<unsigned, uint64_t>,
           const std::pair<const LaunchArgument *, ArgumentTarget> *>
      Known;
  for (const auto &Part : Parts) {
    const ArgumentTarget &T = Part.second;
    auto It = Known.upper_bound({*T.Parameter, T.Offset + T.Part.Bytes - 1});
    const auto *Other = It == Known.begin() ? nullptr : std::prev(It)->second;
    if (!Other || *Other->second.Parameter != *T.Parameter ||
        Other->second.Offset + Other->second.Part.Bytes <= T.Offset) {
      Known[{*T.Parameter, T.Offset}] = &Part;
      continue;
    }
    const ArgumentTarget &O = Other->second;
    if (O.Offset == T.Offset && O.Part.Bytes == T.Part.Bytes)
      continue; // the later holds
    Problems.push_back(
        {Part.first,
         ("'" + Part.first->Parameter + "' overlaps '" +
          Other->first->Parameter + "', which gives bytes " + Twine(O.Offset) +
          " to " + Twine(O.Offset + O.Part.Bytes - 1) + " of parameter " +
          Twine(*O.Parameter))
             .str()});
  }
}

/// What no kernel has.
static std::string unknownParameter(StringRef Key,
                                    ArrayRef<const InstructionGraph *> Kernels,
                                    StringRef NoKernel) {
  StringRef Name = Key.take_until([](char C) { return C == '.' || C == '+'; });
  std::vector<StringRef> Names;
  size_t InCode = 0;
  for (const InstructionGraph *G : Kernels) {
    addParameterNames(*G, Names);
    InCode += G->Parameters.size();
  }
  if (llvm::is_contained(Names, Key) || Name.empty())
    Name = Key;
  // As the source calls them where the input says it.
  std::vector<StringRef> Shown;
  for (const InstructionGraph *G : Kernels)
    for (unsigned I = 0; I != G->Parameters.size(); ++I) {
      const StringRef InSource = sourceOf(*G, I).Name;
      Shown.push_back(InSource.empty() ? G->Parameters[I].Name : InSource);
    }
  const bool IsIndex = llvm::all_of(Name, llvm::isDigit);
  std::string Text = (NoKernel + " parameter '" + Name + "'").str();
  Text += meantOrListed(Name, Names, Shown);
  if (!IsIndex && Names.size() <= InCode && nearestName(Name, Names).empty())
    Text +=
        "; the input has no names of the source (nvcc -G and clang -g "
        "write them, -lineinfo does not): 0 is the first parameter, 0+8:u32 "
        "a part of it";
  return Text;
}

std::vector<ArgumentProblem>
ptxpredict::findArgumentProblems(ArrayRef<LaunchArgument> Args,
                                 ArrayRef<const InstructionGraph *> Kernels,
                                 StringRef NoKernel) {
  std::vector<ArgumentProblem> Problems;
  std::vector<bool> Fits(Args.size());
  std::vector<std::string> Why(Args.size());
  for (const InstructionGraph *G : Kernels) {
    std::vector<std::pair<const LaunchArgument *, ArgumentTarget>> Parts;
    for (auto [N, A] : llvm::enumerate(Args)) {
      ArgumentTarget T = findTarget(*G, A);
      if (T.Problem.empty() && T.Parameter) {
        Fits[N] = true;
        if (T.IsPart)
          Parts.emplace_back(&A, std::move(T));
      } else if (Why[N].empty()) {
        Why[N] = std::move(T.Problem);
      }
    }
    if (Problems.empty())
      findOverlaps(Parts, Problems);
  }
  for (auto [N, A] : llvm::enumerate(Args)) {
    if (Fits[N])
      continue;
    if (Why[N].empty())
      Why[N] = unknownParameter(A.Parameter, Kernels, NoKernel);
    Problems.push_back({&A, std::move(Why[N])});
  }
  llvm::stable_sort(Problems, [](const auto &L, const auto &R) {
    return L.Argument < R.Argument;
  });
  return Problems;
}
