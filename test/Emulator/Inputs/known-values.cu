// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// known-values.O0.ptx and known-values.O1.ptx: clang 22 at -O0 and -O1, with
// --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -fno-unroll-loops.
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
typedef unsigned u32;
static inline __attribute__((device)) u32 tid() { return __nvvm_read_ptx_sreg_tid_x(); }
// A counter that is looked at through eight bits.
extern "C" __global__ void narrowTest(int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if ((signed char)i > 3)
      s += a[i];
    a[i + 1000] = s;
  }
}
// Through five bits, and with one more.
extern "C" __global__ void fiveBits(int *a, int n) {
  for (int i = 0; i < n; i++)
    if ((((i + 1) << 27) >> 27) < 0)
      a[i] = 1;
}
extern "C" __global__ void narrowCounter(int *a, int n) {
  for (signed char c = 0; c < n; c += 2)
    a[c] += 1;
}
// What a loop leaves behind is read in eight bits.
extern "C" __global__ void narrowExit(int *a, int n) {
  int i = 0;
  for (; a[i + tid()] > 0; ++i)
    ;
  if ((signed char)i < 0)
    a[i] = n;
}
// A byte of a page that data choose.
extern "C" __global__ void pageOfData(int *a, unsigned char *b) {
  b[tid() + __nvvm_read_ptx_sreg_ctaid_x() * 128] = 2;
  b[(a[0] * 2048) & 8191] = 1;
}
// Lanes of one request in two spaces.
extern "C" __global__ void twoSpaces(int *a, int *b) {
  __shared__ int S[64];
  S[tid()] = tid();
  __nvvm_bar_sync(0);
  int *p = tid() % 2 ? &S[tid()] : &a[tid()];
  b[tid()] = *(volatile int *)p;
}
// Perhaps no block adds, perhaps all do.
extern "C" __global__ void openAtomic(int *a, int *b) {
  if (b[a[0]])
    __atomic_fetch_add(a + 1, 1, __ATOMIC_RELAXED);
}
// Two warps of a block at one word.
extern "C" __global__ void wordOfBlock(int *a) {
  __atomic_fetch_max(a + __nvvm_read_ptx_sreg_ctaid_x() * 3 + 38, 1,
                     __ATOMIC_RELAXED);
}
// Places that known data choose, which are no linear form of the iteration.
extern "C" __global__ void placesOfData(const int *a, const long long *b,
                                        u32 *out) {
  u32 all = __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
  u32 here =
      __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + tid();
  for (short i = 1; i < a[0]; ++i)
    out[(u32)(b[i] & 3) * all + here] = 0;
  out[here] ^= 1;
}
