/*===- launcher.c - The command of a wheel: all of it is in the library ---===*\
|* Part of ptx-predict, Apache-2.0 WITH LLVM-exception.                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#include "ptxpredict-c/ptxpredict.h"

int main(int Argc, char **Argv) { return ptxpredictMain(Argc, Argv); }
