/* SPDX-License-Identifier: MIT */
#include "inproc/mem/names.h"

#include <stddef.h>
#include <string.h>

#include "inproc/core/assert.h"
#include "inproc/core/pages.h"
#include "inproc/core/spin.h"

enum { NAMES = 4096, LONGEST = 255 };

/* The drain reads a name without the lock, after the thread that got the number
 * has set BLOCK_NAMED. */
static struct {
	struct spin lock; /* RANK_NAMES */
	uint16_t n;
	const char *name[NAMES]; /* the first number is 1 */
} names;

static uint16_t
find(const char *name, size_t n)
{
	for (uint16_t i = 0; i < names.n; i++)
		if (strncmp(names.name[i], name, n) == 0 &&
			names.name[i][n] == '\0')
			return (uint16_t)(i + 1);
	return 0;
}

uint16_t
names_number(const char *name)
{
	size_t n = name == NULL ? 0 : strnlen(name, LONGEST);
	uint16_t number;
	char *text;

	if (n == 0)
		return 0;
	spin_lock(&names.lock, RANK_NAMES);
	number = find(name, n);
	if (number == 0 && names.n < NAMES &&
		(text = room_take(n + 1)) != NULL) {
		memcpy(text, name, n);
		names.name[names.n] = text;
		number = ++names.n;
	}
	spin_unlock(&names.lock, RANK_NAMES);
	return number;
}

void
names_write(struct outbuf *o, uint32_t object, uint16_t name)
{
	struct mem_object_name r = { .object = object };

	if (name == 0)
		return;
	WEFT_ASSERT(name_is_in_the_table,
		name <= __atomic_load_n(&names.n, __ATOMIC_RELAXED));
	r.bytes = (uint32_t)strlen(names.name[name - 1]);
	out_add(o, MEM_OBJECT_NAME, &r, offsetof(struct mem_object_name, text),
		names.name[name - 1], r.bytes);
}

void
names_hold(void)
{
	spin_lock(&names.lock, RANK_NAMES);
}

void
names_let_go(void)
{
	spin_unlock(&names.lock, RANK_NAMES);
}
