# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random-copies.py COMMAND FOLDER SEED COUNT

Writes COUNT random kernels that copy boxes of random tensors at random coordinates, with launch files, into FOLDER, and compares what predictions
call known of each with its run (compare-known.py). Prints the seeds of those that differ, and how many kernels there were; exits with 1 if any
differs.
"""
import os
import random
import subprocess
import sys

command, folder, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
COMPARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare-known.py")
BYTES = {"u8": 1, "f16": 2, "f32": 4, "f64": 8}


class Tensor:
    """A random tensor map."""

    def __init__(self, r):
        self.rank = r.randint(1, 4)
        self.type = r.choice(list(BYTES))
        self.element = BYTES[self.type]
        others = range(1, self.rank)
        self.box = [r.choice([16, 32, 48, 64, 128, 256]) // self.element] + [r.choice([1, 2, 3, 4] if self.rank == 4 else [1, 2, 3, 4, 8, 13]) for _ in others]
        self.dims = [r.randint(1, 4) * self.box[0] + r.choice([0, 0, 0, 1, 3, 5])]
        self.dims += [r.randint(1, 3) * self.box[d] + r.choice([0, 0, 1, 2]) for d in others]
        self.steps = [1] + [r.choice([1, 1, 1, 2, 3]) for _ in others]
        self.strides, self.bytes = [], self.dims[0] * self.element
        for d in others:
            self.strides.append((self.bytes + 15) // 16 * 16 + r.choice([0, 0, 16, 32]))
            self.bytes = self.strides[-1] * self.dims[d]
        row = self.box[0] * self.element
        self.swizzle = row if row in (32, 64, 128) and r.random() < 0.5 else 0
        self.moved = row
        for d in others:
            self.moved *= -(-self.box[d] // self.steps[d])


class Kernel:
    """PTX and launch file of a random kernel: copies of random kinds, by one lane or some, in a loop or in none."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.tensors = [Tensor(r) for _ in range(r.randint(1, 3))]
        self.lines, self.registers = [], 20
        self.grid = [r.randint(1, 5), r.randint(1, 4), r.choice([1, 1, 2])]
        self.block, self.trips = r.choice([32, 64, 96]), r.randint(1, 6)
        self.write()

    def register(self):
        self.registers += 1
        return f"%r{self.registers}"

    def coordinate(self, extent):
        """A sum of indices and the loop's counter, and of what is linear in pieces."""
        r, value = self.r, self.register()
        self.lines.append(f"mov.u32 {value}, {r.choice([0, 0, 0, -1, -3, 1, 2, extent])};")
        for source in r.sample(["%r2", "%r3", "%r4", "%r7"], r.randint(1, 3)):
            form = r.choice(["", "", "", "and.b32 {}, {}, 1;", "and.b32 {}, {}, 3;", "shr.u32 {}, {}, 1;", "min.s32 {}, {}, 2;", "rem.u32 {}, {}, 3;"])
            if form:
                piece = self.register()
                self.lines.append(form.format(piece, source))
                source = piece
            total = self.register()
            self.lines.append(f"mad.lo.s32 {total}, {source}, {r.choice([1, 2, extent, extent, 2 * extent])}, {value};")
            value = total
        return value

    def copy(self, number, at):
        tensor, kind = self.tensors[number], self.r.choice(["load", "load", "store", "prefetch", "reduce"])
        place = f"[%rd{number + 10}, {{{', '.join(at)}}}]"
        name = f".async.bulk.tensor.{tensor.rank}d"
        if kind == "load":
            self.lines.append(f"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r6], {tensor.moved};")
            self.lines.append(f"cp{name}.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], {place}, [%r6];")
        elif kind == "prefetch":
            self.lines.append(f"cp.async.bulk.prefetch.tensor.{tensor.rank}d.L2.global {place};")
        elif kind == "reduce" and tensor.type == "f32":
            self.lines.append(f"cp.reduce{name}.global.shared::cta.add.bulk_group {place}, [%r5];")
        else:
            self.lines.append(f"cp{name}.global.shared::cta.bulk_group {place}, [%r5];")

    def write(self):
        r, out = self.r, self.lines.append
        maps = range(len(self.tensors))
        out(".version 8.6\n.target sm_90a\n.address_size 64")
        out(".visible .entry k(" + ", ".join([f".param .align 64 .b8 p{m}[128]" for m in maps] + [".param .u32 n"]) + ")\n{")
        out(".reg .pred %p<9>;\n.reg .b32 %r<200>;\n.reg .b64 %rd<40>;\n.shared .align 128 .b8 buf[65536];\n.shared .align 8 .b8 bar[8];")
        for m in maps:
            out(f"mov.b64 %rd{m}, p{m};\ncvta.param.u64 %rd{m + 10}, %rd{m};")
        out("ld.param.u32 %r0, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ctaid.y;\nmov.u32 %r4, %ctaid.z;")
        out("mov.u32 %r5, buf;\nmov.u32 %r6, bar;\nmov.u32 %r7, 0;\nsetp.ne.u32 %p0, %r1, 0;\n@%p0 bra SKIP;")
        out("mbarrier.init.shared::cta.b64 [%r6], 1;\nSKIP:\nbar.sync 0;")
        loops = r.random() < 0.8
        if loops:
            out("LOOP:")
        copied = [r.choice(maps) for _ in range(r.randint(1, 4))]
        places = [[self.coordinate(extent) for extent in self.tensors[number].box] for number in copied]
        out(f"setp.ge.u32 %p1, %r1, {r.choice([1, 1, 1, 2, 5])};")
        if r.random() < 0.3:
            out(f"setp.eq.u32 %p3, %r2, {r.randint(0, 3)};\nor.pred %p1, %p1, %p3;")
        out("@%p1 bra NEXT;")
        for number, at in zip(copied, places):
            self.copy(number, at)
        out("NEXT:")
        if loops:
            out("add.u32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, %r0;\n@%p2 bra LOOP;")
        out("ret;\n}")

    def launch(self):
        shared = len(self.tensors) > 1 and self.r.random() < 0.3
        of = [0 if shared else m for m in range(len(self.tensors))]
        args = ", ".join([f"{m}: {{tensor_map: t{m}}}" for m in range(len(of))] + [f"{len(of)}: {self.trips}"])
        size = max(t.bytes for t in self.tensors)
        lines = ["launches:", "  - kernel: k", f"    grid: {self.grid}", f"    block: {self.block}", f"    args: {{{args}}}", "    buffers:"]
        lines += [f"      b{m}: {{type: u8, count: {size if shared else self.tensors[m].bytes}}}" for m in sorted(set(of))]
        lines.append("    tensor_maps:")
        for m, t in enumerate(self.tensors):
            strides = f" strides: {t.strides}," if t.strides else ""
            lines.append(
                f"      t{m}: {{buffer: b{of[m]}, type: {t.type}, dims: {t.dims},{strides} box: {t.box}, element_strides: {t.steps}, swizzle: {t.swizzle}}}"
            )
        return "\n".join(lines) + "\n"


different = []
for seed in range(first, first + count):
    kernel = Kernel(seed)
    code, launch = (os.path.join(folder, f"copies.{kind}") for kind in ("ptx", "yaml"))
    for path, text in ((code, "\n".join(kernel.lines) + "\n"), (launch, kernel.launch())):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    done = subprocess.run([sys.executable, COMPARE, command, code, launch], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    if done.returncode:
        different.append(seed)
        print(f"seed {seed}:\n{done.stdout}")
print(f"{count} kernels, {len(different)} differ from their runs")
sys.exit(bool(different))
