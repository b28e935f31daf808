/* SPDX-License-Identifier: MIT */
/*
 * out.h - writes the files of a measurement.
 *
 * Records gather in a buffer and are appended in one write. A file is open only
 * during that write, so that no descriptor is held, and a full disk leaves no
 * partial record. Only the drain uses these functions.
 */
#ifndef WEFT_INPROC_MEM_OUT_H
#define WEFT_INPROC_MEM_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/wire.h"

enum { OUT_BYTES = 8192 };

struct outbuf {
	char name[48];
	enum mem_file file;
	int tid;
	bool is_begun; /* the head has been written */
	uint64_t lost; /* bytes of lost records */
	size_t n;
	_Alignas(8) char bytes[OUT_BYTES];
};

/* Sets the parent directory, of a new image; NULL: the one that was set. The
 * image's directory is created below it when the first file is written. */
void out_init(const char *folder);

/* Begins a file of this image, with its head. */
void out_open(struct outbuf *o, enum mem_file file, int tid, const char *name);

/* Adds a record: the struct, whose header is filled in here, and tail bytes. */
void out_add(struct outbuf *o, enum mem_type type, const void *fixed,
	size_t fixed_bytes, const void *tail, size_t tail_bytes);

#define OUT_ADD(o, type, record) \
	out_add(o, type, &(record), sizeof(record), NULL, 0)

void out_flush(struct outbuf *o);

/* Returns the parent directory of all images; "" before out_init. */
const char *out_parent(void);

/* Returns the directory of this image, once it is written to; else "". */
const char *out_folder(void);

#endif
