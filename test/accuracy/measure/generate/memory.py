# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads and stores of every memory, and atomics."""

from build import Kernel, Module

WORDS = 8192  # of a block's shared memory
ROUNDS, UNROLL, THREADS = 128, 16, 1024
REGISTERS = {1: "{{{0}}}", 2: "{{{0}, {1}}}", 4: "{{{0}, {1}, {2}, {3}}}"}


def vector(values):
    return values[0] if len(values) == 1 else "{" + ", ".join(values) + "}"


def suffix(width):
    return "" if width == 1 else f".v{width}"


def fill_shared(k):
    base, at, end = k.memory(), k.reg("b32"), k.reg("b32")
    threads, more, label = k.reg("b32"), k.reg("pred"), k.label()
    k.emit(f"mov.u32 {threads}, %ntid.x;", f"shl.b32 {threads}, {threads}, 2;")
    k.emit(f"shl.b32 {at}, {k.tid}, 2;", f"add.u32 {at}, {at}, {base};", f"add.u32 {end}, {base}, {WORDS * 4};")
    k.place(label)
    k.emit(f"st.shared.u32 [{at}], {k.tid};", f"add.u32 {at}, {at}, {threads};")
    k.emit(f"setp.lt.u32 {more}, {at}, {end};", f"@{more} bra {label};", "bar.sync 0;")
    return base


def shared_address(k, base):
    """A lane's first word is its number times `a`."""
    lane, at, stride = k.reg("b32"), k.reg("b32"), k.number("a")
    k.emit(f"and.b32 {lane}, {k.tid}, 31;", f"mul.lo.u32 {at}, {lane}, {stride};", f"and.b32 {at}, {at}, {WORDS - 1};")
    k.emit(f"shl.b32 {at}, {at}, 2;", f"add.u32 {at}, {at}, {base};")
    return at


def shared_loads(width):
    k = Kernel(f"shared_loads{width}", shared=(WORDS * 4, 16))
    at = shared_address(k, fill_shared(k))
    sum_ = k.reg("b32")
    k.emit(f"mov.u32 {sum_}, 0;")
    values = k.regs("b32", width)
    k.begin()

    def body(_):
        for _ in range(UNROLL):
            k.emit(f"ld.volatile.shared{suffix(width)}.u32 {vector(values)}, [{at}];", f"xor.b32 {sum_}, {sum_}, {values[0]};")

    k.loop(body)
    k.end()
    k.keep(sum_)
    return k


def shared_stores(width):
    k = Kernel(f"shared_stores{width}", shared=(WORDS * 4, 16))
    base = fill_shared(k)
    at = shared_address(k, base)
    values = [k.tid] * width
    k.begin()
    k.loop(lambda _: k.emit(*[f"st.volatile.shared{suffix(width)}.u32 [{at}], {vector(values)};"] * UNROLL))
    k.end()
    value = k.reg("b32")
    k.emit(f"ld.volatile.shared.u32 {value}, [{base}];")
    k.keep(value)
    return k


def shared_chase():
    k = Kernel("shared_chase", shared=(WORDS * 4, 16))
    base = fill_shared(k)
    # Word I holds the address of word I + 33.
    at, next_, threads = k.reg("b32"), k.reg("b32"), k.reg("b32")
    more, label = k.reg("pred"), k.label()
    k.emit(f"mov.u32 {at}, {k.tid};", f"mov.u32 {threads}, %ntid.x;")
    place, word = k.regs("b32", 2)
    k.place(label)
    k.emit(f"add.u32 {next_}, {at}, 33;", f"and.b32 {next_}, {next_}, {WORDS - 1};", f"shl.b32 {word}, {next_}, 2;")
    k.emit(f"add.u32 {word}, {word}, {base};", f"shl.b32 {place}, {at}, 2;", f"add.u32 {place}, {place}, {base};")
    k.emit(f"st.shared.u32 [{place}], {word};", f"add.u32 {at}, {at}, {threads};")
    k.emit(f"setp.lt.u32 {more}, {at}, {WORDS};", f"@{more} bra {label};", f"mov.u32 {at}, {base};")
    k.begin()
    k.loop(lambda _: k.emit(*[f"ld.volatile.shared.u32 {at}, [{at}];"] * UNROLL))
    k.end()
    k.keep(at)
    return k


def shared_atomics(name, step):
    """Lanes add to words `a` apart; so many share one as `b` says, as a shift."""
    k = Kernel(name, shared=(WORDS * 4, 16))
    base = fill_shared(k)
    lane, at, stride, shift = k.reg("b32"), k.reg("b32"), k.number("a"), k.number("b")
    k.emit(f"and.b32 {lane}, {k.tid}, 31;", f"shr.u32 {lane}, {lane}, {shift};", f"mul.lo.u32 {at}, {lane}, {stride};")
    k.emit(f"shl.b32 {at}, {at}, 2;", f"add.u32 {at}, {at}, {base};")
    old, f = k.reg("b32"), k.reg("f32")
    k.emit(f"mov.u32 {old}, 0;", f"cvt.rn.f32.u32 {f}, {k.tid};")
    k.begin()
    k.loop(lambda _: k.emit(*[step.format(at=at, old=old, value=k.tid, f=f)] * 4))
    k.emit("membar.gl;")
    k.end()
    value = k.reg("b32")
    k.emit(f"ld.shared.u32 {value}, [{base}];", f"add.u32 {value}, {value}, {old};")
    k.keep(value)
    return k


def global_atomics(name, step, size=4):
    """Lanes add to words of which 2 to the power of `b`'s low half share one; each warp to words `a` words from those of the
    one before."""
    k = Kernel(name)
    words, between, shift = k.pointer("in"), k.number("a"), k.number("b")
    lane, warp, threads, place = k.regs("b32", 4)
    at = k.reg("b64")
    k.emit(f"mov.u32 {threads}, %ntid.x;", f"mad.lo.u32 {warp}, {k.ctaid}, {threads}, {k.tid};", f"shr.u32 {warp}, {warp}, 5;")
    k.emit(f"and.b32 {lane}, {k.tid}, 31;", f"shr.u32 {lane}, {lane}, {shift};", f"mad.lo.u32 {place}, {warp}, {between}, {lane};")
    k.emit(f"mad.wide.u32 {at}, {place}, {size}, {words};")
    old, f, wide = k.reg("b32"), k.reg("f32"), k.reg("b64")
    k.emit(f"mov.u32 {old}, 0;", f"cvt.rn.f32.u32 {f}, {k.tid};", f"cvt.u64.u32 {wide}, {k.tid};")
    k.begin()
    k.loop(lambda _: k.emit(*[step.format(at=at, old=old, value=k.tid, f=f, wide=wide)] * 4))
    k.emit("membar.gl;")
    k.end()
    k.keep(old, all_blocks=False)
    return k


def add_shared(module):
    for width in (1, 2, 4):
        module.add(shared_loads(width))
        module.add(shared_stores(width))
    module.add(shared_chase())
    full = {"grid": "EverySM", "threads": THREADS, "rounds": ROUNDS}
    # What 16 loads of four words return takes more registers than a thread of THREADS has.
    small = {**full, "threads": THREADS // 4}
    loads, fewer = ROUNDS * UNROLL * (THREADS // 32), ROUNDS * UNROLL * (THREADS // 4 // 32)
    module.row("arithmetic", "latency.shared", "cycles", "shared_chase", "PerWork", ROUNDS * UNROLL, rounds=ROUNDS)
    module.row("arithmetic", "rate.shared", "wavefronts/cycle", "shared_loads1", "PerCycle", loads, a=1, **full)
    for width in (1, 2, 4):
        group = "arithmetic" if width == 4 else "shared"
        bytes_ = 128 * width
        work, launch = (fewer, small) if width == 4 else (loads, full)
        module.row(group, f"bandwidth.shared.{32 * width}bit", "bytes/cycle", f"shared_loads{width}", "PerCycle", work * bytes_, a=width, **launch)
        module.row("shared", f"bandwidth.shared.store{32 * width}bit", "bytes/cycle", f"shared_stores{width}", "PerCycle", loads * bytes_, a=width, **full)
    for ways in (2, 4, 8, 16, 32):
        module.row("shared", f"cycles.shared.conflict{ways}", "cycles", "shared_loads1", "PerWork", loads, a=ways, **full)
        module.row("shared", f"cycles.shared.store_conflict{ways}", "cycles", "shared_stores1", "PerWork", loads, a=ways, **full)
    # Strides of words that no width's lanes fill, odd ones among them.
    for stride in (3, 17, 33):
        module.row("shared", f"cycles.shared.stride{stride}", "cycles", "shared_loads1", "PerWork", loads, a=stride, **full)
    for width, work, launch in ((2, loads, full), (4, fewer, small)):
        for stride in sorted({width, 4, 6, 8, 12, 16, 20, 32}):
            if stride % width == 0:
                name = f"cycles.shared.{32 * width}bit_stride{stride}"
                module.row("shared", name, "cycles", f"shared_loads{width}", "PerWork", work, a=stride, **launch)
    module.row("shared", "cycles.shared.broadcast", "cycles", "shared_loads1", "PerWork", loads, a=0, **full)
    module.row("shared", "cycles.shared.broadcast128bit", "cycles", "shared_loads4", "PerWork", fewer, a=0, **small)


def add_atomics(module):
    rounds, threads = 256, 256
    requests = rounds * 4 * (threads // 32)  # of a block
    kinds = [("", "red.global.add.u32 [{at}], {value};", 4), ("returned.", "atom.global.add.u32 {old}, [{at}], {value};", 4)]
    kinds += [("f32.", "red.global.add.f32 [{at}], {f};", 4), ("u64.", "red.global.add.u64 [{at}], {wide};", 8)]
    kinds += [("cas.", "atom.global.cas.b32 {old}, [{at}], {old}, {value};", 4), ("max.", "red.global.max.u32 [{at}], {value};", 4)]
    for name, step, size in kinds:
        kernel = "global_atomics_" + (name.rstrip(".") or "add")
        module.add(global_atomics(kernel, step, size))
        launch = {"grid": "EverySM", "threads": threads, "rounds": rounds, "in_bytes": threads // 32 * 32 * size}
        prefix = "cycles.atomic.global." + name
        rule = "AllPerWork"
        main = "arithmetic" if not name else "atomics"
        module.row(main, prefix + "same", "cycles/request", kernel, rule, requests, a=0, b=5, **launch)
        module.row("atomics", prefix + "same_per_warp", "cycles/request", kernel, rule, requests, a=32, b=5, **launch)
        module.row("atomics", prefix + "distinct", "cycles/request", kernel, rule, requests, a=32, b=0, **launch)
        for shift in (0, 1, 2, 3, 4) if not name else (0, 3):
            # All warps to the same words; so many lanes of a warp to each.
            row = f"{prefix}{32 >> shift}words"
            module.row("atomics", row, "cycles/request", kernel, rule, requests, a=0, b=shift, **launch)
    kinds = [("", "red.shared.add.u32 [{at}], {value};"), ("returned.", "atom.shared.add.u32 {old}, [{at}], {value};")]
    kinds += [("f32.", "red.shared.add.f32 [{at}], {f};"), ("cas.", "atom.shared.cas.b32 {old}, [{at}], {old}, {value};")]
    for name, step in kinds:
        kernel = "shared_atomics_" + (name.rstrip(".") or "add")
        module.add(shared_atomics(kernel, step))
        launch = {"threads": 1024, "rounds": rounds}
        requests = rounds * 4 * 32
        for row, stride, shift in (("same", 0, 0), ("distinct", 1, 0), ("2lanes", 1, 1), ("4lanes", 1, 2), ("8lanes", 1, 3), ("16lanes", 1, 4)):
            module.row("atomics", f"cycles.atomic.shared.{name}{row}", "cycles/request", kernel, "PerWork", requests, a=stride, b=shift, **launch)


def chase(name, cache):
    """Follows pointers from `in` + 128 * `b` on; `a` of them before the clock runs."""
    k = Kernel(name)
    memory, warm, start = k.pointer("in"), k.number("a"), k.number("b")
    at = k.reg("b64")
    load = f"ld.global.{cache}.u64 {at}, [{at}];"
    index, more, label, done = k.reg("b32"), k.reg("pred"), k.label(), k.label()
    k.emit(f"mad.wide.u32 {at}, {start}, 128, {memory};", f"mov.u32 {index}, 0;")
    k.place(label)
    k.emit(f"setp.ge.u32 {more}, {index}, {warm};", f"@{more} bra {done};", load, f"add.u32 {index}, {index}, 1;", f"bra {label};")
    k.place(done)
    k.begin()
    k.loop(lambda _: k.emit(*[load] * 16))
    k.end()
    k.keep(at, "b64")
    return k


def cached_reads(name, load):
    """Each block reads its part of `a` vectors of 16 bytes, a power of two, over and over; of `b` parts."""
    k = Kernel(name, threads=THREADS)
    memory, vectors, parts = k.pointer("in"), k.number("a"), k.number("b")
    part, step, at, mask, threads, warm, masked = k.regs("b32", 7)
    base, wide = k.regs("b64", 2)
    k.emit(f"rem.u32 {part}, {k.ctaid}, {parts};", f"mul.wide.u32 {wide}, {part}, {vectors};", f"shl.b64 {wide}, {wide}, 4;")
    k.emit(f"add.u64 {base}, {memory}, {wide};", f"mov.u32 {threads}, %ntid.x;", f"sub.u32 {mask}, {vectors}, 1;")
    k.emit(f"shl.b32 {step}, {threads}, 3;", f"add.u32 {warm}, {vectors}, {step};", f"sub.u32 {warm}, {warm}, 1;")
    k.emit(f"div.u32 {warm}, {warm}, {step};")
    sum_, address, values = k.reg("b32"), k.reg("b64"), k.regs("b32", 4)
    k.emit(f"mov.u32 {sum_}, 0;")

    def read(count):
        # Blocks that share a part begin at different places of it.
        k.emit(f"mad.lo.u32 {at}, {k.ctaid}, {step}, {k.tid};")

        def body(_):
            for _ in range(8):
                k.emit(f"and.b32 {masked}, {at}, {mask};", f"mad.wide.u32 {address}, {masked}, 16, {base};")
                k.emit(f"{load} {vector(values)}, [{address}];", f"add.u32 {at}, {at}, {threads};")
                k.emit(*(f"xor.b32 {sum_}, {sum_}, {value};" for value in values))

        k.loop(body, count)

    read(warm)
    k.begin()
    read(k.rounds)
    k.end()
    k.keep(sum_, all_blocks=True)
    return k


def textures():
    """Fetches of one word; `in` is a texture of 2048."""
    k = Kernel("textures", threads=THREADS)
    texture, at, masked, threads, sum_ = k.reg("b64"), k.reg("b32"), k.reg("b32"), k.reg("b32"), k.reg("f32")
    values = k.regs("f32", 4)
    k.emit(f"ld.param.u64 {texture}, [in];", f"mov.u32 {threads}, %ntid.x;", f"mov.f32 {sum_}, 0f00000000;")

    def read(count):
        k.emit(f"mov.u32 {at}, {k.tid};")

        def body(_):
            for _ in range(8):
                k.emit(f"and.b32 {masked}, {at}, 2047;", f"tex.1d.v4.f32.s32 {vector(values)}, [{texture}, {{{masked}}}];")
                k.emit(f"add.u32 {at}, {at}, {threads};", f"add.rn.f32 {sum_}, {sum_}, {values[0]};")

        k.loop(body, count)

    one = k.reg("b32")
    k.emit(f"mov.u32 {one}, 1;")
    read(one)
    k.begin()
    read(k.rounds)
    k.end()
    k.keep(sum_, "f32")
    return k


def stream(name, reads, writes):
    """Vectors of 16 bytes, `a` of them: `in` and, `a` vectors behind it, what else is read or written."""
    k = Kernel(name, threads=256)
    memory, count = k.pointer("in"), k.number("a")
    step, size, end, more, label, done = k.reg("b64"), k.reg("b64"), k.reg("b64"), k.reg("pred"), k.label(), k.label()
    threads, blocks, index = k.regs("b32", 3)
    at = k.reg("b64")
    k.emit(f"mul.wide.u32 {size}, {count}, 16;", f"mov.u32 {threads}, %ntid.x;", f"mov.u32 {blocks}, %nctaid.x;")
    k.emit(f"mad.lo.u32 {index}, {k.ctaid}, {threads}, {k.tid};", f"mad.wide.u32 {at}, {index}, 16, {memory};")
    k.emit(f"mul.lo.u32 {blocks}, {blocks}, {threads};", f"mul.wide.u32 {step}, {blocks}, 16;", f"add.u64 {end}, {memory}, {size};")
    places = [at] + k.regs("b64", reads + writes - 1)
    values = [k.regs("f32", 4) for _ in range(reads)]
    sum_ = k.reg("f32")
    k.emit(f"mov.f32 {sum_}, 0f00000000;")
    k.place(label)
    k.emit(f"setp.ge.u64 {more}, {at}, {end};", f"@{more} bra {done};")
    for before, place in zip(places, places[1:]):
        k.emit(f"add.u64 {place}, {before}, {size};")
    for place, value in zip(places, values):
        k.emit(f"ld.global.v4.f32 {vector(value)}, [{place}];")
    for other in values[1:]:
        k.emit(*(f"fma.rn.f32 {mine}, {its}, 0f40400000, {mine};" for mine, its in zip(values[0], other)))
    for place in places[reads:]:
        k.emit(f"st.global.v4.f32 [{place}], {vector(values[0])};")
    if not writes:
        k.emit(*(f"add.rn.f32 {sum_}, {sum_}, {value};" for value in values[0]))
    k.emit(f"add.u64 {at}, {at}, {step};", f"bra {label};")
    k.place(done)
    if not writes:  # of zeros the sum is none, but the assembler does not know
        skip = k.reg("pred")
        out = k.pointer("out")
        k.emit(f"setp.eq.f32 {skip}, {sum_}, 0f3F800000;", f"@{skip} st.global.f32 [{out}], {sum_};")
    return k


def matrix_loads(module):
    """ldmatrix, each lane's row next to the one before."""
    for count in (1, 2, 4):
        k = module.add(Kernel(f"matrix_loads{count}", shared=(WORDS * 4, 16)))
        base, at, lane, place = fill_shared(k), k.reg("b32"), k.reg("b32"), k.reg("b32")
        sum_, values = k.reg("b32"), k.regs("b32", count)
        k.emit(f"and.b32 {lane}, {k.tid}, 31;", f"shl.b32 {at}, {lane}, 4;", f"add.u32 {at}, {at}, {base};", f"mov.u32 {sum_}, 0;")
        k.begin()

        # Other rows each time: an assembler loads once what does not change.
        def body(index, k=k, at=at, place=place, sum_=sum_, values=values, count=count):
            k.emit(f"and.b32 {place}, {index}, 63;", f"shl.b32 {place}, {place}, 7;", f"add.u32 {place}, {place}, {at};")
            for step in range(UNROLL):
                k.emit(f"ldmatrix.sync.aligned.m8n8.x{count}.shared.b16 {{{', '.join(values)}}}, [{place}+{512 * step}];")
                k.emit(*(f"xor.b32 {sum_}, {sum_}, {value};" for value in values))

        k.loop(body)
        k.end()
        k.keep(sum_)
        threads = THREADS // 4 if count == 4 else THREADS  # for registers, as of shared loads
        work = ROUNDS * UNROLL * (threads // 32) * 128 * count
        module.row("shared", f"bandwidth.shared.ldmatrix{count}", "bytes/cycle", k.name, "PerCycle", work, grid="EverySM", threads=threads, rounds=ROUNDS)


def modules():
    base = Module("memory.sm_61", "6.4", "sm_61", "Loads, stores and atomics.")
    add_shared(base)
    add_atomics(base)
    base.add(chase("chase_l1", "ca"))
    base.add(chase("chase_l2", "cg"))
    reads = {"l1": "ld.global.ca.v4.b32", "l2": "ld.global.cg.v4.b32", "nc": "ld.global.nc.v4.b32"}
    for name, load in reads.items():
        base.add(cached_reads("reads_" + name, load))
    base.add(textures())
    base.add(stream("stream_read", 1, 0))
    base.add(stream("stream_copy", 1, 1))
    base.add(stream("stream_triad", 2, 1))
    newer = Module("memory.sm_75", "6.5", "sm_75", "Loads of matrices.")
    matrix_loads(newer)
    return [base, newer]
