/* SPDX-License-Identifier: MIT */
#include "mem/db/image.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/file.h"
#include "mem/db/memfile.h"

#define PROCESS_FILE "process.mem"

static const char *
text_of(struct image *i, const char *text, uint32_t n)
{
	return arena_strndup(i->arena, text, strnlen(text, n));
}

static void
add_text(struct image *i, const struct mem_text *t)
{
	const char *text = text_of(i, t->text, t->bytes);

	switch (t->key) {
	case MEM_KEY_VERSION:
		i->version = text;
		break;
	case MEM_KEY_PROGRAM:
		i->program = text;
		break;
	case MEM_KEY_HOST:
		i->host = text;
		break;
	case MEM_KEY_ARGUMENT:
		VEC_PUSH(&i->argument, i->arena, text);
		break;
	case MEM_KEY_RANK:
		i->rank = strtoll(text, NULL, 10);
		break;
	case MEM_KEY_NODE:
		i->node = text;
		break;
	case MEM_KEY_NOTE:
		VEC_PUSH(&i->note, i->arena, text);
		break;
	default:
		break;
	}
}

static void
add_module(struct image *i, const struct mem_module *r)
{
	struct image_module *m = VEC_ADD(&i->module, i->arena);

	*m = (struct image_module){ .record = r,
		.path = text_of(i, r->path, r->path_bytes),
		.until = UINT32_MAX,
		.gone = UINT64_MAX };
	*map_put(&i->by_module, r->module) = (uint64_t)i->module.n;
}

static void
end_module(struct image *i, const struct mem_unload *u)
{
	const uint64_t *n = map_get(&i->by_module, u->module);

	if (n == NULL)
		return;
	i->module.at[*n - 1].until = u->epoch;
	i->module.at[*n - 1].gone = u->time;
}

static void
add_region(struct image *i, const struct mem_region *r)
{
	struct image_region *new = VEC_ADD(&i->region, i->arena);

	*new = (struct image_region){ r, text_of(i, r->name, r->bytes) };
	*map_put(&i->by_region, r->region) = (uint64_t)i->region.n;
}

static void
add_object(struct image *i, const struct mem_object *r)
{
	struct image_object *new = VEC_ADD(&i->object, i->arena);

	new->record = r;
	new->number = r->object;
	if (r->object != (uint32_t)i->object.n)
		*map_put(&i->by_object, r->object) = (uint64_t)i->object.n;
}

void
image_add_path(struct image *i, const struct mem_path *r)
{
	struct image_path *new = VEC_ADD(&i->path, i->arena);

	new->record = r;
	if (r->path != (uint32_t)i->path.n)
		*map_put(&i->by_path, r->path) = (uint64_t)i->path.n;
}

static void
name_object(struct image *i, const struct mem_object_name *r)
{
	struct image_object *o = image_object(i, r->object);

	if (o != NULL)
		o->name = text_of(i, r->text, r->bytes);
}

static void
add_site(struct image *i, const struct mem_site *r)
{
	uint64_t key = (uint64_t)r->path << 32 | (r->kind & 0xffffff) << 1 |
		(r->is_small != 0);
	uint64_t *n = map_put(&i->by_site, key);

	if (*n == 0) {
		VEC_ADD(&i->site, i->arena);
		*n = (uint64_t)i->site.n;
	}
	VEC_PUSH(&i->site.at[*n - 1].record, i->arena, r);
}

static void
add_thread(struct image *i, const struct mem_thread *r)
{
	VEC_PUSH(&i->thread, i->arena, r);
	*map_put(&i->by_tid, (uint32_t)r->tid) = (uint64_t)(uintptr_t)r;
}

static void
add_event(struct image *i, const struct memfile *f, const struct mem_event *r)
{
	if (r->event < IMAGE_EVENTS)
		i->event[r->event] = r;
	else
		mem_findings_add(i->findings, f->path,
			(uint64_t)((const char *)r - f->data),
			"event number %" PRIu32, r->event);
}

/* Keeps the count of a loss; of several records of a kind in a file, the last
 * one is valid. */
static void
keep_loss(uint64_t lost[IMAGE_LOSSES], const struct mem_loss *l)
{
	if (l->kind < IMAGE_LOSSES)
		lost[l->kind] = l->count;
}

/* Records when the perf ring was full. The drain notices that up to one pause
 * later. */
static void
see_full_ring(struct image *i, const struct mem_loss *l)
{
	if (l->kind != MEM_LOST_RING)
		return;
	if (i->ring_from == 0)
		i->ring_from = l->time;
	i->ring_to = l->time;
}

static void
add_losses(struct image *i, const uint64_t lost[IMAGE_LOSSES])
{
	for (int kind = 0; kind < IMAGE_LOSSES; kind++)
		i->lost[kind] += lost[kind];
}

static void
see_time(struct image *i, uint64_t time)
{
	i->last = time > i->last ? time : i->last;
}

/* Reads a record that has a time or occurs once. */
static void
take_state(struct image *i, const struct mem_record *r)
{
	switch (r->type) {
	case MEM_SETUP:
		i->setup = (const void *)r;
		break;
	case MEM_SITE:
		add_site(i, (const void *)r);
		see_time(i, ((const struct mem_site *)r)->time);
		break;
	case MEM_HEAP:
		VEC_PUSH(&i->heap, i->arena, (const void *)r);
		see_time(i, ((const struct mem_heap *)r)->time);
		break;
	case MEM_THREAD_END:
		VEC_PUSH(&i->end, i->arena, (const void *)r);
		see_time(i, ((const struct mem_thread_end *)r)->time);
		break;
	case MEM_END:
		i->ended = true;
		see_time(i, ((const struct mem_end *)r)->time);
		break;
	default:
		break;
	}
}

static void
take(struct image *i, const struct memfile *f, const struct mem_record *r)
{
	switch (r->type) {
	case MEM_EVENT:
		add_event(i, f, (const void *)r);
		break;
	case MEM_TEXT:
		add_text(i, (const void *)r);
		break;
	case MEM_MODULE:
		add_module(i, (const void *)r);
		break;
	case MEM_UNLOAD:
		end_module(i, (const void *)r);
		break;
	case MEM_REGION:
		add_region(i, (const void *)r);
		break;
	case MEM_THREAD:
		add_thread(i, (const void *)r);
		break;
	case MEM_PATH:
		image_add_path(i, (const void *)r);
		break;
	case MEM_OBJECT:
		add_object(i, (const void *)r);
		break;
	case MEM_LOCAL:
		VEC_PUSH(&i->local, i->arena, (const void *)r);
		break;
	case MEM_OBJECT_NAME:
		name_object(i, (const void *)r);
		break;
	default:
		take_state(i, r);
		break;
	}
}

bool
image_load(struct image *i, struct arena *a, const char *folder,
	struct mem_findings *findings)
{
	uint64_t lost[IMAGE_LOSSES] = { 0 };
	const struct mem_record *r;
	struct memfile f;

	*i = (struct image){
		.arena = a, .folder = folder, .findings = findings, .rank = -1
	};
	if (!memfile_open(&f, a, arena_printf(a, "%s/" PROCESS_FILE, folder),
		    MEM_FILE_PROCESS, findings))
		return false;
	i->head = f.head;
	i->last = f.head.time;
	while ((r = memfile_next(&f)) != NULL) {
		if (r->type == MEM_LOSS) {
			keep_loss(lost, (const void *)r);
			see_full_ring(i, (const void *)r);
		} else {
			take(i, &f, r);
		}
	}
	add_losses(i, lost);
	return true;
}

/* Returns the path of a thread's file. The name in process.mem must not lead
 * out of the directory. */
static const char *
thread_path(struct image *i, const struct mem_thread *t)
{
	const char *name = text_of(i, t->file, sizeof t->file);

	if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL)
		return NULL;
	return arena_printf(i->arena, "%s/%s", i->folder, name);
}

struct told {
	struct map sampled; /* threads */
	void (*each)(void *arg, const struct mem_sample *s, int32_t tid);
	void *arg;
};

static void
read_thread(struct image *i, struct arena *scratch, const char *path,
	struct told *told)
{
	uint64_t lost[IMAGE_LOSSES] = { 0 };
	const struct mem_record *r;
	struct memfile f;

	if (!memfile_open(&f, scratch, path, MEM_FILE_THREAD, i->findings))
		return;
	if (f.head.image != i->head.image) {
		mem_findings_add(i->findings, path, 0,
			"belongs to another program image: left out");
		return;
	}
	i->frame = NULL;
	while ((r = memfile_next(&f)) != NULL) {
		if (r->type == MEM_LOSS)
			keep_loss(lost, (const void *)r);
		if (r->type == MEM_FRAME)
			i->frame = (const void *)r;
		if (r->type != MEM_SAMPLE)
			continue;
		see_time(i, ((const struct mem_sample *)r)->time);
		i->samples++;
		*map_put(&told->sampled, (uint32_t)f.head.tid) = 1;
		told->each(told->arg, (const void *)r, f.head.tid);
		i->frame = NULL;
	}
	add_losses(i, lost);
}

static void
count_silent(struct image *i, const struct map *sampled)
{
	for (int n = 0; n < i->thread.n; n++)
		i->silent += map_get(sampled, (uint32_t)i->thread.at[n]->tid) ==
			NULL;
	for (int n = 0; n < i->end.n; n++)
		if (map_get(sampled, (uint32_t)i->end.at[n]->tid) == NULL)
			i->silent_ns += i->end.at[n]->cpu;
}

void
image_samples(struct image *i,
	void (*each)(void *arg, const struct mem_sample *s, int32_t tid),
	void *arg)
{
	struct told told = { .each = each, .arg = arg };
	struct arena scratch = { 0 };
	struct map seen = { 0 }; /* a thread may have two records */

	i->samples = (uint64_t)i->sample.n;
	for (int n = 0; n < i->sample.n; n++)
		each(arg, &i->sample.at[n].sample, i->sample.at[n].tid);
	for (int n = 0; n < i->thread.n && i->folder != NULL; n++) {
		const struct mem_thread *t = i->thread.at[n];
		const char *path = thread_path(i, t);
		uint64_t key = mem_check(t->file, sizeof t->file, 0);

		if (path == NULL || map_get(&seen, key) != NULL ||
			!file_is_regular(path))
			continue; /* created with its first sample: it has
			           * none */
		*map_put(&seen, key) = 1;
		read_thread(i, &scratch, path, &told);
		arena_reset(&scratch);
	}
	if (i->folder != NULL)
		count_silent(i, &told.sampled);
	map_fini(&told.sampled);
	map_fini(&seen);
	arena_fini(&scratch);
}

const struct image_module *
image_module(const struct image *i, uint32_t n)
{
	const uint64_t *at = map_get(&i->by_module, n);

	return at == NULL ? NULL : &i->module.at[*at - 1];
}

const struct image_region *
image_region(const struct image *i, uint32_t n)
{
	const uint64_t *at = map_get(&i->by_region, n);

	return at == NULL ? NULL : &i->region.at[*at - 1];
}

/* Objects are numbered from 1 on, unless records are missing. */
struct image_object *
image_object(const struct image *i, uint32_t n)
{
	const uint64_t *at;

	if (n - 1 < (uint32_t)i->object.n && i->object.at[n - 1].number == n)
		return &i->object.at[n - 1];
	at = map_get(&i->by_object, n);

	return at == NULL ? NULL : &i->object.at[*at - 1];
}

/* Paths are numbered in the same way. */
struct image_path *
image_path(const struct image *i, uint32_t n)
{
	const uint64_t *at;

	if (n - 1 < (uint32_t)i->path.n && i->path.at[n - 1].record->path == n)
		return &i->path.at[n - 1];
	at = map_get(&i->by_path, n);
	return at == NULL ? NULL : &i->path.at[*at - 1];
}

const struct mem_thread *
image_thread(const struct image *i, int32_t tid)
{
	const uint64_t *at = map_get(&i->by_tid, (uint32_t)tid);

	return at == NULL ? NULL : (const void *)(uintptr_t)*at;
}

static bool
covers(const struct image_module *m, uint64_t address)
{
	return address >= m->record->lo && address < m->record->hi;
}

int
image_module_at(const struct image *i, uint64_t address, uint32_t epoch)
{
	for (int n = i->module.n - 1; n >= 0; n--) {
		const struct image_module *m = &i->module.at[n];

		if (covers(m, address) && m->record->epoch <= epoch &&
			epoch < m->until)
			return n;
	}
	return -1;
}

int
image_module_then(const struct image *i, uint64_t address, uint64_t time)
{
	for (int n = i->module.n - 1; n >= 0; n--) {
		const struct image_module *m = &i->module.at[n];

		if (covers(m, address) && time < m->gone)
			return n;
	}
	return -1;
}

static bool
is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool
image_is_replaced(const struct image *all, int n, int which)
{
	for (int i = 0; i < n; i++)
		if (i != which && all[i].head.pid == all[which].head.pid &&
			all[i].rank == all[which].rank &&
			is_same(all[i].node, all[which].node) &&
			(all[i].head.time > all[which].head.time ||
				(all[i].head.time == all[which].head.time &&
					i > which)))
			return true;
	return false;
}

void
image_fini(struct image *i)
{
	map_fini(&i->by_module);
	map_fini(&i->by_region);
	map_fini(&i->by_object);
	map_fini(&i->by_path);
	map_fini(&i->by_site);
	map_fini(&i->by_tid);
}
