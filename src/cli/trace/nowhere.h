/* SPDX-License-Identifier: MIT */
/* nowhere.h - a sink that writes nothing. */
#ifndef WEFT_CLI_TRACE_NOWHERE_H
#define WEFT_CLI_TRACE_NOWHERE_H

#include "export/sink.h"

extern const struct sink_ops sink_nowhere;

#endif
