# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DOUTPUT=<x.cpp> -DFILES=<a.md;b.md> -P EmbeddedPages.cmake
# Writes the table that EmbeddedPages.h declares: the text of pages of docs by their names, as constant data.
set(Pages "")
foreach(File IN LISTS FILES)
  get_filename_component(Name ${File} NAME_WE)
  file(READ ${File} Text)
  string(APPEND Pages "    {\"${Name}\", R\"page(${Text})page\"},\n")
endforeach()

file(WRITE ${OUTPUT} "// Written by EmbeddedPages.cmake from docs.
#include \"EmbeddedPages.h\"

using namespace ptxpredict;

static constexpr EmbeddedPage Pages[] = {
${Pages}};
ArrayRef<EmbeddedPage> ptxpredict::embeddedPages() { return Pages; }
")
