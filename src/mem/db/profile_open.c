/* SPDX-License-Identifier: MIT */
/* Reads a measurement and makes its profile. */
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

#include "base/arena.h"
#include "base/file.h"
#include "mem/db/charge.h"
#include "mem/db/database.h"
#include "mem/db/memfile.h"
#include "mem/db/perfdata.h"
#include "mem/db/perfimage.h"
#include "mem/db/profile.h"

static void
add_image(void *arg, const char *path, const char *relative)
{
	struct profile *p = arg;
	struct image *i = VEC_ADD(&p->image, p->arena);

	(void)relative;
	if (!image_load(
		    i, p->arena, file_parent(p->arena, path), &p->findings)) {
		image_fini(i);
		p->image.n--;
	}
}

static void
unreadable(void *arg, const char *path, const char *why)
{
	struct profile *p = arg;

	mem_findings_add(
		&p->findings, arena_strdup(p->arena, path), 0, "%s", why);
}

int
profile_join_event(struct profile *p, const struct profile_event *e)
{
	struct profile_event *to;

	for (int i = 0; i < p->n_events; i++) {
		to = &p->event[i];
		if (to->kind == e->kind && to->source == e->source &&
			strcmp(to->name, e->name) == 0) {
			if (e->period < to->period)
				to->period = e->period;
			if (e->real < to->real)
				to->real = e->real;
			if (e->error > to->error)
				to->error = e->error;
			return i;
		}
	}
	if (p->n_events == PROFILE_EVENTS)
		return -1;
	to = &p->event[p->n_events];
	*to = (struct profile_event){ .name = arena_strdup(p->arena, e->name),
		.kind = e->kind,
		.source = e->source,
		.error = e->error,
		.period = e->period,
		.real = e->real };
	return p->n_events++;
}

/* Returns the profile's event for an image's event, or -1 if there are too
 * many. */
static int
join_event(struct profile *p, const struct mem_event *e)
{
	char name[sizeof e->name + 1] = "";

	memcpy(name, e->name, sizeof e->name);
	return profile_join_event(p,
		&(struct profile_event){ .name = name,
			.kind = e->kind,
			.source = e->source,
			.error = e->error,
			.period = e->period,
			.real = e->real });
}

static void
join_events(struct profile *p)
{
	for (int i = 0; i < p->image.n; i++)
		for (int n = 0; n < IMAGE_EVENTS; n++)
			if (p->image.at[i].event[n] != NULL)
				join_event(p, p->image.at[i].event[n]);
}

/* A file may have several names: uses the one by which the program was
 * called. */
static void
name_program(struct profile *p, const struct image *i)
{
	const char *name =
		i->argument.n == 0 ? "" : file_name(i->argument.at[0]);

	for (int n = 0; *name != '\0' && n < i->module.n; n++) {
		const struct image_module *m = &i->module.at[n];
		int file;

		if (i->program == NULL || strcmp(m->path, i->program) != 0)
			continue;
		file = symbols_add(&p->symbols, m->path, m->record->build,
			m->record->build_bytes);
		p->symbols.file.at[file].name = name;
	}
}

static void
charge_image(struct profile *p, struct image *i)
{
	struct charge c = { .profile = p, .image = i };

	i->cost = ARENA_ARRAY(p->arena, struct cost, p->event_room);
	if (!p->is_merged)
		name_program(p, i);
	for (int n = 0; n < IMAGE_EVENTS; n++)
		c.event[n] =
			i->event[n] == NULL ? -1 : join_event(p, i->event[n]);
	image_samples(i, charge_sample, &c);
	charge_sites(&c);
	/* The numbers of the objects are valid for this image only. */
	map_clear(&p->owners);
}

static uint64_t
threshold(const struct profile *p)
{
	for (int i = 0; i < p->image.n; i++)
		if (p->image.at[i].setup != NULL)
			return p->image.at[i].setup->min_bytes;
	return 0;
}

static void
keep_image(void *arg, const struct image *i)
{
	struct profile *p = arg;

	VEC_PUSH(&p->image, p->arena, *i);
}

/* Finds the images of a directory, or those of a file of perf record. */
static bool
find_images(struct profile *p, const char *path, struct err *err)
{
	const struct file_visitor visitor = {
		.file = add_image, .unreadable = unreadable, .arg = p
	};

	if (perfdata_is(path)) {
		p->is_recording = true;
		if (!perfimage_load(
			    p->arena, path, &p->findings, keep_image, p, err))
			return false;
		return p->image.n > 0 ||
			err_set(err, ERR_INPUT, "%s: has no sample", path);
	}
	if (memfile_is(path))
		return err_set(err, ERR_INPUT,
			"%s: a single file of a measurement: give its "
			"directory (weft mem dump prints a file)",
			path);
	if (!file_is_dir(path))
		return err_set(err, ERR_INPUT,
			"%s: neither a directory of a measurement, a file of "
			"perf record nor a database of weft mem merge: record "
			"one with weft run -e datacentric",
			path);
	if (!file_find(p->arena, path, "process.mem", &visitor, err))
		return false;
	if (p->image.n > 0)
		return true;
	if (p->findings.list.n > 0) {
		const struct mem_finding *f = &p->findings.list.at[0];

		return err_set(err, ERR_INPUT, "%s: byte %" PRIu64 ": %s",
			f->file, f->at, f->text);
	}
	return err_set(err, ERR_INPUT,
		"%s: has no memory measurement: record one with "
		"weft run -e datacentric",
		path);
}

/* Drops images of other ranks. Returns false and sets err if none is left. */
static bool
keep_rank(struct profile *p, const char *path, int64_t rank, struct err *err)
{
	int n = 0;

	for (int i = 0; i < p->image.n; i++) {
		if (p->image.at[i].rank == rank)
			p->image.at[n++] = p->image.at[i];
		else
			image_fini(&p->image.at[i]);
	}
	p->image.n = n;
	return n > 0 ||
		err_set(err, ERR_INPUT,
			"%s: has no process of rank %" PRId64 "", path, rank);
}

void
profile_init(struct profile *p, struct arena *a)
{
	*p = (struct profile){ .arena = a,
		.findings.arena = a,
		.event_room = PROFILE_EVENTS,
		.min_bytes = PROFILE_MIN_BYTES };
	symbols_init(&p->symbols, a);
	tree_roots(p);
}

void
profile_charge(struct profile *p, struct image *i)
{
	charge_image(p, i);
}

void
profile_forget_threads(struct profile *p)
{
	map_clear(&p->touchers.index);
	map_clear(&p->threads);
	memset(&p->touchers.list, 0, sizeof p->touchers.list);
	p->thread.n = 0;
}

/* Reads a database of weft mem merge. */
static bool
open_database(struct profile *p, const char *path,
	const struct profile_request *request, struct err *err)
{
	const struct database_wish wish = { .costs = request->costs,
		.arg = request->arg,
		.heap = request->heap };

	p->is_merged = true;
	tree_roots(p);
	if (request->rank >= 0 && !request->heap)
		return err_set(err, ERR_INPUT,
			"%s: a database has the costs of a rank only in "
			"--by rank, and its heap in --view heap",
			path);
	if (!database_read(p, path, &wish, err) ||
		(request->rank >= 0 && !keep_rank(p, path, request->rank, err)))
		return false;
	tree_add_up(p);
	return true;
}

bool
profile_read_structs(
	struct profile *p, const char *const *structs, struct err *err)
{
	for (; structs != NULL && *structs != NULL; structs++)
		if (!struct_read(&p->symbols.spare, p->arena, *structs, err))
			return false;
	return true;
}

bool
profile_open(struct profile *p, struct arena *a, const char *path,
	const struct profile_request *request, struct err *err)
{
	int64_t rank = request->rank;

	*p = (struct profile){ .arena = a, .findings.arena = a };
	symbols_init(&p->symbols, a);
	if (!profile_read_structs(p, request->structs, err))
		return false;
	if (database_is(path))
		return open_database(p, path, request, err);
	if (!find_images(p, path, err))
		return false;
	if (rank >= 0 && !keep_rank(p, path, rank, err))
		return false;
	p->min_bytes =
		request->min_bytes > 0 ? request->min_bytes : threshold(p);
	join_events(p);
	p->event_room = p->n_events;
	tree_roots(p);
	for (int i = 0; i < p->image.n; i++)
		charge_image(p, &p->image.at[i]);
	tree_add_up(p);
	return true;
}

void
profile_close(struct profile *p)
{
	for (int i = 0; i < p->image.n; i++)
		image_fini(&p->image.at[i]);
	symbols_fini(&p->symbols);
	mem_free(p->node.at);
	map_fini(&p->children);
	map_fini(&p->contents);
	map_fini(&p->walked);
	map_fini(&p->variables);
	map_fini(&p->owners);
	map_fini(&p->statements.index);
	map_fini(&p->wanters.index);
	map_fini(&p->touchers.index);
	map_fini(&p->threads);
	map_fini(&p->locals);
}
