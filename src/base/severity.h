/* SPDX-License-Identifier: MIT */
/*
 * severity.h - how much a finding about a trace matters.
 */
#ifndef WEFT_BASE_SEVERITY_H
#define WEFT_BASE_SEVERITY_H

enum severity {
	SEVERITY_NOTE,    /* inferred, or good to know */
	SEVERITY_WARNING, /* the result may surprise */
	SEVERITY_ERROR,   /* the trace breaks a rule */
	SEVERITIES,
};

#endif
