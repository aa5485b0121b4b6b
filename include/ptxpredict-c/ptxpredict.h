/*===- ptxpredict.h - ptx-predict for C and what can call C -------*- C -*-===*\
|* Part of ptx-predict, Apache-2.0 WITH LLVM-exception.                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* A run is one call of the command in this process: a subcommand, its options
 * by the command's names, files or texts in memory; then an exit code, what the
 * command would write to standard output, and messages with their places.
 * docs/guide/CLibrary.md has an example.
 *
 * Any number of threads may have runs; a run belongs to one thread at a time.
 * Nothing is written to standard output or standard error, no function but
 * ptxpredictMain ends the process, and no C++ exception leaves one. All texts
 * are UTF-8 and end with a zero byte; those that a run returns live until it is
 * executed again or disposed of.
 */
#ifndef PTXPREDICT_C_PTXPREDICT_H
#define PTXPREDICT_C_PTXPREDICT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef PTXPREDICT_BUILDS_C_LIBRARY
#define PTXPREDICT_C_API __attribute__((visibility("default")))
#else
#define PTXPREDICT_C_API
#endif

/** Rises whenever something here changes so that a program that was compiled
 * before does not work any more; part of the SONAME. */
#define PTXPREDICT_C_INTERFACE 1

/** PTXPREDICT_C_INTERFACE of the library that was loaded. */
PTXPREDICT_C_API uint32_t ptxpredictInterface(void);
/** The version of the library that was loaded: "0.1.0". */
PTXPREDICT_C_API const char *ptxpredictVersion(void);

/** What a run came to: the command's exit codes, and what only a library has.
 */
enum {
  PTXPREDICT_DONE = 0,
  /** Done, and what was asked about was found: findings, a regression. */
  PTXPREDICT_FOUND = 1,
  /** Wrong usage or input; what could be answered is in the output. */
  PTXPREDICT_NOT_DONE = 2,
  /** As PTXPREDICT_NOT_DONE: an input is LLVM IR, CUDA source or OpenCL C,
   * which the command ptx-predict-ir reads. */
  PTXPREDICT_NEEDS_IR = 3,
  /** A null handle or text, or a subcommand or name that nothing can have. */
  PTXPREDICT_MISUSE = -1,
  /** Memory is gone, or LLVM could not go on. */
  PTXPREDICT_FAILED = -2
};

/** A run, before and after it is executed. */
typedef struct PtxpredictRun PtxpredictRun;

/** A run of "predict" or of another subcommand: "advise", "lint", "rank". Null
 * if the subcommand is unknown or memory is gone. */
PTXPREDICT_C_API PtxpredictRun *ptxpredictRunCreate(const char *Subcommand);
/** Null is nothing to dispose of. */
PTXPREDICT_C_API void ptxpredictRunDispose(PtxpredictRun *Run);

/* What is asked. Each returns PTXPREDICT_DONE or PTXPREDICT_MISUSE; whether an
 * option exists and takes the value is found when the run is executed. */

/** Adds the option `--Name=Value`, or `--Name` if \p Value is null. */
PTXPREDICT_C_API int
ptxpredictRunAddOption(PtxpredictRun *Run, const char *Name, const char *Value);
/** Adds a file, or whatever else the subcommand takes without an option: the
 * name of a device. */
PTXPREDICT_C_API int ptxpredictRunAddFile(PtxpredictRun *Run, const char *Path);
/** Adds an input in memory, which is copied. \p Name stands for its path in
 * results and messages, and says by its ending what it is: "kernel.ptx". */
PTXPREDICT_C_API int ptxpredictRunAddText(PtxpredictRun *Run, const char *Name,
                                          const void *Bytes, size_t Size);
/** Adds what an option such as `launch` may name in place of a file. */
PTXPREDICT_C_API int ptxpredictRunAddNamedText(PtxpredictRun *Run,
                                               const char *Name,
                                               const void *Bytes, size_t Size);

/** Called now and then during a run, by any of its threads but never by two at
 * once: so many of so many parts are done. */
typedef void (*PtxpredictProgress)(void *Context, uint64_t Done, uint64_t All);
/** Null asks for none. */
PTXPREDICT_C_API int ptxpredictRunSetProgress(PtxpredictRun *Run,
                                              PtxpredictProgress Progress,
                                              void *Context);

/** Runs. Returns PTXPREDICT_DONE, PTXPREDICT_FOUND, PTXPREDICT_NOT_DONE or a
 * negative code; may be called again. */
PTXPREDICT_C_API int ptxpredictRunExecute(PtxpredictRun *Run);

/* What came of it. */

/** What the command writes to standard output, such as JSON by the schemas in
 * docs/schemas with the option format=json. */
PTXPREDICT_C_API const char *ptxpredictRunOutput(const PtxpredictRun *Run,
                                                 size_t *Size);

enum { PTXPREDICT_NOTE = 0, PTXPREDICT_WARNING = 1, PTXPREDICT_ERROR = 2 };

/** A message, in the order of the command's. */
typedef struct PtxpredictMessage {
  int Severity;
  const char *Path;  /**< empty: of options */
  uint32_t Line;     /**< from 1; 0: of the file as a whole */
  uint32_t Column;   /**< from 1; 0: of the line as a whole */
  const char *Text;  /**< what is wrong and how to go on */
  const char *Shown; /**< as the command prints it: place, text, the line with a
                        caret; ends with a line feed */
} PtxpredictMessage;

PTXPREDICT_C_API size_t ptxpredictRunNumMessages(const PtxpredictRun *Run);
/** PTXPREDICT_MISUSE if there is no such message. */
PTXPREDICT_C_API int ptxpredictRunMessage(const PtxpredictRun *Run,
                                          size_t Index,
                                          PtxpredictMessage *Message);

/* With the option format=csv: the rows as columns, such as those of rank and of
 * sweeps. A column has numbers if all its fields are numbers or empty. */

PTXPREDICT_C_API size_t ptxpredictRunNumRows(PtxpredictRun *Run);
PTXPREDICT_C_API size_t ptxpredictRunNumColumns(PtxpredictRun *Run);
/** Null if there is no such column. */
PTXPREDICT_C_API const char *ptxpredictRunColumnName(PtxpredictRun *Run,
                                                     size_t Column);
/** A number for each row, NaN for an empty field; null for a column of texts.
 */
PTXPREDICT_C_API const double *ptxpredictRunColumnNumbers(PtxpredictRun *Run,
                                                          size_t Column);
/** A text for each row; null for a column of numbers. */
PTXPREDICT_C_API const char *const *ptxpredictRunColumnTexts(PtxpredictRun *Run,
                                                             size_t Column);

/** The command itself, with main's arguments: unlike everything else here it
 * has the process for itself, its streams and signals, and may end it. Returns
 * the exit code. */
PTXPREDICT_C_API int ptxpredictMain(int Argc, char **Argv);

/** All subcommands with their options as JSON (docs/guide/CLibrary.md), for
 * programs that offer them by name. Lives as long as the library. Null if
 * memory is gone. */
PTXPREDICT_C_API const char *ptxpredictDescription(void);

#ifdef __cplusplus
}
#endif

#endif /* PTXPREDICT_C_PTXPREDICT_H */
