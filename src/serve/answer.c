/* SPDX-License-Identifier: MIT */
#include "serve/answer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/document.h"

#define EXACT \
	(INT64_C(1) << 53) /* a double does not hold all larger integers */

void
answer_fini(struct answer *to)
{
	mem_free(to->owned);
	arena_fini(&to->arena);
}

void
answer_json(struct answer *to, struct doc *doc)
{
	out_puts(&doc->out, "\n");
	mem_free(to->owned);
	to->owned = doc->out.buf;
	to->body = doc->out.buf;
	to->size = (size_t)(doc->out.at - doc->out.buf);
	to->type = "application/json";
}

void
answer_error(struct answer *to, int status, const char *fmt, ...)
{
	char text[1024];
	struct doc doc;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_word(&doc, "error", text);
	doc_end(&doc, '}');
	to->status = status;
	to->etag = NULL;
	to->cache = NULL;
	answer_json(to, &doc);
}

void
answer_page(struct answer *to, int status, const char *says)
{
	to->status = status;
	to->type = "text/html; charset=utf-8";
	to->body = arena_printf(&to->arena,
		"<!doctype html><meta charset=utf-8><title>weft "
		"view</title>\n<p>%d: this is weft view.\n<p>%s.\n",
		status, says);
	to->size = strlen(to->body);
}

void
answer_i64(struct doc *doc, const char *key, int64_t value)
{
	char text[24];

	if (value >= -EXACT && value <= EXACT) {
		doc_i64(doc, key, value);
		return;
	}
	snprintf(text, sizeof text, "%" PRId64, value);
	doc_word(doc, key, text);
}

void
answer_u64(struct doc *doc, const char *key, uint64_t value)
{
	char text[24];

	if (value <= (uint64_t)EXACT) {
		doc_u64(doc, key, value);
		return;
	}
	snprintf(text, sizeof text, "%" PRIu64, value);
	doc_word(doc, key, text);
}

void
answer_value(struct doc *doc, const char *key, int64_t value)
{
	if (value == INT64_MIN)
		doc_bare(doc, key, NULL);
	else
		answer_i64(doc, key, value);
}

void
answer_text(struct doc *doc, const char *key, const char *text)
{
	char cut[ANSWER_TEXT + 4];
	size_t n = ANSWER_TEXT;

	if (text == NULL || strnlen(text, ANSWER_TEXT + 1) <= ANSWER_TEXT) {
		doc_word(doc, key, text);
		return;
	}
	while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--; /* do not cut inside of a UTF-8 character */
	snprintf(cut, sizeof cut, "%.*s...", (int)n, text);
	doc_word(doc, key, cut);
}
