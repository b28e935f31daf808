/* SPDX-License-Identifier: MIT */
/*
 * answer.h - puts an HTTP answer together.
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
	const char *type; /* content type of the body */
	const void *body;
	size_t size;
	const char *etag;     /* with its quotes; or NULL */
	const char *cache;    /* Cache-Control; NULL: no-store */
	const char *cookie;   /* name=value to set, or NULL */
	const char *location; /* new address for a redirection (303) */
	bool gzip;            /* the body is packed already */
	bool events;        /* no body: the connection stays open for events */
	bool may_take_long; /* set by the caller: no other request waits for
	                     * this one, so it may take long */
	bool slow;          /* not answered: call again with may_take_long */
	struct arena arena; /* memory of body and texts */
	char *owned;        /* a heap block with the body, or NULL */
};

void answer_fini(struct answer *to);

/* Makes the text of the document the body, for any status. */
void answer_json(struct answer *to, struct doc *doc);

/* {"error":"sentence"} */
void answer_error(struct answer *to, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Makes the body a page of a few lines, for people. */
void answer_page(struct answer *to, int status, const char *says);

/* Append members to a document. An integer beyond 2^53 becomes a string. */
void answer_i64(struct doc *doc, const char *key, int64_t value);
void answer_u64(struct doc *doc, const char *key, uint64_t value);

/* Appends a text. A text longer than ANSWER_TEXT bytes is cut and ends in
 * "...". */
#define ANSWER_TEXT 200
void answer_text(struct doc *doc, const char *key, const char *text);

/* Appends a value; INT64_MIN becomes null. */
void answer_value(struct doc *doc, const char *key, int64_t value);

#endif
