/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Predicts a kernel on a device: predict KERNEL.ptx DEVICE [GRID [BLOCK]] */
#include "ptxpredict-c/ptxpredict.h"
#include <stdio.h>

/* All messages, as the command prints them. */
static void printMessages(const PtxpredictRun *Run) {
  size_t I;
  PtxpredictMessage Message;
  for (I = 0; ptxpredictRunMessage(Run, I, &Message) == PTXPREDICT_DONE; ++I)
    fputs(Message.Shown, stderr);
}

/* The columns `kernel` and `time_us` of a run with format=csv. */
static void printTimes(PtxpredictRun *Run) {
  size_t Column, Row;
  const char *const *Kernels = NULL;
  const double *Times = NULL;
  for (Column = 0; Column != ptxpredictRunNumColumns(Run); ++Column) {
    const char *Name = ptxpredictRunColumnName(Run, Column);
    if (Name[0] == 'k' && Name[1] == 'e') /* kernel */
      Kernels = ptxpredictRunColumnTexts(Run, Column);
    if (Name[0] == 't' && Name[5] == 'u') /* time_us */
      Times = ptxpredictRunColumnNumbers(Run, Column);
  }
  for (Row = 0; Kernels && Times && Row != ptxpredictRunNumRows(Run); ++Row)
    printf("%s: %.1f us\n", Kernels[Row], Times[Row]);
}

int main(int Argc, char **Argv) {
  PtxpredictRun *Run;
  int Code;
  if (Argc < 3 || ptxpredictInterface() != PTXPREDICT_C_INTERFACE) {
    fprintf(stderr, "usage: %s KERNEL.ptx DEVICE [GRID [BLOCK]]\n", Argv[0]);
    return PTXPREDICT_NOT_DONE;
  }
  Run = ptxpredictRunCreate("predict");
  if (!Run)
    return PTXPREDICT_NOT_DONE;
  ptxpredictRunAddFile(Run, Argv[1]);
  ptxpredictRunAddOption(Run, "device", Argv[2]);
  ptxpredictRunAddOption(Run, "format", "csv");
  if (Argc > 3)
    ptxpredictRunAddOption(Run, "grid", Argv[3]);
  if (Argc > 4)
    ptxpredictRunAddOption(Run, "block", Argv[4]);
  Code = ptxpredictRunExecute(Run);
  printMessages(Run);
  printTimes(Run);
  ptxpredictRunDispose(Run);
  return Code < 0 ? PTXPREDICT_NOT_DONE : Code;
}
