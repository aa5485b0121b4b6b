#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many-findings.py N: PTX with N kernels, each at its own place and with findings of its own: some with a stride, some without."""

import sys

print(".version 7.8\n.target sm_80\n.address_size 64")
for number in range(int(sys.argv[1])):
    # A stride of a thread's elements in bytes: uncoalesced from 8 on, the worse the longer.
    stride = (4, 8, 64, 256)[number % 4]
    print(f"""
.visible .entry k{number}(.param .u64 in, .param .u64 out)
{{
  .reg .b32 %r<6>; .reg .b64 %d<8>; .reg .f32 %f<2>;
  ld.param.u64 %d1, [in];
  ld.param.u64 %d2, [out];
  cvta.to.global.u64 %d3, %d1;
  cvta.to.global.u64 %d4, %d2;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %d5, %r4, {stride};
  add.s64 %d6, %d3, %d5;
  ld.global.f32 %f1, [%d6];
  add.s64 %d7, %d4, %d5;
  st.global.f32 [%d7], %f1;
  ret;
}}""")
