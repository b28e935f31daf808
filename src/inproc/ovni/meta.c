/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/meta.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inproc/core/clock.h"
#include "inproc/core/clocks.h"
#include "inproc/core/handler.h"
#include "inproc/core/proc.h"
#include "inproc/core/say.h"
#include "inproc/ovni/attr.h"
#include "inproc/ovni/thread.h"

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

void *
weft_rt_meta_keep(struct meta *meta, const void *from, size_t n)
{
	struct meta_page *p = meta->page;
	size_t size = (n + 15) / 16 * 16;
	void *page = NULL;
	size_t room = 0;
	char *to;

	if (!p || p->room - p->n < size) {
		if (!weft_rt_text_grow(&page, &room, false, sizeof(*p) + size))
			return NULL;
		p = page;
		*p = (struct meta_page){ meta->page, sizeof(*p), room };
		meta->page = p;
	}
	to = (char *)p + p->n;
	p->n += size;
	return from ? memcpy(to, from, n) : to;
}

void
weft_rt_meta_before(struct meta *meta, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *at = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
			0);
	if (fd >= 0)
		close(fd);
	if (at == MAP_FAILED)
		return;
	meta->before = at;
	meta->nbefore = (size_t)st.st_size;
}

bool
weft_rt_meta_requires(const struct meta *meta, const char *model)
{
	const struct meta_require *r = meta_all(&meta->require);

	for (size_t i = 0; i < meta->require.n; i++)
		if (strcmp(r[i].model, model) == 0)
			return true;
	return false;
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
put_lost(struct text *o, const struct stream *s)
{
	struct ringfile_lost lost;
	char text[96];
	uint32_t i = 0;

	if (!s->mem.file || s->mem.file->nlost == 0)
		return;
	key(o, "lost");
	open_(o, "[");
	while (weft_rt_lost_next(s, &i, &lost)) {
		next(o);
		snprintf(text, sizeof(text),
			"[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", lost.from,
			lost.to, lost.count);
		weft_rt_text_puts(o, text);
	}
	close_(o, "]");
}

/* What is not known is left out. */
static void
put_ident(struct text *o, const struct ident *id)
{
	if (id->boot[0] != '\0')
		string(o, "boot", id->boot);
	if (id->pidns != 0)
		number(o, "pidns", (int64_t)id->pidns);
	number(o, "pid", id->pid);
	number(o, "started", (int64_t)id->started);
}

static void
put_row(struct text *o, const int64_t *value, int n)
{
	char text[32];

	next(o);
	weft_rt_text_puts(o, "[");
	for (int i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%s%" PRId64, i > 0 ? ", " : "",
			value[i]);
		weft_rt_text_puts(o, text);
	}
	weft_rt_text_puts(o, "]");
}

void
weft_rt_meta_suspended(struct text *o, const char *before, const char *behind)
{
	const struct suspended *s;
	uint32_t n = weft_rt_clocks_suspended(&s);

	for (uint32_t i = 0; i < n; i++)
		weft_rt_text_printf(o,
			"%s[%" PRId64 ", %" PRId64 ", %" PRId64 "]%s",
			i == 0 ? before : ", ", s[i].from, s[i].to, s[i].ns,
			i + 1 == n ? behind : "");
}

/* What holds for the whole process; one thread says it. */
static void
put_clocks(struct text *o)
{
	const struct proc *p = weft_rt_proc;
	const struct snap *s;
	uint32_t n = weft_rt_clocks_snaps(&s);
	char host[HOST_NAME_MAX + 1] = "";

	weft_rt_meta_suspended(o, ",\n        \"suspended\": [", "]");
	key(o, "clocks");
	open_(o, "{");
	if (p->ident.boot[0] != '\0')
		string(o, "boot", p->ident.boot);
	number(o, "timens", p->timens);
	if (gethostname(host, sizeof(host) - 1) == 0)
		string(o, "host", host);
	if (p->ident.pidns != 0)
		number(o, "pidns", (int64_t)p->ident.pidns);
	key(o, "snap");
	open_(o, "[");
	/* with the last one that was told, for what changed since */
	for (uint32_t i = p->told > 0 ? p->told - 1 : 0; i < n; i++)
		put_row(o,
			(const int64_t[]){ s[i].monotonic, s[i].realtime,
				s[i].raw, s[i].width },
			4);
	close_(o, "]");
	close_(o, "}");
}

/* The ring as long as it is one, what was lost. */
static void
put_weft(struct text *o, const struct stream *s, bool is_finished,
	bool has_clocks)
{
	const struct ring_mem *m = &s->mem;
	char text[32];

	key(o, "weft");
	open_(o, "{");
	string(o, "clock", weft_rt_clock_name());
	put_ident(o, &weft_rt_proc->ident);
	if (has_clocks)
		put_clocks(o);
	key(o, "ring");
	open_(o, "{");
	string(o, "kind", weft_rt_ring_kind(m->kind));
	if (m->error != 0)
		string(o, "reason", weft_rt_reason(m->error));
	if (!is_finished && !s->is_emptied && m->path[0] != '\0') {
		snprintf(text, sizeof(text), "%016" PRIx64, m->file->id);
		string(o, "id", text);
		string(o, "file", m->path);
	}
	close_(o, "}");
	put_lost(o, s);
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
	put_weft(&o, &th->stream, is_finished, weft_rt_thread_tells(th));
	close_(&o, "}");
	return o;
}

struct text
weft_rt_meta_ring(const struct stream *s, char *scratch, size_t room)
{
	struct text o = { .at = scratch, .room = room };

	open_(&o, "{");
	put_weft(&o, s, false, false);
	close_(&o, "}");
	return o;
}

static void
read_before(struct meta *meta)
{
	if (!meta->before)
		return;
	meta->earlier = weft_rt_attr_earlier(meta->before, meta->nbefore);
	munmap(meta->before, meta->nbefore);
	meta->before = NULL;
}

bool
weft_rt_meta_save(struct meta *meta, struct thread *th, bool is_finished,
	const char *path)
{
	struct json_object *tree = NULL;
	bool ok = false, allocates = meta->attr || meta->earlier, is_late;
	struct text text;
	const char *all;
	int error = ENOMEM;

	is_late = (allocates || meta->before) && !is_finished &&
		!th->stream.is_emptied && weft_rt_handler_may_be();
	/* the thread looks at it while the exit saves for it */
	__atomic_store_n(&meta->is_late, is_late, __ATOMIC_RELAXED);
	/* rather what it has, and less than that at its beginning */
	if (is_late && allocates)
		return true;
	if (!is_late)
		read_before(meta);
	text = weft_rt_meta_text(meta, th, is_finished);
	all = text.at;
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
	struct meta_list *list[] = { &meta->require, &meta->cpu, &meta->mark };

	for (struct meta_page *p = meta->page, *after; p; p = after) {
		after = p->next;
		munmap(p, p->room);
	}
	if (meta->before)
		munmap(meta->before, meta->nbefore);
	for (int i = 0; i < 3; i++)
		if (list[i]->at)
			munmap(list[i]->at, list[i]->room);
	weft_rt_attr_free(meta->attr);
	weft_rt_attr_free(meta->earlier);
	*meta = (struct meta){ 0 };
}
