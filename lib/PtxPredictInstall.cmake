# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` lays down, and the package config by which find_package(PtxPredict) finds it:
#   bin/ptx-predict   lib/libPtxPredict*.a   lib/PtxPredict.so   include/ptxpredict   lib/cmake/PtxPredict
# What one needs to build programs with it is the component `development`.
# (tools/ptx-predict installs the command itself, lib/Plugin the plugin.)
include(CMakePackageConfigHelpers)

get_property(Libraries GLOBAL PROPERTY PTXPREDICT_LIBRARIES)
set(PackageDir ${CMAKE_INSTALL_LIBDIR}/cmake/PtxPredict)

install(TARGETS PtxPredict PtxPredictLLVM ${Libraries} EXPORT PtxPredictTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT PtxPredictTargets NAMESPACE PtxPredict:: DESTINATION ${PackageDir} COMPONENT development)
install(DIRECTORY include/ptxpredict ${PROJECT_BINARY_DIR}/include/ptxpredict
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(PluginFile ${CMAKE_INSTALL_LIBDIR}/PtxPredict.so)
configure_package_config_file(lib/PtxPredictConfig.cmake.in PtxPredictConfig.cmake
  INSTALL_DESTINATION ${PackageDir} PATH_VARS PluginFile NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(PtxPredictConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES lib/PtxPredictChecks.cmake ${PROJECT_BINARY_DIR}/PtxPredictConfig.cmake ${PROJECT_BINARY_DIR}/PtxPredictConfigVersion.cmake
  DESTINATION ${PackageDir} COMPONENT development)

include(packaging/debian.cmake)
