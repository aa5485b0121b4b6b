# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wgmma of Hopper and tcgen05 of data-centre Blackwell, by type and shape, with operands in shared memory, registers or
tensor memory. Rates count multiply-adds of the dense shape."""

from build import Kernel, Module

# Operands lie in rows of 128 bytes, swizzled: descriptors of PTX ISA, "Matrix descriptor" of wgmma and "Shared memory
# descriptor" of tcgen05. 64 is the way from eight rows to the next, 1024 bytes, in units of 16.
WGMMA_DESCRIPTOR = (1 << 62) | (64 << 32) | (1 << 16)
TCGEN05_DESCRIPTOR = (2 << 61) | (1 << 46) | (64 << 32) | (1 << 16)


def describe(k, address, constant):
    low, wide, descriptor = k.reg("b32"), k.reg("b64"), k.reg("b64")
    k.emit(f"shr.u32 {low}, {address}, 4;", f"and.b32 {low}, {low}, 0x3fff;", f"cvt.u64.u32 {wide}, {low};")
    k.emit(f"or.b64 {descriptor}, {wide}, 0x{constant:x};")
    return descriptor


def clear(k, bytes_, threads):
    """Zeros in shared memory, seen by what reads it asynchronously."""
    base, at, end, zero = k.memory(), k.reg("b32"), k.reg("b32"), k.reg("b32")
    more, label = k.reg("pred"), k.label()
    k.emit(f"mov.u32 {zero}, 0;", f"shl.b32 {at}, {k.tid}, 4;", f"add.u32 {at}, {at}, {base};", f"add.u32 {end}, {base}, {bytes_};")
    k.place(label)
    k.emit(f"st.shared.v4.b32 [{at}], {{{zero}, {zero}, {zero}, {zero}}};", f"add.u32 {at}, {at}, {16 * threads};")
    k.emit(f"setp.lt.u32 {more}, {at}, {end};", f"@{more} bra {label};", "fence.proxy.async.shared::cta;")


def wgmma(module, name, d, ab, n, k_size, groups, latency=False, a_in_registers=False, sparse=False):
    """One instruction after the other of `groups` warpgroups, into the same sums."""
    kind = "latency" if latency else "rate"
    full = f"{name.replace('.', '_')}_n{n}" + ("_registers" if a_in_registers else "") + ("_sparse" if sparse else "")
    k = Kernel(f"{kind}_{full}_{groups}", shared=(8192 + 32768, 1024))
    clear(k, 8192 + 32768, 128 * groups)
    registers = {"f32": "f32", "f16": "b32", "s32": "b32"}[d]
    sums = k.regs(registers, n // 2 if d != "f16" else n // 4)
    for register in sums:
        k.emit(f"mov.b32 {register}, 0;")
    a = describe(k, k.memory(), WGMMA_DESCRIPTOR)
    b = describe(k, k.memory(8192), WGMMA_DESCRIPTOR)
    zero = k.reg("b32")
    k.emit(f"mov.u32 {zero}, 0;")
    metadata = k.reg("b32")
    k.emit(f"mov.u32 {metadata}, 0x44444444;")
    # Enough of small ones that the wait behind them is a small part.
    per_round, rounds = (1, 256) if latency else (min(64, 8 * 256 // n), 64)
    types = f"{d}.{ab}.{ab}"
    # Negations, and for 16 bits transpositions, as far as the form has them.
    tail = ["1"] + ([] if ab == "s8" else ["1", "1"])
    if ab in ("f16", "bf16"):
        tail += ["0"] if a_in_registers else ["0", "0"]
    source = f"{{{', '.join([zero] * 4)}}}" if a_in_registers else a
    k.begin()

    def body(_):
        k.emit("wgmma.fence.sync.aligned;")
        for _ in range(per_round):
            operands = [f"{{{', '.join(sums)}}}", source, b] + ([metadata, "0"] if sparse else []) + tail
            k.emit(f"wgmma.mma_async{'.sp' if sparse else ''}.sync.aligned.m64n{n}k{k_size}.{types} {', '.join(operands)};")
        k.emit("wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;")

    k.loop(body)
    k.end()
    k.keep(sums[0], registers)
    module.add(k)
    result = f"{name}.m64n{n}k{k_size}"
    result = ("sparse." if sparse else "") + result + (".a_in_registers" if a_in_registers else "")
    if latency:
        module.row("tensor", "latency.wgmma." + result, "cycles", k.name, "PerWork", rounds, threads=128, rounds=rounds)
        return
    work = 64 * n * k_size * per_round * rounds * groups
    launch = {"grid": "EverySM", "threads": 128 * groups, "rounds": rounds}
    name = f"rate.wgmma.{result}" + ("" if groups == 2 else f".{groups}warpgroup")
    module.row("tensor", name, "multiply-adds/cycle", k.name, "PerCycle", work, **launch)


class Kind:
    """A kind of tcgen05.mma: how its descriptor of the instruction says the types (PTX ISA, "Instruction descriptor")."""

    def __init__(self, name, kind, k_size, d=1, a=0, scale=None, scale_type=0):
        self.name, self.kind, self.k_size, self.d, self.a = name, kind, k_size, d, a
        self.scale, self.scale_type = scale, scale_type

    def descriptor(self, m, n):
        types = self.a << 7 | self.a << 10 | (n >> 3) << 17
        if self.scale:
            return types | self.scale_type << 23 | (m >> 7) << 27
        return types | self.d << 4 | (m >> 4) << 24


KINDS = [
    Kind("f16.f32", "f16", 16),
    Kind("f16.f16", "f16", 16, d=0),
    Kind("bf16.f32", "f16", 16, a=1),
    Kind("tf32.f32", "tf32", 8, a=2),
    Kind("e4m3.f32", "f8f6f4", 32),
    Kind("e2m3.f32", "f8f6f4", 32, a=3),
    Kind("e2m1.f32", "f8f6f4", 32, a=5),
    Kind("mxf8f6f4.e4m3.f32", "mxf8f6f4", 32, scale="scale_vec::1X", scale_type=1),
    Kind("mxf4.e2m1.f32", "mxf4", 64, a=1, scale="scale_vec::2X", scale_type=1),
    Kind("mxf4nvf4.e2m1.f32", "mxf4nvf4", 64, a=1, scale="scale_vec::4X"),
]
BYTES = Kind("s8.s32", "i8", 32, d=2, a=1)


def wait(k, barrier, parity):
    label, done = k.label(), k.reg("pred")
    k.place(label)
    k.emit(f"mbarrier.try_wait.parity.shared.b64 {done}, [{barrier}], {parity};", f"@!{done} bra {label};")


def allocate(k, place, columns, synchronize, group="cta_group::1"):
    """Tensor memory for the block, by its first warp: its address, and whether a thread is in another warp."""
    warp, others, tensor, skip = k.reg("b32"), k.reg("pred"), k.reg("b32"), k.label()
    k.emit(f"shr.u32 {warp}, {k.tid}, 5;", f"setp.ne.u32 {others}, {warp}, 0;", f"@{others} bra {skip};")
    k.emit(f"tcgen05.alloc.{group}.sync.aligned.shared::cta.b32 [{place}], {columns};")
    k.emit(f"tcgen05.relinquish_alloc_permit.{group}.sync.aligned;")
    k.place(skip)
    k.emit(*synchronize, f"ld.shared.b32 {tensor}, [{place}];")
    return tensor, others


def free(k, tensor, columns, others, group="cta_group::1"):
    skip = k.label()
    k.emit(f"@{others} bra {skip};", f"tcgen05.dealloc.{group}.sync.aligned.b32 {tensor}, {columns};")
    k.place(skip)


def multiplication(k, kind, group, tensor, operands, shape):
    """The instruction, by one lane that the assembler knows for one: a branch to a thread would make a loop of each. With
    what it waits for."""
    bits, yes, one = k.reg("b32"), k.reg("pred"), k.reg("pred")
    scales = k.regs("b32", 2)
    k.emit(f"mov.u32 {bits}, 0x{kind.descriptor(*shape):x};", f"setp.eq.u32 {yes}, {k.tid}, {k.tid};", f"elect.sync _|{one}, 0xffffffff;")
    k.emit(*(f"add.u32 {scale}, {tensor}, {column};" for scale, column in zip(scales, (320, 384))))
    scaled = f", [{scales[0]}], [{scales[1]}]" if kind.scale else ""
    form = f"kind::{kind.kind}" + (f".block_scale.{kind.scale}" if kind.scale else "")
    mma = f"@{one} tcgen05.mma.{group}.{form} [{tensor}], {operands[0]}, {operands[1]}, {bits}{scaled}, {yes};"
    return mma, f"@{one} tcgen05.commit.{group}.mbarrier::arrive::one.shared::cluster.b64"


def tcgen05(module, kind, m, n, latency=False, a_in_tensor_memory=False):
    """One thread of the first warp multiplies, one instruction after the other, and waits for all of them at the end; or,
    for the latency, for each. With M of 256 it does so for two blocks, of which each has half of A, of B and of the sums."""
    pair = m == 256
    group = "cta_group::2" if pair else "cta_group::1"
    together = "barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" if pair else "bar.sync 0;"
    which = "latency" if latency else "rate"
    full = f"{kind.name.replace('.', '_')}_m{m}n{n}" + ("_tmem" if a_in_tensor_memory else "")
    k = Kernel(f"{which}_tcgen05_{full}", shared=(16384 + 32768, 1024), cluster=pair)
    clear(k, 16384 + 32768, 128)
    k.emit("bar.sync 0;")
    # In row 248 of B, of which an instruction reads the first 32 bytes.
    unread = 16384 + 248 * 128 + 64
    barrier, parity, a_tensor = k.memory(unread), k.reg("b32"), k.reg("b32")
    ready = [f"@{k.first} mbarrier.init.shared.b64 [{barrier}], 1;", "fence.proxy.async.shared::cta;", together]
    tensor, others = allocate(k, k.memory(unread + 8), 512, ready + ["tcgen05.fence::after_thread_sync;"], group)
    a = describe(k, k.memory(), TCGEN05_DESCRIPTOR)
    b = describe(k, k.memory(16384), TCGEN05_DESCRIPTOR)
    k.emit(f"add.u32 {a_tensor}, {tensor}, 256;", f"mov.u32 {parity}, 0;")
    rank, idle = k.reg("b32"), k.reg("pred")
    k.emit(f"mov.u32 {rank}, %cluster_ctarank;", f"setp.ne.or.u32 {idle}, {rank}, 0, {others};")
    per_round, rounds = (1, 256) if latency else (16, 64)
    k.begin(together)
    done = k.label()
    k.emit(f"@{idle} bra {done};")
    mma, commit = multiplication(k, kind, group, tensor, (f"[{a_tensor}]" if a_in_tensor_memory else a, b), (m, n))

    def finish():
        k.emit(f"{commit} [{barrier}];")
        wait(k, barrier, parity)
        k.emit(f"xor.b32 {parity}, {parity}, 1;")

    def body(_):
        k.emit(*[mma] * per_round)
        if latency:
            finish()

    k.loop(body)
    if not latency:
        finish()
    k.place(done)
    k.end(together)
    free(k, tensor, 512, others, group)
    k.keep(tensor)
    module.add(k)
    result = f"{kind.name}.m{m}n{n}k{kind.k_size}" + (".a_in_tensor_memory" if a_in_tensor_memory else "")
    launch = {"threads": 128, "rounds": rounds, "cluster": 2 if pair else 1}
    if latency:
        module.row("tensor", "latency.tcgen05." + result, "cycles", k.name, "PerWork", rounds, **launch)
    else:
        work = m * n * kind.k_size * per_round * rounds // (2 if pair else 1)
        module.row("tensor", "rate.tcgen05." + result, "multiply-adds/cycle", k.name, "PerCycle", work, grid="EverySM", **launch)


def tensor_loads(module):
    """Four warps read tensor memory, 32 columns of 32 bits each time."""
    k = Kernel("tensor_memory_loads", shared=(16, 16))
    tensor, others = allocate(k, k.memory(), 128, ["bar.sync 0;"])
    warp, lane = k.regs("b32", 2)
    k.emit(f"shr.u32 {warp}, {k.tid}, 5;", f"shl.b32 {lane}, {warp}, 21;", f"add.u32 {lane}, {lane}, {tensor};")
    values = k.regs("b32", 32)
    k.begin()

    def body(_):
        for column in (0, 32, 64, 96):
            k.emit(f"tcgen05.ld.sync.aligned.32x32b.x32.b32 {{{', '.join(values)}}}, [{lane}+{column}];")
        k.emit("tcgen05.wait::ld.sync.aligned;")

    k.loop(body)
    k.end()
    free(k, tensor, 128, others)
    k.keep(values[0])
    module.add(k)
    work = 4 * 32 * 128 * 4 * 64
    module.row("tensor", "bandwidth.tensor_memory.load", "bytes/cycle", k.name, "PerCycle", work, grid="EverySM", threads=128)


def blackwell(target, version, bytes_too):
    module = Module("tcgen05." + target, version, target, "Multiplications of matrices by tcgen05.")
    for kind in KINDS + ([BYTES] if bytes_too else []):
        tcgen05(module, kind, 128, 256)
    for kind in (KINDS[0], KINDS[4], KINDS[8]):
        tcgen05(module, kind, 256, 256)
    for n in (64, 128):
        tcgen05(module, KINDS[0], 128, n)
    tcgen05(module, KINDS[0], 64, 256)
    tcgen05(module, KINDS[0], 128, 256, a_in_tensor_memory=True)
    tcgen05(module, KINDS[4], 128, 256, a_in_tensor_memory=True)
    for n in (64, 256):
        tcgen05(module, KINDS[0], 128, n, latency=True)
    tcgen05(module, KINDS[4], 128, 256, latency=True)
    tensor_loads(module)
    return module


def modules():
    hopper = Module("wgmma.sm_90a", "8.2", "sm_90a", "Multiplications of matrices by wgmma.")
    types = [("f16.f32", "f32", "f16", 16), ("f16.f16", "f16", "f16", 16), ("bf16.f32", "f32", "bf16", 16)]
    types += [("tf32.f32", "f32", "tf32", 8), ("e4m3.f32", "f32", "e4m3", 32), ("e4m3.f16", "f16", "e4m3", 32)]
    types.append(("s8.s32", "s32", "s8", 32))
    for name, d, ab, k_size in types:
        wgmma(hopper, name, d, ab, 256, k_size, 2)
    half = types[0]
    for n in (8, 32, 64, 128):
        wgmma(hopper, *half[:3], n, 16, 2)
    wgmma(hopper, *half[:3], 256, 16, 1)
    for n in (64, 256):
        wgmma(hopper, *half[:3], n, 16, 2, a_in_registers=True)
    wgmma(hopper, "e4m3.f32", "f32", "e4m3", 256, 32, 2, a_in_registers=True)
    for n in (8, 64, 128, 256):
        wgmma(hopper, *half[:3], n, 16, 1, latency=True)
    wgmma(hopper, "e4m3.f32", "f32", "e4m3", 256, 32, 1, latency=True)
    wgmma(hopper, *half[:3], 256, 32, 2, sparse=True)
    return [hopper, blackwell("sm_100a", "8.7", True), blackwell("sm_103a", "8.8", False)]
