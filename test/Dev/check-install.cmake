# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the build to a new prefix, looks at what came, and builds and runs test/Dev/consumer against it and nothing else;
# with CLANG, a clang++ 22, also EXAMPLE, a project whose kernels are checked.
# The caller gives BUILD, SOURCE, WORK, GENERATOR, CXX and VERSION.
file(REMOVE_RECURSE ${WORK})
set(Prefix ${WORK}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE Result OUTPUT_VARIABLE Output ERROR_VARIABLE Output)
  if(NOT Result EQUAL 0)
    message(FATAL_ERROR "failed (${Result}): ${ARGN}\n${Output}")
  endif()
  set(Output "${Output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${Prefix})
foreach(File bin/ptx-predict lib/PtxPredict.so include/ptxpredict/Version.h include/ptxpredict/Support/LLVM.h
    share/man/man1/ptx-predict.1 share/man/man1/ptx-predict-lint.1 share/bash-completion/completions/ptx-predict
    share/zsh/site-functions/_ptx-predict share/fish/vendor_completions.d/ptx-predict.fish)
  if(NOT EXISTS ${Prefix}/${File})
    message(FATAL_ERROR "${File} is not installed")
  endif()
endforeach()
file(GLOB_RECURSE Config ${Prefix}/*/PtxPredictConfig.cmake)
if(NOT Config)
  message(FATAL_ERROR "the CMake package is not installed")
endif()

# What is installed names neither the source tree nor the build tree.
file(GLOB_RECURSE Texts ${Prefix}/include/* ${Prefix}/*.cmake)
cmake_path(GET SOURCE PARENT_PATH Parent)
cmake_path(GET Parent PARENT_PATH Parent)
cmake_path(GET Parent PARENT_PATH Tree)
foreach(Text IN LISTS Texts)
  file(READ ${Text} Content)
  string(FIND "${Content}" "${Tree}/" InTree)
  string(FIND "${Content}" "${BUILD}/" InBuild)
  if(NOT InTree EQUAL -1 OR NOT InBuild EQUAL -1)
    message(FATAL_ERROR "${Text} names the tree that it was built from")
  endif()
endforeach()

run(${Prefix}/bin/ptx-predict --version)
if(NOT Output MATCHES "${VERSION}")
  message(FATAL_ERROR "ptx-predict --version does not print ${VERSION}:\n${Output}")
endif()

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${WORK}/consumer -D CMAKE_CXX_COMPILER=${CXX}
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${Prefix} -D PTXPREDICT_EXPECTED_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
run(${WORK}/consumer/consumer)
if(NOT Output STREQUAL "ptx-predict ${VERSION}: 2.5 known\n")
  message(FATAL_ERROR "the consumer printed: ${Output}")
endif()

# The remarks of the example, its records, and a target that is compiled by something else.
if(CLANG)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${EXAMPLE} -B ${WORK}/example -D CMAKE_CXX_COMPILER=${CLANG}
    -D CMAKE_PREFIX_PATH=${Prefix})
  run(${CMAKE_COMMAND} --build ${WORK}/example)
  foreach(Wanted "row_sums.cu:[0-9]+:[0-9]+: remark: [^\n]*\\[uncoalesced-access\\]"
                 "remark: [^\n]* on a100-80gb, [^\n]* on v100[^\n]*\\[kernel-summary\\]")
    if(NOT Output MATCHES "${Wanted}")
      message(FATAL_ERROR "the example's compiler does not say ${Wanted}:\n${Output}")
    endif()
  endforeach()
  if(NOT EXISTS ${WORK}/example/remarks/row_sums-rowSums-sm_80.opt.yaml)
    message(FATAL_ERROR "the example has no record")
  endif()
endif()
if(NOT CXX MATCHES "clang")
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${EXAMPLE} -B ${WORK}/unchecked -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_PREFIX_PATH=${Prefix})
  if(NOT Output MATCHES "'kernels' is not checked")
    message(FATAL_ERROR "nothing says that the example is not checked:\n${Output}")
  endif()
endif()
