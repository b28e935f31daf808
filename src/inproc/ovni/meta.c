/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/meta.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inproc/core/about.h"
#include "inproc/core/handler.h"
#include "inproc/core/json.h"
#include "inproc/core/proc.h"
#include "inproc/core/stream.h"
#include "inproc/ovni/attr.h"

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
put_requires(struct text *o, const struct meta *meta)
{
	const struct meta_require *r = meta_all(&meta->require);

	weft_rt_json_key(o, "require");
	weft_rt_json_open(o, "{");
	for (size_t i = 0; i < meta->require.n; i++)
		weft_rt_json_string(o, r[i].model, r[i].version);
	weft_rt_json_close(o, "}");
}

static void
put_cpus(struct text *o, const struct meta *meta)
{
	const struct meta_cpu *c = meta_all(&meta->cpu);
	char text[80];

	if (meta->cpu.n == 0)
		return;
	weft_rt_json_key(o, "loom_cpus");
	weft_rt_json_open(o, "[");
	for (size_t i = 0; i < meta->cpu.n; i++) {
		weft_rt_json_next(o);
		snprintf(text, sizeof(text), "{\"index\": %d, \"phyid\": %d}",
			c[i].index, c[i].phyid);
		weft_rt_text_puts(o, text);
	}
	weft_rt_json_close(o, "]");
}

static void
put_mark(struct text *o, const struct meta_mark *m)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", (int)m->type);
	weft_rt_json_key(o, text);
	weft_rt_json_open(o, "{");
	weft_rt_json_string(o, "title", m->title);
	weft_rt_json_string(o, "chan_type", m->is_stack ? "stack" : "single");
	if (m->label) {
		weft_rt_json_key(o, "labels");
		weft_rt_json_open(o, "{");
		for (struct meta_label *l = m->label; l; l = l->next) {
			snprintf(text, sizeof(text), "%" PRId64, l->value);
			weft_rt_json_string(o, text, l->text);
		}
		weft_rt_json_close(o, "}");
	}
	weft_rt_json_close(o, "}");
}

static void
put_marks(struct text *o, const struct meta *meta)
{
	const struct meta_mark *m = meta_all(&meta->mark);

	if (meta->mark.n == 0)
		return;
	weft_rt_json_key(o, "mark");
	weft_rt_json_open(o, "{");
	for (size_t i = 0; i < meta->mark.n; i++)
		put_mark(o, &m[i]);
	weft_rt_json_close(o, "}");
}

static void
put_ovni(struct text *o, const struct meta *meta, const struct meta_of *of,
	bool is_finished)
{
	const struct proc *p = weft_rt_proc;

	weft_rt_json_key(o, "ovni");
	weft_rt_json_open(o, "{");
	weft_rt_json_key(o, "lib");
	weft_rt_json_open(o, "{");
	weft_rt_json_string(o, "version", OVNI_LIB);
	weft_rt_json_string(o, "commit", "weft " WEFT_VERSION);
	weft_rt_json_close(o, "}");
	weft_rt_json_string(o, "part", "thread");
	weft_rt_json_number(o, "tid", of->tid);
	weft_rt_json_number(o, "pid", p->pid);
	weft_rt_json_string(o, "loom", p->loom);
	weft_rt_json_number(o, "app_id", p->app);
	if (meta->has_rank) {
		weft_rt_json_number(o, "rank", p->rank);
		weft_rt_json_number(o, "nranks", p->nranks);
	}
	put_requires(o, meta);
	put_cpus(o, meta);
	put_marks(o, meta);
	if (is_finished)
		weft_rt_json_number(o, "finished", 1);
	weft_rt_json_close(o, "}");
}

struct text
weft_rt_meta_text(
	const struct meta *meta, const struct meta_of *of, bool is_finished)
{
	struct text o = { .at = of->scratch, .room = of->room };

	weft_rt_json_open(&o, "{");
	weft_rt_json_number(&o, "version", 3);
	put_ovni(&o, meta, of, is_finished);
	weft_rt_about(&o, of->stream, is_finished, of->has_clocks);
	weft_rt_json_close(&o, "}");
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

/* Writes the last text over the one of the thread's start, which is longer: a
 * new file in the place of another takes longer than all other steps of a short
 * thread's end. */
static bool
overwrite(struct meta *meta, struct text *text, const char *path)
{
	while (text->n < meta->nsaved && !text->failed)
		weft_rt_text_puts(text, " ");
	return !text->failed && text->n <= TEXT_PAGE &&
		weft_rt_text_overwrite(text->at, text->n, path);
}

/* Writes the text, or the merged one. */
static bool
save_text(struct meta *meta, struct text *text, const char *merged,
	const struct meta_of *of, bool is_finished, const char *path)
{
	const char *all = merged != NULL ? merged : text->at;
	size_t n = strlen(all);
	bool ok;

	if (is_finished && merged == NULL && meta->nsaved > 0 &&
		meta->nsaved <= TEXT_PAGE && overwrite(meta, text, path))
		ok = true;
	else if (meta->nsaved == 0)
		ok = weft_rt_text_save_new(all, n, path, of->temp);
	else
		ok = weft_rt_text_save(all, n, path, of->temp);
	if (ok)
		meta->nsaved = merged != NULL ? n : text->n;
	return ok;
}

bool
weft_rt_meta_save(struct meta *meta, const struct meta_of *of, bool is_finished,
	const char *path)
{
	struct json_object *tree = NULL;
	bool ok = false, allocates = meta->attr || meta->earlier, is_late;
	struct text text;
	int error = ENOMEM;

	is_late = (allocates || meta->before) && !is_finished &&
		!of->stream->is_emptied && weft_rt_handler_may_be();
	/* the exit saves the metadata of this thread, which may read it
	 * meanwhile */
	__atomic_store_n(&meta->is_late, is_late, __ATOMIC_RELAXED);
	/* better keep the present file than write one with fewer members */
	if (is_late && allocates)
		return true;
	if (!is_late)
		read_before(meta);
	text = weft_rt_meta_text(meta, of, is_finished);
	if (!text.failed) {
		if (meta->attr || meta->earlier)
			tree = weft_rt_attr_merge(
				meta->earlier, meta->attr, text.at);
		ok = save_text(meta, &text,
			tree ? weft_rt_attr_text(tree) : NULL, of, is_finished,
			path);
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
