/* SPDX-License-Identifier: MIT */
/* The input is records of a measurement, whose checksums are corrected: records
 * of samples are written to the file of a thread, the others to process.mem. If
 * its first byte is odd, checks and sizes stay as they are. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "cli/mem/mem.h"
#include "harness.h"
#include "mem/db/profile.h"

#define ROOM (1 << 16)

struct file {
	uint8_t data[ROOM];
	size_t size;
};

static void
begin(struct file *f, uint32_t kind)
{
	struct mem_head h = { .version = MEM_VERSION,
		.file = kind,
		.pid = 1,
		.tid = 1,
		.image = 7,
		.time = 1000,
		.page = 4096 };

	memcpy(h.magic, MEM_MAGIC, sizeof h.magic);
	h.check = mem_check(&h, offsetof(struct mem_head, check), 0);
	memcpy(f->data, &h, sizeof h);
	f->size = sizeof h;
}

static void
append(struct file *f, const uint8_t *data, size_t size)
{
	if (size > ROOM - f->size)
		return;
	memcpy(f->data + f->size, data, size);
	f->size += size;
}

/* Writes the record at the beginning of the input. Returns how many bytes of
 * the input it took. */
static size_t
take(struct file *process, struct file *thread, const uint8_t *data,
	size_t size)
{
	static _Alignas(8) uint8_t bytes[4096];
	struct mem_record r;
	size_t whole;

	if (size < sizeof r)
		return size;
	memcpy(&r, data, sizeof r);
	whole = (r.size % sizeof bytes + 7u) & ~7u;
	if (whole < sizeof r)
		whole = sizeof r;
	memset(bytes, 0, whole);
	memcpy(bytes, data, whole < size ? whole : size);
	r.size = (uint16_t)whole;
	r.type %= 72; /* 16 of these types are known */
	memcpy(bytes, &r, sizeof r);
	if (r.type == MEM_THREAD && whole >= sizeof(struct mem_thread))
		memcpy(bytes + offsetof(struct mem_thread, file), "t.mem", 6);
	r.check = mem_record_check((const void *)bytes);
	memcpy(bytes, &r, sizeof r);
	append(r.type == MEM_SAMPLE || r.type == MEM_FRAME ? thread : process,
		bytes, whole);
	return whole < size ? whole : size;
}

/* Totals are the same in whichever way they are computed. */
static void
check(const struct profile *p)
{
	for (int e = 0; e < p->n_events; e++) {
		uint64_t samples = 0, data = 0;

		for (int i = 0; i < p->variable.n; i++)
			samples += p->variable.at[i].cost[e].samples;
		data = p->node.at[p->data].all[e].samples;
		BUG_ON(data != samples);
		BUG_ON(p->node.at[p->program].all[e].samples !=
			p->event[e].cost.samples);
		BUG_ON(event_has_data(p->event[e].kind) &&
			data != p->event[e].cost.samples);
	}
	for (int i = 1; i < p->node.n; i++)
		BUG_ON(!node_is_valid(p->node.at[i].kind));
}

static void
views(struct arena *a, const char *dir, unsigned choice)
{
	struct mem_options o = { .view = (int)(choice % 9),
		.format = (int)(choice / 9 % 3),
		.by = (int)(choice / 27 % 2),
		.rank = -1,
		.min_bytes = -1 };

	mem_report(a, dir, &o);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	static struct file process, thread;
	struct arena a = { 0 };
	const struct profile_request request = { .rank = -1 };
	struct profile p;
	struct err err = { 0 };
	unsigned choice = size > 0 ? data[0] : 0;

	if (h.dir[0] == '\0')
		BUG_ON(freopen("/dev/null", "w", stdout) == NULL);
	begin(&process, MEM_FILE_PROCESS);
	begin(&thread, MEM_FILE_THREAD);
	if (choice & 1)
		append(&process, data + 1, size - 1);
	for (size_t at = 1; !(choice & 1) && at < size;)
		at += take(&process, &thread, data + at, size - at);
	harness_write(&h, "process.mem", process.data, process.size);
	harness_write(&h, "t.mem", thread.data, thread.size);
	if (profile_open(&p, &a, h.dir, &request, &err))
		check(&p);
	profile_close(&p);
	views(&a, h.dir, choice / 2);
	arena_fini(&a);
	return 0;
}
