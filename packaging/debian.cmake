# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Debian packages: `cpack -G DEB` in a build folder makes two of what `cmake --install` lays down. ptx-predict has the commands,
# the C library and the plugin for clang, libptxpredict-dev what programs in C++ are built with.
set(CPACK_PACKAGE_NAME ptx-predict)
set(CPACK_PACKAGE_VENDOR "ptx-predict")
set(CPACK_PACKAGE_CONTACT "ptx-predict maintainers <maintainers@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL Unspecified development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd) # as fast to unpack as to pack
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(Version ${PROJECT_VERSION}) # as CPack writes it

set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME ptx-predict)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "clang-22, libclc-22, git")
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION
  "Reads PTX, machine code, LLVM IR, CUDA source or OpenCL C, and says how long a\nkernel takes on a GPU, what limits it, and what a fix would save. Nothing is run,\nand no GPU is needed.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libptxpredict-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "ptx-predict (= ${Version}), llvm-22-dev, zlib1g-dev, libzstd-dev, libeigen3-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Static libraries, headers and the CMake package of ptx-predict.")

# Policy 12.5: the licence lies where every package has it.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ptx-predict RENAME copyright)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libptxpredict-dev RENAME copyright COMPONENT development)
include(CPack)
