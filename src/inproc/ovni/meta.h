/* SPDX-License-Identifier: MIT */
/*
 * meta.h - the contents of a thread's stream.json.
 *
 * Each addition rewrites the whole file through a temporary name, so that the
 * file is complete when the process is killed. The last text is written over
 * the one before if both lie within a page. The user's attributes are a
 * separate JSON tree (attr.h), merged over the rest when the file is written.
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
	const char *text; /* owned by the meta */
	struct meta_label *next;
};

struct meta_mark {
	int32_t type;
	bool is_stack;
	const char *title; /* owned by the meta */
	struct meta_label *label;
};

/* A list that begins in `small` and grows in pages of its own, never by malloc:
 * a thread may start in a handler. */
struct meta_list {
	void *at;       /* elements in pages; NULL: they are in `small` */
	size_t n, room; /* number of elements; bytes of room */
	_Alignas(16) char small[1024];
};

/* Pages for kept data, linked. */
struct meta_page {
	struct meta_page *next;
	size_t n, room; /* bytes */
};

#define META_OTHER SIZE_MAX

struct meta {
	struct meta_list require, cpu, mark;
	struct meta_page *page;      /* owned; NULL: none */
	struct json_object *attr;    /* owned; NULL: none */
	struct json_object *earlier; /* metadata of a dead thread with our id;
	                              * owned */
	char *before;                /* text of earlier, mapped, not parsed
	                              * yet */
	size_t nbefore;
	size_t nsaved; /* bytes of the file; 0: there is none; META_OTHER:
	                * another thread's */
	bool is_late; /* atomic, read without the lock; the file lacks something
	               * that could not be written in a handler */
	bool has_rank;
};

/* The thread of the metadata, and memory for the text and for a temporary
 * name. */
struct meta_of {
	const struct stream *stream;
	int tid;
	bool has_clocks; /* writes the process's clocks */
	char *scratch, *temp;
	size_t room; /* bytes of scratch */
};

/* Returns the elements. */
static inline void *
meta_all(const struct meta_list *list)
{
	return list->at ? list->at : (void *)list->small;
}

/* Adds a zeroed element. Returns NULL without memory. */
void *weft_rt_meta_add(struct meta_list *list, size_t size);

/* Returns a copy of n bytes, or n zeros if from is NULL, which lives as long as
 * the metadata. Returns NULL without memory. */
void *weft_rt_meta_keep(struct meta *meta, const void *from, size_t n);

/* Maps the file of a dead thread with our id, for the next save. */
void weft_rt_meta_before(struct meta *meta, const char *path);

/* Add or replace an entry; _requires returns true if there is one. */
bool weft_rt_meta_requires(const struct meta *meta, const char *model);
bool weft_rt_meta_require(
	struct meta *meta, const char *model, const char *version);
bool weft_rt_meta_cpu(struct meta *meta, int index, int phyid);

/* Returns the mark type, or NULL. */
struct meta_mark *weft_rt_meta_mark(const struct meta *meta, int32_t type);

/* Returns the whole text; it begins in the scratch memory. */
struct text weft_rt_meta_text(
	const struct meta *meta, const struct meta_of *of, bool is_finished);

/* Writes the file. Attributes need malloc(): if the caller may be in a handler,
 * returns true and leaves the writing to the next save. */
bool weft_rt_meta_save(struct meta *meta, const struct meta_of *of,
	bool is_finished, const char *path);

void weft_rt_meta_free(struct meta *meta);

#endif
