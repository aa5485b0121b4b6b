#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many_kernels.py NUMBER [LINES]: PTX with so many kernels of so many additions, the N-th of which loops N million times."""

import sys

Number = int(sys.argv[1])
Lines = int(sys.argv[2]) if len(sys.argv) > 2 else 200
print(".version 8.0\n.target sm_70\n.address_size 64")
for N in range(1, Number + 1):
    print(f".visible .entry k{N}(.param .u64 p)\n{{\n.reg .pred %q;\n.reg .b32 %r<4>;\n.reg .f32 %f<3>;\n.reg .b64 %rd<2>;")
    print(f"ld.param.u64 %rd1, [p];\nmov.u32 %r1, 0;\nLoop{N}:\nld.global.f32 %f1, [%rd1];")
    for Line in range(Lines):
        print("add.f32 %f2, %f1, 0f3f800000;")
    print(f"add.u32 %r1, %r1, 1;\nsetp.lt.u32 %q, %r1, {N * 1000000};\n@%q bra Loop{N};\nst.global.f32 [%rd1], %f2;\nret;\n}}")
