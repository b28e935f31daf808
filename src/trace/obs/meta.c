/* SPDX-License-Identifier: MIT */
#include "trace/obs/meta.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "trace/obs/meta_nosv.h"
#include "trace/obs/meta_weft.h"
#include "trace/obs/wire.h"
#include "trace/trace.h"

/* The file being read. */
struct meta {
	struct trace *trace;
	const char *file;
	struct json_object *doc;
	int node, process, thread;
	int64_t pid, tid; /* as the file says */
	bool named;       /* the file names a thread */
	bool other;       /* the stream has a version or part that weft cannot
	                   * read */
	bool finished, live;
};

static struct finding
about(const struct meta *m, enum finding_severity severity, const char *key)
{
	return (struct finding){ .severity = severity,
		.file = m->file,
		.key = arena_strdup(m->trace->arena, key),
		.offset = FINDING_NOWHERE,
		.time = FINDING_NEVER };
}

__attribute__((format(printf, 4, 5), cold)) static void
complain(struct meta *m, enum finding_severity severity, const char *key,
	const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	finding_add(m->trace->findings, about(m, severity, key), "%s", text);
}

/* Warns about a key that a killed writer leaves out, and that the ovni tools
 * require. */
static void
left_out(struct meta *m, const char *key, const char *what)
{
	struct finding f = about(m, FINDING_WARNING, key);

	f.refused = true;
	finding_add(m->trace->findings, f, "missing %s: %s", key, what);
}

/* Notes that the thread still runs: a snapshot has no end yet. */
static void
running(struct meta *m)
{
	struct finding f = about(m, FINDING_NOTE, "ovni.finished");

	f.refused = true;
	finding_add(m->trace->findings, f,
		"the thread still runs: this is what it recorded so far");
}

/* Reports a key that is missing or of the wrong type. */
static bool
wrong_type(struct meta *m, const char *key, const char *want)
{
	enum json_type type = json_type(m->doc, key);

	if (type == JSON_MISSING)
		complain(m, FINDING_ERROR, key, "missing %s", key);
	else
		complain(m, FINDING_ERROR, key, "must be %s, is %s", want,
			json_type_name(type));
	return false;
}

static bool
need_int(struct meta *m, const char *key, int64_t *out)
{
	if (!json_int(json_get(m->doc, key), out))
		return wrong_type(m, key, "an integer");
	return true;
}

static bool
need_str(struct meta *m, const char *key, const char **out)
{
	*out = json_str(json_get(m->doc, key));
	return *out != NULL || wrong_type(m, key, "a string");
}

/* Reads an id, which is never 0. */
static bool
need_id(struct meta *m, const char *key, int64_t *out)
{
	if (!need_int(m, key, out))
		return false;
	if (*out == 0) {
		complain(m, FINDING_ERROR, key, "missing %s: it is 0", key);
		return false;
	}
	return true;
}

static bool
is_thread(struct meta *m)
{
	int64_t version;
	const char *part;

	if (!need_int(m, "version", &version) ||
		!need_str(m, "ovni.part", &part))
		return false;
	if (version != OBS_METADATA_VERSION) {
		complain(m, FINDING_ERROR, "version",
			"metadata version %lld; this build reads version %d",
			(long long)version, OBS_METADATA_VERSION);
		m->other = true;
		return false;
	}
	if (strcmp(part, "thread") != 0) {
		complain(m, FINDING_WARNING, "ovni.part",
			"part \"%s\" is not known: its stream is left out of "
			"the system",
			part);
		m->other = true;
		return false;
	}
	return true;
}

static void
read_lib(struct meta *m, const char **lib)
{
	const char *version, *commit;

	bool known = need_str(m, "ovni.lib.version", &version);

	if (need_str(m, "ovni.lib.commit", &commit) && known)
		*lib = arena_printf(
			m->trace->arena, "%s commit %s", version, commit);
}

static bool
read_thread(struct meta *m, int stream)
{
	const char *loom;

	if (!need_id(m, "ovni.tid", &m->tid) ||
		!need_id(m, "ovni.pid", &m->pid) ||
		!need_str(m, "ovni.loom", &loom))
		return false;
	if (*loom == '\0' || strchr(loom, '/') != NULL) {
		complain(m, FINDING_ERROR, "ovni.loom",
			"\"%s\" is not a loom name: it must not be empty or "
			"contain '/'",
			loom);
		return false;
	}
	m->named = true;
	m->node = trace_add_node(m->trace, loom);
	m->process = trace_add_process(m->trace, m->node, m->pid, m->file);
	m->thread = trace_add_thread(m->trace, m->process, m->tid, stream);
	return m->thread != TRACE_NONE;
}

static void
read_process(struct meta *m)
{
	int64_t app, rank, nranks;

	if (json_type(m->doc, "ovni.app_id") != JSON_MISSING &&
		need_int(m, "ovni.app_id", &app))
		trace_set_app(m->trace, m->process, app, m->file);
	if (json_type(m->doc, "ovni.rank") == JSON_MISSING)
		return;
	if (need_int(m, "ovni.rank", &rank) &&
		need_int(m, "ovni.nranks", &nranks))
		trace_set_rank(m->trace, m->process, rank, nranks, m->file);
}

static void
read_cpus(struct meta *m)
{
	static const char key[] = "ovni.loom_cpus";
	struct json_object *cpus = json_get(m->doc, key);
	enum json_type type = json_type(m->doc, key);

	if (type == JSON_MISSING)
		return;
	if (type != JSON_ARRAY) {
		wrong_type(m, key, "an array");
		return;
	}
	if (json_length(cpus) == 0)
		complain(m, FINDING_ERROR, key, "the array is empty");
	for (size_t i = 0; i < json_length(cpus); i++) {
		struct json_object *cpu = json_at(cpus, i);
		int64_t index, phyid;

		if (!json_int(json_get(cpu, "index"), &index) ||
			!json_int(json_get(cpu, "phyid"), &phyid))
			complain(m, FINDING_ERROR, key,
				"entry %zu must have integers \"index\" and "
				"\"phyid\"",
				i);
		else
			trace_add_cpu(m->trace, m->node, index, phyid, m->file);
	}
}

static void
read_require(void *arg, const char *key, struct json_object *value)
{
	struct meta *m = arg;
	const char *version = json_str(value);

	if (version == NULL)
		complain(m, FINDING_ERROR, "ovni.require",
			"the version of model %s must be a string", key);
	else
		trace_add_require(m->trace, m->thread,
			arena_strdup(m->trace->arena, key),
			arena_strdup(m->trace->arena, version), m->file);
}

static void
read_finished(struct meta *m)
{
	int64_t finished = 1;

	if (json_type(m->doc, "ovni.finished") == JSON_MISSING) {
		if (m->live)
			running(m);
		else if (!m->trace->threads.at[m->thread].replaced)
			left_out(m, "ovni.finished",
				"the thread did not end in an orderly way");
		return;
	}
	if (need_int(m, "ovni.finished", &finished) && finished != 1)
		complain(m, FINDING_ERROR, "ovni.finished",
			"must be 1, is %lld", (long long)finished);
	m->finished = true;
	m->trace->threads.at[m->thread].finished = true;
}

/* Reads the required models. A writer that was killed early has not written
 * them. */
static void
read_requires(struct meta *m)
{
	enum json_type type = json_type(m->doc, "ovni.require");

	if (type == JSON_OBJECT)
		json_each(json_get(m->doc, "ovni.require"), read_require, m);
	else if (type == JSON_MISSING && !m->finished)
		left_out(m, "ovni.require",
			"models are enabled by the events that occur");
	else
		wrong_type(m, "ovni.require", "an object");
}

/* The mark whose labels are being read. */
struct mark {
	struct meta *meta;
	struct trace_mark *mark;
	const char *key;
};

static bool
parse_int(const char *text, int64_t *out)
{
	char *end;

	if (*text != '-' && (*text < '0' || *text > '9'))
		return false; /* strtoll() would take blanks and '+' */
	errno = 0;
	*out = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0';
}

static void
read_label(void *arg, const char *key, struct json_object *value)
{
	struct mark *k = arg;
	struct meta *m = k->meta;
	const char *text = json_str(value);
	int64_t number;

	if (text == NULL || !parse_int(key, &number))
		complain(m, FINDING_ERROR, k->key,
			"label \"%s\": its key must be a number, its value a "
			"string",
			key);
	else
		trace_add_mark_label(m->trace, k->mark, number,
			arena_strdup(m->trace->arena, text), m->file);
}

static void
read_mark(void *arg, const char *key, struct json_object *value)
{
	struct meta *m = arg;
	const char *title = json_str(json_get(value, "title"));
	const char *chan = json_str(json_get(value, "chan_type"));
	char path[64];
	int64_t type;

	snprintf(path, sizeof path, "ovni.mark.%.40s", key);
	if (!parse_int(key, &type)) {
		complain(m, FINDING_ERROR, path,
			"the mark type must be a number");
		return;
	}
	if (title == NULL || chan == NULL ||
		(strcmp(chan, "single") != 0 && strcmp(chan, "stack") != 0)) {
		complain(m, FINDING_ERROR, path,
			"needs a title, and a chan_type \"single\" or "
			"\"stack\"");
		return;
	}
	struct mark k = { m,
		trace_add_mark(m->trace, type,
			arena_strdup(m->trace->arena, title),
			strcmp(chan, "stack") == 0, m->file),
		path };
	if (k.mark == NULL)
		return;
	if (json_type(value, "labels") == JSON_OBJECT)
		json_each(json_get(value, "labels"), read_label, &k);
	else if (json_type(value, "labels") != JSON_MISSING)
		complain(m, FINDING_ERROR, path, "labels must be an object");
}

static void
read_marks(struct meta *m)
{
	enum json_type type = json_type(m->doc, "ovni.mark");

	if (type == JSON_OBJECT)
		json_each(json_get(m->doc, "ovni.mark"), read_mark, m);
	else if (type != JSON_MISSING)
		wrong_type(m, "ovni.mark", "an object");
}

static void
read_all(struct meta *m, int stream, const char **lib)
{
	if (!is_thread(m))
		return;
	read_lib(m, lib);
	if (!read_thread(m, stream))
		return;
	read_process(m);
	read_cpus(m);
	m->live = obs_meta_weft(m->trace, m->doc, m->file, m->thread);
	read_finished(m);
	read_requires(m);
	read_marks(m);
	obs_meta_nosv(m->trace, m->doc, m->file, m->thread);
}

/* The thread that the directories of a stream are named after. */
struct called {
	const char *loom;
	int64_t pid, tid;
};

/* Returns the text after "WORD." in the last name of the path, and shortens the
 * path to its parent; NULL if the name does not begin with that word. */
static const char *
behind(struct arena *a, const char **path, const char *word)
{
	const char *name = file_name(*path);
	size_t n = strlen(word);

	*path = file_parent(a, *path);
	return strncmp(name, word, n) == 0 && name[n] != '\0' ? name + n : NULL;
}

static bool
read_names(struct arena *a, const char *file, struct called *c)
{
	const char *path = file_parent(a, file);
	const char *tid = behind(a, &path, "thread.");
	const char *pid = behind(a, &path, "proc.");
	const char *loom = behind(a, &path, "loom.");

	c->loom = loom;
	return tid != NULL && pid != NULL && loom != NULL &&
		parse_int(tid, &c->tid) && parse_int(pid, &c->pid) &&
		c->tid != 0 && c->pid != 0;
}

bool
obs_meta_has_name(struct arena *scratch, const char *file)
{
	struct called c;

	return read_names(scratch, file, &c);
}

/* Adds the thread by the name of its directory, because its metadata cannot be
 * read. */
static void
read_by_name(struct meta *m, struct arena *scratch, int stream, const char *why)
{
	struct trace *t = m->trace;
	struct called c;

	/* The ovni tools ignore a thread without metadata. */
	if (t->findings->strict || !read_names(scratch, m->file, &c)) {
		finding_file(t->findings, FINDING_ERROR, m->file, "%s", why);
		return;
	}
	finding_file(t->findings, FINDING_ERROR, m->file,
		"%s; the stream is read as thread %lld of process %lld, "
		"according to the name of its directory",
		why, (long long)c.tid, (long long)c.pid);
	m->node = trace_add_node(t, arena_strdup(t->arena, c.loom));
	m->process = trace_add_process(t, m->node, c.pid, m->file);
	m->thread = trace_add_thread(t, m->process, c.tid, stream);
	t->streams.at[stream].by_name = m->thread != TRACE_NONE;
}

/* Returns true if the metadata names no valid thread, or the thread of another
 * stream, and the directory names one. */
static bool
is_nameless(const struct meta *m, struct arena *scratch)
{
	struct called c;

	return m->thread == TRACE_NONE && !m->other &&
		!m->trace->findings->strict &&
		read_names(scratch, m->file, &c) &&
		(!m->named || c.tid != m->tid || c.pid != m->pid);
}

int
obs_meta_take(struct trace *t, struct json_object *doc, const char *file,
	int stream, const char **lib)
{
	struct meta m = {
		.trace = t, .file = file, .doc = doc, .thread = TRACE_NONE
	};

	*lib = NULL;
	read_all(&m, stream, lib);
	return m.thread;
}

/* Reads twice if the text is wrong: the recorder writes the last text of a
 * thread over the one before, and a reader may see a part of each. */
static struct json_object *
read_text(struct arena *scratch, const char *file, struct err *err)
{
	struct json_object *doc = json_read(scratch, file, err);

	if (doc != NULL || err->kind != ERR_INPUT)
		return doc;
	*err = (struct err){ 0 };
	return json_read(scratch, file, err);
}

int
obs_meta_read(struct trace *t, struct arena *scratch, const char *file,
	int stream, const char **lib)
{
	struct meta m = { .trace = t, .file = file, .thread = TRACE_NONE };
	struct err err = { 0 };

	*lib = NULL;
	m.doc = read_text(scratch, file, &err);
	if (m.doc == NULL) {
		if (access(file, F_OK) != 0)
			read_by_name(&m, scratch, stream, "is missing");
		else if (err.kind == ERR_INPUT)
			read_by_name(&m, scratch, stream, err.text);
		else
			finding_file(t->findings, FINDING_ERROR, file, "%s",
				err.text);
		return m.thread;
	}
	read_all(&m, stream, lib);
	json_close(m.doc);
	if (is_nameless(&m, scratch))
		read_by_name(&m, scratch, stream,
			"names no valid thread, or that of another stream");
	return m.thread;
}
