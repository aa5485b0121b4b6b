# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product in Triton, for docs/guide/PythonTriton.md: kernels of Triton stand in a file."""

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, m, n, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    """c (m x n) = a (m x k) * b (k x n), all dense."""
    rows = tl.program_id(1) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.program_id(0) * TILE_N + tl.arange(0, TILE_N)
    deep = tl.arange(0, TILE_K)
    left, right = a + rows[:, None] * k + deep[None, :], b + deep[:, None] * n + columns[None, :]
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for start in range(0, k, TILE_K):
        inside = deep < k - start
        x = tl.load(left, mask=(rows[:, None] < m) & inside[None, :], other=0.0)
        y = tl.load(right, mask=inside[:, None] & (columns[None, :] < n), other=0.0)
        total = tl.dot(x, y, total)
        left, right = left + TILE_K, right + TILE_K * n
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(c.dtype.element_ty), mask=(rows[:, None] < m) & (columns[None, :] < n))


def grid(given):
    """A block for each tile of c."""
    return triton.cdiv(given["n"], given["TILE_N"]), triton.cdiv(given["m"], given["TILE_M"])
