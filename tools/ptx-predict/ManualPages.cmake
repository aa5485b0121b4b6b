# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM=<ptx-predict> -DFOLDER=<man> -P ManualPages.cmake
# Writes ptx-predict.1 and a page for each subcommand, as the command prints them.
function(run Result)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE Text COMMAND_ERROR_IS_FATAL ANY)
  set(${Result} "${Text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
run(Words --complete "")
string(REGEX MATCHALL "[^\n]+" Words "${Words}")
foreach(Line IN LISTS Words)
  if(Line MATCHES "^([a-z]+)\t")
    set(Name ${CMAKE_MATCH_1})
    run(Page ${Name} --help=man)
    file(WRITE ${FOLDER}/ptx-predict-${Name}.1 "${Page}")
  endif()
endforeach()
# Last: it says that all are there.
run(Page --help=man)
file(WRITE ${FOLDER}/ptx-predict.1 "${Page}")
