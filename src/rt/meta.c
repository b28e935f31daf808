/* SPDX-License-Identifier: MIT */
#include "rt/meta.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/attr.h"
#include "rt/clock.h"
#include "rt/proc.h"
#include "rt/thread.h"

void *
weft_rt_meta_add(struct meta_list *list, size_t size)
{
	size_t want = (list->n + 1) * size;
	void *all = meta_all(list);

	if (!list->at)
		list->room = sizeof(list->small);
	if (want > list->room) {
		if (!weft_rt_text_grow(
			    &all, &list->room, list->at != NULL, want))
			return NULL;
		list->at = all;
	}
	return memset((char *)all + size * list->n++, 0, size);
}

bool
weft_rt_meta_require(struct meta *meta, const char *model, const char *version)
{
	struct meta_require *r = meta_all(&meta->require);
	size_t i = 0;

	while (i < meta->require.n && strcmp(r[i].model, model) != 0)
		i++;
	r = i < meta->require.n ? &r[i]
				: weft_rt_meta_add(&meta->require, sizeof(*r));
	if (!r)
		return false;
	snprintf(r->model, sizeof(r->model), "%s", model);
	snprintf(r->version, sizeof(r->version), "%s", version);
	return true;
}

bool
weft_rt_meta_cpu(struct meta *meta, int index, int phyid)
{
	struct meta_cpu *c = weft_rt_meta_add(&meta->cpu, sizeof(*c));

	if (c)
		*c = (struct meta_cpu){ index, phyid };
	return c != NULL;
}

struct meta_mark *
weft_rt_meta_mark(const struct meta *meta, int32_t type)
{
	struct meta_mark *m = meta_all(&meta->mark);

	for (size_t i = 0; i < meta->mark.n; i++)
		if (m[i].type == type)
			return &m[i];
	return NULL;
}

static void
put_string(struct text *o, const char *text)
{
	char hex[8];

	weft_rt_text_puts(o, "\"");
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20) {
			snprintf(hex, sizeof(hex), "\\u%04x", c);
			weft_rt_text_puts(o, hex);
			continue;
		}
		if (c == '"' || c == '\\' || c == '/')
			weft_rt_text_puts(o, "\\");
		weft_rt_text_put(o, text, 1);
	}
	weft_rt_text_puts(o, "\"");
}

/* The next element's place: comma, line, indentation. */
static void
next(struct text *o)
{
	weft_rt_text_puts(o, o->is_first ? "\n" : ",\n");
	o->is_first = false;
	for (int i = 0; i < o->depth; i++)
		weft_rt_text_puts(o, "    ");
}

static void
key(struct text *o, const char *name)
{
	next(o);
	put_string(o, name);
	weft_rt_text_puts(o, ": ");
}

static void
open_(struct text *o, const char *bracket)
{
	weft_rt_text_puts(o, bracket);
	o->depth++;
	o->is_first = true;
}

static void
close_(struct text *o, const char *bracket)
{
	bool is_empty = o->is_first;

	o->depth--;
	o->is_first = true;
	if (!is_empty)
		next(o);
	o->is_first = false;
	weft_rt_text_puts(o, bracket);
}

static void
number(struct text *o, const char *name, int64_t value)
{
	char text[32];

	key(o, name);
	snprintf(text, sizeof(text), "%" PRId64, value);
	weft_rt_text_puts(o, text);
}

static void
string(struct text *o, const char *name, const char *value)
{
	key(o, name);
	put_string(o, value);
}

static void
put_requires(struct text *o, const struct meta *meta)
{
	const struct meta_require *r = meta_all(&meta->require);

	key(o, "require");
	open_(o, "{");
	for (size_t i = 0; i < meta->require.n; i++)
		string(o, r[i].model, r[i].version);
	close_(o, "}");
}

static void
put_cpus(struct text *o, const struct meta *meta)
{
	const struct meta_cpu *c = meta_all(&meta->cpu);
	char text[80];

	if (meta->cpu.n == 0)
		return;
	key(o, "loom_cpus");
	open_(o, "[");
	for (size_t i = 0; i < meta->cpu.n; i++) {
		next(o);
		snprintf(text, sizeof(text), "{\"index\": %d, \"phyid\": %d}",
			c[i].index, c[i].phyid);
		weft_rt_text_puts(o, text);
	}
	close_(o, "]");
}

static void
put_mark(struct text *o, const struct meta_mark *m)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", (int)m->type);
	key(o, text);
	open_(o, "{");
	string(o, "title", m->title);
	string(o, "chan_type", m->is_stack ? "stack" : "single");
	if (m->label) {
		key(o, "labels");
		open_(o, "{");
		for (struct meta_label *l = m->label; l; l = l->next) {
			snprintf(text, sizeof(text), "%" PRId64, l->value);
			string(o, text, l->text);
		}
		close_(o, "}");
	}
	close_(o, "}");
}

static void
put_marks(struct text *o, const struct meta *meta)
{
	const struct meta_mark *m = meta_all(&meta->mark);

	if (meta->mark.n == 0)
		return;
	key(o, "mark");
	open_(o, "{");
	for (size_t i = 0; i < meta->mark.n; i++)
		put_mark(o, &m[i]);
	close_(o, "}");
}

static void
put_ovni(struct text *o, const struct meta *meta, const struct thread *th,
	bool is_finished)
{
	const struct proc *p = weft_rt_proc;

	key(o, "ovni");
	open_(o, "{");
	key(o, "lib");
	open_(o, "{");
	string(o, "version", OVNI_LIB);
	string(o, "commit", "weft " WEFT_VERSION);
	close_(o, "}");
	string(o, "part", "thread");
	number(o, "tid", th->tid);
	number(o, "pid", p->pid);
	string(o, "loom", p->loom);
	number(o, "app_id", p->app);
	if (meta->has_rank) {
		number(o, "rank", p->rank);
		number(o, "nranks", p->nranks);
	}
	put_requires(o, meta);
	put_cpus(o, meta);
	put_marks(o, meta);
	if (is_finished)
		number(o, "finished", 1);
	close_(o, "}");
}

static void
put_lost(struct text *o, const struct ringfile *f)
{
	char text[96];

	if (!f || f->nlost == 0)
		return;
	key(o, "lost");
	open_(o, "[");
	for (uint32_t i = 0; i < f->nlost; i++) {
		next(o);
		snprintf(text, sizeof(text),
			"[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]",
			f->lost[i].from, f->lost[i].to, f->lost[i].count);
		weft_rt_text_puts(o, text);
	}
	close_(o, "]");
}

/* The ring as long as it is one, what was lost. */
static void
put_weft(struct text *o, const struct stream *s, bool is_finished)
{
	const struct ring_mem *m = &s->mem;
	char text[32];

	key(o, "weft");
	open_(o, "{");
	string(o, "clock", weft_rt_clock_name());
	number(o, "started", (int64_t)weft_rt_proc->started);
	key(o, "ring");
	open_(o, "{");
	string(o, "kind", weft_rt_ring_kind(m->kind));
	if (m->error != 0)
		string(o, "reason", strerror(m->error));
	if (!is_finished && !s->is_emptied && m->path[0] != '\0') {
		snprintf(text, sizeof(text), "%016" PRIx64, m->file->id);
		string(o, "id", text);
		string(o, "file", m->path);
	}
	close_(o, "}");
	put_lost(o, m->file);
	if (m->file && m->file->skip > 0)
		number(o, "overwritten", (int64_t)m->file->skip);
	close_(o, "}");
}

struct text
weft_rt_meta_text(const struct meta *meta, struct thread *th, bool is_finished)
{
	struct text o = { .at = th->scratch, .room = sizeof(th->scratch) };

	open_(&o, "{");
	number(&o, "version", 3);
	put_ovni(&o, meta, th, is_finished);
	put_weft(&o, &th->stream, is_finished);
	close_(&o, "}");
	return o;
}

struct text
weft_rt_meta_ring(const struct stream *s, char *scratch, size_t room)
{
	struct text o = { .at = scratch, .room = room };

	open_(&o, "{");
	put_weft(&o, s, false);
	close_(&o, "}");
	return o;
}

bool
weft_rt_meta_save(const struct meta *meta, struct thread *th, bool is_finished,
	const char *path)
{
	struct text text = weft_rt_meta_text(meta, th, is_finished);
	struct json_object *tree = NULL;
	const char *all = text.at;
	int error = ENOMEM;
	bool ok = false;

	if (!text.failed) {
		if (meta->attr || meta->earlier)
			tree = weft_rt_attr_merge(
				meta->earlier, meta->attr, text.at);
		if (tree)
			all = weft_rt_attr_text(tree);
		ok = weft_rt_text_save(all, strlen(all), path, th->temp);
		error = errno;
	}
	weft_rt_attr_free(tree);
	weft_rt_text_free(&text);
	errno = error;
	return ok;
}

void
weft_rt_meta_free(struct meta *meta)
{
	struct meta_mark *m = meta_all(&meta->mark);
	struct meta_list *list[] = { &meta->require, &meta->cpu, &meta->mark };

	for (size_t i = 0; i < meta->mark.n; i++) {
		free(m[i].title);
		for (struct meta_label *l = m[i].label, *next; l; l = next) {
			next = l->next;
			free(l->text);
			free(l);
		}
	}
	for (int i = 0; i < 3; i++)
		if (list[i]->at)
			munmap(list[i]->at, list[i]->room);
	weft_rt_attr_free(meta->attr);
	weft_rt_attr_free(meta->earlier);
	*meta = (struct meta){ 0 };
}
