/* SPDX-License-Identifier: MIT */
#include "export/db/db.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/file.h"
#include "base/keep.h"
#include "base/leftover.h"
#include "base/module.h"
#include "base/text.h"
#include "export/db/chunks.h"
#include "export/db/driver.h"
#include "export/db/events.h"
#include "export/stacks.h"
#include "export/whole_ns.h"

static const char schema[] =
	"PRAGMA application_id=0x57454654; PRAGMA user_version=1;"
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	"CREATE TABLE row(id INTEGER PRIMARY KEY, parent INTEGER, class TEXT,"
	" name TEXT, position INTEGER, node TEXT, pid INTEGER, tid INTEGER,"
	" cpu INTEGER);"
	"CREATE TABLE type(id INTEGER PRIMARY KEY, class TEXT, key TEXT,"
	" title TEXT, number INTEGER, kind TEXT, none TEXT, stack INTEGER,"
	" unit TEXT);"
	"CREATE TABLE label(type INTEGER, value INTEGER, text TEXT,"
	" PRIMARY KEY(type, value)) WITHOUT ROWID;"
	"CREATE TABLE track(id INTEGER PRIMARY KEY, row INTEGER, type INTEGER,"
	" UNIQUE(row, type));"
	"CREATE TABLE point(track INTEGER, time INTEGER, value INTEGER);"
	"CREATE TABLE link(from_time INTEGER, from_row INTEGER,"
	" to_time INTEGER, to_row INTEGER, kind INTEGER, id INTEGER,"
	" bytes INTEGER);"
	"CREATE TABLE link_kind(kind INTEGER PRIMARY KEY, name TEXT);"
	"CREATE TABLE gap(row INTEGER, start INTEGER, end INTEGER,"
	" events INTEGER, why TEXT);"
	"CREATE TABLE finding(severity TEXT, time INTEGER, row INTEGER,"
	" text TEXT);"
	"CREATE TABLE loss(what TEXT, count INTEGER);";

/* CROSS JOIN keeps the order: from a chunk to its lines. */
static const char views[] =
	"CREATE VIEW state AS SELECT r.id AS row, r.name AS row_name,"
	" t.class, t.id AS type, t.key, s.start, s.start + s.dur AS end, s.dur,"
	" s.value, coalesce(l.text, CASE WHEN s.value IS NULL THEN t.none"
	" ELSE CAST(s.value AS TEXT) END) AS label, s.depth"
	" FROM state_chunk c CROSS JOIN state_data s"
	" ON s.id BETWEEN c.first AND c.last"
	" JOIN track k ON k.id = c.track JOIN row r ON r.id = k.row"
	" JOIN type t ON t.id = k.type"
	" LEFT JOIN label l ON l.type = k.type AND l.value = s.value;"
	"CREATE VIEW span AS SELECT r.id AS row, r.name AS row_name,"
	" t.class, t.id AS type, t.key, s.start, s.start + s.dur AS end, s.dur,"
	" s.value, coalesce(l.text, CAST(s.value AS TEXT)) AS label, s.depth"
	" FROM span_chunk c CROSS JOIN span_data s"
	" ON s.id BETWEEN c.first AND c.last"
	" JOIN track k ON k.id = c.track JOIN row r ON r.id = k.row"
	" JOIN type t ON t.id = k.type"
	" LEFT JOIN label l ON l.type = k.type AND l.value = s.value;"
	"CREATE VIEW point_named AS SELECT r.id AS row, r.name AS row_name,"
	" t.class, t.id AS type, t.key, p.time, p.value,"
	" coalesce(l.text, CAST(p.value AS TEXT)) AS label"
	" FROM point p JOIN track k ON k.id = p.track"
	" JOIN row r ON r.id = k.row JOIN type t ON t.id = k.type"
	" LEFT JOIN label l ON l.type = k.type AND l.value = p.value;"
	"CREATE VIEW link_named AS SELECT x.*, f.name AS from_name,"
	" t.name AS to_name, k.name AS kind_name FROM link x"
	" LEFT JOIN row f ON f.id = x.from_row"
	" LEFT JOIN row t ON t.id = x.to_row"
	" LEFT JOIN link_kind k ON k.kind = x.kind;";

enum insert {
	META,
	ROW,
	RENAME,
	TYPE,
	LABEL,
	TRACK,
	POINT,
	LINK,
	KIND,
	GAP,
	FINDING,
	LOSS,
	INSERTS,
};

static const char *const inserts[INSERTS] = {
	[META] = "INSERT INTO meta VALUES(?,?)",
	[ROW] = "INSERT INTO row VALUES(?,?,?,?,?,?,?,?,?)",
	[RENAME] = "UPDATE row SET name=? WHERE id=?",
	[TYPE] = "INSERT INTO type VALUES(?,?,?,?,?,?,?,?,?)",
	[LABEL] = "INSERT OR IGNORE INTO label VALUES(?,?,?)",
	[TRACK] = "INSERT INTO track VALUES(?,?,?)",
	[POINT] = "INSERT INTO point VALUES(?,?,?)",
	[LINK] = "INSERT INTO link VALUES(?,?,?,?,?,?,?)",
	[KIND] = "INSERT OR REPLACE INTO link_kind VALUES(?,?)",
	[GAP] = "INSERT INTO gap VALUES(?,?,?,?,?)",
	[FINDING] = "INSERT INTO finding VALUES(?,?,?,?)",
	[LOSS] = "INSERT INTO loss VALUES(?,?)",
};

/* A type of a row: its value now. */
struct db_track {
	bool begun;
	int64_t since, value;
	uint32_t depth;
	VEC(int64_t) begins; /* of the entries of the stack */
};

struct db_class {
	const char *name;
	int nrows;
};

struct db {
	struct sink base;
	struct arena *arena; /* borrowed */
	const struct db_driver *driver;
	struct db_file *file;
	const char *path, *tmp; /* the final and the temporary name */
	int leftover;           /* number of `tmp` in the list of leftover.h */
	int insert[INSERTS];
	struct db_events *events; /* NULL: not asked for */
	struct chunks states, spans;
	struct stacks stacks;
	VEC(struct db_track) tracks; /* by number of the lane of stacks */
	VEC(enum type_kind) kinds;   /* of types */
	VEC(struct db_class) classes;
	uint32_t nrows;
	int64_t end;
	uint64_t panels, rounded;
};

#define PUT(d, insert, ...) \
	put((d), (insert), (const struct db_value[]){ __VA_ARGS__ }, \
		(int)(sizeof((const struct db_value[]){ __VA_ARGS__ }) / \
			sizeof(struct db_value)))

static void
put(struct db *d, enum insert insert, const struct db_value *row, int n)
{
	d->driver->put(d->file, d->insert[insert], row, n);
}

/* Loads the module that has SQLite's library. */
static const struct db_driver *
find_driver(struct err *err)
{
	static const struct db_driver *driver;
	char path[MODULE_PATH];

	if (driver != NULL)
		return driver;
	if (!module_find(path, "weft-db-sqlite", "export", "WEFT_STORE_DIR")) {
		err_set(err, ERR_INPUT,
			"weft-db-sqlite.so, which writes SQLite files, is not "
			"installed");
		return NULL;
	}
	driver = module_load(path, DB_DRIVER_SYMBOL, "libsqlite3-0", err);
	if (driver != NULL && driver->layout != DB_DRIVER_LAYOUT) {
		err_set(err, ERR_INPUT, "%s is of another version of weft",
			path);
		driver = NULL;
	}
	return driver;
}

static void
put_meta(struct db *d, const struct sink_setup *setup)
{
	PUT(d, META, db_text("version"), db_text(WEFT_VERSION));
	PUT(d, META, db_text("unit"),
		db_text(whole_ns_wanted(setup) ? "ns" : setup->unit));
	PUT(d, META, db_text("title"), db_text(setup->title));
	if (setup->start_realtime != CLOCK_UNKNOWN)
		PUT(d, META, db_text("start_realtime"),
			db_int(setup->start_realtime));
	if (setup->start_monotonic != CLOCK_UNKNOWN)
		PUT(d, META, db_text("start_monotonic"),
			db_int(setup->start_monotonic));
}

static struct sink *
db_open(struct arena *a, const char *dir, const struct sink_setup *setup,
	struct err *err)
{
	struct db *d = ARENA_NEW(a, struct db);

	d->base.ops = &sink_sqlite;
	d->base.takes_stacks = true;
	d->arena = d->stacks.arena = a;
	d->path = setup->file != NULL ? arena_strdup(a, setup->file)
				      : arena_printf(a, "%s/trace.db", dir);
	d->tmp = arena_printf(a, "%s.tmp-%ld", d->path, (long)getpid());
	d->driver = find_driver(err);
	if (d->driver == NULL || !keep_check(d->path, err))
		return NULL;
	if (access(file_parent(a, d->path), W_OK) != 0) {
		err_set(err, ERR_SYSTEM, "cannot create %s", d->path);
		return NULL;
	}
	d->leftover = leftover_add(d->tmp);
	(void)unlink(d->tmp);
	d->file = d->driver->open(a, d->tmp, err);
	if (d->file == NULL) {
		leftover_drop(d->leftover);
		(void)unlink(d->tmp);
		return NULL;
	}
	d->driver->run(d->file, schema);
	for (int i = 0; i < INSERTS; i++)
		d->insert[i] = d->driver->prepare(d->file, inserts[i]);
	chunks_open(&d->states, a, d->driver, d->file, "state");
	chunks_open(&d->spans, a, d->driver, d->file, "span");
	put_meta(d, setup);
	return whole_ns_wanted(setup) ? whole_ns_open(a, &d->base, &d->rounded)
				      : &d->base;
}

static struct db_events *
events_of(struct db *d)
{
	if (d->events == NULL) {
		d->events = ARENA_NEW(d->arena, struct db_events);
		db_events_begin(d->events, d->driver, d->file);
	}
	return d->events;
}

static struct db_value
known(int64_t number)
{
	return number < 0 ? db_null() : db_int(number);
}

void
db_event_stream(
	struct sink *s, uint32_t id, const char *name, int64_t pid, int64_t tid)
{
	const struct db_events *e = events_of((struct db *)s);
	const struct db_value row[] = { db_int(id), db_text(name), known(pid),
		known(tid) };

	e->driver->put(e->file, e->stream, row, 4);
}

void
db_event_class(struct sink *s, uint32_t id, const char *name, const char *tells)
{
	const struct db_events *e = events_of((struct db *)s);
	const struct db_value row[] = { db_int(id), db_text(name),
		db_text(tells) };

	e->driver->put(e->file, e->class, row, 3);
}

void
db_event(struct sink *s, const struct db_event *ev)
{
	db_events_put(events_of((struct db *)s), ev);
}

/* Returns the position of the next row of the class. */
static int
position(struct db *d, const char *class)
{
	for (int i = 0; i < d->classes.n; i++)
		if (strcmp(d->classes.at[i].name, class) == 0)
			return d->classes.at[i].nrows++;
	*VEC_ADD(&d->classes, d->arena) =
		(struct db_class){ arena_strdup(d->arena, class), 1 };
	return 0;
}

static void
db_row(struct sink *s, const struct row *row)
{
	struct db *d = (struct db *)s;
	static const struct row_identity nobody = { NULL, -1, -1, -1 };
	const struct row_identity *who =
		row->identity != NULL ? row->identity : &nobody;

	BUG_ON(row->id != d->nrows);
	d->nrows++;
	PUT(d, ROW, db_int(row->id),
		row->parent == ROW_NONE ? db_null() : db_int(row->parent),
		db_text(row->class), db_text(text_trim(row->name)),
		db_int(position(d, row->class)), db_text(who->node),
		known(who->pid), known(who->tid), known(who->cpu));
}

static void
db_rename(struct sink *s, uint32_t row, const char *name)
{
	PUT((struct db *)s, RENAME, db_text(text_trim(name)), db_int(row));
}

static void
db_type(struct sink *s, const struct type *type)
{
	static const char *const kinds[] = {
		[TYPE_STATE] = "state",
		[TYPE_NUMBER] = "number",
		[TYPE_POINT] = "point",
		[TYPE_ID] = "id",
	};
	struct db *d = (struct db *)s;

	BUG_ON(type->id != (uint32_t)d->kinds.n);
	VEC_PUSH(&d->kinds, d->arena, type->kind);
	PUT(d, TYPE, db_int(type->id), db_text(type->class), db_text(type->key),
		db_text(type->title), db_int(type->number),
		db_text(kinds[type->kind]), db_text(type->none),
		db_int(type->stack), db_text(type->unit));
}

static void
db_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct db *d = (struct db *)s;

	(void)meaning;
	PUT(d, LABEL, db_int(type), db_int(value), db_text(text_trim(text)));
}

/* Ends the entries of the stack above `same`, and begins those of `now`. */
static void
put_spans(struct db *d, int track, struct stack_lane *l,
	const struct stack_now *now, int64_t time)
{
	struct db_track *t = &d->tracks.at[track];
	uint32_t same = stack_same(l, now);

	for (uint32_t i = l->depth; i > same; i--)
		chunks_add(&d->spans, track,
			&(struct chunk_interval){ t->begins.at[i - 1], time,
				l->value[i - 1], i });
	t->begins.n = (int)same;
	for (uint32_t i = same; i < now->depth; i++)
		VEC_PUSH(&t->begins, d->arena, time);
	stack_set(&d->stacks, l, now);
}

static int
track_of(struct db *d, const struct record *r, struct stack_lane **lane)
{
	*lane = stacks_lane(&d->stacks, r->row, r->type);
	if (d->tracks.n < d->stacks.lanes.n) {
		VEC_ADD(&d->tracks, d->arena);
		PUT(d, TRACK, db_int(d->tracks.n), db_int(r->row),
			db_int(r->type));
	}
	return (int)(*lane - d->stacks.lanes.at);
}

/* Ends the value of a track. */
static void
put_value(struct db *d, int track, int64_t time)
{
	const struct db_track *t = &d->tracks.at[track];

	if (t->begun)
		chunks_add(&d->states, track,
			&(struct chunk_interval){
				t->since, time, t->value, t->depth });
}

static void
put_point(struct db *d, int track, int64_t time)
{
	const struct db_track *t = &d->tracks.at[track];

	if (t->begun && t->value != VALUE_NONE)
		PUT(d, POINT, db_int(track + 1), db_int(time),
			db_int(t->value));
}

static void
db_state(struct sink *s, const struct record *r)
{
	struct db *d = (struct db *)s;
	struct stack_now now = { r->stack, r->stack != NULL ? r->depth : 0 };
	struct stack_lane *lane;
	struct db_track *t;
	int track;

	BUG_ON(r->row >= d->nrows || r->type >= (uint32_t)d->kinds.n);
	track = track_of(d, r, &lane);
	if (d->kinds.at[r->type] == TYPE_POINT)
		put_point(d, track, r->time);
	else
		put_value(d, track, r->time);
	if (now.depth > 0 || lane->depth > 0)
		put_spans(d, track, lane, &now, r->time);
	t = &d->tracks.at[track];
	t->begun = true;
	t->since = r->time;
	t->value = r->value;
	t->depth = r->depth;
	if (r->time > d->end)
		d->end = r->time;
}

static void
db_link(struct sink *s, const struct link *l)
{
	struct db *d = (struct db *)s;

	PUT(d, LINK, db_int(l->from_time),
		l->from_row == ROW_NONE ? db_null() : db_int(l->from_row),
		db_int(l->to_time),
		l->to_row == ROW_NONE ? db_null() : db_int(l->to_row),
		db_int(l->kind), db_int(l->id), db_int(l->bytes));
}

static void
db_link_kind(struct sink *s, const struct link_kind *kind)
{
	PUT((struct db *)s, KIND, db_int(kind->kind), db_text(kind->name));
}

static void
db_gap(struct sink *s, const struct gap *g)
{
	PUT((struct db *)s, GAP, db_int(g->row), db_int(g->from), db_int(g->to),
		db_int((int64_t)g->events), db_text(g->why));
}

static void
db_finding(struct sink *s, const struct sink_finding *f)
{
	static const char *const severity[] = {
		[SEVERITY_NOTE] = "note",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_ERROR] = "error",
	};

	PUT((struct db *)s, FINDING, db_text(severity[f->severity]),
		f->time == VALUE_NONE ? db_null() : db_int(f->time),
		f->row == ROW_NONE ? db_null() : db_int(f->row),
		db_text(f->text));
}

static void
db_panel(struct sink *s, const struct panel *panel)
{
	(void)panel;
	((struct db *)s)->panels++;
}

static void
db_advance(struct sink *s, int64_t time)
{
	struct db *d = (struct db *)s;

	if (time > d->end)
		d->end = time;
}

/* In the order of db_loss(). */
static const char *const losses[] = { "panels",
	"texts that are not UTF-8, which are repaired", WHOLE_NS_LOSS, NULL };

static void
db_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	const struct db *d = (const struct db *)s;

	sink_tell_losses(losses,
		(const uint64_t[]){
			d->panels, d->driver->mended(d->file), d->rounded },
		fn, arg);
}

static void
put_loss(void *arg, const struct loss *loss)
{
	PUT((struct db *)arg, LOSS, db_text(loss->what),
		db_int((int64_t)loss->count));
}

/* Ends what every track shows. */
static void
end_tracks(struct db *d)
{
	const struct stack_now nothing = { 0 };

	for (int i = 0; i < d->tracks.n; i++) {
		struct stack_lane *l = &d->stacks.lanes.at[i];

		if (d->kinds.at[l->type] == TYPE_POINT)
			put_point(d, i, d->end);
		else
			put_value(d, i, d->end);
		if (l->depth > 0)
			put_spans(d, i, l, &nothing, d->end);
	}
}

static bool
db_close(struct sink *s, struct err *err)
{
	struct db *d = (struct db *)s;
	bool ok;

	end_tracks(d);
	chunks_close(&d->states, "state");
	chunks_close(&d->spans, "span");
	if (d->events != NULL)
		db_events_end(d->events);
	PUT(d, META, db_text("end"), db_int(d->end));
	db_loss(s, put_loss, d);
	d->driver->run(d->file, views);
	ok = d->driver->close(d->file, err);
	ok = ok && keep_check(d->path, err);
	if (ok && rename(d->tmp, d->path) != 0)
		ok = err_set(err, ERR_SYSTEM, "cannot create %s", d->path);
	if (!ok)
		(void)unlink(d->tmp);
	leftover_drop(d->leftover);
	return ok;
}

const struct sink_ops sink_sqlite = {
	.name = "sqlite",
	.help = "all records as a database: trace.db",
	.extensions = ".db .sqlite .sqlite3",
	.losses = losses,
	.open = db_open,
	.row = db_row,
	.type = db_type,
	.label = db_label,
	.state = db_state,
	.link = db_link,
	.advance = db_advance,
	.loss = db_loss,
	.close = db_close,
	.panel = db_panel,
	.rename = db_rename,
	.link_kind = db_link_kind,
	.gap = db_gap,
	.finding = db_finding,
};
