/* SPDX-License-Identifier: MIT */
/*
 * config.h - the recorder's environment variables.
 */
#ifndef WEFT_INPROC_CORE_CONFIG_H
#define WEFT_INPROC_CORE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

enum when_full { FULL_BLOCK, FULL_DROP, FULL_OVERWRITE };

/* The values of the WEFT_* variables, read at load; see
 * docs/user/recording.md. */
struct config {
	uint64_t ring_bytes;
	bool is_lean; /* weft run --collect: many programs record few events,
	               * so rings are made one by one, and get most of their
	               * memory when they are used */
	uint64_t max_bytes; /* 0: no limit */
	enum when_full full;
	bool has_writer; /* atomic; false if no writer can be started */
	int app;         /* application id of a process that its first event
	                  * starts */
};
extern struct config weft_rt_config;

/* Reads the variables; once, at load. */
void weft_rt_config_read(void);

#endif
