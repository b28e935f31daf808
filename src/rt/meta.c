/* SPDX-License-Identifier: MIT */
#include "rt/meta.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/attr.h"
#include "rt/clock.h"
#include "rt/hush.h"
#include "rt/proc.h"
#include "rt/thread.h"

/* Twice as much in pages; at is replaced. The old ones go if they were such. */
static bool
grow(void **at, size_t *room, bool is_mapped, size_t want)
{
	size_t size = *room < 4096 ? 4096 : *room;
	void *to;

	while (size < want)
		size *= 2;
	to = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (to == MAP_FAILED)
		return false;
	memcpy(to, *at, *room);
	if (is_mapped)
		munmap(*at, *room);
	*at = to;
	*room = size;
	return true;
}

void *
weft_rt_meta_add(struct meta_list *list, size_t size)
{
	size_t want = (list->n + 1) * size;
	void *all = meta_all(list);

	if (!list->at)
		list->room = sizeof(list->small);
	if (want > list->room) {
		if (!grow(&all, &list->room, list->at != NULL, want))
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
put(struct meta_text *o, const char *text, size_t n)
{
	void *at = o->at;

	if (!o->failed && o->n + n + 1 > o->room) {
		o->failed = !grow(&at, &o->room, o->is_mapped, o->n + n + 1);
		o->is_mapped = o->is_mapped || !o->failed;
		o->at = at;
	}
	if (o->failed)
		return;
	memcpy(o->at + o->n, text, n);
	o->n += n;
	o->at[o->n] = '\0';
}

void
weft_rt_text_free(struct meta_text *text)
{
	if (text->is_mapped)
		munmap(text->at, text->room);
}

static void
puts_(struct meta_text *o, const char *text)
{
	put(o, text, strlen(text));
}

static void
put_string(struct meta_text *o, const char *text)
{
	char hex[8];

	puts_(o, "\"");
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20) {
			snprintf(hex, sizeof(hex), "\\u%04x", c);
			puts_(o, hex);
			continue;
		}
		if (c == '"' || c == '\\' || c == '/')
			puts_(o, "\\");
		put(o, text, 1);
	}
	puts_(o, "\"");
}

/* The next element's place: comma, line, indentation. */
static void
next(struct meta_text *o)
{
	puts_(o, o->is_first ? "\n" : ",\n");
	o->is_first = false;
	for (int i = 0; i < o->depth; i++)
		puts_(o, "    ");
}

static void
key(struct meta_text *o, const char *name)
{
	next(o);
	put_string(o, name);
	puts_(o, ": ");
}

static void
open_(struct meta_text *o, const char *bracket)
{
	puts_(o, bracket);
	o->depth++;
	o->is_first = true;
}

static void
close_(struct meta_text *o, const char *bracket)
{
	bool is_empty = o->is_first;

	o->depth--;
	o->is_first = true;
	if (!is_empty)
		next(o);
	o->is_first = false;
	puts_(o, bracket);
}

static void
number(struct meta_text *o, const char *name, int64_t value)
{
	char text[32];

	key(o, name);
	snprintf(text, sizeof(text), "%" PRId64, value);
	puts_(o, text);
}

static void
string(struct meta_text *o, const char *name, const char *value)
{
	key(o, name);
	put_string(o, value);
}

static void
put_requires(struct meta_text *o, const struct meta *meta)
{
	const struct meta_require *r = meta_all(&meta->require);

	key(o, "require");
	open_(o, "{");
	for (size_t i = 0; i < meta->require.n; i++)
		string(o, r[i].model, r[i].version);
	close_(o, "}");
}

static void
put_cpus(struct meta_text *o, const struct meta *meta)
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
		puts_(o, text);
	}
	close_(o, "]");
}

static void
put_mark(struct meta_text *o, const struct meta_mark *m)
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
put_marks(struct meta_text *o, const struct meta *meta)
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
put_ovni(struct meta_text *o, const struct meta *meta, const struct thread *th,
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
put_lost(struct meta_text *o, const struct ringfile *f)
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
		puts_(o, text);
	}
	close_(o, "]");
}

/* Our own part: the ring as long as it is one, what was lost. */
static void
put_weft(struct meta_text *o, const struct thread *th, bool is_finished)
{
	const struct ring_mem *m = &th->stream.mem;
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
	if (!is_finished && !th->stream.is_emptied && m->path[0] != '\0') {
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

struct meta_text
weft_rt_meta_text(const struct meta *meta, struct thread *th, bool is_finished)
{
	struct meta_text o = { .at = th->scratch, .room = sizeof(th->scratch) };

	open_(&o, "{");
	number(&o, "version", 3);
	put_ovni(&o, meta, th, is_finished);
	put_weft(&o, th, is_finished);
	close_(&o, "}");
	return o;
}

static bool
write_file(const char *path, const char *text, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int error = 0;
	struct hush limit;

	if (fd < 0)
		return false;
	weft_rt_hush(&limit, SIGXFSZ);
	while (n > 0 && error == 0) {
		ssize_t w = write(fd, text, n);

		if (w > 0) {
			text += w;
			n -= (size_t)w;
		} else if (w == 0 || errno != EINTR) {
			error = w == 0 ? ENOSPC : errno;
		}
	}
	weft_rt_unhush(&limit);
	close(fd);
	errno = error;
	return error == 0;
}

bool
weft_rt_meta_save(const struct meta *meta, struct thread *th, bool is_finished,
	const char *path)
{
	struct meta_text text = weft_rt_meta_text(meta, th, is_finished);
	struct json_object *tree = NULL;
	const char *all = text.at;
	int error = ENOMEM;
	bool ok = false;

	snprintf(th->temp, sizeof(th->temp), "%s.new", path);
	if (!text.failed) {
		if (meta->attr || meta->earlier)
			tree = weft_rt_attr_merge(
				meta->earlier, meta->attr, text.at);
		if (tree)
			all = weft_rt_attr_text(tree);
		ok = write_file(th->temp, all, strlen(all)) &&
			rename(th->temp, path) == 0;
		error = errno;
	}
	if (!ok)
		unlink(th->temp);
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
