/* SPDX-License-Identifier: MIT */
/*
 * document.h - JSON on standard output or in memory, member by member.
 *
 *	doc_open(&d);
 *	doc_begin(&d, NULL, '{');
 *	doc_word(&d, "trace", path);
 *	doc_begin(&d, "rows", '[');
 *	doc_i64(&d, NULL, 12);                    (an element has no key)
 *	doc_end(&d, ']');
 *	doc_end(&d, '}');
 *	doc_close(&d);                            {"trace":"t","rows":[
 *	                                          12
 *	                                          ]}
 *
 * An object is one line but for its arrays, which give each element one. What
 * stands in no object or array at all has a line of its own, too.
 */
#ifndef WEFT_BASE_DOCUMENT_H
#define WEFT_BASE_DOCUMENT_H

#include "base/out.h"

struct doc {
	struct out out;
	int depth;
	bool more; /* something stands before, at this depth */
};

void doc_open(struct doc *d);

/* The same in memory: the text lies between d->out.buf, which is the caller's
 * to free, and d->out.at. */
void doc_open_memory(struct doc *d);

/* False if it could not be written. */
bool doc_close(struct doc *d);

/* An object or an array, by its bracket. */
void doc_begin(struct doc *d, const char *key, char bracket);
void doc_end(struct doc *d, char bracket);

/* A value. A text may be NULL: null; a number that is none is null, too. */
void doc_word(struct doc *d, const char *key, const char *text);
void doc_text(struct doc *d, const char *key, const char *text, size_t n);
void doc_i64(struct doc *d, const char *key, int64_t value);
void doc_u64(struct doc *d, const char *key, uint64_t value);
void doc_f64(struct doc *d, const char *key, double value);

/* A number or a flag that is text already, or NULL. */
void doc_bare(struct doc *d, const char *key, const char *text);

#endif
