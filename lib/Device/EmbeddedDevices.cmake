# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DOUTPUT=<x.cpp> -DFILES=<a.yaml;b.yaml> -P EmbeddedDevices.cmake
# Writes the tables that EmbeddedDevices.h declares: the text of every device file by its name, sorted, the same without
# sources and units, the names of those that are devices, not `abstract: true` bases, and their `aliases: [a, b]` with the
# names that they stand for, sorted. Everything is constant data;
# nothing runs at start.
foreach(File IN LISTS FILES)
  get_filename_component(Name ${File} NAME_WE)
  list(APPEND Names ${Name})
  set(Path_${Name} ${File})
endforeach()
# By name: with their suffixes "a40" and "a40-x" would change places.
list(SORT Names COMPARE STRING)

set(Files "")
set(Devices "")
set(AliasRows "")
foreach(Name IN LISTS Names)
  file(READ ${Path_${Name}} Text)
  # KEY: {value: NUMBER, …} is KEY: NUMBER, of lists likewise, and a section's source: is a line of its own.
  string(REGEX REPLACE "\n +source: [^\n]*" "" Numbers "${Text}")
  string(REGEX REPLACE ": {value: (\\[[^]\n]*\\]|[^,}\n]*)[^\n]*" ": \\1" Numbers "${Numbers}")
  # With their sizes: a compiler does not count so many characters for a constant.
  string(LENGTH "${Text}" TextSize)
  string(LENGTH "${Numbers}" NumbersSize)
  string(APPEND Files "    {\"${Name}\", {R\"yaml(${Text})yaml\", ${TextSize}},\n"
                      "     {R\"yaml(${Numbers})yaml\", ${NumbersSize}}},\n")
  if(NOT Text MATCHES "\nabstract: true\n")
    string(APPEND Devices "    \"${Name}\",\n")
  endif()
  if(Text MATCHES "\naliases: \\[([^]\n]*)\\]")
    string(REGEX MATCHALL "[^ ,]+" Aliases "${CMAKE_MATCH_1}")
    foreach(Alias IN LISTS Aliases)
      list(APPEND AliasRows "    {\"${Alias}\", \"${Name}\"},")
    endforeach()
  endif()
endforeach()
# The quote behind an alias sorts before what names consist of.
list(SORT AliasRows COMPARE STRING)
list(JOIN AliasRows "\n" AliasRows)

file(WRITE ${OUTPUT} "// Written by EmbeddedDevices.cmake from lib/Device/data.
#include \"EmbeddedDevices.h\"

using namespace ptxpredict;

static constexpr EmbeddedFile Files[] = {
${Files}};
ArrayRef<EmbeddedFile> ptxpredict::embeddedFiles() { return Files; }

static constexpr StringRef Names[] = {
${Devices}};
ArrayRef<StringRef> ptxpredict::embeddedDeviceNames() { return Names; }

static constexpr DeviceAlias Aliases[] = {
${AliasRows}
};
ArrayRef<DeviceAlias> ptxpredict::embeddedDeviceAliases() { return Aliases; }
")
