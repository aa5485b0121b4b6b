//===- linkedlist.cu - Lists, an element after the other -------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Follows `next` for `length` elements and adds up what lies there: each load
// waits for the one before it.
extern "C" __global__ void linkedListChase(const unsigned *__restrict__ next,
                                           const unsigned *__restrict__ values,
                                           unsigned *__restrict__ sums, int n,
                                           int length) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned at = i, sum = 0;
  for (int step = 0; step < length; ++step) {
    sum = sum * 31 + values[at];
    at = next[at];
  }
  sums[i] = sum;
}

struct Node {
  Node *next;
  unsigned value;
};

// Makes a list on the device's heap, each thread one as long as its index
// says, reads it from its end and frees it.
extern "C" __global__ void linkedListHeap(const unsigned *__restrict__ lengths,
                                          unsigned *__restrict__ sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Node *head = nullptr;
  for (unsigned j = 0; j < lengths[i]; ++j) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    if (!node)
      break;
    node->next = head;
    node->value = i + j;
    head = node;
  }
  unsigned sum = 0;
  while (head) {
    Node *node = head;
    sum = sum * 31 + node->value;
    head = node->next;
    free(node);
  }
  sums[i] = sum;
}
