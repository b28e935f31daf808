/* SPDX-License-Identifier: MIT */
#include "mem/db/merge.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/leftover.h"
#include "base/tempfile.h"
#include "mem/db/charge.h"
#include "mem/db/database.h"
#include "mem/db/merge_find.h"

#define STORE_FILES 3
#define HEAP_MOST 100 /* states of the heap that are kept of a process */
#define PIECE ((size_t)1 << 20) /* bytes of a message */
#define RADIX 8                 /* bits of a pass of sorting */
#define RADIX_MASK ((1 << RADIX) - 1)

/* A process whose costs are in the temporary file. */
struct process {
	struct merge_image key;
	struct image image;
	int64_t at; /* offset of its rows */
	int n;      /* rows */
};

struct merge {
	struct arena *arena;
	struct profile profile;
	struct tempfile rows;
	VEC(struct process) process;
	VEC(struct database_row) row; /* of one process */
};

static void
merge_init(struct merge *m, struct arena *a, const struct merge_request *q)
{
	const char *tmp = getenv("TMPDIR");

	*m = (struct merge){ .arena = a };
	profile_init(&m->profile, a);
	m->profile.symbols.by_name = true;
	m->profile.is_merged = true;
	if (q->min_bytes > 0)
		m->profile.min_bytes = q->min_bytes;
	/* Rank 0 writes beside the output, whose disk has room. */
	tempfile_init(&m->rows,
		q->team->rank == 0 ? file_parent(a, q->output)
			: tmp == NULL || *tmp == '\0' ? "/tmp"
						      : tmp);
}

static void
merge_fini(struct merge *m)
{
	profile_close(&m->profile);
	tempfile_fini(&m->rows);
}

/* Appends the rows of a process to the temporary file. */
static void
keep_process(struct merge *m, const struct image *i,
	const struct database_row *row, int n)
{
	struct process *new = VEC_ADD(&m->process, m->arena);

	new->key = (struct merge_image){ .image = i->head.image,
		.started = i->head.realtime,
		.pid = i->head.pid };
	new->image = *i;
	new->at = m->rows.size;
	new->n = n;
	if (n > 0)
		tempfile_append(&m->rows, row, (size_t)n * sizeof *row);
}

/* Sorts pairs by variable, byte by byte: a pass over n pairs for each byte that
 * the largest index needs. */
static struct pair *
by_variable(struct arena *a, struct pair *pair, int n, int variables)
{
	struct pair *to = ARENA_ARRAY(a, struct pair, n), *was;

	for (int shift = 0; shift < 31 && variables >> shift != 0;
		shift += RADIX) {
		int at[1 << RADIX] = { 0 }, sum = 0;

		for (int i = 0; i < n; i++)
			at[pair[i].variable >> shift & RADIX_MASK]++;
		for (int i = 0; i <= RADIX_MASK; i++) {
			int count = at[i];

			at[i] = sum;
			sum += count;
		}
		for (int i = 0; i < n; i++)
			to[at[pair[i].variable >> shift & RADIX_MASK]++] =
				pair[i];
		was = pair;
		pair = to;
		to = was;
	}
	return pair;
}

/* Adds the rows of pairs of one variable, one for each event. */
static void
add_rows(struct merge *m, struct arena *a, const struct pair *pair, int n)
{
	struct profile *p = &m->profile;

	p->variable.at[pair->variable].threads += (uint64_t)n;
	for (int e = 0; e < p->n_events; e++) {
		struct database_row row = { .variable = pair->variable,
			.event = (uint16_t)e };

		for (int i = 0; i < n; i++) {
			cost_add(&row.cost, &pair[i].cost[e]);
			if (pair[i].cost[e].samples > 0 &&
				row.threads < UINT16_MAX)
				row.threads++;
		}
		if (row.cost.samples > 0)
			VEC_PUSH(&m->row, a, row);
	}
}

/* Turns the pairs of variable and thread of one image into rows. */
static void
collect_rows(struct merge *m, struct arena *a)
{
	struct pairs *pairs = &m->profile.touchers;
	int n = pairs->list.n;
	struct pair *pair =
		by_variable(a, pairs->list.at, n, m->profile.variable.n);

	memset(&m->row, 0, sizeof m->row);
	for (int i = 0, end; i < n; i = end) {
		for (end = i + 1;
			end < n && pair[end].variable == pair[i].variable;
			end++)
			;
		add_rows(m, a, &pair[i], end - i);
	}
}

static const char *
own(struct merge *m, const char *text)
{
	struct intern *t = &m->profile.symbols.text;

	return text == NULL ? NULL : intern_name(t, intern_add(t, text));
}

/* Keeps states of the heap in equal steps, the last one among them. */
static void
reduce_heap(struct merge *m, const struct image *from, struct image *to)
{
	int n = from->heap.n, step = (n + HEAP_MOST - 1) / HEAP_MOST;
	int kept = n == 0 ? 0 : (n - 1) / step + 1;
	struct mem_heap *heap = ARENA_ARRAY(m->arena, struct mem_heap, kept);

	for (int i = 0; i < kept; i++) {
		heap[i] = *from->heap.at[n - 1 - (kept - 1 - i) * step];
		VEC_PUSH(&to->heap, m->arena, &heap[i]);
	}
}

/* Reduces an image to what the database says of it, in the merge's arena. */
static void
reduce(struct merge *m, const struct image *from, struct image *to)
{
	*to = (struct image){ .arena = m->arena,
		.head = from->head,
		.findings = from->findings,
		.program = own(m, from->program),
		.node = own(m, from->node),
		.samples = from->samples,
		.silent = from->silent,
		.silent_ns = from->silent_ns,
		.cost = from->cost,
		.last = from->last,
		.ended = from->ended,
		.rank = from->rank };
	memcpy(to->lost, from->lost, sizeof to->lost);
	to->thread.n = from->thread.n;
	if (from->argument.n > 0)
		VEC_PUSH(&to->argument, m->arena, own(m, from->argument.at[0]));
	reduce_heap(m, from, to);
}

static void
add_image(struct merge *m, const struct merge_image *of, struct arena *scratch)
{
	struct profile *p = &m->profile;
	struct image image, reduced;

	if (image_load(&image, scratch, of->folder, &p->findings)) {
		p->touchers.arena = scratch;
		profile_charge(p, &image);
		collect_rows(m, scratch);
		reduce(m, &image, &reduced);
		VEC_PUSH(&p->image, m->arena, reduced);
		keep_process(m, &reduced, m->row.at, m->row.n);
		profile_forget_threads(p);
	}
	image_fini(&image);
	arena_reset(scratch);
}

static void
take_rows(void *arg, int process, const struct database_row *row, int n)
{
	struct merge *m = arg;
	struct process *of = &m->process.at[process];

	of->at = m->rows.size;
	of->n = n;
	tempfile_append(&m->rows, row, (size_t)n * sizeof *row);
}

/* Adds processes without rows for the images that a database has added. */
static void
take_images(void *arg, const struct profile *p)
{
	struct merge *m = arg;

	for (int i = m->process.n; i < p->image.n; i++)
		keep_process(m, &p->image.at[i], NULL, 0);
}

static bool
add_databases(struct merge *m, const char *const *path, int n, struct err *err)
{
	const struct database_wish wish = { .costs = take_rows,
		.images = take_images,
		.arg = m,
		.heap = true };

	for (int i = 0; i < n; i++)
		if (!database_read(&m->profile, path[i], &wish, err))
			return false;
	return true;
}

static int
by_process(const void *pa, const void *pb)
{
	const struct process *a = pa, *b = pb;

	return merge_order(&a->key, &b->key);
}

/* Sorts the processes and gives the profile their images. Returns false if one
 * is there twice: costs of databases cannot be taken apart. */
static bool
sort_processes(struct merge *m, struct err *err)
{
	struct profile *p = &m->profile;
	int n = m->process.n;

	if (n == 0)
		return err_set(err, ERR_INPUT, "no process could be read");
	qsort(m->process.at, (size_t)n, sizeof *m->process.at, by_process);
	p->image.n = 0;
	for (int i = 0; i < n; i++) {
		VEC_PUSH(&p->image, m->arena, m->process.at[i].image);
		if (i > 0 &&
			by_process(&m->process.at[i - 1], &m->process.at[i]) ==
				0)
			return err_set(err, ERR_INPUT,
				"process %d is in two of the databases (or in "
				"a database and a measurement): give each "
				"measurement once",
				m->process.at[i].key.pid);
	}
	return true;
}

static struct database_row *
rows_of(void *arg, int process, int *n)
{
	struct merge *m = arg;
	const struct process *of = &m->process.at[process];

	m->row.n = 0;
	while (m->row.cap < of->n)
		vec_grow(m->arena, (void *)&m->row.at, &m->row.cap,
			sizeof *m->row.at);
	*n = of->n;
	if (of->n > 0 &&
		!tempfile_read(&m->rows, m->row.at,
			(size_t)of->n * sizeof *m->row.at, of->at))
		*n = 0;
	return m->row.at;
}

/* Merges images and databases into a file under its final name. */
static bool
merge_into(struct merge *m, const char *output, struct merge_result *result,
	struct err *err)
{
	/* The store keeps these files while it writes. */
	static const char *const suffix[STORE_FILES] = { "", ".lock",
		"-journal" };
	const struct database_costs costs = { rows_of, m };
	const char *file[STORE_FILES];
	int leftover[STORE_FILES];
	const char *tmp =
		arena_printf(m->arena, "%s.tmp-%ld", output, (long)getpid());
	bool is_written;

	if (!sort_processes(m, err))
		return false;
	memset(&m->row, 0, sizeof m->row);
	for (int i = 0; i < STORE_FILES; i++) {
		file[i] = arena_printf(m->arena, "%s%s", tmp, suffix[i]);
		unlink(file[i]);
		leftover[i] = leftover_add(file[i]);
	}
	is_written = database_write(&m->profile, &costs, tmp, err);
	if (is_written && m->rows.err.kind != ERR_NONE)
		is_written =
			err_set(err, m->rows.err.kind, "%s", m->rows.err.text);
	if (is_written && rename(tmp, output) != 0)
		is_written = err_set(err, ERR_SYSTEM, "%s", output);
	if (!is_written)
		unlink(tmp);
	for (int i = 0; i < STORE_FILES; i++)
		leftover_drop(leftover[i]);
	result->processes = m->process.n;
	result->variables = m->profile.variable.n;
	result->samples = 0;
	for (int i = 0; i < m->profile.n_events; i++)
		result->samples += m->profile.event[i].cost.samples;
	result->damaged = m->profile.findings.n;
	return is_written;
}

/* The part of the inputs that a rank merges. */
static bool
add_part(struct merge *m, const struct merge_inputs *in, const struct team *t,
	struct err *err)
{
	struct arena scratch = { 0 };
	bool is_read = true;

	for (int i = t->rank; i < in->image.n; i += t->size)
		add_image(m, &in->image.at[i], &scratch);
	arena_fini(&scratch);
	for (int i = t->rank; is_read && i < in->database.n; i += t->size)
		is_read = add_databases(m, &in->database.at[i], 1, err);
	return is_read;
}

/* Returns true at all ranks if every rank says true. Sets err where another
 * rank has failed. */
static bool
agree(struct team *t, bool mine, struct err *err)
{
	int64_t failed = !mine;

	team_reduce(t, &failed, 1, TEAM_MAX);
	team_bcast(t, 0, &failed, sizeof failed);
	if (failed != 0 && mine)
		err_set(err, ERR_INPUT, "another rank failed");
	return failed == 0;
}

/* Sends a file to rank 0. */
static void
send_file(struct team *t, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int64_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	char *piece = mem_resize(NULL, PIECE, 1);

	team_send(t, 0, &size, sizeof size);
	for (int64_t at = 0; at < size; at += (int64_t)PIECE) {
		size_t n = size - at < (int64_t)PIECE ? (size_t)(size - at)
						      : PIECE;

		if (file_pread(fd, piece, n, at) != (int64_t)n)
			memset(piece, 0, n); /* rank 0 will find it damaged */
		team_send(t, 0, piece, n);
	}
	mem_free(piece);
	if (fd >= 0)
		close(fd);
}

/* Receives a file. Returns false with err if it cannot be written; then, too,
 * everything is received. */
static bool
receive_file(struct team *t, struct arena *a, int from, const char *path,
	struct err *err)
{
	char *piece = mem_resize(NULL, PIECE, 1);
	struct outfile file;
	int64_t size;
	bool is_open = outfile_open(&file, a, path, PIECE, err);

	team_receive(t, from, &size, sizeof size);
	for (int64_t at = 0; at < size; at += (int64_t)PIECE) {
		size_t n = size - at < (int64_t)PIECE ? (size_t)(size - at)
						      : PIECE;

		team_receive(t, from, piece, n);
		if (is_open)
			outfile_write(&file, piece, n);
	}
	mem_free(piece);
	return outfile_close(&file, err) && is_open;
}

/* Receives the parts of the other ranks at rank 0. Returns how many parts are
 * not empty; -1 with err on failure. */
static int
collect_parts(struct arena *a, struct team *t, const char *dir,
	const char **part, struct err *err)
{
	bool is_received = true;
	int n = 0;

	for (int i = 1; i < t->size; i++) {
		part[n] = arena_printf(a, "%s/part-%d", dir, i);
		is_received &= receive_file(t, a, i, part[n], err);
		if (file_is_regular(part[n]) && !file_is_empty(part[n]))
			n++;
		else
			unlink(part[n]);
	}
	return is_received ? n : -1;
}

/* Adds the parts of all other ranks to that of rank 0, which is in memory. */
static bool
join_parts(struct arena *a, struct merge *m, const struct merge_request *q,
	const char *dir, struct merge_result *result, struct err *err)
{
	const char **part = ARENA_ARRAY(a, const char *, q->team->size);
	int n = collect_parts(a, q->team, dir, part, err);
	bool is_done = n >= 0 && add_databases(m, part, n, err) &&
		merge_into(m, q->output, result, err);

	for (int i = 0; i < n; i++)
		unlink(part[i]);
	return is_done;
}

/* Merges the part of each other rank into a temporary directory, and all parts
 * at rank 0. */
static bool
merge_team(struct arena *a, struct merge *m, const struct merge_request *q,
	struct merge_result *result, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = arena_printf(a, "%s/weft-merge-XXXXXX",
		tmp == NULL || *tmp == '\0' ? "/tmp" : tmp);
	struct team *t = q->team;
	const char *part;
	bool is_done;
	int leftover;

	is_done = leftover_mkdtemp(dir, false, &leftover) ||
		err_set(err, ERR_SYSTEM, "%s", dir);
	part = arena_printf(a, "%s/part-%d", dir, t->rank);
	if (is_done && t->rank > 0 && m->process.n > 0)
		is_done = merge_into(m, part, result, err);
	is_done = agree(t, is_done, err);
	if (is_done && t->rank == 0)
		is_done = join_parts(a, m, q, dir, result, err);
	else if (is_done)
		send_file(t, part);
	unlink(part);
	rmdir(dir);
	leftover_drop(leftover);
	return agree(t, is_done, err) && is_done;
}

/* Returns false with err if the output would take the place of a device, a
 * directory or the like. */
static bool
can_write(const struct merge_request *q, struct err *err)
{
	return q->team->rank > 0 || access(q->output, F_OK) != 0 ||
		file_is_regular(q->output) ||
		err_set(err, ERR_INPUT,
			"%s: not a regular file: name a new file, or a "
			"database to replace",
			q->output);
}

bool
merge_run(struct arena *a, const struct merge_request *q,
	struct merge_result *result, struct err *err)
{
	struct mem_findings unused = { .arena = a };
	struct merge_inputs in = { 0 };
	struct merge m;
	bool is_done;

	*result = (struct merge_result){ 0 };
	merge_init(&m, a, q);
	/* All ranks look at all inputs, but only one reports what it finds. */
	is_done = can_write(q, err) &&
		profile_read_structs(&m.profile, q->structs, err) &&
		merge_find(&in, a, q->path, q->n,
			q->team->rank == 0 ? &m.profile.findings : &unused,
			err) &&
		add_part(&m, &in, q->team, err);
	if (q->team->size > 1)
		is_done = agree(q->team, is_done, err) &&
			merge_team(a, &m, q, result, err);
	else
		is_done = is_done && merge_into(&m, q->output, result, err);
	result->findings = m.profile.findings;
	merge_fini(&m);
	return is_done;
}
