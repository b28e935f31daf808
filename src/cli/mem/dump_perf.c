/* SPDX-License-Identifier: MIT */
/*
 * The text is the output of perf script -F in perf 6.1, with the fields
 * comm,pid,tid,cpu,time,event,addr,data_src,weight,ip.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/mem/mem.h"
#include "cli/times.h"
#include "mem/db/perfdata.h"
#include "perf/data_src.h"

/* The texts of one sample. */
struct words {
	char comm[20], time[TIMES_TEXT], source[PERF_DATA_SRC_TEXT + 24];
};

static void
write_words(
	const struct perfdata *p, const struct perf_record *r, struct words *w)
{
	const char *comm = perfdata_comm(p, r->tid);
	char text[PERF_DATA_SRC_TEXT];

	if (comm == NULL && r->tid == 0)
		comm = "swapper";
	if (comm == NULL)
		snprintf(w->comm, sizeof w->comm, ":%" PRIu32, r->tid);
	else
		snprintf(w->comm, sizeof w->comm, "%s", comm);
	text_disarm(w->comm);
	times_seconds(r->time, 6, w->time);
	perf_data_src_text(r->sample.data_src, text);
	snprintf(w->source, sizeof w->source, "%16" PRIx64 " %s",
		(uint64_t)r->sample.data_src, text);
}

/* *width is the width of the longest data source so far, which aligns their
 * column. */
static void
print_sample(const struct perfdata *p, const struct perfdata_event *e,
	const struct perf_record *r, int *width)
{
	uint64_t type = e->attr.sample_type;
	struct words w;

	write_words(p, r, &w);
	printf("%16s ", w.comm);
	if (type & PERF_SAMPLE_TID)
		printf("%5" PRIu32 "/%-5" PRIu32 " ", r->pid, r->tid);
	if (type & PERF_SAMPLE_CPU)
		printf("[%03" PRIu32 "] ", r->cpu);
	if (type & PERF_SAMPLE_TIME)
		printf("%12s: ", w.time);
	printf("%s: ", e->name);
	if (type & PERF_SAMPLE_ADDR)
		printf("%16" PRIx64, r->sample.addr);
	if (type & PERF_SAMPLE_DATA_SRC) {
		int n = (int)strlen(w.source);

		*width = n > *width ? n : *width;
		printf("%-*s", *width, w.source);
	}
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		printf("%16" PRIu64, r->sample.weight);
	if (type & PERF_SAMPLE_IP)
		printf(" %16" PRIx64, r->sample.ip);
	putchar('\n');
}

/* Reports which data the text above does not show. */
static enum exit_code
tell(const struct perfdata *p, const char *path, uint64_t samples)
{
	if (samples == 0)
		log_warning(
			"%s: no samples among %d records", path, p->record.n);
	if (p->lost > 0)
		log_warning("%s: the kernel lost %" PRIu64 " records", path,
			p->lost);
	if (p->bad > 0)
		log_error("%s: %" PRIu64 " records are shorter than their "
			  "fields, and left out",
			path, p->bad);
	if (p->damage != NULL)
		log_error("%s: byte %" PRIu64 ": %s", path, p->damaged_at,
			p->damage);
	return p->bad > 0 || p->damage != NULL ? EXIT_NO : EXIT_YES;
}

enum exit_code
mem_dump_perf(struct arena *a, const char *path)
{
	const struct perfdata_event *e;
	struct err err = { 0 };
	struct perf_record r;
	struct perfdata p;
	uint64_t samples = 0;
	enum exit_code code;
	int width = 0;

	if (!perfdata_open(&p, a, path, &err)) {
		log_error("%s", err.text);
		return EXIT_UNABLE;
	}
	while ((e = perfdata_next(&p, &r)) != NULL) {
		if (r.type != PERF_RECORD_SAMPLE)
			continue;
		print_sample(&p, e, &r, &width);
		samples++;
	}
	code = tell(&p, path, samples);
	perfdata_close(&p);
	return code;
}
