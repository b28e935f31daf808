/* SPDX-License-Identifier: MIT */
/*
 * budget.h - WEFT_MAX_MB: the bytes that a process may still record.
 *
 * A byte is paid for before it is recorded, in steps that get smaller as less
 * is left, so that threads share it until the end. What a thread did not use it
 * gives back. What says that a thread starts and ends is recorded even when
 * nothing is left: that, and the heads of packets of one more drain, is all
 * that goes over. A flight recorder pays when it writes.
 *
 * Without a limit nothing is counted. Safe in handlers.
 */
#ifndef WEFT_INPROC_CORE_BUDGET_H
#define WEFT_INPROC_CORE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* Pays for the stream's bytes up to a position, and some more. False: that
 * much is not left. */
bool weft_rt_budget_pay(struct stream *s, uint64_t end);

/* Pays for size bytes more, whatever is left. */
void weft_rt_budget_keep(struct stream *s, uint64_t size);

/* Where the limit of the stream's ring has to be: there, or before. */
uint64_t weft_rt_budget_limit(const struct stream *s, uint64_t limit);

/* Gives back what was paid beyond the stream's last record. */
void weft_rt_budget_give(struct stream *s);

/* The bytes that a flight recorder may write of so many. */
uint64_t weft_rt_budget_share(uint64_t size);

/* Counts bytes that were written and not paid for. */
void weft_rt_budget_spend(uint64_t size);

#endif
