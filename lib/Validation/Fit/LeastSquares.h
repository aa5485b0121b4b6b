//===- LeastSquares.h - Functions as Eigen's searches take them -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_VALIDATION_FIT_LEASTSQUARES_H
#define PTXPREDICT_LIB_VALIDATION_FIT_LEASTSQUARES_H

#include <Eigen/Dense>
#include <unsupported/Eigen/NonLinearOptimization>

namespace ptxpredict {

/// The types that Eigen wants of errors whose squares are to be least; any
/// number of parameters and of errors.
struct LeastSquaresTypes {
  using Scalar = double;
  enum {
    InputsAtCompileTime = Eigen::Dynamic,
    ValuesAtCompileTime = Eigen::Dynamic
  };
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_VALIDATION_FIT_LEASTSQUARES_H
