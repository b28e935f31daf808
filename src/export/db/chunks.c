/* SPDX-License-Identifier: MIT */
#include "export/db/chunks.h"

#include "base/arena.h"
#include "base/bug.h"

/* All buffers of states together, and as much of spans; the least intervals of
 * one. Longer runs make a smaller table of chunks, shorter ones faster
 * windows. */
#define BUDGET (32 << 20)
#define LEAST 64
#define FIRST 16 /* intervals of a new buffer */
#define BYTES (CHUNK_ROW * (int)sizeof(int64_t))

void
chunks_open(struct chunks *c, struct arena *a, const struct db_driver *driver,
	struct db_file *file, const char *name)
{
	*c = (struct chunks){ .arena = a, .driver = driver, .file = file };
	driver->run(file,
		arena_printf(a,
			"CREATE TABLE %s_data(id INTEGER PRIMARY KEY, "
			"start INTEGER, dur INTEGER, value INTEGER, "
			"depth INTEGER); CREATE TABLE %s_chunk(track INTEGER, "
			"start INTEGER, end INTEGER, first INTEGER, "
			"last INTEGER)",
			name, name));
	c->data = driver->prepare(file,
		arena_printf(a, "INSERT INTO %s_data VALUES(?,?,?,?,?)", name));
	c->chunk = driver->prepare(file,
		arena_printf(
			a, "INSERT INTO %s_chunk VALUES(?,?,?,?,?)", name));
}

static void
write_chunk(struct chunks *c, int track)
{
	struct chunk *k = &c->of_track.at[track];
	int64_t row[] = { track + 1, k->start, k->end, c->id + 1,
		c->id + k->n };

	if (k->n == 0)
		return;
	for (int i = 0; i < k->n; i++)
		k->at[i * CHUNK_ROW + CHUNK_ID] = ++c->id;
	c->driver->put_many(c->file, c->data, k->at, k->n, CHUNK_ROW);
	c->driver->put_many(c->file, c->chunk, row, 1, CHUNK_ROW);
	k->n = 0;
}

/* Returns the number of intervals that a buffer may have now. */
static int
room_of(const struct chunks *c)
{
	int room = BUDGET / BYTES / c->of_track.n;

	return room < LEAST ? LEAST : room > CHUNK_MOST ? CHUNK_MOST : room;
}

/* Writes all intervals and frees all buffers. */
static void
write_all(struct chunks *c)
{
	for (int i = 0; i < c->of_track.n; i++) {
		struct chunk *k = &c->of_track.at[i];

		write_chunk(c, i);
		mem_free(k->at);
		k->at = NULL;
		k->room = 0;
	}
	c->held = 0;
}

/* Makes room for an interval. So many tracks that the smallest buffers of all
 * exceed the budget get shorter runs. */
static void
grow(struct chunks *c, int track)
{
	struct chunk *k = &c->of_track.at[track];
	int most = room_of(c), room;

	if (k->n >= most) {
		write_chunk(c, track);
		return;
	}
	if (c->held + (k->room == 0 ? FIRST : k->room) > BUDGET / BYTES)
		write_all(c);
	room = k->room == 0 ? FIRST : 2 * k->room;
	room = room > most ? most : room;
	c->held += room - k->room;
	k->room = room;
	k->at = mem_resize(k->at, (size_t)k->room, (size_t)BYTES);
}

void
chunks_add(struct chunks *c, int track, const struct chunk_interval *interval)
{
	struct chunk *k;
	int64_t *at;

	while (c->of_track.n <= track)
		VEC_ADD(&c->of_track, c->arena);
	k = &c->of_track.at[track];
	if (k->n == k->room)
		grow(c, track);
	at = k->at + k->n * CHUNK_ROW;
	at[CHUNK_START] = interval->start;
	at[CHUNK_DUR] = interval->end - interval->start;
	at[CHUNK_VALUE] = interval->value;
	at[CHUNK_DEPTH] = interval->depth;
	if (k->n == 0 || interval->start < k->start)
		k->start = interval->start;
	if (k->n == 0 || interval->end > k->end)
		k->end = interval->end;
	k->n++;
}

void
chunks_close(struct chunks *c, const char *name)
{
	write_all(c);
	c->driver->run(c->file,
		arena_printf(c->arena,
			"CREATE INDEX %s_by_track ON %s_chunk(track, start); "
			"CREATE INDEX %s_by_time ON %s_chunk(start)",
			name, name, name, name));
}
