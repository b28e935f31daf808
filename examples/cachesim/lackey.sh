#!/bin/sh
# SPDX-License-Identifier: MIT
# lackey.sh FILE PROGRAM [ARGS...] - writes the addresses that a real program
# reads and writes into FILE, for cachesim -l. Needs valgrind.
file=$1
shift
exec valgrind --quiet --tool=lackey --trace-mem=yes --log-file="$file" "$@"
