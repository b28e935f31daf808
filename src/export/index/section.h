/* SPDX-License-Identifier: MIT */
/*
 * section.h - writes the sections of the file in order, each with a checksum.
 */
#ifndef WEFT_EXPORT_INDEX_SECTION_H
#define WEFT_EXPORT_INDEX_SECTION_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "export/index/build.h"

struct section {
	struct build *b;
	struct widx_section *at; /* entry in the header's table */
	XXH3_state_t check;
};

void section_begin(struct section *s, enum widx_kind kind);
void section_end(struct section *s);

/* Pads the file after the last section, so that a reader may read a little
 * beyond the end. */
void section_pad(struct section *s);

void section_put(struct section *s, const void *data, size_t n);
void section_u32(struct section *s, uint32_t value);
void section_i64(struct section *s, int64_t value);

/* Appends a text with its NUL, preceded by a byte that says whether the text is
 * NULL. */
void section_text(struct section *s, const char *text);

/* about.c: writes all sections that are not about records. */
void section_about(struct section *s);

#endif
