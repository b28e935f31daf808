/* SPDX-License-Identifier: MIT */
/*
 * section.h - one section of the file after the other, with its check.
 */
#ifndef WEFT_EXPORT_INDEX_SECTION_H
#define WEFT_EXPORT_INDEX_SECTION_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "export/index/build.h"

struct section {
	struct build *b;
	struct widx_section *at; /* of the header's table */
	XXH3_state_t check;
};

void section_begin(struct section *s, enum widx_kind kind);
void section_end(struct section *s);

/* Some bytes behind the last section, so that a reader may read on a little. */
void section_pad(struct section *s);

void section_put(struct section *s, const void *data, size_t n);
void section_u32(struct section *s, uint32_t value);
void section_i64(struct section *s, int64_t value);

/* With its NUL, behind a byte that says that there is one. */
void section_text(struct section *s, const char *text);

/* about.c: all sections that are not about records. */
void section_about(struct section *s);

#endif
