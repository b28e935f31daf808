/* SPDX-License-Identifier: MIT */
/*
 * out.h - the files of a measurement, as they grow.
 *
 * Records gather in a buffer and are appended in one write. A file is open only
 * for that write, so that no descriptor is held and a full disk leaves no half
 * record. All of it is the drain's.
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
	uint64_t lost; /* bytes of records */
	size_t n;
	_Alignas(8) char bytes[OUT_BYTES];
};

/* Folders of images are made below here, when the first file is written. */
void out_init(const char *folder);

/* A file of this image, from its head on. */
void out_open(struct outbuf *o, enum mem_file file, int tid, const char *name);

/* Adds a record: the struct (its header is filled in here) and bytes that
 * follow it. */
void out_add(struct outbuf *o, enum mem_type type, const void *fixed,
	size_t fixed_bytes, const void *tail, size_t tail_bytes);

#define OUT_ADD(o, type, record) \
	out_add(o, type, &(record), sizeof(record), NULL, 0)

void out_flush(struct outbuf *o);

/* The folder that holds those of all images of weft run; "" before out_init.
 */
const char *out_parent(void);

/* The folder of this image, once something was written; else "". */
const char *out_folder(void);

#endif
