# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How every target of the project is compiled and linked, and the one way to declare a library folder.

# A linker that is faster than the default one, LLVM's rather than mold, whose version 1 packs no relocations.
find_program(PTXPREDICT_LINKER NAMES ld.lld mold HINTS ${LLVM_TOOLS_BINARY_DIR})
get_filename_component(LinkerFolder "${PTXPREDICT_LINKER}" DIRECTORY)
if(PTXPREDICT_LINKER MATCHES "mold$")
  set(FastLinker -fuse-ld=mold)
elseif(PTXPREDICT_LINKER AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(FastLinker --ld-path=${PTXPREDICT_LINKER})
elseif(PTXPREDICT_LINKER)
  set(FastLinker -B${LinkerFolder} -fuse-ld=lld)
endif()
if(NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT DEFINED ENV{CCACHE_DISABLE})
  find_program(PTXPREDICT_CCACHE NAMES ccache)
  if(PTXPREDICT_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${PTXPREDICT_CCACHE})
  endif()
endif()

add_library(PtxPredictOptions INTERFACE)
target_compile_options(PtxPredictOptions INTERFACE
  -Wall -Wextra -Wpedantic
  -fno-exceptions -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # GCC 12's std::stable_sort calls what its own headers deprecate.
  target_compile_options(PtxPredictOptions INTERFACE -Wno-deprecated-declarations)
else()
  # Clang's default: without it GCC inlines no function that another library could replace, which none does.
  target_compile_options(PtxPredictOptions INTERFACE -Wshadow=local -fno-semantic-interposition)
  if(CMAKE_UNITY_BUILD) # GCC takes the sources that another includes for headers
    target_compile_options(PtxPredictOptions INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
endif()
if(PTXPREDICT_LINT) # in place of a check of clang-tidy, which takes a tenth of its time
  target_compile_options(PtxPredictOptions INTERFACE -Wreserved-identifier -Wreserved-macro-identifier)
endif()
if(PTXPREDICT_WERROR)
  target_compile_options(PtxPredictOptions INTERFACE -Werror)
endif()
if(PTXPREDICT_SANITIZE)
  target_compile_options(PtxPredictOptions INTERFACE
    -fsanitize=${PTXPREDICT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(PTXPREDICT_SANITIZE MATCHES "address")
    # AddressSanitizer stops at what null and object-size look for, and LLVM's own builds do without function and vptr.
    # They are a third of the time to compile.
    target_compile_options(PtxPredictOptions INTERFACE -fno-sanitize=function,null,object-size,vptr)
  endif()
  target_link_options(PtxPredictOptions INTERFACE -fsanitize=${PTXPREDICT_SANITIZE})
endif()
# 13,000 places in tables hold addresses: packed, the loader takes a tenth of start-up less. From glibc 2.36 on.
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,-z,pack-relative-relocs ${FastLinker})
check_cxx_source_runs("int main() { return 0; }" PTXPREDICT_PACKS_RELOCATIONS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
# A cache tells builds apart by it.
target_link_options(PtxPredictOptions INTERFACE -Wl,--build-id ${FastLinker})
separate_arguments(PTXPREDICT_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")

# LLVM as each final link chooses it: static archives, or libLLVM for a target that sets the property
# PTXPREDICT_SHARED_LLVM. Never both in one process: their cl::opt registries collide. Every library depends on this one,
# so that the archives come behind ours: in a sanitized build our copies of inline functions count, not LLVM's plain ones.
add_library(PtxPredictLLVM INTERFACE)
set_target_properties(PtxPredictLLVM PROPERTIES EXPORT_NAME LLVM)
target_include_directories(PtxPredictLLVM SYSTEM INTERFACE $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>)
target_link_libraries(PtxPredictLLVM INTERFACE
  $<IF:$<BOOL:$<TARGET_PROPERTY:PTXPREDICT_SHARED_LLVM>>,LLVM,LLVMDebugInfoDWARF;LLVMBinaryFormat;LLVMSupport;LLVMDemangle>)

# Everything, for programs that use the library; and what needs LLVM IR, for those that link libLLVM.
add_library(PtxPredict INTERFACE)
add_library(PtxPredict::PtxPredict ALIAS PtxPredict)
add_library(PtxPredictIR INTERFACE)
add_library(PtxPredict::IR ALIAS PtxPredictIR)
set_target_properties(PtxPredictIR PROPERTIES EXPORT_NAME IR)

# ptxpredict_compile_plainly(<target>): with -O0 in the sanitizers' build, which takes a third to a half of the time. For
# what is little of a run, or hardly slower without.
function(ptxpredict_compile_plainly Target)
  if(PTXPREDICT_SANITIZE AND NOT PTXPREDICT_FUZZ)
    target_compile_options(${Target} PRIVATE -O0)
  endif()
endfunction()

# ptxpredict_add_library(<Folder> [IR] SOURCES a.cpp ... [DEPENDS Other ...])
# Declares the static library PtxPredict<Folder> of lib/<Folder>. IR: it needs LLVM IR, and so do those that link it.
function(ptxpredict_add_library Folder)
  cmake_parse_arguments(ARG "IR" "" "SOURCES;DEPENDS" ${ARGN})
  set(Target PtxPredict${Folder})
  add_library(${Target} STATIC ${ARG_SOURCES})
  add_library(PtxPredict::${Folder} ALIAS ${Target})
  set_target_properties(${Target} PROPERTIES EXPORT_NAME ${Folder})
  target_include_directories(${Target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Private headers of the room's other folders, as "Room/Folder/Header.h".
  target_include_directories(${Target} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
  target_compile_definitions(${Target} PRIVATE ${PTXPREDICT_LLVM_DEFINITIONS})
  target_compile_features(${Target} PUBLIC cxx_std_17)
  if(NOT Folder MATCHES "^(Support|Graph|MemoryAccess|Emulator(Core|Memory)|Analysis(Access|Dependence|Locality|Profile|Symbolic))$")
    ptxpredict_compile_plainly(${Target})
  endif()
  target_link_libraries(${Target} PUBLIC PtxPredictLLVM PRIVATE $<BUILD_INTERFACE:PtxPredictOptions>)
  foreach(Dep IN LISTS ARG_DEPENDS)
    target_link_libraries(${Target} PUBLIC PtxPredict${Dep})
  endforeach()
  if(ARG_IR)
    target_link_libraries(PtxPredictIR INTERFACE ${Target})
  else()
    target_link_libraries(PtxPredict INTERFACE ${Target})
  endif()
  set_property(GLOBAL APPEND PROPERTY PTXPREDICT_LIBRARIES ${Target})
endfunction()

# ptxpredict_add_room(<Room> <Sub-folder> ...)
# Declares PtxPredict<Room>, which stands for the libraries of the room's sub-folders.
function(ptxpredict_add_room Room)
  set(Target PtxPredict${Room})
  add_library(${Target} INTERFACE)
  add_library(PtxPredict::${Room} ALIAS ${Target})
  set_target_properties(${Target} PROPERTIES EXPORT_NAME ${Room})
  foreach(Sub IN LISTS ARGN)
    target_link_libraries(${Target} INTERFACE PtxPredict${Room}${Sub})
  endforeach()
  target_link_libraries(PtxPredict INTERFACE ${Target})
  set_property(GLOBAL APPEND PROPERTY PTXPREDICT_LIBRARIES ${Target})
endfunction()

# ptxpredict_link_shared_llvm(<executable or module>): libLLVM, which knows LLVM IR and the back ends.
function(ptxpredict_link_shared_llvm Target)
  set_target_properties(${Target} PROPERTIES PTXPREDICT_SHARED_LLVM ON)
  target_link_libraries(${Target} PRIVATE PtxPredictLLVM PtxPredictOptions)
  target_link_options(${Target} PRIVATE -Wl,--gc-sections -Wl,--as-needed -Wl,-O1)
endfunction()

# ptxpredict_link_static_llvm(<executable or library> [PORTABLE]): static LLVM, and nothing in it that is not used.
# Start-up counts: with the C++ library linked in too, a program that does nothing starts in 0.85 ms instead of 1.45 ms.
# PORTABLE: for glibc before 2.36, too.
function(ptxpredict_link_static_llvm Target)
  cmake_parse_arguments(ARG "PORTABLE" "" "" ${ARGN})
  target_link_libraries(${Target} PRIVATE PtxPredictLLVM PtxPredictOptions)
  target_link_options(${Target} PRIVATE -Wl,--gc-sections -Wl,--as-needed -Wl,-O1)
  if(PTXPREDICT_PACKS_RELOCATIONS AND NOT ARG_PORTABLE)
    target_link_options(${Target} PRIVATE -Wl,-z,pack-relative-relocs)
  endif()
  if(NOT PTXPREDICT_SANITIZE)
    target_link_options(${Target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# ptxpredict_precompile_headers(TARGETS target ... HEADERS header ...)
# Parses HEADERS once for all those TARGETS that have the same options, where PTXPREDICT_PRECOMPILE asks for it. ccache
# does without: it would have to look away from what a precompiled header was made of.
function(ptxpredict_precompile_headers)
  cmake_parse_arguments(ARG "" "" "TARGETS;HEADERS" ${ARGN})
  if(NOT PTXPREDICT_PRECOMPILE OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  foreach(Target IN LISTS ARG_TARGETS)
    get_target_property(Type ${Target} TYPE)
    if(Type STREQUAL INTERFACE_LIBRARY)
      continue()
    endif()
    get_target_property(Options ${Target} COMPILE_OPTIONS)
    string(MD5 Alike "${Options}")
    if(DEFINED First${Alike})
      target_precompile_headers(${Target} REUSE_FROM ${First${Alike}})
    else()
      target_precompile_headers(${Target} PRIVATE ${ARG_HEADERS})
      set(First${Alike} ${Target})
    endif()
  endforeach()
endfunction()
