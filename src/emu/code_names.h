/* SPDX-License-Identifier: MIT */
/*
 * code_names.h - how the emulator asks what lies at an address of an ELF file.
 * The command implements it: the emulator itself reads no other file than the
 * trace.
 */
#ifndef WEFT_EMU_CODE_NAMES_H
#define WEFT_EMU_CODE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Texts live as long as the emulator. */
struct code_name {
	const char *function; /* NULL: unknown */
	const char *file;     /* without directories; NULL: unknown */
	int line;             /* valid if file is known */
	bool is_library;      /* part of the system, or of the library of a
	                       * language */
};

struct code_names {
	void *of;
	/*
	 * Find the source line of an instruction, and the variable that
	 * contains an address with the place in the source that declares it.
	 * build: the build id of the file that ran, in hexadecimal digits, or
	 * ""; the address is that in the file. Return false if nothing is
	 * known, also if the file is not the one that ran; code() sets
	 * is_library all the same.
	 */
	bool (*code)(void *of, const char *build, const char *path,
		uint64_t address, struct code_name *to);
	bool (*variable)(void *of, const char *build, const char *path,
		uint64_t address, struct code_name *to);
	/* Does the same for the thread-local variable at an offset in the
	 * module's block. */
	bool (*local)(void *of, const char *build, const char *path,
		uint64_t offset, struct code_name *to);
};

#endif
