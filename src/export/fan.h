/* SPDX-License-Identifier: MIT */
/*
 * fan.h - a sink that passes every call on to several sinks.
 *
 *	fan_init(&f);
 *	fan_add(&f, prv);
 *	fan_add(&f, csv);
 *	... (a producer writes into &f.base)
 *	ok = sink_close(&f.base, &err);         closes all; the first failure
 */
#ifndef WEFT_EXPORT_FAN_H
#define WEFT_EXPORT_FAN_H

#include "export/sink.h"

#define FAN_SINKS 16 /* most sinks of a fan */

struct fan {
	struct sink base;
	int n;
	struct sink *to[FAN_SINKS];
};

/* The calls of a fan, for sinks that add to them; the struct of such a sink
 * begins with a struct fan. */
extern const struct sink_ops fan_ops;

void fan_init(struct fan *f);
void fan_add(struct fan *f, struct sink *to);

#endif
