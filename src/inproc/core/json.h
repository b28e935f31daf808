/* SPDX-License-Identifier: MIT */
/*
 * json.h - writes indented JSON, one element per line, into a text (text.h).
 *
 *	weft_rt_json_open(&o, "{");
 *	weft_rt_json_number(&o, "version", 3);
 *	weft_rt_json_key(&o, "snap");
 *	weft_rt_json_open(&o, "[");
 *	weft_rt_json_next(&o);
 *	weft_rt_text_puts(&o, "17");
 *	weft_rt_json_close(&o, "]");
 *	weft_rt_json_close(&o, "}");
 *
 * Never calls malloc.
 */
#ifndef WEFT_INPROC_CORE_JSON_H
#define WEFT_INPROC_CORE_JSON_H

#include <stdint.h>

#include "inproc/core/text.h"

void weft_rt_json_open(struct text *o, const char *bracket);
void weft_rt_json_close(struct text *o, const char *bracket);

/* Begins the next element: comma, newline, indentation. */
void weft_rt_json_next(struct text *o);

/* Does the same and writes a name; the value follows. */
void weft_rt_json_key(struct text *o, const char *name);

/* Write a whole member. */
void weft_rt_json_number(struct text *o, const char *name, int64_t value);
void weft_rt_json_string(struct text *o, const char *name, const char *value);

#endif
