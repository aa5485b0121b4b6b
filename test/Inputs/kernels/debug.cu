//===- debug.cu - Printing, assertions, allocation, traps ------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#undef NDEBUG
#include <cassert>
#include <cstdio>

// A linked list on the device heap.
struct Node {
  int value;
  Node *next;
};

extern "C" __global__ void buildList(int *out, int n) {
  Node *head = nullptr;
  for (int i = 0; i < n; ++i) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    if (!node)
      __trap();
    node->value = i;
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head) {
    Node *next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  out[threadIdx.x] = sum;
}

// Formatted output, an assertion, performance events, a break point.
extern "C" __global__ void report(const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);
  if (in[i] < 0.0f)
    printf("thread %d: %f is negative\n", i, in[i]);
  __prof_trigger(1);
  asm volatile("pmevent.mask 0x7;");
  if (in[i] == 1.0f)
    __brkpt();
}
