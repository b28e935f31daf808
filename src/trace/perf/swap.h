/* SPDX-License-Identifier: MIT */
/*
 * swap.h - turns what perf wrote on a machine of the other byte order into the
 * byte order of this one, in place.
 *
 * A record is first swapped as words of 64 bits; then its event is known, and
 * pairs of 32 bits, texts and raw data are put right.
 */
#ifndef WEFT_TRACE_PERF_SWAP_H
#define WEFT_TRACE_PERF_SWAP_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

void perf_swap_attr(struct perf_event_attr *a);

void perf_swap_header(struct perf_event_header *h);

/* Swaps the words behind the header of a record of `size` bytes. */
void perf_swap_words(uint8_t *record, size_t size);

/* Puts a record of the kernel right after perf_swap_words(). The raw data of
 * tracepoints keeps its byte order. */
void perf_swap_parts(
	uint8_t *record, size_t size, const struct perf_event_attr *attr);

#endif
