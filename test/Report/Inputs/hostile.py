#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile.py FOLDER: writes an input, a device and a source whose names and texts are markup."""

import os
import sys

Folder = sys.argv[1]
Inputs = os.path.join(os.path.dirname(__file__), "..", "..", "Inputs")

PTX = rb"""
.version 8.0
.target sm_90
.address_size 64
.visible .entry k$_$(.param .u64 p)
{
  .reg .f32 %f<3>;
  .reg .b64 %rd<3>;
  .loc 1 2 0
  ld.param.u64 %rd1, [p]; // </td></body><style>*{display:none}</style> &lt; \u202e
  .loc 1 3 0
  ld.global.f32 %f1, [%rd1]; // not UTF-8: """ + b"\xff\xc3( control: \x07bell\x1b[31m" + rb"""
  st.global.f32 [%rd1], %f1;
  ret;
}
.file 1 "/none/<img src=x onerror=alert(1)>'.cu"
"""
SOURCE = """// first
</td></table></details><script>alert(2)</script>
]]> --> '"&amp;
"""


def write(name, text):
    with open(os.path.join(Folder, name), "wb") as file:
        file.write(text)


write("<script>alert('x')<&.ptx", PTX)
write("<img src=x onerror=alert(1)>'.cu", SOURCE.encode())
with open(os.path.join(Inputs, "toy.yaml"), "rb") as toy:
    write('d"&.yaml', toy.read().replace(b"round numbers", b"<b>numbers</b>"))
