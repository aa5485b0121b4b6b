# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of S. Hong's PhD thesis, Table 3: loads in a mix with computation, coalesced and not."""

from build import Kernel, Module

# Loads, other instructions and, of these, of floats, in a round of a loop.
LOOPS = {"mb1": (0, 23, 20), "mb2": (1, 17, 8), "mb3": (1, 29, 20), "mb4": (2, 27, 12), "mb5": (2, 35, 20), "mb6": (4, 47, 20), "mb7": (6, 59, 20)}
THREADS = 512
LINE = 128  # bytes from lane to lane of a load that is not coalesced
ROUNDS = {"uncoalesced": 8, "coalesced": 8 * LINE // 4}
PLANE = ROUNDS["uncoalesced"] * THREADS * LINE  # bytes that each load of the loop has to itself: all of them are new ones


def loop(name):
    loads, others, floats = LOOPS[name]
    k = Kernel(name, threads=THREADS)
    sum_, value, bits = k.reg("f32"), k.reg("f32"), k.reg("b32")
    k.emit(f"mov.f32 {sum_}, 0f3F800000;", f"mov.f32 {value}, 0f3F000000;", f"mov.u32 {bits}, {k.tid};")
    address = step = word = at = None
    if loads:
        address, step, offset = k.reg("b64"), k.reg("b64"), k.reg("b32")
        stride, threads, base = k.number("a"), k.reg("b32"), k.pointer("in")
        block = k.number("b")
        k.emit(f"mul.wide.u32 {address}, {k.ctaid}, {block};", f"add.u64 {base}, {base}, {address};")
        k.emit(f"mul.lo.u32 {offset}, {k.tid}, {stride};", f"mov.u32 {threads}, %ntid.x;")
        k.emit(f"mul.wide.u32 {address}, {offset}, 1;", f"add.u64 {address}, {address}, {base};")
        word, at = k.reg("b32"), k.reg("b64")
        k.emit(f"mul.wide.u32 {step}, {threads}, {stride};", f"mov.u32 {word}, 0;")
    k.begin()

    def body(_):
        # The loop itself is three instructions, its address one, and one for each load: what memory holds, zeros, is added to
        # its address, so that it waits for the load before.
        integers = others - floats - 3 - (1 + loads if loads else 0)
        for part in range(max(1, loads)):
            if loads:
                k.emit(f"mad.wide.u32 {at}, {word}, 1, {address};", f"ld.global.b32 {word}, [{at}+{part * PLANE}];", f"mov.b32 {value}, {word};")
            for _ in range(floats * (part + 1) // max(1, loads) - floats * part // max(1, loads)):
                k.emit(f"fma.rn.f32 {sum_}, {sum_}, {value}, {value};")
            for n in range(integers * (part + 1) // max(1, loads) - integers * part // max(1, loads)):
                k.emit(f"{'xor.b32' if n % 2 else 'add.u32'} {bits}, {bits}, {0x5bd1e995 + n};")
        if loads:
            k.emit(f"add.u64 {address}, {address}, {step};")

    k.loop(body)
    k.end()
    both = k.reg("b32")
    k.emit(f"mov.b32 {both}, {sum_};", f"xor.b32 {both}, {both}, {bits};")
    k.keep(both)
    return k


def modules():
    module = Module("mixes.sm_61", "6.4", "sm_61", "Loops of loads and computation.")
    for name, (loads, others, _) in LOOPS.items():
        module.add(loop(name))
        for access, rounds in ROUNDS.items():
            if not loads and access == "uncoalesced":
                continue
            result = f"cpi.{name}.{access}" if loads else f"cpi.{name}"
            work = (loads + others) * rounds * THREADS // 32
            module.row(
                "mixes", result, "cycles/instruction", name, "PerWork", work, grid="EverySM", threads=THREADS, rounds=rounds,
                a=LINE if access == "uncoalesced" else 4, b=loads * PLANE, in_bytes=loads * PLANE,
            )
    return [module]
