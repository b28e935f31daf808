/* SPDX-License-Identifier: MIT */
/*
 * page.h - the files of the viewer's page, which lie in the program.
 */
#ifndef WEFT_SERVE_PAGE_H
#define WEFT_SERVE_PAGE_H

#include <stddef.h>
#include <stdint.h>

struct page_file {
	const char *path; /* "/", "/main.js"; NULL ends */
	const char *type;
	const char *etag;    /* with its quotes: changes when the bytes do */
	const uint8_t *gzip; /* packed bytes */
	size_t size;
};

/* Made by tools/embed. */
extern const struct page_file page_files[];

#endif
