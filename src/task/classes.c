/* SPDX-License-Identifier: MIT */
#include "task/classes.h"

#include <link.h>
#include <string.h>

#include "base/utf8.h"
#include "sim/hook.h"

static uint32_t
put_name(struct classes *c, struct tail *t, const char *text, size_t n)
{
	uint32_t before = c->names.n;
	uint32_t name = names_add(&c->names, text, n);
	size_t words = 1 + (n + 7) / 8;
	uint64_t *to;

	if (c->names.n == before)
		return name;
	to = tail_room(t, words);
	if (to == NULL)
		return name;
	memcpy(to + 1, text, n); /* the padding is zero already */
	tail_commit(t, journal_word(JOURNAL_NAME, (uint32_t)n, 0), words);
	return name;
}

/* Invalid UTF-8 becomes U+FFFD. The text is cut so that it fits the tail even
 * if every byte grows to three. */
uint32_t
classes_name(struct classes *c, struct tail *t, const char *text)
{
	size_t n = strnlen(text, (t->begin - JOURNAL_TAIL) / 4);
	char *mended;
	uint32_t name;

	if (utf8_is_valid(text, n))
		return put_name(c, t, text, n);
	mended = mem_resize(NULL, 3, n);
	name = put_name(c, t, mended, utf8_mend(mended, text, n));
	mem_free(mended);
	return name;
}

struct address {
	uintptr_t at;
	bool constant;
};

static int
find_segment(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct address *a = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD &&
			a->at - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
			a->constant = (p->p_flags & PF_W) == 0;
	}
	return 0;
}

/* Returns true for a string literal or a string of the engine. Other texts may
 * change at the same address. */
static bool
is_constant(const struct classes *c, const char *text)
{
	struct address a = { (uintptr_t)text, false };

	if (text == NULL || (c->engine != NULL && sim_keeps(c->engine, text)))
		return true;
	dl_iterate_phdr(find_segment, &a);
	return a.constant;
}

bool
classes_is_same(const struct classes *c, const struct seen *s)
{
	const struct copies *copy = &c->copies[s - c->seen];

	for (int i = 0; i < 3; i++)
		if (copy->text[i] != NULL && s->text[i] != NULL &&
			strcmp(copy->text[i], s->text[i]) != 0)
			return false;
	return true;
}

__attribute__((noinline, cold)) void
classes_add(struct classes *c, struct tail *t, struct seen *s,
	const char *const text[3])
{
	struct copies *copy = &c->copies[s - c->seen];
	uint32_t name[3], class, before = c->classes.n;
	uint64_t *to, flags = 0;

	for (int i = 0; i < 3; i++) {
		bool constant = is_constant(c, text[i]);

		name[i] = text[i] != NULL ? classes_name(c, t, text[i]) : 0;
		s->text[i] = text[i];
		copy->text[i] = constant ? NULL : c->names.at[name[i] - 1].text;
		flags |= constant ? 0 : SEEN_CHANGES;
	}
	class = names_add(&c->classes, (const char *)name, sizeof name);
	to = c->classes.n != before ? tail_room(t, 3) : NULL;
	if (to != NULL) {
		to[1] = (uint64_t)name[0] << 32 | name[1];
		to[2] = name[2];
		tail_commit(t, journal_word(JOURNAL_CLASS, 0, 0), 3);
	}
	flags |= class > JOURNAL_CLASS_MAX ? SEEN_LONG : 0;
	s->word = journal_word(JOURNAL_SHORT, class, 0) | flags;
}

void
classes_init(struct classes *c, struct weft_sim_engine *e)
{
	c->engine = e;
	for (uint32_t i = 0; i < CLASSES_CACHED; i++)
		c->seen[i].word = SEEN_CHANGES;
	names_init(&c->names, &c->arena);
	names_init(&c->classes, &c->arena);
}

void
classes_fini(struct classes *c)
{
	names_fini(&c->names);
	names_fini(&c->classes);
	arena_fini(&c->arena);
}
