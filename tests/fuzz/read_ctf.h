/* SPDX-License-Identifier: MIT */
/*
 * read_ctf.h - reads the CTF trace of a fuzz target and puts all fields of all
 * events in words, and its findings too.
 */
#ifndef WEFT_FUZZ_READ_CTF_H
#define WEFT_FUZZ_READ_CTF_H

void read_ctf(const char *path);

#endif
