# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asynchronous copies into shared memory and what waits for them: cp.async, bulk copies, copies of boxes of a tensor (TMA)
with and without multicast, mbarriers, and shared memory of other blocks of a cluster."""

from build import Kernel, Module

STAGES = 4
BOXES = [(16, 64), (32, 64), (64, 8), (64, 64), (64, 128), (128, 64), (64, 256)]  # elements of two bytes: along a row, rows


def wait(k, barrier, parity):
    label, done = k.label(), k.reg("pred")
    k.place(label)
    k.emit(f"mbarrier.try_wait.parity.shared.b64 {done}, [{barrier}], {parity};", f"@!{done} bra {label};")


def barriers(k, count, arrivals=1):
    """So many mbarriers at the begin of the shared memory."""
    places = [k.memory(8 * index) for index in range(count)]
    k.emit(*(f"@{k.first} mbarrier.init.shared.b64 [{place}], {arrivals};" for place in places))
    k.emit("fence.mbarrier_init.release.cluster;", "bar.sync 0;")
    return places


def box_place(k, index, x, y, base):
    """Where box number `index` & `a` of this block begins: eight to a row of boxes."""
    mask, rows, number, row = k.number("a"), k.number("b"), k.reg("b32"), k.reg("b32")

    def place(step, inner):
        k.emit(f"add.u32 {number}, {index}, {step};", f"and.b32 {number}, {number}, {mask};", f"and.b32 {x}, {number}, 7;")
        k.emit(f"mul.lo.u32 {x}, {x}, {inner};", f"shr.u32 {row}, {number}, 3;", f"add.u32 {row}, {row}, {base};")
        k.emit(f"mul.lo.u32 {y}, {row}, {rows};")

    return place


def expect(k, barrier, bytes_):
    state = k.reg("b64")
    k.emit(f"mbarrier.arrive.expect_tx.shared.b64 {state}, [{barrier}], {bytes_};")


def first_row(k):
    """The row of boxes at which this block's begin, in rows."""
    mask, base = k.number("a"), k.reg("b32")
    k.emit(f"add.u32 {base}, {mask}, 8;", f"shr.u32 {base}, {base}, 3;", f"mul.lo.u32 {base}, {base}, {k.ctaid};")
    return base


def map_address(k):
    address, generic = k.reg("b64"), k.reg("b64")
    k.emit(f"mov.b64 {address}, map;", f"cvta.param.u64 {generic}, {address};")
    return generic


def box_copies(name, inner, outer, latency):
    bytes_ = inner * outer * 2
    k = Kernel(name, tensor_map=True, dynamic=True)
    stages = 1 if latency else STAGES
    places = barriers(k, stages)
    map_, base = map_address(k), first_row(k)
    x, y, parity, count = k.regs("b32", 4)
    k.emit(f"mov.u32 {parity}, 0;", f"mov.u32 {count}, 0;")
    place = box_place(k, count, x, y, base)

    def issue(stage):
        place(stage, inner)
        expect(k, places[stage], bytes_)
        target = k.memory(1024 + stage * bytes_)
        k.emit(
            f"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [{target}], [{map_}, {{{x}, {y}}}], [{places[stage]}];"
        )

    done = k.label()
    k.begin()
    k.emit(f"@!{k.first} bra {done};")
    if not latency:
        for stage in range(stages):
            issue(stage)
        k.emit(f"add.u32 {count}, {count}, {stages};")

    def body(_):
        for stage in range(stages):
            if latency:
                issue(stage)
            wait(k, places[stage], parity)
            if not latency:
                issue(stage)
        k.emit(f"xor.b32 {parity}, {parity}, 1;", f"add.u32 {count}, {count}, {stages};")

    k.loop(body)
    if not latency:
        for stage in range(stages):
            wait(k, places[stage], parity)
    k.place(done)
    k.end()
    value = k.reg("b32")
    k.emit(f"ld.shared.u32 {value}, [{k.memory(1024)}];")
    k.keep(value)
    return k


def cluster_copies(name, inner, outer, blocks, multicast):
    """Groups of STAGES boxes reach every block: each block copies its share to all, or all of them for itself. Two groups
    take turns, so that one is under way while the blocks agree that the other one's barriers are free."""
    bytes_ = inner * outer * 2
    k = Kernel(name, tensor_map=True, dynamic=True, cluster=True)
    places = barriers(k, 2 * STAGES)
    map_, base = map_address(k), first_row(k)
    x, y, parity, count, rank = k.regs("b32", 5)
    mask16, mine = k.reg("b16"), k.reg("pred")
    k.emit(f"mov.u32 {parity}, 0;", f"mov.u32 {count}, 0;", f"mov.u32 {rank}, %cluster_ctarank;", f"mov.b16 {mask16}, {(1 << blocks) - 1};")
    place = box_place(k, count, x, y, base)

    def first_only(body, *arguments):
        skip = k.label()
        k.emit(f"@!{k.first} bra {skip};")
        body(*arguments)
        k.place(skip)

    def arm(group):
        for stage in range(STAGES):
            expect(k, places[group * STAGES + stage], bytes_)

    def issue(group):
        for stage in range(STAGES):
            place(stage, inner)
            number = group * STAGES + stage
            target = k.memory(1024 + number * bytes_)
            copy = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
            operands = f"[{target}], [{map_}, {{{x}, {y}}}], [{places[number]}]"
            if multicast:
                k.emit(f"setp.eq.u32 {mine}, {rank}, {stage % blocks};", f"@{mine} {copy}.multicast::cluster {operands}, {mask16};")
            else:
                k.emit(f"{copy} {operands};")
        k.emit(f"add.u32 {count}, {count}, {STAGES};")

    def wait_for(group):
        for stage in range(STAGES):
            wait(k, places[group * STAGES + stage], parity)

    def agree():
        k.emit("barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;")

    agree()
    k.begin()
    first_only(arm, 0)
    agree()
    first_only(issue, 0)

    def body(_):
        for group in (0, 1):
            first_only(arm, 1 - group)
            agree()
            first_only(issue, 1 - group)
            first_only(wait_for, group)
        k.emit(f"xor.b32 {parity}, {parity}, 1;")

    k.loop(body)
    first_only(wait_for, 0)
    agree()
    k.end()
    k.keep(count)
    return k


def bulk_copies(name, latency):
    """Bulk copies of `a` bytes from `in` on, each block `b` bytes behind the one before."""
    k = Kernel(name, dynamic=True)
    stages = 1 if latency else STAGES
    places = barriers(k, stages)
    memory, size, between = k.pointer("in"), k.number("a"), k.number("b")
    source, parity, target = k.reg("b64"), k.reg("b32"), k.memory(1024)
    k.emit(f"mul.wide.u32 {source}, {k.ctaid}, {between};", f"add.u64 {source}, {source}, {memory};", f"mov.u32 {parity}, 0;")
    targets = [target]
    for _ in range(stages - 1):
        targets.append(k.reg("b32"))
        k.emit(f"add.u32 {targets[-1]}, {targets[-2]}, {size};")

    def issue(stage):
        expect(k, places[stage], size)
        k.emit(
            f"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{targets[stage]}], [{source}], {size}, [{places[stage]}];"
        )

    done = k.label()
    k.begin()
    k.emit(f"@!{k.first} bra {done};")
    if not latency:
        for stage in range(stages):
            issue(stage)

    def body(_):
        for stage in range(stages):
            if latency:
                issue(stage)
            wait(k, places[stage], parity)
            if not latency:
                issue(stage)
        k.emit(f"xor.b32 {parity}, {parity}, 1;")

    k.loop(body)
    if not latency:
        for stage in range(stages):
            wait(k, places[stage], parity)
    k.place(done)
    k.end()
    value = k.reg("b32")
    k.emit(f"ld.shared.u32 {value}, [{target}];")
    k.keep(value)
    return k


def box_stores(name, inner, outer):
    """Boxes from shared memory to the tensor, at most two under way."""
    k = Kernel(name, tensor_map=True, dynamic=True)
    map_, base = map_address(k), first_row(k)
    x, y, count = k.regs("b32", 3)
    k.emit(f"mov.u32 {count}, 0;")
    place = box_place(k, count, x, y, base)
    done, source = k.label(), k.memory(1024)
    at, zero, end, more, label = k.reg("b32"), k.reg("b32"), k.reg("b32"), k.reg("pred"), k.label()
    k.emit(f"mov.u32 {zero}, 0;", f"shl.b32 {at}, {k.tid}, 4;", f"add.u32 {at}, {at}, {source};", f"add.u32 {end}, {source}, {inner * outer * 2};")
    k.place(label)
    k.emit(f"st.shared.v4.b32 [{at}], {{{zero}, {zero}, {zero}, {zero}}};", f"add.u32 {at}, {at}, 512;")
    k.emit(f"setp.lt.u32 {more}, {at}, {end};", f"@{more} bra {label};", "fence.proxy.async.shared::cta;")
    k.begin()
    k.emit(f"@!{k.first} bra {done};")

    def body(_):
        place(0, inner)
        k.emit(f"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [{map_}, {{{x}, {y}}}], [{source}];")
        k.emit("cp.async.bulk.commit_group;", "cp.async.bulk.wait_group.read 1;", f"add.u32 {count}, {count}, 1;")

    k.loop(body)
    k.emit("cp.async.bulk.wait_group 0;")
    k.place(done)
    k.end()
    k.keep(count)
    return k


def mbarrier_alone():
    """One thread arrives and waits for what it completed."""
    k = Kernel("mbarrier_alone", shared=(64, 16))
    place = barriers(k, 1)[0]
    parity, state, done = k.reg("b32"), k.reg("b64"), k.label()
    k.emit(f"mov.u32 {parity}, 0;")
    k.begin()
    k.emit(f"@!{k.first} bra {done};")

    def body(_):
        for _ in range(8):
            k.emit(f"mbarrier.arrive.shared.b64 {state}, [{place}];")
            wait(k, place, parity)
            k.emit(f"xor.b32 {parity}, {parity}, 1;")

    k.loop(body)
    k.place(done)
    k.end()
    k.keep(parity)
    return k


def mbarrier_done():
    """Waits for a phase that is over."""
    k = Kernel("mbarrier_done", shared=(64, 16))
    place = barriers(k, 1)[0]
    parity = k.reg("b32")
    k.emit(f"mov.u32 {parity}, 1;")
    k.begin()

    def body(_):
        for _ in range(8):
            wait(k, place, parity)

    k.loop(body)
    k.end()
    k.keep(parity)
    return k


def mbarrier_turns():
    """Two warps take turns: each arrives at the other's barrier and waits at its own."""
    k = Kernel("mbarrier_turns", shared=(64, 16))
    places = barriers(k, 2)
    own, other, parity, warp, lane = k.regs("b32", 5)
    state, second, working, done = k.reg("b64"), k.reg("pred"), k.reg("pred"), k.label()
    k.emit(f"shr.u32 {warp}, {k.tid}, 5;", f"and.b32 {lane}, {k.tid}, 31;", f"setp.ne.u32 {second}, {warp}, 0;")
    k.emit(f"selp.b32 {own}, {places[1]}, {places[0]}, {second};", f"selp.b32 {other}, {places[0]}, {places[1]}, {second};")
    k.emit(f"setp.eq.u32 {working}, {lane}, 0;", f"mov.u32 {parity}, 0;")
    k.begin()
    k.emit(f"@!{working} bra {done};")

    def body(_):
        # The second warp waits first, the first arrives first.
        first, end = k.label(), k.label()
        k.emit(f"@!{second} bra {first};")
        wait(k, own, parity)
        k.emit(f"mbarrier.arrive.shared.b64 {state}, [{other}];", f"bra {end};")
        k.place(first)
        k.emit(f"mbarrier.arrive.shared.b64 {state}, [{other}];")
        wait(k, own, parity)
        k.place(end)
        k.emit(f"xor.b32 {parity}, {parity}, 1;")

    k.loop(body)
    k.place(done)
    k.end()
    k.keep(parity)
    return k


def cluster_barrier():
    k = Kernel("cluster_barrier", cluster=True)
    k.begin()
    k.loop(lambda _: k.emit(*["barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;"] * 4))
    k.end()
    return k


def remote_loads(name, chase):
    """Loads of the shared memory of the cluster's next block: one after the other, or by all threads."""
    k = Kernel(name, shared=(16384, 16), cluster=True)
    base = k.memory()
    rank, blocks, address, at, sum_, own, place = k.regs("b32", 7)
    values = k.regs("b32", 4)
    k.emit(f"mov.u32 {rank}, %cluster_ctarank;", f"mov.u32 {blocks}, %cluster_nctarank;")
    k.emit(f"mapa.shared::cluster.u32 {own}, {base}, {rank};", f"shl.b32 {place}, {rank}, 4;", f"add.u32 {rank}, {rank}, 1;")
    k.emit(f"rem.u32 {rank}, {rank}, {blocks};", f"mapa.shared::cluster.u32 {address}, {base}, {rank};", f"mov.u32 {sum_}, 0;")
    k.emit(f"shl.b32 {at}, {k.tid}, 4;", f"add.u32 {at}, {at}, {base};")
    # Every vector of words holds its own address, as other blocks see it.
    k.emit(f"shl.b32 {sum_}, {k.tid}, 4;", f"add.u32 {own}, {own}, {sum_};", f"mov.u32 {sum_}, 0;")
    k.emit(f"st.shared.v4.u32 [{at}], {{{own}, {own}, {own}, {own}}};")
    k.emit("barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;")
    if chase:
        k.emit(f"add.u32 {at}, {address}, {place};")  # a word for each block that reads
    else:
        k.emit(f"shl.b32 {at}, {k.tid}, 4;", f"add.u32 {at}, {at}, {address};")
    k.begin()

    def body(_):
        for _ in range(8):
            if chase:
                k.emit(f"ld.volatile.shared::cluster.u32 {at}, [{at}];")
            else:
                k.emit(f"ld.volatile.shared::cluster.v4.u32 {{{', '.join(values)}}}, [{at}];", f"xor.b32 {sum_}, {sum_}, {values[0]};")

    k.loop(body)
    k.end()
    k.emit("barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;")
    k.keep(at if chase else sum_)
    return k


def async_copies(name, latency):
    """cp.async of 16 bytes a thread from what L2 holds, each waited for or at most three under way behind it."""
    k = Kernel(name, shared=(256 * 16 * 4, 16))
    memory, source, target = k.pointer("in"), k.reg("b64"), k.reg("b32")
    k.emit(f"mad.wide.u32 {source}, {k.tid}, 16, {memory};", f"shl.b32 {target}, {k.tid}, 4;", f"add.u32 {target}, {target}, {k.memory()};")
    k.begin()

    def body(_):
        for stage in range(4):
            offset = 0 if latency else 4096 * stage
            k.emit(f"cp.async.cg.shared.global [{target}+{offset}], [{source}+{offset}], 16;", "cp.async.commit_group;")
            k.emit(f"cp.async.wait_group {0 if latency else 3};")

    k.loop(body)
    k.emit("cp.async.wait_group 0;")
    k.end()
    value = k.reg("b32")
    k.emit(f"ld.shared.u32 {value}, [{target}];")
    k.keep(value)
    return k


def add_boxes(module):
    boxes = 16  # of a block, in turn: all of them fit in L2
    for inner, outer in BOXES:
        bytes_ = inner * outer * 2
        box = {"a": boxes - 1, "b": outer, "box_inner": inner, "box_outer": outer, "in_bytes": boxes * bytes_}
        module.add(box_copies(f"box_latency_{inner}x{outer}", inner, outer, True))
        name = f"latency.tma.box{inner}x{outer}"
        module.row("transfer", name, "cycles", f"box_latency_{inner}x{outer}", "PerWork", 256, rounds=256, dynamic=1024 + bytes_, **box)
        module.add(box_copies(f"box_rate_{inner}x{outer}", inner, outer, False))
        name = f"bandwidth.tma.box{inner}x{outer}"
        work = (256 + 1) * STAGES * bytes_
        module.row("transfer", name, "bytes/cycle", f"box_rate_{inner}x{outer}", "PerCycle", work, grid="EverySM", rounds=256, dynamic=1024 + STAGES * bytes_, **box)
    for inner, outer in ((64, 64), (64, 128)):
        bytes_ = inner * outer * 2
        box = {"a": boxes - 1, "b": outer, "box_inner": inner, "box_outer": outer, "in_bytes": boxes * bytes_}
        module.add(box_stores(f"box_stores_{inner}x{outer}", inner, outer))
        module.row("transfer", f"bandwidth.tma.store{inner}x{outer}", "bytes/cycle", f"box_stores_{inner}x{outer}", "PerCycle", 256 * bytes_, grid="EverySM", rounds=256, dynamic=1024 + bytes_, **box)


def multicast(target, version):
    """Multicast is fast where the code is for that architecture alone."""
    module = Module("multicast." + target, version, target, "Copies of boxes to several blocks of a cluster.")
    boxes = 16
    for inner, outer in ((64, 64), (64, 128)):
        bytes_ = inner * outer * 2
        box = {"a": boxes - 1, "b": outer, "box_inner": inner, "box_outer": outer, "in_bytes": boxes * bytes_}
        launch = {"grid": "EverySM", "rounds": 64, "dynamic": 1024 + 2 * STAGES * bytes_}
        for blocks in (2, 4):
            for way in ("apart", "multicast"):
                k = module.add(cluster_copies(f"cluster{blocks}_{way}_{inner}x{outer}", inner, outer, blocks, way == "multicast"))
                name = f"bandwidth.tma.box{inner}x{outer}.cluster{blocks}_{way}"
                module.row("transfer", name, "bytes/cycle", k.name, "PerCycle", (2 * 64 + 1) * STAGES * bytes_, cluster=blocks, **launch, **box)
    return module


def modules():
    ampere = Module("transfer.sm_80", "7.0", "sm_80", "Asynchronous copies of 16 bytes a thread.")
    ampere.add(async_copies("async_latency", True))
    ampere.row("transfer", "latency.cp_async", "cycles", "async_latency", "PerWork", 256 * 4, rounds=256, in_bytes=16384)
    ampere.add(async_copies("async_rate", False))
    ampere.row("transfer", "bandwidth.cp_async", "bytes/cycle", "async_rate", "PerCycle", 256 * 4 * 256 * 16, grid="EverySM", threads=256, rounds=256, in_bytes=16384)
    hopper = Module("transfer.sm_90", "8.0", "sm_90", "Copies of boxes and bytes, mbarriers, and clusters.")
    for kernel, work in ((mbarrier_alone(), 256 * 8), (mbarrier_done(), 256 * 8)):
        hopper.add(kernel)
        hopper.row("transfer", "cycles." + kernel.name.replace("_", "."), "cycles", kernel.name, "PerWork", work, rounds=256)
    hopper.add(mbarrier_turns())
    hopper.row("transfer", "cycles.mbarrier.turns", "cycles", "mbarrier_turns", "PerWork", 512, threads=64, rounds=256)
    add_boxes(hopper)
    hopper.add(bulk_copies("bulk_latency", True))
    hopper.add(bulk_copies("bulk_rate", False))
    for size in (128, 1024, 4096, 16384):
        launch = {"rounds": 256, "a": size, "b": size, "in_bytes": size}
        hopper.row("transfer", f"latency.bulk.{size}B", "cycles", "bulk_latency", "PerWork", 256, dynamic=1024 + size, **launch)
        hopper.row("transfer", f"bandwidth.bulk.{size}B", "bytes/cycle", "bulk_rate", "PerCycle", 257 * STAGES * size, grid="EverySM", dynamic=1024 + STAGES * size, **launch)
    hopper.add(cluster_barrier())
    hopper.add(remote_loads("remote_chase", True))
    hopper.add(remote_loads("remote_loads", False))
    for blocks in (2, 4, 8):
        hopper.row("transfer", f"cycles.barrier.cluster{blocks}", "cycles", "cluster_barrier", "PerWork", 256 * 4, grid="EverySM", cluster=blocks, rounds=256)
    for blocks in (2, 4):
        hopper.row("transfer", f"latency.shared.cluster{blocks}", "cycles", "remote_chase", "PerWork", 64 * 8, grid=blocks, cluster=blocks)
        hopper.row("transfer", f"bandwidth.shared.cluster{blocks}", "bytes/cycle", "remote_loads", "PerCycle", 64 * 8 * 1024 * 16, grid="EverySM", threads=1024, cluster=blocks)
    others = [multicast(*target) for target in (("sm_90a", "8.2"), ("sm_100a", "8.7"), ("sm_103a", "8.8"))]
    return [ampere, hopper, *others]
