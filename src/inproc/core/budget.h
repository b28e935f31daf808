/* SPDX-License-Identifier: MIT */
/*
 * budget.h - WEFT_MAX_MB: the bytes that a process may still record.
 *
 * A thread pays for a byte before it records the byte, in steps that get
 * smaller as less is left, so that threads share the budget until the end. A
 * thread gives back what it did not use. Events that tell the start and end of
 * a thread are recorded even when nothing is left; only these, and the packet
 * heads of one more drain, exceed the limit. A flight recorder pays when it
 * writes.
 *
 * Without a limit nothing is counted. Safe in handlers.
 */
#ifndef WEFT_INPROC_CORE_BUDGET_H
#define WEFT_INPROC_CORE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* Pays for the stream's bytes up to position end, and for some more. Returns
 * false if not that much is left. */
bool weft_rt_budget_pay(struct stream *s, uint64_t end);

/* Pays for size more bytes, even beyond the limit. */
void weft_rt_budget_keep(struct stream *s, uint64_t size);

/* Returns the limit for the stream's ring: limit, or the end of the paid bytes
 * if that comes first. */
uint64_t weft_rt_budget_limit(const struct stream *s, uint64_t limit);

/* Gives back what was paid beyond the stream's last record. */
void weft_rt_budget_give(struct stream *s);

/* Returns how many of size bytes a flight recorder may write. */
uint64_t weft_rt_budget_share(uint64_t size);

/* Counts bytes that were written without having been paid for. */
void weft_rt_budget_spend(uint64_t size);

#endif
