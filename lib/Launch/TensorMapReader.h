//===- TensorMapReader.h - Tensor maps of a launch file ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_LAUNCH_TENSORMAPREADER_H
#define PTXPREDICT_LIB_LAUNCH_TENSORMAPREADER_H

#include "ptxpredict/Launch/LaunchFile.h"
#include "ptxpredict/Support/YAMLNodes.h"

namespace ptxpredict {

/// Reads `tensor_maps:` of one launch, and checks it by the rules of
/// cuTensorMapEncodeTiled (CUDA Driver API, "Tensor Map Object Management").
class TensorMapReader {
public:
  TensorMapReader(YAMLNodes &Nodes, TensorMaps &Maps)
      : Nodes(Nodes), Maps(Maps) {}

  void read(llvm::yaml::Node &N);
  /// What needs the launch's buffers, once all of the launch was read.
  void
  checkBuffers(const std::map<std::string, BufferSpec, std::less<>> &Buffers);
  /// Of maps that none of \p Uses names.
  void warnOfUnused(ArrayRef<YAMLText> Uses);

private:
  /// A list of numbers with their places.
  struct Numbers {
    SMLoc Loc; ///< of the key; invalid without one
    std::vector<SMLoc> Places;
    bool Whole = true; ///< each of them could be read
  };
  /// One map as it is read.
  struct Draft {
    Draft(std::string Name, SMLoc Place)
        : Name(std::move(Name)), Place(Place) {}

    std::string Name;
    SMLoc Place;
    TensorMapSpec Spec;
    YAMLText Buffer;
    bool HasType = false, HasBuffer = false;
    bool IsWrong = false; ///< what is there of these two
    SMLoc FillLoc;
    Numbers Dims, Strides, Box, ElementStrides;
  };

  void readMap(Draft &D, llvm::yaml::Node &N);
  void readKey(Draft &D, StringRef Key, SMLoc Loc, llvm::yaml::Node &Value);
  void readNumbers(llvm::yaml::Node &N, StringRef What, Numbers &Places,
                   std::vector<uint64_t> &Values);
  bool checkKeys(const Draft &D);
  bool checkCounts(Draft &D);
  void checkDimensions(const Draft &D);
  void checkBox(const Draft &D);

  YAMLNodes &Nodes;
  TensorMaps &Maps;
  std::vector<YAMLText> Names;
  std::vector<Draft> Complete; ///< whose buffers are to be checked
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_LAUNCH_TENSORMAPREADER_H
