# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DOUTPUT=<x.cpp> -DNAME=<EmbeddedX> -DFILES=<a.yaml;b.yaml> -P EmbedTexts.cmake
# Writes ptxpredict::NAME, declared in EmbeddedTexts.h: the texts of the files and their names without suffix, sorted by
# name. Constant data; nothing runs at start.
foreach(File IN LISTS FILES)
  get_filename_component(Stem ${File} NAME_WE)
  list(APPEND Stems ${Stem})
  set(Path_${Stem} ${File})
endforeach()
# By name: with their suffixes "x1" and "x1-a" would change places.
list(SORT Stems COMPARE STRING)

set(Names "")
set(Texts "")
foreach(Stem IN LISTS Stems)
  file(READ ${Path_${Stem}} Text)
  # With its size: a compiler does not count so many characters for a constant.
  string(LENGTH "${Text}" Size)
  string(APPEND Names "    \"${Stem}\",\n")
  string(APPEND Texts "    {R\"yaml(${Text})yaml\", ${Size}},\n")
endforeach()

file(WRITE ${OUTPUT} "// Written by EmbedTexts.cmake.
#include \"Scenario/System/EmbeddedTexts.h\"

using namespace ptxpredict;

static constexpr StringRef Names[] = {
${Names}};
static constexpr StringRef Texts[] = {
${Texts}};
constexpr EmbeddedTexts ptxpredict::${NAME} = {Names, Texts};
")
