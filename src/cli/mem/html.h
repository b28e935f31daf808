/* SPDX-License-Identifier: MIT */
/*
 * html.h - a report as one HTML page: the summary, a table for each view, and
 * the notes. The page needs no other file and no network; without scripts all
 * rows are visible.
 */
#ifndef WEFT_CLI_MEM_HTML_H
#define WEFT_CLI_MEM_HTML_H

#include "base/out.h"
#include "cli/mem/mem.h"

struct mem_html {
	struct out out;
	const char *title; /* of the next table, or NULL */
	VEC(int)
	depth;      /* of the rows of the next table, if they are a
	             * tree */
	int tables; /* written so far */
};

/* Writes the head of the page. */
void mem_html_begin(struct mem_html *h, const struct mem_report *r);

/* Writes a paragraph of the summary. */
void mem_html_line(void *html, const char *text);

/* Writes a table. */
void mem_html_table(struct mem_html *h, const struct table *t);

/* Writes the notes and the end of the page, and frees the page after it was
 * written to a file, or to standard output if path is NULL. Returns false and
 * sets err on failure. */
bool mem_html_end(struct mem_html *h, const struct mem_report *r,
	const char *path, struct err *err);

#endif
