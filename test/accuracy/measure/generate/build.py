# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the generator of the microbenchmarks is made of: a kernel that is timed by itself, and a row of the table.

Every kernel has the parameters of PARAMETERS, and reads the clock of its SM twice, in its first thread: after a barrier
before the work, and after a barrier behind it. A loop whose number of rounds the host gives stands between, so that no
assembler moves the work out from between the two.
"""

PARAMETERS = [
    ("u64", "spans"),  # 32 bytes a block: cycles and nanoseconds at its begin and end
    ("u64", "out"),  # what keeps the work alive
    ("u64", "in"),
    ("u32", "rounds"),
    ("u32", "a"),  # whatever the kernel takes them for
    ("u32", "b"),
]
ANY_REGISTERS = 256  # threads of a block that always finds room: 255 registers each of the 65536 of an SM
KINDS = {"b32": "%r", "b64": "%rd", "f32": "%f", "f64": "%fd", "pred": "%p", "b16": "%h"}


class Kernel:
    """PTX of one kernel. `shared` is (bytes, alignment) of its static shared memory, named `memory`; `threads` are those of
    its largest block, which rows of the table raise: ptxas gives a thread no more registers than such a block has."""

    def __init__(self, name, shared=None, tensor_map=False, dynamic=False, cluster=False, threads=32):
        self.name, self.threads = name, threads
        self.shared, self.tensor_map, self.dynamic, self.cluster = shared, tensor_map, dynamic, cluster
        self.lines = []
        self.counts = dict.fromkeys(KINDS, 0)
        self.labels = 0
        self.first = self.reg("pred")
        self.tid, self.ctaid, self.rounds = self.reg("b32"), self.reg("b32"), self.reg("b32")
        self.span = self.reg("b64")
        self.clocks = [self.reg("b64") for _ in range(4)]
        self.emit(f"mov.u32 {self.tid}, %tid.x;", f"mov.u32 {self.ctaid}, %ctaid.x;")
        self.emit(f"ld.param.u32 {self.rounds}, [rounds];")
        spans = self.pointer("spans")
        self.emit(f"mad.wide.u32 {self.span}, {self.ctaid}, 32, {spans};")
        self.emit(f"setp.eq.u32 {self.first}, {self.tid}, 0;")
        self.emit(*(f"mov.u64 {clock}, 0;" for clock in self.clocks))

    def reg(self, kind):
        number = self.counts[kind]
        self.counts[kind] += 1
        return KINDS[kind] + str(number)

    def regs(self, kind, count):
        return [self.reg(kind) for _ in range(count)]

    def emit(self, *lines):
        self.lines += ["\t" + line for line in lines]

    def label(self):
        self.labels += 1
        return f"{self.name}_{self.labels}"

    def place(self, label):
        self.lines.append(label + ":")

    def pointer(self, parameter):
        """A parameter as an address of global memory."""
        generic, address = self.reg("b64"), self.reg("b64")
        self.emit(f"ld.param.u64 {generic}, [{parameter}];", f"cvta.to.global.u64 {address}, {generic};")
        return address

    def number(self, parameter):
        register = self.reg("b32")
        self.emit(f"ld.param.u32 {register}, [{parameter}];")
        return register

    def memory(self, offset=0):
        """The address of the shared memory."""
        register = self.reg("b32")
        self.emit(f"mov.u32 {register}, {'dynamic' if self.dynamic else 'memory'};")
        if offset:
            self.emit(f"add.u32 {register}, {register}, {offset};")
        return register

    def begin(self, barrier="bar.sync 0;"):
        self.emit(barrier)
        self.emit(f"@{self.first} mov.u64 {self.clocks[2]}, %globaltimer;")
        self.emit(f"@{self.first} mov.u64 {self.clocks[0]}, %clock64;", "bar.sync 0;")

    def end(self, barrier="bar.sync 0;"):
        begin, end, begin_ns, end_ns = self.clocks
        self.emit(barrier)
        self.emit(f"@{self.first} mov.u64 {end}, %clock64;", f"@{self.first} mov.u64 {end_ns}, %globaltimer;")
        self.emit(f"@{self.first} st.global.v2.u64 [{self.span}], {{{begin}, {end}}};")
        self.emit(f"@{self.first} st.global.v2.u64 [{self.span}+16], {{{begin_ns}, {end_ns}}};")

    def loop(self, body, count=None):
        """`body` as often as the host says, or `count` (a register) times."""
        index, more, label = self.reg("b32"), self.reg("pred"), self.label()
        self.emit(f"mov.u32 {index}, 0;")
        self.place(label)
        body(index)
        self.emit(f"add.u32 {index}, {index}, 1;", f"setp.lt.u32 {more}, {index}, {count or self.rounds};")
        self.emit(f"@{more} bra {label};")

    def keep(self, value, kind="b32", all_blocks=False):
        """Stores `value`, so that what made it is needed."""
        size = 8 if kind in ("b64", "f64") else 4
        address, place = self.reg("b64"), self.tid
        if all_blocks:
            place = self.reg("b32")
            threads = self.reg("b32")
            self.emit(f"mov.u32 {threads}, %ntid.x;", f"mad.lo.u32 {place}, {self.ctaid}, {threads}, {self.tid};")
        out = self.pointer("out")
        self.emit(f"mad.wide.u32 {address}, {place}, {size}, {out};", f"st.global.{kind} [{address}], {value};")

    def text(self):
        parameters = [f"\t.param .{kind} {name}" for kind, name in PARAMETERS]
        if self.tensor_map:
            parameters.append("\t.param .align 64 .b8 map[128]")
        bound = f" .maxntid {self.threads}" if self.threads > ANY_REGISTERS else ""
        head = [f".visible .entry {self.name}(", ",\n".join(parameters), ")" + bound + (" .explicitcluster" if self.cluster else ""), "{"]
        if self.shared:
            head.append(f"\t.shared .align {self.shared[1]} .b8 memory[{self.shared[0]}];")
        for kind, prefix in KINDS.items():
            if self.counts[kind]:
                head.append(f"\t.reg .{kind} {prefix}<{self.counts[kind]}>;")
        return "\n".join(head + self.lines + ["\tret;", "}"]) + "\n"


class Module:
    """One file: its kernels, and the rows of results that they give."""

    def __init__(self, name, version, target, comment):
        self.name, self.version, self.target, self.comment = name, version, target, comment
        self.kernels, self.rows = [], []

    def add(self, kernel):
        assert all(kernel.name != other.name for other in self.kernels), kernel.name
        self.kernels.append(kernel)
        return kernel

    def row(self, group, name, unit, kernel, rule, work, **launch):
        """A result `name` of `kernel`. `rule`: PerWork (cycles / work), PerCycle (work / cycles of a block), or AllPerCycle
        (work of all blocks / cycles). `work` is that of a block in one launch."""
        known = {"grid": 1, "threads": 32, "rounds": 64, "a": 0, "b": 0, "cluster": 1, "dynamic": 0, "in_bytes": 0}
        known.update({"box_inner": 0, "box_outer": 0})
        assert set(launch) <= set(known), launch
        known.update(launch)
        of = next(other for other in self.kernels if other.name == kernel)
        of.threads = max(of.threads, known["threads"])
        self.rows.append({"group": group, "name": name, "unit": unit, "kernel": kernel, "rule": rule, "work": work, **known})

    def text(self):
        head = f"// {self.comment}\n// Made by test/accuracy/measure/generate/generate.py.\n.version {self.version}\n"
        head += f".target {self.target}\n.address_size 64\n\n"
        if any(kernel.dynamic for kernel in self.kernels):
            head += ".extern .shared .align 1024 .b8 dynamic[];\n\n"
        return head + "\n".join(kernel.text() for kernel in self.kernels)
