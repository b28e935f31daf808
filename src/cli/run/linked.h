/* SPDX-License-Identifier: MIT */
/*
 * linked.h - detects whether `weft mem link` has linked the memory recorder
 * into a program.
 */
#ifndef WEFT_CLI_RUN_LINKED_H
#define WEFT_CLI_RUN_LINKED_H

enum linked {
	LINKED_NOT,   /* no 64-bit ELF file that can be read, or no recorder */
	LINKED_OTHER, /* the recorder of another version of weft, which writes
	               * other files */
	LINKED_YES
};

/* Reads the note among the program headers; see mem/wrapped.h. */
enum linked linked_recorder(const char *path);

#endif
