//===- records.cu - Records of remarks -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// LLVM's own record has the remarks without -R:
// RUN: rm -rf %t && mkdir %t
// RUN: %loaded --offload-arch=sm_80 -O2 %s -o %t/k.s -fsave-optimization-record \
// RUN:   -foptimization-record-passes=ptx-predict -foptimization-record-file=%t/k.yaml \
// RUN:   -mllvm -ptx-predict-rules=uncoalesced-access,kernel-summary 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t/k.yaml
// CHECK:      --- !Analysis
// CHECK-NEXT: Pass: ptx-predict
// CHECK-NEXT: Name: UncoalescedAccess
// CHECK-NEXT: DebugLoc:
// CHECK:      Line: [[@LINE+37]],
// CHECK:      Column:
// CHECK:      Function: every
// CHECK-NEXT: Args:
// CHECK-NEXT: - String: {{.*}}[uncoalesced-access]
// CHECK-NEXT: - Id: uncoalesced-access
// CHECK-NEXT: - Severity: {{warning|note}}
// CHECK-NEXT: - Kernel: every
// CHECK-NEXT: - Gain.{{.*}}: '0.{{[0-9]+}}'
// CHECK-NEXT: - Gain: '0.{{[0-9]+}}'
// CHECK:      - sectors_per_request: '32'
// CHECK:      - sectors_needed: '4'
// CHECK:      - Help:
// CHECK:      Name: KernelSummary
// CHECK:      - time_us.{{.*}}: '{{[0-9.]+}}'
// CHECK:      - limiter.{{.*}}: {{[a-z-]+}}
// CHECK:      - registers.{{.*}}: '{{[0-9]+}}'
// CHECK:      - occupancy.{{.*}}: '{{[0-9.]+}}'
// CHECK:      - ilp: '{{[0-9.]+}}'
// CHECK:      - mstr: '{{[0-9.]+}}'
//
// Several architectures at once would write one file; the plugin writes one for each kernel of each:
// RUN: %loaded --offload-arch=sm_75 --offload-arch=sm_80 --offload-arch=sm_90 -O2 -gline-tables-only %s -mllvm -ptx-predict-record=%t/own \
// RUN:   -mllvm -ptx-predict-rules=uncoalesced-access,kernel-summary
// RUN: ls %t/own | FileCheck %s --check-prefix=FILES
// FILES:      records-every-sm_75.opt.yaml
// FILES-NEXT: records-every-sm_80.opt.yaml
// FILES-NEXT: records-every-sm_90.opt.yaml
// FILES-NOT:  {{.}}
// RUN: FileCheck %s --input-file=%t/own/records-every-sm_90.opt.yaml
//
// A folder that cannot be made is no error:
// RUN: touch %t/file
// RUN: %remarks --offload-arch=sm_80 -O2 %s -o %t/k.s -mllvm -ptx-predict-record=%t/file/in 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: remark: no record is written: {{.*}}file/in
#include "Inputs/cuda.h"
extern "C" __global__ void every(float *x) {
  x[globalX() * 16] = 1;
}
// REQUIRES: clang-22
