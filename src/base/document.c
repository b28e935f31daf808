/* SPDX-License-Identifier: MIT */
#include "base/document.h"

#include <stddef.h>

void
doc_open(struct doc *d)
{
	*d = (struct doc){ 0 };
	out_open(&d->out);
}

void
doc_open_memory(struct doc *d)
{
	*d = (struct doc){ 0 };
	out_open_memory(&d->out);
}

bool
doc_close(struct doc *d)
{
	if (d->more)
		out_puts(&d->out, "\n");
	out_close(&d->out);
	return !d->out.failed;
}

/* What stands before a value. */
static void
next(struct doc *d, const char *key)
{
	struct out *o = &d->out;

	if (d->more && d->depth > 0)
		out_puts(o, ",");
	if (key == NULL && (d->more || d->depth > 0))
		out_puts(o, "\n");
	if (key != NULL) {
		out_json(o, key);
		out_puts(o, ":");
	}
	d->more = true;
}

void
doc_begin(struct doc *d, const char *key, char bracket)
{
	next(d, key);
	out_put(&d->out, &bracket, 1);
	d->depth++;
	d->more = false;
}

void
doc_end(struct doc *d, char bracket)
{
	if (bracket == ']' && d->more)
		out_puts(&d->out, "\n");
	out_put(&d->out, &bracket, 1);
	d->depth--;
	d->more = true;
}

void
doc_word(struct doc *d, const char *key, const char *text)
{
	next(d, key);
	out_json(&d->out, text);
}

void
doc_text(struct doc *d, const char *key, const char *text, size_t n)
{
	next(d, key);
	out_json_n(&d->out, text, n);
}

void
doc_i64(struct doc *d, const char *key, int64_t value)
{
	next(d, key);
	out_i64(&d->out, value);
}

void
doc_u64(struct doc *d, const char *key, uint64_t value)
{
	next(d, key);
	out_u64(&d->out, value);
}

void
doc_f64(struct doc *d, const char *key, double value)
{
	next(d, key);
	out_json_f64(&d->out, value);
}

void
doc_bare(struct doc *d, const char *key, const char *text)
{
	next(d, key);
	out_puts(&d->out, text == NULL ? "null" : text);
}
