# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels of the tests: a matrix product, attention, softmax, layer normalisation, and a sum of vectors."""

import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    """out = x + y, of n numbers."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def matmul(a, b, c, m, n, k, a_row, b_row, c_row, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    """c (m x n) = a (m x k) * b (k x n), rows `*_row` numbers apart."""
    row = tl.program_id(1) * TILE_M + tl.arange(0, TILE_M)
    column = tl.program_id(0) * TILE_N + tl.arange(0, TILE_N)
    deep = tl.arange(0, TILE_K)
    left = a + row[:, None] * a_row + deep[None, :]
    right = b + deep[:, None] * b_row + column[None, :]
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for start in range(0, k, TILE_K):
        rest = k - start
        x = tl.load(left, mask=(row[:, None] < m) & (deep[None, :] < rest), other=0.0)
        y = tl.load(right, mask=(deep[:, None] < rest) & (column[None, :] < n), other=0.0)
        total = tl.dot(x, y, total)
        left += TILE_K
        right += TILE_K * b_row
    where = c + row[:, None] * c_row + column[None, :]
    tl.store(where, total.to(c.dtype.element_ty), mask=(row[:, None] < m) & (column[None, :] < n))


@triton.jit
def attention(q, k, v, out, length, scale, WIDTH: tl.constexpr, TILE_Q: tl.constexpr, TILE_K: tl.constexpr):
    """out = softmax(q * k^T * scale) * v, for heads of `length` rows of WIDTH numbers; the head is the grid's second dimension."""
    head = tl.program_id(1).to(tl.int64) * length * WIDTH
    rows = tl.program_id(0) * TILE_Q + tl.arange(0, TILE_Q)
    across = tl.arange(0, WIDTH)
    query = tl.load(q + head + rows[:, None] * WIDTH + across[None, :], mask=rows[:, None] < length, other=0.0)
    most = tl.full((TILE_Q,), -float("inf"), dtype=tl.float32)
    weight = tl.zeros((TILE_Q,), dtype=tl.float32)
    total = tl.zeros((TILE_Q, WIDTH), dtype=tl.float32)
    for start in range(0, length, TILE_K):
        there = start + tl.arange(0, TILE_K)
        key = tl.load(k + head + there[None, :] * WIDTH + across[:, None], mask=there[None, :] < length, other=0.0)
        score = tl.where(there[None, :] < length, tl.dot(query, key) * scale, -float("inf"))
        now = tl.maximum(most, tl.max(score, 1))
        share = tl.exp2(score - now[:, None])
        shrink = tl.exp2(most - now)
        weight = weight * shrink + tl.sum(share, 1)
        value = tl.load(v + head + there[:, None] * WIDTH + across[None, :], mask=there[:, None] < length, other=0.0)
        total = tl.dot(share.to(value.dtype), value, total * shrink[:, None])
        most = now
    tl.store(out + head + rows[:, None] * WIDTH + across[None, :], (total / weight[:, None]).to(out.dtype.element_ty), mask=rows[:, None] < length)


@triton.jit
def softmax(x, out, rows, columns, row_step, BLOCK: tl.constexpr):
    """Each row's softmax, in one piece of BLOCK >= columns numbers; a block takes every program-count-th row."""
    at = tl.arange(0, BLOCK)
    inside = at < columns
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        line = tl.load(x + row * row_step + at, mask=inside, other=-float("inf"))
        power = tl.exp(line - tl.max(line, 0))
        tl.store(out + row * row_step + at, power / tl.sum(power, 0), mask=inside)


@triton.jit
def layer_norm(x, scale, shift, out, columns, row_step, tiny, BLOCK: tl.constexpr):
    """Each row less its mean, over its deviation, times `scale` plus `shift`; three passes over the row in pieces of BLOCK."""
    line = x + tl.program_id(0) * row_step
    into = out + tl.program_id(0) * row_step
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(line + at, mask=at < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, 0) / columns
    square = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        away = tl.where(at < columns, tl.load(line + at, mask=at < columns, other=0.0).to(tl.float32) - mean, 0.0)
        square += away * away
    factor = 1 / tl.sqrt(tl.sum(square, 0) / columns + tiny)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        value = (tl.load(line + at, mask=inside).to(tl.float32) - mean) * factor
        value = value * tl.load(scale + at, mask=inside) + tl.load(shift + at, mask=inside)
        tl.store(into + at, value.to(out.dtype.element_ty), mask=inside)


@triton.jit
def even(x, n, BLOCK: tl.constexpr):
    """x *= 2, in blocks of at least 128."""
    tl.static_assert(BLOCK >= 128)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


@triton.jit
def transpose(x, out, rows, columns, TILE_R: tl.constexpr, TILE_C: tl.constexpr):
    """out (columns x rows) = x (rows x columns), both dense; a tile passes through shared memory."""
    row = tl.program_id(1) * TILE_R + tl.arange(0, TILE_R)
    column = tl.program_id(0) * TILE_C + tl.arange(0, TILE_C)
    tile = tl.load(x + row[:, None] * columns + column[None, :], mask=(row[:, None] < rows) & (column[None, :] < columns))
    tl.store(out + column[:, None] * rows + row[None, :], tl.trans(tile), mask=(column[:, None] < columns) & (row[None, :] < rows))


@triton.jit
def double_tiles(a, b, columns, TILE: tl.constexpr):
    """b = 2 * a, by tensor descriptors of the host."""
    row = tl.program_id(0) * TILE
    for column in range(0, columns, TILE):
        b.store([row, column], a.load([row, column]) * 2)


@triton.jit
def specialised(a, b, c, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    """c = a * b by descriptors; warps of their own load, which are not among num_warps."""
    row, column = tl.program_id(1) * TILE_M, tl.program_id(0) * TILE_N
    total = tl.zeros((TILE_M, TILE_N), tl.float32)
    for start in tl.range(0, k, TILE_K, warp_specialize=True):
        total = tl.dot(a.load([row, start]), b.load([start, column]), total)
    c.store([row, column], total.to(tl.float16))


@triton.jit
def sum_of(pair, out, n, BLOCK: tl.constexpr):
    """out = pair[0] + pair[1] * pair[2]: arguments in a tuple."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(pair[0] + at, mask=at < n) + tl.load(pair[1] + at, mask=at < n) * pair[2], mask=at < n)


@gluon.jit
def copy(x, y, n, BLOCK: gl.constexpr):
    """y = x, in Gluon, with a layout of its own."""
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    gl.store(y + at, gl.load(x + at, mask=at < n), mask=at < n)
