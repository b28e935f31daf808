/* SPDX-License-Identifier: MIT */
/*
 * stream_store.h - streams of tasks as a kind of store, "stream:FILE".
 *
 * They are read only: simulators write them.
 */
#ifndef WEFT_TASK_STREAM_STORE_H
#define WEFT_TASK_STREAM_STORE_H

/* Makes the kind known; before places of it are opened. */
void stream_store_register(void);

#endif
