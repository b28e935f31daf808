/* SPDX-License-Identifier: MIT */
/*
 * document.h - writes JSON to standard output or to memory, member by member.
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
 * An object is one line, except that each element of an array has a line. Each
 * top-level value has a line, too.
 */
#ifndef WEFT_BASE_DOCUMENT_H
#define WEFT_BASE_DOCUMENT_H

#include "base/out.h"

struct doc {
	struct out out;
	int depth;
	bool more; /* a value was already written at this depth */
};

void doc_open(struct doc *d);

/* Opens the document in memory: the text lies between d->out.buf, which the
 * caller frees, and d->out.at. */
void doc_open_memory(struct doc *d);

/* Returns false if writing failed. */
bool doc_close(struct doc *d);

/* Begin and end an object or an array, given by its bracket. */
void doc_begin(struct doc *d, const char *key, char bracket);
void doc_end(struct doc *d, char bracket);

/* Append a value. A NULL text, infinity and NaN become null. */
void doc_word(struct doc *d, const char *key, const char *text);
void doc_text(struct doc *d, const char *key, const char *text, size_t n);
void doc_i64(struct doc *d, const char *key, int64_t value);
void doc_u64(struct doc *d, const char *key, uint64_t value);
void doc_f64(struct doc *d, const char *key, double value);

/* Appends a number or a flag that is text already; NULL becomes null. */
void doc_bare(struct doc *d, const char *key, const char *text);

#endif
