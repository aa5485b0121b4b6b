# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands over docs/examples: each subcommand and each form, for tests of what surrounds them."""

COMMANDS = [
    command.split() for command in (
        "saxpy.ptx", "saxpy.ptx --quiet", "saxpy.ptx --verbose", "saxpy.ptx --format=json", "saxpy.ptx --format=csv",
        "saxpy.ptx --format=html", "saxpy.ptx --dump=dependence", "saxpy.ptx --device=all", "saxpy.ptx --sweep=block=64:256:64",
        "saxpy.ll --compare=ir,ptx", "saxpy.ll", "devices", "devices a100-80gb --format=json",
        "devices a100-80gb --format=yaml", "explain", "explain uncoalesced-access", "lint transpose.ptx",
        "lint transpose.ptx --format=json", "lint transpose.ptx --format=sarif", "lint transpose.ptx --format=github",
        "lint transpose.ptx --format=codequality", "lint transpose.ptx --format=rdjson", "lint transpose.ptx --format=compiler-explorer",
        "emulate saxpy.ptx --launch=emulate.yaml", "emulate saxpy.ptx --launch=emulate.yaml --format=json",
        "rank reduce.ptx --launch=reduce-shapes.yaml", "rank reduce.ptx --launch=reduce-shapes.yaml --format=json",
        "diff transpose.ptx transpose_padded.ptx", "diff transpose.ptx transpose_padded.ptx --format=json",
        "diff transpose.ptx transpose_padded.ptx --format=markdown", "advise matmul.ptx", "advise matmul.ptx --format=json",
        "occupancy --registers=32 --block=256", "occupancy --registers=32 --block=256 --format=json",
        "objects kernels.fatbin", "objects kernels.fatbin --format=json", "diff transpose.ptx transpose_padded.ptx --format=html",
        "systems", "systems system.yaml", "systems dgx-h100 --format=json", "transfer", "transfer 4:1G --link=my-pcie4 --link-file=link.yaml",
        "transfer 64Ki --link=all --format=csv", "calibrate transfers.yaml --link=pcie4-x16",
        "calibrate --nccl=nccl-tests.txt --link=nvlink3-x12",
        "calibrate microbenchmarks.yaml --device=a100-80gb", "validate times.yaml", "validate times.yaml --format=json", "validate kernels-trace.csv saxpy.ptx",
        "--help", "--version", "lint --help")
]
