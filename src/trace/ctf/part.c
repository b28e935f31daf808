/* SPDX-License-Identifier: MIT */
#include "trace/ctf/part.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/ctf/meta.h"
#include "trace/ctf/nanos6.h"
#include "trace/ctf/stream.h"
#include "trace/finding.h"
#include "trace/trace.h"

static void
add_classes(struct trace *t, struct ctf_layout *l)
{
	for (int i = 0; i < l->streams.n; i++)
		for (int j = 0; j < l->streams.at[i].events.n; j++) {
			struct ctf_event_layout *e =
				&l->streams.at[i].events.at[j];

			e->class = trace_add_class(t,
				(struct event_class){ .name = e->name,
					.tells = e->uri,
					.described = true,
					.nfields = e->code.fields.n,
					.field = e->code.fields.at });
		}
}

/* Reports an error of the metadata: "FILE:LINE:COLUMN: text" together with the
 * line it quotes, or any other text. */
static void
report_meta(const struct trace *t, const char *file, const struct err *err)
{
	size_t n = strlen(file);
	const char *text = err->text;
	int64_t line = FINDING_NOWHERE;

	if (strncmp(text, file, n) == 0 && text[n] == ':') {
		char *end;
		int64_t number = strtoll(text + n + 1, &end, 10);
		const char *after = *end == ':' ? strchr(end + 1, ':') : NULL;

		line = after == NULL ? line : number;
		text = after == NULL ? text + n : after;
		text += strspn(text, ": ");
	}
	finding_add(t->findings,
		(struct finding){ .severity = FINDING_ERROR,
			.file = file,
			.offset = line,
			.by_line = line != FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"%.*s", (int)strcspn(text, "\n"), text);
}

/* Shares the layout of another part that has the same metadata text. */
static bool
take_layout(const struct trace *t, struct ctf_part *p)
{
	for (int i = t->parts.n - 1; i >= 0; i--) {
		const struct ctf_part *other =
			(const struct ctf_part *)t->parts.at[i];

		if (other->twin != NULL || other->meta.size != p->meta.size ||
			memcmp(other->meta.text, p->meta.text, p->meta.size) !=
				0)
			continue;
		p->twin = other;
		p->layout = other->layout;
		return true;
	}
	return false;
}

/* Returns an earlier part of the same trace, by its UUID, or NULL. */
static const struct trace_part *
find_same(const struct trace *t, const struct ctf_part *p)
{
	for (int i = 0; i < t->parts.n && p->meta.has_uuid; i++) {
		const struct ctf_part *other =
			(const struct ctf_part *)t->parts.at[i];

		if (other->meta.has_uuid &&
			memcmp(other->meta.uuid, p->meta.uuid,
				sizeof p->meta.uuid) == 0)
			return &other->part;
	}
	return NULL;
}

/* Sets the error for a directory without usable metadata. */
static bool
no_meta(const struct ctf_folder *f, struct err *err)
{
	static const char why[] =
		"without it the streams beside it cannot be read";
	const char *file = f->no_metadata;

	if (file == NULL)
		return err_set(err, ERR_INPUT,
			"%.300s: the file \"metadata\", which describes the "
			"CTF streams, is missing: copy it, too",
			f->path);
	if (!file_is_empty(file))
		return err_set(err, ERR_INPUT,
			"%.200s: no metadata of CTF begins here (neither "
			"\"/* CTF 1.8\" nor the magic number of a packet), and "
			"%s",
			file, why);
	return err_set(err, ERR_INPUT,
		"%.200s: the file is empty, and %s: if LTTng still records, "
		"lttng rotate or lttng stop writes it; if this is a copy, "
		"copy it again",
		file, why);
}

/* Reads the metadata file; if that fails, uses the built-in metadata of
 * Nanos6. */
static bool
read_meta(struct trace *t, struct ctf_part *p, struct err *err)
{
	const struct ctf_folder *f = p->folder;
	const char *file = f->metadata;

	if (file != NULL &&
		ctf_meta_read(&p->meta, t->arena, file, t->findings, err) &&
		(take_layout(t, p) ||
			ctf_layout_make(&p->layout, t->arena, &p->meta, err)))
		return true;
	if (!ctf_nanos6_is(f))
		return file != NULL ? false : no_meta(f, err);
	if (file != NULL)
		report_meta(t, file, err);
	*err = (struct err){ 0 };
	p->meta = (struct ctf_meta){ 0 };
	return ctf_nanos6_meta(&p->meta, t->arena, f, t->findings, err) &&
		ctf_layout_make(&p->layout, t->arena, &p->meta, err);
}

struct ctf_part *
ctf_part_open(struct trace *t, const struct ctf_folder *folder, struct err *err)
{
	struct ctf_part *p = ARENA_NEW(t->arena, struct ctf_part);

	p->folder = folder;
	p->part.name = folder->name;
	p->part.path = folder->path;
	p->part.process = TRACE_NONE;
	if (!read_meta(t, p, err))
		return NULL;
	for (int i = 0; i < p->meta.env.n; i++)
		VEC_PUSH(&p->part.env, t->arena, p->meta.env.at[i]);
	if (p->twin == NULL)
		add_classes(t, &p->layout);
	p->part.uuid = p->meta.has_uuid ? p->meta.uuid : NULL;
	p->part.same = find_same(t, p);
	VEC_PUSH(&t->parts, t->arena, &p->part);
	return p;
}

void
ctf_part_close(struct ctf_part *p)
{
	if (p->twin == NULL)
		ctf_layout_fini(&p->layout);
}

/* Reads a number from the environment, even if the number is written as
 * text. */
static bool
env_number(const struct ctf_part *p, const char *name, int64_t *value)
{
	const struct trace_env *e = trace_env(&p->part, name);
	char *end;

	if (e == NULL)
		return false;
	*value = e->text == NULL ? e->number : strtoll(e->text, &end, 10);
	return e->text == NULL || (end != e->text && *end == '\0');
}

static void
set_process(struct trace *t, struct ctf_part *p)
{
	const char *file = p->meta.file;
	int64_t pid, rank, nranks;

	if ((!env_number(p, "pid", &pid) && !env_number(p, "vpid", &pid)) ||
		pid <= 0)
		return;
	p->part.process = trace_add_process(t, p->part.node, pid, file);
	/* Without MPI, Nanos6 writes rank 0 of 0. */
	if (env_number(p, "rank", &rank) && env_number(p, "nranks", &nranks) &&
		nranks > 0)
		trace_set_rank(t, p->part.process, rank, nranks, file);
}

/* Reads the rank of a user-space part. Returns false if it is not one of
 * several ranks. */
static bool
rank_of(const struct ctf_part *p, int64_t *rank, int64_t *nranks)
{
	const struct trace_env *domain = trace_env(&p->part, "domain");

	return domain != NULL && domain->text != NULL &&
		strcmp(domain->text, "ust") == 0 &&
		env_number(p, "rank", rank) &&
		env_number(p, "nranks", nranks) && *nranks > 1;
}

static int
count_rank(const struct ctf_parts *parts, int64_t wanted)
{
	int64_t rank, nranks;
	int n = 0;

	for (int i = 0; i < parts->at.n; i++)
		n += rank_of(parts->at.at[i], &rank, &nranks) && rank == wanted;
	return n;
}

void
ctf_part_check_ranks(const struct trace *t, const struct ctf_parts *parts)
{
	int64_t all = 0, there = 0, first = -1;

	for (int i = 0; i < parts->at.n; i++) {
		const struct ctf_part *p = parts->at.at[i];
		int64_t rank, nranks;

		/* The user chose the directory of a single rank. */
		if (!isdigit((unsigned char)p->folder->name[0]))
			return;
		if (!rank_of(p, &rank, &nranks))
			continue;
		all = nranks > all ? nranks : all;
		there++;
		if (count_rank(parts, rank) > 1)
			finding_file(t->findings, FINDING_WARNING, p->meta.file,
				"another directory has rank %lld, too",
				(long long)rank);
	}
	while (there < all && count_rank(parts, ++first) > 0)
		;
	if (there < all)
		finding_file(t->findings, FINDING_WARNING, t->path,
			"%lld of %lld ranks are missing, the first is rank "
			"%lld: what they did is not shown",
			(long long)(all - there), (long long)all,
			(long long)first);
}

/* Adds the CPUs of a list such as "0,1,3". */
static void
list_cpus(struct trace *t, const struct ctf_part *p, struct ctf_cpus *cpus)
{
	const struct trace_env *e = trace_env(&p->part, "cpu_list");
	const char *at = e == NULL || e->text == NULL ? "" : e->text;

	while (isdigit((unsigned char)*at)) {
		char *end;
		int64_t number = strtoll(at, &end, 10);

		VEC_PUSH(&cpus->at, t->arena,
			((struct ctf_cpu){
				p->part.node, number, p->meta.file }));
		at = end + (*end == ',');
	}
}

int64_t
ctf_part_cpu(const struct ctf_stream *s)
{
	const struct ctf_code *code = &s->class->packet_context;
	int64_t cpu = TRACE_NONE;

	for (int i = 0; i < code->fields.n; i++) {
		const struct field *f = &code->fields.at[i];

		if (f->name != NULL && strcmp(f->name, "cpu_id") == 0 &&
			f->type <= FIELD_I64)
			cpu = s->values[i].i;
	}
	/* A tracer that does not know the CPU writes -1. */
	return cpu == UINT32_MAX || cpu < 0 ? TRACE_NONE : cpu;
}

/* Nanos6 gives streams of external threads numbers above those of the CPUs;
 * their events name the thread in a context of this name. */
bool
ctf_part_is_cpu(const struct ctf_stream *s)
{
	const struct ctf_code *code;

	if (s->class == NULL || s->class->events.n == 0)
		return true;
	code = &s->class->events.at[0].code;
	for (int i = 0; i < code->fields.n; i++) {
		const char *name = code->fields.at[i].name;

		if (name != NULL && strcmp(name, TRACE_CTF_THREAD) == 0)
			return false;
	}
	return true;
}

bool
ctf_part_has_vtid(const struct ctf_part *p, const struct ctf_stream *s)
{
	const struct trace_env *domain = trace_env(&p->part, "domain");
	const struct ctf_code *code;

	if (s->class == NULL || s->class->events.n == 0 ||
		(domain != NULL && domain->text != NULL &&
			strcmp(domain->text, "kernel") == 0))
		return false;
	code = &s->class->events.at[0].code;
	for (int i = 0; i < code->fields.n; i += code->fields.at[i].n + 1) {
		const struct field *f = &code->fields.at[i];

		if (strcmp(f->name, "stream.event.context") != 0)
			continue;
		for (int j = 1; j <= f->n; j++)
			if (f[j].type <= FIELD_I64 &&
				strcmp(f[j].name, "vtid") == 0)
				return true;
	}
	return false;
}

/* Notes which counters of our recorder have scaled values. */
static void
note_scaled(const struct trace *t, const struct ctf_part *p)
{
	const struct trace_env *names =
		trace_env(&p->part, "weft_counters_scaled");
	const struct trace_env *ran = trace_env(&p->part, "weft_counters_ran");

	if (names != NULL && names->text != NULL && ran != NULL &&
		ran->text != NULL)
		finding_file(t->findings, FINDING_NOTE, p->meta.file,
			"%s counted only %s of the time; their values are "
			"scaled to the whole time",
			names->text, ran->text);
}

void
ctf_part_place(struct trace *t, struct ctf_part *p, struct ctf_cpus *cpus)
{
	const struct trace_env *host = trace_env(&p->part, "hostname");
	const char *name = "node";
	int64_t rank, nranks;

	/* Without a host name, each rank may be on a node of its own. Without
	 * MPI, Nanos6 writes rank 0 of 0. */
	if (host != NULL && host->text != NULL)
		name = host->text;
	else if (env_number(p, "rank", &rank) &&
		env_number(p, "nranks", &nranks) && nranks > 0)
		name = arena_printf(t->arena, "rank%lld", (long long)rank);
	p->part.node = trace_add_node(t, name);
	set_process(t, p);
	note_scaled(t, p);
	list_cpus(t, p, cpus);
}

static int
by_number(const void *pa, const void *pb)
{
	const struct ctf_cpu *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

void
ctf_part_add_cpus(struct trace *t, struct ctf_cpus *cpus)
{
	int64_t index = -1;

	if (cpus->at.n > 0)
		qsort(cpus->at.at, (size_t)cpus->at.n, sizeof *cpus->at.at,
			by_number);
	for (int i = 0; i < cpus->at.n; i++) {
		const struct ctf_cpu *c = &cpus->at.at[i];
		const struct ctf_cpu *last = i == 0 ? NULL : c - 1;

		if (last == NULL || last->node != c->node)
			index = 0;
		else if (last->number != c->number)
			index++;
		trace_add_cpu(t, c->node, index, c->number, c->file);
	}
}
