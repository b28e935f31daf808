/* SPDX-License-Identifier: MIT */
/*
 * meta.h - what stream.json says of a thread.
 *
 * It is written whole again, through a temporary name, whenever something is
 * added, so that a killed process leaves nothing out. Attributes of the user
 * are a JSON tree of their own (attr.h), laid over the rest when it is written.
 */
#ifndef WEFT_INPROC_OVNI_META_H
#define WEFT_INPROC_OVNI_META_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inproc/core/text.h"

struct json_object;
struct stream;

struct meta_require {
	char model[128], version[64];
};

struct meta_cpu {
	int index, phyid;
};

struct meta_label {
	int64_t value;
	const char *text; /* kept */
	struct meta_label *next;
};

struct meta_mark {
	int32_t type;
	bool is_stack;
	const char *title; /* kept */
	struct meta_label *label;
};

/* Begins in itself and grows by pages of its own, never by malloc: a thread may
 * start in a handler. */
struct meta_list {
	void *at;       /* NULL: small */
	size_t n, room; /* elements; bytes */
	_Alignas(16) char small[1024];
};

/* Pages with what is kept, one behind the other. */
struct meta_page {
	struct meta_page *next;
	size_t n, room; /* bytes */
};

struct meta {
	struct meta_list require, cpu, mark;
	struct meta_page *page;      /* owned; NULL: none */
	struct json_object *attr;    /* owned; NULL: none */
	struct json_object *earlier; /* of a thread with our id; owned */
	char *before;                /* its text, mapped, not read yet */
	size_t nbefore;
	bool is_late; /* atomic, read without the lock; the file lacks what
	                 could not be said in a handler */
	bool has_rank;
};

/* Whose it is, and memory for the text and for a temporary name. */
struct meta_of {
	const struct stream *stream;
	int tid;
	bool has_clocks; /* it tells of the process's clocks */
	char *scratch, *temp;
	size_t room; /* of scratch */
};

/* The elements. */
static inline void *
meta_all(const struct meta_list *list)
{
	return list->at ? list->at : (void *)list->small;
}

/* A new element, zeroed. NULL: no memory. */
void *weft_rt_meta_add(struct meta_list *list, size_t size);

/* A copy of n bytes, or zeros, which lasts as long as the metadata does. NULL:
 * no memory. */
void *weft_rt_meta_keep(struct meta *meta, const void *from, size_t n);

/* What a thread with our id said in that file, for the next save. */
void weft_rt_meta_before(struct meta *meta, const char *path);

/* Adds or replaces. */
bool weft_rt_meta_requires(const struct meta *meta, const char *model);
bool weft_rt_meta_require(
	struct meta *meta, const char *model, const char *version);
bool weft_rt_meta_cpu(struct meta *meta, int index, int phyid);

/* The mark type, or NULL. */
struct meta_mark *weft_rt_meta_mark(const struct meta *meta, int32_t type);

/* The whole text, begun in the scratch. */
struct text weft_rt_meta_text(
	const struct meta *meta, const struct meta_of *of, bool is_finished);

/* With attributes, it takes memory of malloc(): if the caller may be in a
 * handler, it says true, and leaves that to the next one. */
bool weft_rt_meta_save(struct meta *meta, const struct meta_of *of,
	bool is_finished, const char *path);

void weft_rt_meta_free(struct meta *meta);

#endif
