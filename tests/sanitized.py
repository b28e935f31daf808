# SPDX-License-Identifier: MIT
"""Tells programs that were built with the address sanitizer: they need more
memory and time."""
import functools


@functools.cache
def is_sanitized(program):
    """program: its path. The name is of a function that such a program calls
    at each read of memory; others may have the names of functions that it only
    asks for."""
    with open(program, "rb") as file:
        return b"__asan_report_load8" in file.read()
