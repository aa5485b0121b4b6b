# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Latency and rate of instructions: chains, each result the next operand. What an assembler could join with the next one
comes in pairs of which it cannot."""

from build import Kernel, Module

# Results that devices have a number for.
MAIN = [
    ("fp32", "f32", ["fma.rn.f32 {x}, {x}, {a}, {b};"]),
    # Majorities of bits: assemblers send additions to the lanes of multiplications, too.
    ("int", "b32", ["lop3.b32 {x}, {x}, {a}, {b}, 0xe8;", "lop3.b32 {x}, {x}, {c}, {d}, 0xe8;"]),
    ("int_multiply", "b32", ["mad.lo.u32 {x}, {x}, {a}, {b};"]),
    ("fp64", "f64", ["fma.rn.f64 {x}, {x}, {a}, {b};"]),
    ("fp16", "b32", ["fma.rn.f16x2 {x}, {x}, {a}, {b};"]),
    ("sfu", "f32", ["rsqrt.approx.ftz.f32 {x}, {x};"]),
    ("convert", "b32", ["cvt.rn.f32.s32 {f}, {x};", "cvt.rni.s32.f32 {x}, {f};"]),
    ("shuffle", "b32", ["shfl.sync.bfly.b32 {x}, {x}, 1, 31, 0xffffffff;"]),
]
# Others, latency.op.NAME and rate.op.NAME.
MORE = [
    ("add_xor", "b32", ["add.u32 {x}, {x}, {a};", "xor.b32 {x}, {x}, {b};"]),  # two additions would become one of three operands
    ("fp32_add", "f32", ["add.rn.f32 {x}, {x}, {a};"]),
    ("fp32_multiply", "f32", ["mul.rn.f32 {x}, {x}, {a};"]),
    ("fp64_add", "f64", ["add.rn.f64 {x}, {x}, {a};"]),
    ("ex2", "f32", ["ex2.approx.ftz.f32 {x}, {x};"]),
    ("lg2", "f32", ["lg2.approx.ftz.f32 {x}, {x};"]),
    ("sin", "f32", ["sin.approx.ftz.f32 {x}, {x};"]),
    ("sqrt", "f32", ["sqrt.approx.ftz.f32 {x}, {x};"]),
    ("shift", "b32", ["shf.l.wrap.b32 {x}, {x}, {a}, {b};"]),
    ("popc", "b32", ["popc.b32 {x}, {x};"]),
    ("clz", "b32", ["clz.b32 {x}, {x};"]),
    ("reverse", "b32", ["brev.b32 {x}, {x};", "add.u32 {x}, {x}, {a};"]),
    ("permute", "b32", ["prmt.b32 {x}, {x}, {a}, {b};"]),
    ("dp4a", "b32", ["dp4a.u32.u32 {x}, {x}, {a}, {b};"]),
    ("select", "b32", ["setp.lt.u32 {p}, {x}, {a};", "selp.b32 {x}, {b}, {x}, {p};"]),
    ("vote", "b32", ["setp.lt.u32 {p}, {x}, {a};", "vote.sync.ballot.b32 {x}, {p}, 0xffffffff;"]),
]
SM_75 = [("tanh", "f32", ["tanh.approx.f32 {x}, {x};"])]
SM_80 = [
    ("bf16", "b32", ["fma.rn.bf16x2 {x}, {x}, {a}, {b};"]),
    ("reduce_warp", "b32", ["redux.sync.add.u32 {x}, {x}, 0xffffffff;"]),
]
ROUNDS, UNROLL, CHAINS, THREADS = 64, 32, 8, 1024


def operands(k, kind):
    """The numbers 3 and 5 that the host gives, as values of a type."""
    numbers = [k.number("a"), k.number("b")]
    if kind == "b32":
        return numbers
    values = k.regs(kind, 2)
    k.emit(*(f"cvt.rn.{kind}.u32 {value}, {number};" for value, number in zip(values, numbers)))
    return values


def chain(k, kind, index, a):
    """Where a chain begins: a + the thread + its number."""
    start, value = k.reg("b32"), k.reg(kind)
    k.emit(f"add.u32 {start}, {k.tid}, {index};")
    if kind == "b32":
        k.emit(f"add.u32 {value}, {start}, {a};")
    else:
        k.emit(f"cvt.rn.{kind}.u32 {value}, {start};", f"add.rn.{kind} {value}, {value}, {a};")
    return value


def combine(k, kind, values):
    add = "add.u32" if kind == "b32" else f"add.rn.{kind}"
    for value in values[1:]:
        k.emit(f"{add} {values[0]}, {values[0]}, {value};")
    k.keep(values[0], kind)


def chains(name, kind, steps, count, unroll):
    k = Kernel(name)
    a, b = operands(k, kind)
    values = [chain(k, kind, index, a) for index in range(count)]
    c, d = k.regs("b32", 2)
    k.emit(f"mad.lo.u32 {c}, {k.tid}, 7, {k.tid};", f"mad.lo.u32 {d}, {k.tid}, 11, 5;")
    f, p = k.reg("f32"), k.reg("pred")
    k.begin()

    def body(_):
        for _ in range(unroll):
            for x in values:
                k.emit(*(step.format(x=x, a=a, b=b, c=c, d=d, f=f, p=p) for step in steps))

    k.loop(body)
    k.end()
    combine(k, kind, values)
    return k


def add_operations(module, operations, group, prefix):
    for name, kind, steps in operations:
        module.add(chains("latency_" + name, kind, steps, 1, UNROLL))
        module.row(group, f"latency.{prefix}{name}", "cycles", "latency_" + name, "PerWork", ROUNDS * UNROLL * len(steps), a=3, b=5)
        module.add(chains("rate_" + name, kind, steps, CHAINS, UNROLL // 4))
        work = ROUNDS * (UNROLL // 4) * CHAINS * len(steps) * THREADS
        launch = {"grid": "EverySM", "threads": THREADS, "a": 3, "b": 5}
        module.row(group, f"rate.{prefix}{name}", "lanes/cycle", "rate_" + name, "PerCycle", work, **launch)


def issue():
    """Multiplications of floats and integer additions and logic in turn, which two kinds of lanes and all schedulers can
    share."""
    k = Kernel("issue")
    a, b = operands(k, "b32")
    x = chain(k, "b32", 0, a)
    f, g = k.regs("f32", 2)
    k.emit(f"cvt.rn.f32.u32 {f}, {x};", f"add.rn.f32 {g}, {f}, {f};")
    k.begin()

    def body(_):
        for _ in range(UNROLL):
            k.emit(f"fma.rn.f32 {f}, {f}, {f}, {f};", f"add.u32 {x}, {x}, {a};")
            k.emit(f"fma.rn.f32 {g}, {g}, {g}, {g};", f"xor.b32 {x}, {x}, {b};")

    k.loop(body)
    k.end()
    k.emit(f"add.rn.f32 {f}, {f}, {g};")
    sum_ = k.reg("b32")
    k.emit(f"mov.b32 {sum_}, {f};", f"add.u32 {x}, {x}, {sum_};")
    k.keep(x)
    return k


def branch():
    """Two paths of one instruction; lanes that differ in the bit `a` take different ones."""
    k = Kernel("branch")
    bit = k.number("a")
    x, y, z = k.regs("b32", 3)
    p, q = k.regs("pred", 2)
    k.emit(f"mov.u32 {x}, {k.tid};", f"mov.u32 {y}, 1;", f"and.b32 {z}, {x}, {bit};", f"setp.ne.u32 {p}, {z}, 0;")
    k.begin()

    def body(_):
        other, done, left, right = k.label(), k.label(), k.label(), k.label()
        k.emit(f"@{p} bra {other};")
        # A branch that the assembler cannot turn into a guard: the label behind it has another way in.
        k.place(left)
        k.emit(f"mad.lo.u32 {x}, {x}, {y}, {x};", f"setp.eq.u32 {q}, {x}, 0xffffffff;", f"@{q} bra {left};", f"bra {done};")
        k.place(other)
        k.place(right)
        k.emit(f"mad.lo.u32 {x}, {x}, {y}, {y};", f"setp.eq.u32 {q}, {x}, 0xffffffff;", f"@{q} bra {right};")
        k.place(done)
        k.emit(f"and.b32 {z}, {x}, 1;", f"xor.b32 {y}, {y}, {z};", f"or.b32 {y}, {y}, 1;")

    k.loop(body)
    k.end()
    k.keep(x)
    return k


def barrier():
    k = Kernel("barrier")
    k.begin()
    k.loop(lambda _: k.emit(*["bar.sync 0;"] * 8))
    k.end()
    return k


def busy():
    """So long that the timer, which ticks once a microsecond on some devices, tells the clock: `a` cycles."""
    k = Kernel("busy")
    cycles = k.number("a")
    start, now, passed, wide = k.regs("b64", 4)
    more, label = k.reg("pred"), k.label()
    k.emit(f"cvt.u64.u32 {wide}, {cycles};")
    k.begin()
    k.emit(f"mov.u64 {start}, %clock64;")
    k.place(label)
    k.emit(f"mov.u64 {now}, %clock64;", f"sub.u64 {passed}, {now}, {start};")
    k.emit(f"setp.lt.u64 {more}, {passed}, {wide};", f"@{more} bra {label};")
    k.end()
    return k


def empty():
    """Nothing, for what a launch costs; not even a clock is read."""
    k = Kernel("empty")
    k.lines = []
    return k


def work():
    """So much work a block, whatever the grid."""
    k = Kernel("work", threads=512)
    a, x = k.regs("f32", 2)
    k.emit(f"mov.f32 {a}, 0f3FC00000;", f"cvt.rn.f32.u32 {x}, {k.tid};")
    k.loop(lambda _: k.emit(*[f"fma.rn.f32 {x}, {x}, {a}, {a};"] * 16))
    k.keep(x, "f32")
    return k


def modules():
    base = Module("arithmetic.sm_61", "6.4", "sm_61", "Chains of instructions, barriers and branches.")
    add_operations(base, MAIN, "arithmetic", "")
    base.add(issue())
    base.row("arithmetic", "rate.issue", "warp instructions/cycle", "issue", "PerCycle", ROUNDS * UNROLL * 4 * 32, grid="EverySM", threads=THREADS, a=3, b=5)
    base.add(barrier())
    rounds = 128
    for warps in (1, 2, 4, 8, 16, 32):
        base.row("barriers", f"cycles.barrier.{warps}warps", "cycles", "barrier", "PerWork", rounds * 8, threads=32 * warps, rounds=rounds)
    base.row("arithmetic", "cycles.barrier", "cycles/warp", "barrier", "PerWork", rounds * 8 * 32, threads=1024, rounds=rounds)
    base.add(branch())
    for name, bit in (("together", 32), ("apart", 1)):
        base.row("barriers", "cycles.branch." + name, "cycles", "branch", "PerWork", 1024, rounds=1024, a=bit)
    add_operations(base, MORE, "operations", "op.")
    base.add(busy())
    base.add(work())
    base.add(empty())
    newer = Module("arithmetic.sm_75", "7.0", "sm_75", "Chains of instructions that Turing has.")
    add_operations(newer, SM_75, "operations", "op.")
    ampere = Module("arithmetic.sm_80", "7.0", "sm_80", "Chains of instructions that Ampere has.")
    add_operations(ampere, SM_80, "operations", "op.")
    return [base, newer, ampere]
