/* SPDX-License-Identifier: MIT */
#include "trace/obs/repair_meta.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* json-c also defines a type of this name. */
#define json_type jsonc_type
#include <json-c/json.h>
#undef json_type

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "trace/finding.h"
#include "trace/obs/salvage.h"
#include "trace/obs/wire.h"
#include "trace/trace.h"

#define ROOM (64u << 10)

static void __attribute__((format(printf, 3, 4)))
done(const struct repair_meta *m, const char *key, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	finding_add(m->done,
		(struct finding){ .severity = FINDING_NOTE,
			.file = m->stream->meta,
			.key = key,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"%s", text);
}

static const struct trace_process *
process_of(const struct repair_meta *m)
{
	return &m->trace->processes
			.at[m->trace->threads.at[m->stream->thread].process];
}

/* Returns the object at a key of another object; creates it if the key is
 * missing or its value is not an object. */
static struct json_object *
object_at(struct json_object *in, const char *key)
{
	struct json_object *v = NULL;

	if (json_object_object_get_ex(in, key, &v) &&
		json_object_is_type(v, json_type_object))
		return v;
	v = json_object_new_object();
	json_object_object_add(in, key, v);
	return v;
}

static void
set_lib(const struct repair_meta *m, struct json_object *ovni)
{
	static const char *const key[] = { "version", "commit" };
	struct json_object *lib = object_at(ovni, "lib");

	for (int i = 0; i < 2; i++) {
		if (json_str(json_get(lib, key[i])) != NULL)
			continue;
		json_object_object_add(
			lib, key[i], json_object_new_string("unknown"));
		done(m, "ovni.lib", "inferred: %s is \"unknown\"", key[i]);
	}
}

static void
set_finished(const struct repair_meta *m, struct json_object *ovni)
{
	int64_t finished;

	if (json_int(json_get(ovni, "finished"), &finished) && finished == 1)
		return;
	json_object_object_add(ovni, "finished", json_object_new_int(1));
	done(m, "ovni.finished", "inferred: the stream is finished");
}

/* Adds the models that were enabled by the events that occur. */
static void
set_require(const struct repair_meta *m, struct json_object *ovni)
{
	const struct trace *t = m->trace;

	for (int i = 0; i < t->requires.n; i++) {
		const struct trace_require *r = &t->requires.at[i];
		struct json_object *require;

		if (r->thread != m->stream->thread || r->file != t->path)
			continue;
		require = object_at(ovni, "require");
		json_object_object_add(
			require, r->model, json_object_new_string(r->version));
		done(m, "ovni.require", "inferred: model %s, version %s",
			r->model, r->version);
	}
}

static void
set_cpus(const struct repair_meta *m, struct json_object *ovni)
{
	const struct trace_node *node =
		&m->trace->nodes.at[process_of(m)->node];
	struct json_object *list;

	if (json_length(json_get(ovni, "loom_cpus")) == 0 ||
		m->cpus != CPUS_KEEP)
		json_object_object_del(ovni, "loom_cpus");
	if (m->cpus != CPUS_REPLACE)
		return;
	list = json_object_new_array();
	for (int i = 0; i < node->cpus.n; i++) {
		const struct trace_cpu *from = &node->cpus.at[i];
		struct json_object *cpu = json_object_new_object();

		json_object_object_add(
			cpu, "index", json_object_new_int64(from->index));
		json_object_object_add(
			cpu, "phyid", json_object_new_int64(from->phyid));
		json_object_array_add(list, cpu);
	}
	json_object_object_add(ovni, "loom_cpus", list);
	done(m, "ovni.loom_cpus", "inferred: the loom has %d CPUs",
		node->cpus.n);
}

static void
add_mark(const struct repair_meta *m, struct json_object *marks,
	const struct trace_mark *mark)
{
	struct json_object *to = json_object_new_object();
	char type[32];

	snprintf(type, sizeof type, "%lld", (long long)mark->type);
	json_object_object_add(
		to, "title", json_object_new_string(mark->title));
	json_object_object_add(to, "chan_type",
		json_object_new_string(mark->stack ? "stack" : "single"));
	json_object_object_add(marks, type, to);
	done(m, "ovni.mark", "inferred: mark type %s, a %s", type,
		mark->stack ? "stack" : "single value");
}

static void
set_marks(const struct repair_meta *m, struct json_object *ovni)
{
	const struct trace *t = m->trace;

	for (int i = 0; i < t->marks.n; i++)
		if (t->marks.at[i].inferred &&
			t->marks.at[i].file == m->stream->meta)
			add_mark(m, object_at(ovni, "mark"), &t->marks.at[i]);
}

/* Completes the lists of hardware counters, each a member of the model. */
static void
set_counters(const struct repair_meta *m, struct json_object *doc)
{
	const struct trace *t = m->trace;

	for (int i = 0; i < t->counters.n; i++) {
		const struct trace_counters *c = &t->counters.at[i];
		struct json_object *hwc;

		if (!c->inferred || c->thread != m->stream->thread)
			continue;
		hwc = object_at(object_at(doc, c->model), "hwc");
		for (int j = 0; j < c->n; j++) {
			char number[16];

			snprintf(number, sizeof number, "%d", j);
			json_object_object_add(object_at(hwc, number), "name",
				json_object_new_string(c->name[j]));
		}
		done(m, arena_printf(t->arena, "%s.hwc", c->model),
			"inferred: the thread has %d hardware counters", c->n);
	}
}

/* Sets the application id. If the process has none, it gets an arbitrary one; a
 * thread known only by its directory gets the id of its process. */
static void
set_app(const struct repair_meta *m, struct json_object *ovni)
{
	int64_t app = process_of(m)->app_id;

	if (app != 0 && !m->stream->by_name)
		return;
	app = app == 0 ? 1 : app;
	json_object_object_add(ovni, "app_id", json_object_new_int64(app));
	done(m, "ovni.app_id", "inferred: app_id is %lld", (long long)app);
}

static void
complete(const struct repair_meta *m, struct json_object *ovni)
{
	set_lib(m, ovni);
	set_app(m, ovni);
	set_require(m, ovni);
	set_cpus(m, ovni);
	set_marks(m, ovni);
	set_finished(m, ovni);
}

static bool
write_text(struct arena *a, const char *to, const char *text, struct err *err)
{
	struct outfile out;

	if (!outfile_open(&out, a, to, ROOM, err))
		return false;
	outfile_puts(&out, text);
	outfile_puts(&out, "\n");
	return outfile_close(&out, err);
}

/* Reads the metadata, or builds it from the names of the directories. */
static struct json_object *
read_doc(struct arena *a, const struct repair_meta *m, struct err *err)
{
	const struct trace_process *p = process_of(m);
	int64_t tid = m->trace->threads.at[m->stream->thread].tid;
	struct json_object *doc, *ovni;

	if (!m->stream->by_name)
		return json_read(a, m->stream->meta, err);
	doc = json_object_new_object();
	json_object_object_add(
		doc, "version", json_object_new_int(OBS_METADATA_VERSION));
	ovni = object_at(doc, "ovni");
	json_object_object_add(ovni, "part", json_object_new_string("thread"));
	json_object_object_add(ovni, "loom",
		json_object_new_string(m->trace->nodes.at[p->node].name));
	json_object_object_add(ovni, "pid", json_object_new_int64(p->pid));
	json_object_object_add(ovni, "tid", json_object_new_int64(tid));
	done(m, NULL,
		"inferred: written by thread %lld of process %lld, from the "
		"name of its "
		"directory",
		(long long)tid, (long long)p->pid);
	return doc;
}

bool
repair_meta(struct arena *a, const struct repair_meta *m, const char *to,
	struct err *err)
{
	struct json_object *doc = read_doc(a, m, err);
	bool ok;

	if (doc == NULL)
		return err_in(err, "%s", m->stream->meta);
	complete(m, object_at(doc, "ovni"));
	set_counters(m, doc);
	obs_salvage_meta(doc, m->stream);
	/* Only readers of a stream with losses use this key. */
	if (m->cut && m->stream->lost.n > 0)
		json_object_object_add(object_at(doc, "weft"), "cut",
			json_object_new_boolean(true));
	ok = write_text(a, to,
		json_object_to_json_string_ext(
			doc, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED),
		err);
	json_close(doc);
	return ok;
}
