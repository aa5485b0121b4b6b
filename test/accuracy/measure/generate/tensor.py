# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix instructions of a warp, by type and shape: mma.sync, mma.sp and wmma. A warp's latency, and the rate of a full SM.
Rates count multiply-adds of the dense shape."""

from build import Kernel, Module

ROUNDS, UNROLL, CHAINS, WARPS = 64, 8, 4, 16
ACCUMULATOR_BITS = {"f32": 32, "f16": 16, "s32": 32, "f64": 64}
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "s8": 8, "s4": 4, "b1": 1, "e4m3": 8, "e5m2": 8}
BITS.update({"e2m3": 8, "e3m2": 8, "e2m1": 8})  # in a byte each, but for the kinds of four bits


class Shape:
    """One instruction. `form` are its modifiers behind `mma.sync.aligned.`; `tail` the operands behind the sums."""

    def __init__(self, name, m, n, k, types, form=None, tail="", bits=None, sparse=False):
        self.name, self.m, self.n, self.k, self.tail, self.sparse = name, m, n, k, tail, sparse
        self.sum, a = types.split(".")[0], types.split(".")[1]
        bits = bits or BITS[a]
        self.form = form or f"m{m}n{n}k{k}.row.col.{types}.{types.split('.')[0]}"
        self.wide = a == "f64"
        # Hopper's assembler multiplies halves and adds the products: of operands that stay it does so once, before the loop.
        self.changes = a in ("e4m3", "e5m2") and form is None
        lanes = 32 * (64 if self.wide else 32)
        self.a_regs = m * k * bits // lanes // (2 if sparse else 1)
        self.b_regs = k * n * bits // lanes
        self.d_regs = m * n * ACCUMULATOR_BITS[self.sum] // lanes

    def kernel(self, kind, count):
        k = Kernel(f"{kind}_{self.name}")
        number = k.number("a")
        operand = number
        sums = "f64" if self.wide else "f32" if self.sum == "f32" else "b32"
        if self.wide:
            operand = k.reg("f64")
            k.emit(f"cvt.rn.f64.u32 {operand}, {number};")
        elif self.changes:
            step, operand = k.number("b"), k.reg("b32")
            k.emit(f"mov.u32 {operand}, {number};")
        metadata = k.reg("b32")
        k.emit(f"mov.u32 {metadata}, 0x44444444;")  # the first two of four
        values = [k.regs(sums, self.d_regs) for _ in range(count)]
        for index, chain in enumerate(values):
            for register in chain:
                if sums == "b32":
                    k.emit(f"add.u32 {register}, {k.tid}, {index};")
                else:
                    k.emit(f"cvt.rn.{sums}.u32 {register}, {k.tid};")
        k.begin()

        def body(_):
            for _ in range(UNROLL):
                for chain in values:
                    d = ", ".join(chain)
                    a = ", ".join([operand] * self.a_regs)
                    b = ", ".join([number if self.changes else operand] * self.b_regs)
                    name = "mma.sp::ordered_metadata" if self.sparse else "mma"
                    tail = f", {metadata}, 0x0" if self.sparse else self.tail.format(s=number)
                    k.emit(f"{name}.sync.aligned.{self.form} {{{d}}}, {{{a}}}, {{{b}}}, {{{d}}}{tail};")
                    if self.changes:
                        k.emit(f"add.u32 {operand}, {operand}, {step};")

        k.loop(body)
        k.end()
        add = {"b32": "add.u32", "f32": "add.rn.f32", "f64": "add.rn.f64"}[sums]
        flat = [register for chain in values for register in chain]
        for register in flat[1:]:
            k.emit(f"{add} {flat[0]}, {flat[0]}, {register};")
        k.keep(flat[0], sums)
        return k


def add(module, shapes, prefix="mma"):
    for shape in shapes:
        name = f"{prefix}.{shape.name.replace('_', '.')}"
        k = module.add(shape.kernel("latency", 1))
        module.row("tensor", "latency." + name, "cycles", k.name, "PerWork", ROUNDS * UNROLL)
        k = module.add(shape.kernel("rate", CHAINS))
        products = shape.m * shape.n * shape.k * ROUNDS * UNROLL * CHAINS * WARPS
        module.row("tensor", "rate." + name, "multiply-adds/cycle", k.name, "PerCycle", products, grid="EverySM", threads=32 * WARPS)


def wmma(module, name, sum_, a_type, sum_regs, a_regs):
    """m16n16k16, whose fragments are opaque."""
    registers = "f32" if sum_ == "f32" else "b32"
    for kind, count in (("latency", 1), ("rate", CHAINS)):
        k = Kernel(f"{kind}_wmma_{name}")
        operand = k.number("a")
        values = [k.regs(registers, sum_regs) for _ in range(count)]
        for chain in values:
            for register in chain:
                k.emit(f"cvt.rn.f32.u32 {register}, {k.tid};" if registers == "f32" else f"mov.b32 {register}, {k.tid};")
        k.begin()
        types = f"{sum_}.{sum_}" if a_type == "f16" else f"{sum_}.{a_type}.{a_type}.{sum_}"
        satfinite = ".satfinite" if a_type == "s8" else ""

        def body(_, k=k, values=values):
            for _ in range(UNROLL):
                for chain in values:
                    d, a = ", ".join(chain), ", ".join([operand] * a_regs)
                    k.emit(f"wmma.mma.sync.aligned.row.col.m16n16k16.{types}{satfinite} {{{d}}}, {{{a}}}, {{{a}}}, {{{d}}};")

        k.loop(body)
        k.end()
        flat = [register for chain in values for register in chain]
        for register in flat[1:]:
            k.emit(f"{'add.rn.f32' if registers == 'f32' else 'add.u32'} {flat[0]}, {flat[0]}, {register};")
        k.keep(flat[0], registers)
        module.add(k)
        steps = ROUNDS * UNROLL
        full = f"wmma.{name.replace('_', '.')}.m16n16k16"
        if kind == "latency":
            module.row("tensor", "latency." + full, "cycles", k.name, "PerWork", steps)
        else:
            work = 16**3 * steps * CHAINS * WARPS
            module.row("tensor", "rate." + full, "multiply-adds/cycle", k.name, "PerCycle", work, grid="EverySM", threads=32 * WARPS)


def main_row(module, shape):
    """What devices have a number for: the rate of halves, and its latency."""
    products = shape.m * shape.n * shape.k * ROUNDS * UNROLL * CHAINS * WARPS
    launch = {"grid": "EverySM", "threads": 32 * WARPS}
    module.row("arithmetic", "rate.tensor_f16", "multiply-adds/cycle", "rate_" + shape.name, "PerCycle", products, **launch)
    module.row("arithmetic", "latency.tensor", "cycles", "latency_" + shape.name, "PerWork", ROUNDS * UNROLL)


def named(types, m, n, k, **more):
    sum_, a = types.split(".")[:2]
    prefix = "sparse_" if more.get("sparse") else ""
    return Shape(f"{prefix}{a}_{sum_}_m{m}n{n}k{k}", m, n, k, types, **more)


def modules():
    volta = Module("wmma.sm_70", "6.4", "sm_70", "Multiplications of matrices by wmma.")
    wmma(volta, "f16_f32", "f32", "f16", 8, 8)
    wmma(volta, "f16_f16", "f16", "f16", 4, 8)
    turing = Module("mma.sm_75", "6.5", "sm_75", "Multiplications of matrices by mma.sync, of Turing.")
    shapes = [named("f32.f16.f16", 16, 8, 8), named("f16.f16.f16", 16, 8, 8)]
    shapes.append(Shape("s8_s32_m8n8k16", 8, 8, 16, "s32.s8.s8", form="m8n8k16.row.col.satfinite.s32.s8.s8.s32"))
    shapes.append(Shape("s4_s32_m8n8k32", 8, 8, 32, "s32.s4.s4", form="m8n8k32.row.col.satfinite.s32.s4.s4.s32"))
    add(turing, shapes)
    main_row(turing, shapes[0])  # where a row of the next file does not replace it
    wmma(turing, "s8_s32", "s32", "s8", 8, 2)
    ampere = Module("mma.sm_80", "7.0", "sm_80", "Multiplications of matrices by mma.sync, of Ampere.")
    shapes = [named("f32.f16.f16", 16, 8, 16), named("f16.f16.f16", 16, 8, 16)]
    shapes += [named("f32.bf16.bf16", 16, 8, k) for k in (8, 16)]
    shapes += [named("f32.tf32.tf32", 16, 8, k) for k in (4, 8)]
    shapes.append(named("f64.f64.f64", 8, 8, 4))
    for k in (16, 32):
        form = f"m16n8k{k}.row.col.satfinite.s32.s8.s8.s32"
        shapes.append(Shape(f"s8_s32_m16n8k{k}", 16, 8, k, "s32.s8.s8", form=form))
    shapes.append(Shape("s4_s32_m16n8k64", 16, 8, 64, "s32.s4.s4", form="m16n8k64.row.col.satfinite.s32.s4.s4.s32"))
    shapes.append(Shape("b1_s32_m16n8k256", 16, 8, 256, "s32.b1.b1", form="m16n8k256.row.col.s32.b1.b1.s32.xor.popc"))
    add(ampere, shapes)
    main_row(ampere, shapes[0])
    sparse = Module("mma-sparse.sm_80", "8.5", "sm_80", "Multiplications of sparse matrices by mma.sp.")
    shapes = [named("f32.f16.f16", 16, 8, 32, sparse=True), named("f32.tf32.tf32", 16, 8, 16, sparse=True)]
    shapes.append(named("s32.s8.s8", 16, 8, 64, sparse=True))
    add(sparse, shapes)
    ada = Module("mma.sm_89", "8.4", "sm_89", "Multiplications of matrices by mma.sync, of Ada.")
    add(ada, [named("f32.e4m3.e4m3", 16, 8, 32), named("f32.e5m2.e5m2", 16, 8, 32)])
    half = Module("mma-half.sm_89", "8.7", "sm_89", "Products of eight bits with sums of 16, of Ada.")
    add(half, [named("f16.e4m3.e4m3", 16, 8, 32)])
    hopper = Module("mma.sm_90", "7.8", "sm_90", "Multiplications of doubles by mma.sync, of Hopper.")
    add(hopper, [named("f64.f64.f64", 16, 8, k) for k in (4, 8, 16)])
    consumer = Module("mma.sm_120a", "8.7", "sm_120a", "Multiplications of matrices by mma.sync, of consumer Blackwell.")
    kinds = []
    for a in ("e4m3", "e2m3", "e2m1"):
        kinds.append(Shape(f"f8f6f4_{a}_f32_m16n8k32", 16, 8, 32, f"f32.{a}.{a}", form=f"m16n8k32.row.col.kind::f8f6f4.f32.{a}.{a}.f32"))
    scales = ", {{{s}}}, {{0, 0}}, {{{s}}}, {{0, 0}}"
    form = "m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0"
    kinds.append(Shape("mxf8f6f4_e4m3_f32_m16n8k32", 16, 8, 32, "f32.e4m3.e4m3", form=form, tail=scales))
    form = "m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"
    kinds.append(Shape("mxf4_e2m1_f32_m16n8k64", 16, 8, 64, "f32.e2m1.e2m1", form=form, tail=scales, bits=4))
    form = "m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3"
    kinds.append(Shape("mxf4nvf4_e2m1_f32_m16n8k64", 16, 8, 64, "f32.e2m1.e2m1", form=form, tail=scales, bits=4))
    add(consumer, kinds)
    return [volta, turing, ampere, sparse, ada, half, hopper, consumer]
