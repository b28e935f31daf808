/* SPDX-License-Identifier: MIT */
#include "export/index/section.h"

#include <string.h>

void
section_put(struct section *s, const void *data, size_t n)
{
	outfile_write(&s->b->file, data, n);
	XXH3_64bits_update(&s->check, data, n);
}

void
section_u32(struct section *s, uint32_t value)
{
	section_put(s, &value, sizeof value);
}

void
section_i64(struct section *s, int64_t value)
{
	section_put(s, &value, sizeof value);
}

void
section_text(struct section *s, const char *text)
{
	uint8_t some = text != NULL;

	section_put(s, &some, 1);
	if (text != NULL)
		section_put(s, text, strlen(text) + 1);
}

static void
align(struct build *b)
{
	static const uint8_t zero[8];
	uint64_t at = (uint64_t)outfile_tell(&b->file);

	outfile_write(&b->file, zero, WIDX_ALIGN(at) - at);
}

void
section_begin(struct section *s, enum widx_kind kind)
{
	align(s->b);
	while (s->at->kind != 0)
		s->at++;
	*s->at = (struct widx_section){ .kind = kind,
		.offset = (uint64_t)outfile_tell(&s->b->file) };
	XXH3_64bits_reset(&s->check);
}

void
section_end(struct section *s)
{
	s->at->length = (uint64_t)outfile_tell(&s->b->file) - s->at->offset;
	s->at->check = XXH3_64bits_digest(&s->check);
}

void
section_pad(struct section *s)
{
	static const uint8_t zero[64];

	outfile_write(&s->b->file, zero, sizeof zero);
}
