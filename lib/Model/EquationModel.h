//===- EquationModel.h - Models that are one set of equations ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_MODEL_EQUATIONMODEL_H
#define PTXPREDICT_LIB_MODEL_EQUATIONMODEL_H

#include "CountBounds.h"
#include "ptxpredict/Model/Model.h"
#include "llvm/ADT/StringExtras.h"

namespace ptxpredict {

/// What a device's file gives of a model's parameters, what is derived in place
/// of others, and what is lacking.
class ModelParameters {
public:
  ModelParameters(StringRef Model, const Device &D) : Model(Model), D(D) {}

  /// That of the file; else \p Otherwise, if there is such a number.
  double get(StringRef Key, std::optional<double> Otherwise) {
    if (const Quantity *Q = D.modelParameter(Model, Key); Q && *Q)
      return **Q;
    if (Otherwise && std::isfinite(*Otherwise)) {
      Derived.push_back(Key);
      return *Otherwise;
    }
    if (Missing.empty())
      Missing = ("models: {" + Model + ": {" + Key + ": …}}").str();
    return 0;
  }
  /// Predicted over measured time: what is asked for, that of the file, or 1.
  double lambda(std::optional<double> Asked) {
    return Asked ? *Asked : get("lambda", 1);
  }
  /// That of the file alone.
  std::optional<double> given(StringRef Key) const {
    const Quantity *Q = D.modelParameter(Model, Key);
    return Q && *Q ? Q->Value : std::nullopt;
  }

  /// Names of the parameters that are derived, and what the file lacks; the
  /// latter is empty if the model can answer.
  SmallVector<StringRef, 4> Derived;
  std::string Missing;

private:
  StringRef Model;
  const Device &D;
};

/// A model whose answer is one evaluation of equations, and whose bounds are
/// two more. \p T has, all static but for the setup:
///   Name                        the model's
///   Inputs, Results             what the equations take and give
///   Setup                       made of a kernel on a device, options and
///                               which end of its counts; has Derived, Missing
///                               and inputs(DevicePoint)
///   evaluate(In, Setup)         the equations
///   cycles(In, Result)          core cycles of the kernel
///   limiter(Place, Setup, In, Result)
///   addTerms(In, Result, Terms)
///   termNames()
template <typename T>
class EquationModel final : public Model {
  using Setup = typename T::Setup;

  class Prepared final : public PreparedModel {
  public:
    Prepared(KernelOnDevice Place, const ModelOptions &Options)
        : PreparedModel(T::Name, std::move(Place), Options), Value(On, Options),
          Low(On, Options, &Estimate::Low), High(On, Options, &Estimate::High),
          Status(weakest(statusOfCounts(On.Kernel),
                         On.Kernel.Resources.Registers.Status)) {}

    std::optional<PointPrediction> at(const DevicePoint &P) const override {
      if (!isPossible(P) || !Value.Missing.empty())
        return std::nullopt;
      return evaluate(P).Answer;
    }

  protected:
    Applicability reservations(const DevicePoint &P) const override {
      if (!Value.Missing.empty())
        return {false, {"the device's file lacks " + Value.Missing}};
      Applicability A;
      if (!Value.Derived.empty())
        A.Notes.push_back("parameters derived from the device's latencies, "
                          "bandwidths and pipes: " +
                          llvm::join(Value.Derived, ", "));
      noteLaunch(P, "count as one instruction each", A);
      return A;
    }

    void answer(const DevicePoint &P, Prediction &Result) const override {
      const Evaluation E = evaluate(P);
      Result.Cycles = E.Answer.Cycles;
      Result.TimeUs = E.Answer.TimeUs;
      Result.Limiter = E.Answer.Limiter;
      T::addTerms(E.Inputs, E.Result, Result.Terms);
    }

  private:
    /// The equations' inputs and results at one point, and what they amount to.
    struct Evaluation {
      typename T::Inputs Inputs;
      typename T::Results Result;
      PointPrediction Answer;
    };

    Evaluation evaluate(const DevicePoint &P) const {
      Evaluation E;
      E.Inputs = Value.inputs(P);
      E.Result = T::evaluate(E.Inputs, Value);
      auto EndOf = [&](const Setup &Bound) {
        const auto In = Bound.inputs(P);
        return T::cycles(In, T::evaluate(In, Bound));
      };
      E.Answer.Cycles = withinEnds(T::cycles(E.Inputs, E.Result), Status,
                                   EndOf(Low), EndOf(High));
      E.Answer.TimeUs = E.Answer.Cycles.scaled(1 / P.CoreMHz);
      E.Answer.Limiter = T::limiter(On, Value, E.Inputs, E.Result);
      return E;
    }

    Setup Value, Low, High;    ///< one for each number of the counts
    ptxpredict::Status Status; ///< of the results
  };

public:
  StringRef name() const override { return T::Name; }
  ArrayRef<StringRef> termNames() const override { return T::termNames(); }
  std::unique_ptr<PreparedModel>
  prepare(KernelOnDevice On, const ModelOptions &Options) const override {
    return std::make_unique<Prepared>(std::move(On), Options);
  }
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_MODEL_EQUATIONMODEL_H
