/* SPDX-License-Identifier: MIT */
/*
 * answer.h - an answer of HTTP while it is put together, and what becomes of
 *it.
 *
 *	struct answer to = { .status = 200 };
 *	struct doc doc;
 *	doc_open_memory(&doc);
 *	...
 *	answer_json(&to, &doc);
 *	...                                     (it is sent)
 *	answer_fini(&to);
 */
#ifndef WEFT_SERVE_ANSWER_H
#define WEFT_SERVE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct doc;

struct answer {
	int status;
	const char *type; /* of the body */
	const void *body;
	size_t size;
	const char *etag;     /* with its quotes; or NULL */
	const char *cache;    /* Cache-Control; NULL: no-store */
	const char *cookie;   /* name=value to set, or NULL */
	const char *location; /* 303: where to go */
	bool gzip;            /* the body is packed already */
	bool events;          /* no body: what is told goes there */
	bool may_take_long;   /* set by who asks: nobody else waits for it */
	bool slow;          /* no answer: ask again, where that may take long */
	struct arena arena; /* of the request: body and texts */
	char *owned;        /* a heap block with the body, or NULL */
};

void answer_fini(struct answer *to);

/* The text of the document becomes the body, also if the status is another. */
void answer_json(struct answer *to, struct doc *doc);

/* {"error":"sentence"} */
void answer_error(struct answer *to, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A page of a few lines, for people. */
void answer_page(struct answer *to, int status, const char *says);

/* Members of a document: what JavaScript's numbers do not hold is a text. */
void answer_i64(struct doc *doc, const char *key, int64_t value);
void answer_u64(struct doc *doc, const char *key, uint64_t value);

/* A text, of which ANSWER_TEXT bytes and "..." go over if it is longer. */
#define ANSWER_TEXT 200
void answer_text(struct doc *doc, const char *key, const char *text);

/* INT64_MIN is null. */
void answer_value(struct doc *doc, const char *key, int64_t value);

#endif
