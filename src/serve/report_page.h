/* SPDX-License-Identifier: MIT */
/*
 * report_page.h - the viewer's page as one file without data, which lies in the
 * program. A report is head, the data in base64, tail.
 */
#ifndef WEFT_SERVE_REPORT_PAGE_H
#define WEFT_SERVE_REPORT_PAGE_H

#include <stddef.h>
#include <stdint.h>

struct report_page {
	const uint8_t *head;
	size_t nhead; /* 0: this build has no page */
	const uint8_t *tail;
	size_t ntail;
};

/* Made by tools/embed-report. */
extern const struct report_page report_page;

#endif
