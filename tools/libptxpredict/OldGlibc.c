/*===- OldGlibc.c - What glibc 2.34 lacks ---------------------------------===*\
|* Part of ptx-predict, Apache-2.0 WITH LLVM-exception.                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* LLVM, the C++ library and the compiler's own take these from the newest glibc
 * that they are built with. Linked before that, the functions here are taken in
 * its place, and nobody outside sees them.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* glibc 2.36. */
uint32_t arc4random(void) {
  uint32_t Number;
  if (getrandom(&Number, sizeof Number, 0) != sizeof Number)
    abort();
  return Number;
}

/* glibc 2.35: where the tables of a function for exceptions are. The compiler's
 * library asks in the way of before if this fails. */
int _dl_find_object(void *Address, void *Result) {
  (void)Address;
  (void)Result;
  return -1;
}

#ifdef __x86_64__
/* glibc 2.35 has a faster one beside that of before. */
double oldHypot(double X, double Y);
__asm__(".symver oldHypot, hypot@GLIBC_2.2.5");
double hypot(double X, double Y) { return oldHypot(X, Y); }
#endif
