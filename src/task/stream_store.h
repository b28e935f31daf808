/* SPDX-License-Identifier: MIT */
/*
 * stream_store.h - streams of tasks as a kind of store, "stream:FILE".
 *
 * These stores are read only: simulators write them.
 */
#ifndef WEFT_TASK_STREAM_STORE_H
#define WEFT_TASK_STREAM_STORE_H

/* Registers the kind. Call it before opening such a store. */
void stream_store_register(void);

#endif
