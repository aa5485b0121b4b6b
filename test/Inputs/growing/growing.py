#!/usr/bin/env python3
"""Writes a kernel of a kind that is hard on an analysis, of any size, as PTX.

    growing.py KIND SIZE > kernel.ptx

Kinds (SIZE is the number of what the name says):
    gotos       branches to anywhere: a control flow without order
    nest        loops within each other, each with an access
    counted     the same, of four iterations each
    accesses    accesses, shared out among three loops
    triangle    iterations of a loop whose inner loop runs as often as the
                outer one has
    triangles   the same, of three loops within each other
    siblings    loops one behind the other within one
    diamonds    branches one behind the other whose sides meet again
    chain       instructions of which each needs the one before

The same arguments give the same bytes.
"""
import sys

HEAD = """.version 7.0
.target sm_70
.address_size 64

.visible .entry {name}(
\t.param .u64 p,
\t.param .u32 n
)
{{
\t.reg .pred %p<8>;
\t.reg .b32 %r<{registers}>;
\t.reg .f32 %f<8>;
\t.reg .b64 %rd<16>;
\tld.param.u64 %rd1, [p];
\tld.param.u32 %r1, [n];
\tcvta.to.global.u64 %rd2, %rd1;
\tmov.u32 %r2, %tid.x;
\tmov.u32 %r3, %ctaid.x;
\tmov.u32 %r4, %ntid.x;
\tmad.lo.s32 %r5, %r3, %r4, %r2;
\tmul.wide.s32 %rd3, %r5, 4;
\tadd.s64 %rd4, %rd2, %rd3;
"""
FIRST = 10  # register that is free


def kernel(name, body, registers):
    return HEAD.format(name=name, registers=registers) + "".join(body) + "\tret;\n}\n"


def numbers(seed):
    """The same numbers everywhere: a linear congruence."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        yield seed >> 33


def gotos(size):
    body, random = [], numbers(size)
    for n in range(size):
        body += [f"L{n}:\n", f"\tadd.s32 %r6, %r6, {n};\n", f"\tsetp.lt.s32 %p1, %r6, %r{2 + next(random) % 4};\n",
                 f"\t@%p1 bra L{next(random) % size};\n"]
    return kernel("gotos", body, FIRST)


def nest(size, limit="%r1"):
    body = []
    for n in range(size):
        body += [f"\tmov.u32 %r{FIRST + n}, 0;\n", f"L{n}:\n", f"\tmul.wide.s32 %rd5, %r{FIRST + n}, {4 << n % 16};\n",
                 "\tadd.s64 %rd6, %rd4, %rd5;\n", "\tld.global.f32 %f1, [%rd6];\n", "\tadd.f32 %f2, %f2, %f1;\n"]
    for n in reversed(range(size)):
        body += [f"\tadd.s32 %r{FIRST + n}, %r{FIRST + n}, 1;\n", f"\tsetp.lt.s32 %p1, %r{FIRST + n}, {limit};\n",
                 f"\t@%p1 bra L{n};\n"]
    return kernel("nest", body + ["\tst.global.f32 [%rd4], %f2;\n"], FIRST + size)


def accesses(size):
    body = []
    for loop in range(3):
        body += ["\tmov.u32 %r6, 0;\n", f"L{loop}:\n", "\tmul.wide.s32 %rd5, %r6, 4096;\n", "\tadd.s64 %rd6, %rd4, %rd5;\n"]
        for n in range(loop * size // 3, (loop + 1) * size // 3):
            body += [f"\tld.global.f32 %f1, [%rd6+{4 * n}];\n", "\tadd.f32 %f2, %f2, %f1;\n"]
        body += ["\tadd.s32 %r6, %r6, 1;\n", "\tsetp.lt.s32 %p1, %r6, 16;\n", f"\t@%p1 bra L{loop};\n"]
    return kernel("accesses", body + ["\tst.global.f32 [%rd4], %f2;\n"], FIRST)


def triangular(name, size, depth):
    body = []
    for n in range(depth):
        body += [f"\tmov.u32 %r{FIRST + n}, 0;\n", f"L{n}:\n"]
    body += [f"\tmul.wide.s32 %rd5, %r{FIRST + depth - 1}, 4;\n", "\tadd.s64 %rd6, %rd4, %rd5;\n",
             "\tld.global.f32 %f1, [%rd6];\n", "\tadd.f32 %f2, %f2, %f1;\n"]
    for n in reversed(range(depth)):
        limit = size if n == 0 else f"%r{FIRST + n - 1}"
        body += [f"\tadd.s32 %r{FIRST + n}, %r{FIRST + n}, 1;\n", f"\tsetp.lt.s32 %p1, %r{FIRST + n}, {limit};\n",
                 f"\t@%p1 bra L{n};\n"]
    return kernel(name, body + ["\tst.global.f32 [%rd4], %f2;\n"], FIRST + depth)


def siblings(size):
    body = ["\tmov.u32 %r6, 0;\n", "OUTER:\n"]
    for n in range(size):
        body += ["\tmov.u32 %r7, 0;\n", f"L{n}:\n", "\tadd.s32 %r8, %r8, %r7;\n", "\tadd.s32 %r7, %r7, 1;\n",
                 f"\tsetp.lt.s32 %p1, %r7, {8 + n % 8};\n", f"\t@%p1 bra L{n};\n"]
    body += ["\tadd.s32 %r6, %r6, 1;\n", "\tsetp.lt.s32 %p1, %r6, 16;\n", "\t@%p1 bra OUTER;\n"]
    return kernel("siblings", body + ["\tst.global.u32 [%rd4], %r8;\n"], FIRST)


def diamonds(size):
    body = []
    for n in range(size):
        body += [f"\tand.b32 %r6, %r5, {1 + n % 31};\n", "\tsetp.eq.s32 %p1, %r6, 0;\n", f"\t@%p1 bra E{n};\n",
                 f"\tadd.s32 %r7, %r7, {n};\n", f"\tbra J{n};\n", f"E{n}:\n", "\txor.b32 %r7, %r7, %r5;\n", f"J{n}:\n"]
    return kernel("diamonds", body + ["\tst.global.u32 [%rd4], %r7;\n"], FIRST)


def chain(size):
    body = [f"\tmad.lo.s32 %r6, %r6, %r5, {n};\n" for n in range(size)]
    return kernel("chain", body + ["\tst.global.u32 [%rd4], %r6;\n"], FIRST)


KINDS = {
    "gotos": gotos,
    "nest": nest,
    "counted": lambda size: nest(size, "4"),
    "accesses": accesses,
    "triangle": lambda size: triangular("triangle", size, 2),
    "triangles": lambda size: triangular("triangles", size, 3),
    "siblings": siblings,
    "diamonds": diamonds,
    "chain": chain,
}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS or not sys.argv[2].isdigit():
        sys.exit(__doc__)
    sys.stdout.write(KINDS[sys.argv[1]](int(sys.argv[2])))


if __name__ == "__main__":
    main()
