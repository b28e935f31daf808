/* SPDX-License-Identifier: MIT */
#include "inproc/core/json.h"

#include <inttypes.h>
#include <stdio.h>

static void
put_string(struct text *o, const char *text)
{
	char hex[8];

	weft_rt_text_puts(o, "\"");
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20) {
			snprintf(hex, sizeof(hex), "\\u%04x", c);
			weft_rt_text_puts(o, hex);
			continue;
		}
		if (c == '"' || c == '\\' || c == '/')
			weft_rt_text_puts(o, "\\");
		weft_rt_text_put(o, text, 1);
	}
	weft_rt_text_puts(o, "\"");
}

void
weft_rt_json_next(struct text *o)
{
	weft_rt_text_puts(o, o->is_first ? "\n" : ",\n");
	o->is_first = false;
	for (int i = 0; i < o->depth; i++)
		weft_rt_text_puts(o, "    ");
}

void
weft_rt_json_key(struct text *o, const char *name)
{
	weft_rt_json_next(o);
	put_string(o, name);
	weft_rt_text_puts(o, ": ");
}

void
weft_rt_json_open(struct text *o, const char *bracket)
{
	weft_rt_text_puts(o, bracket);
	o->depth++;
	o->is_first = true;
}

void
weft_rt_json_close(struct text *o, const char *bracket)
{
	bool is_empty = o->is_first;

	o->depth--;
	o->is_first = true;
	if (!is_empty)
		weft_rt_json_next(o);
	o->is_first = false;
	weft_rt_text_puts(o, bracket);
}

void
weft_rt_json_number(struct text *o, const char *name, int64_t value)
{
	char text[32];

	weft_rt_json_key(o, name);
	snprintf(text, sizeof(text), "%" PRId64, value);
	weft_rt_text_puts(o, text);
}

void
weft_rt_json_string(struct text *o, const char *name, const char *value)
{
	weft_rt_json_key(o, name);
	put_string(o, value);
}
