# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The version of the package, which is that of the library and of the command."""

__version__ = "0.1.0"
