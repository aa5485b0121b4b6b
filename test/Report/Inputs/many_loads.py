#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a kernel of 36 loads, of 4, 8 and 16 bytes a lane by turns."""

print(""".version 8.0
.target sm_90
.address_size 64
.visible .entry loads(.param .u64 p)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd3, %r1, 4, %rd2;
  mad.wide.u32 %rd4, %r1, 8, %rd2;
  mad.wide.u32 %rd5, %r1, 16, %rd2;""")
for index in range(12):
    print(f"  ld.global.u32 %r2, [%rd3+{index * 16384}];")
    print(f"  ld.global.v2.u32 {{%r2, %r3}}, [%rd4+{index * 16384}];")
    print(f"  ld.global.v4.u32 {{%r2, %r3, %r4, %r5}}, [%rd5+{index * 16384}];")
print("  ret;\n}")
