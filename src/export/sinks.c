/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>

#include "export/sinks.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/near.h"
#include "export/chrome/chrome.h"
#include "export/csv/csv.h"
#include "export/db/db.h"
#include "export/fan.h"
#include "export/flame/folded.h"
#include "export/flame/pprof.h"
#include "export/flame/speedscope.h"
#include "export/index/sink.h"
#include "export/perfetto/perfetto.h"
#include "export/prv/prv.h"

const struct sink_ops *const sinks[] = {
	&sink_prv,
	&sink_csv,
	&sink_index,
	&sink_perfetto,
	&sink_chrome,
	&sink_folded,
	&sink_speedscope,
#ifdef HAVE_ZLIB
	&sink_pprof,
#endif
#ifdef HAVE_SQLITE
	&sink_sqlite,
#endif
	NULL,
};

static_assert(sizeof sinks / sizeof sinks[0] <= FAN_SINKS, "fan is too small");

static const struct sink_ops *
find(const char *name, size_t length)
{
	for (int i = 0; sinks[i] != NULL; i++)
		if (strncmp(sinks[i]->name, name, length) == 0 &&
			sinks[i]->name[length] == '\0')
			return sinks[i];
	return NULL;
}

static bool
unknown(struct arena *a, const char *name, size_t length, struct err *err)
{
	const char *known = "";
	struct near near = { .word = arena_strndup(a, name, length) };

	for (int i = 0; sinks[i] != NULL; i++) {
		near_try(&near, sinks[i]->name);
		known = arena_printf(
			a, "%s%s%s", known, i > 0 ? ", " : "", sinks[i]->name);
	}
	return err_set(err, ERR_INPUT,
		"unknown output format \"%.*s\"; there are: %s%s%s%s",
		length > 100 ? 100 : (int)length, name, known,
		near.best != NULL ? "; did you mean " : "",
		near.best != NULL ? near.best : "",
		near.best != NULL ? "?" : "");
}

/* Finds the formats of a list, each once, in the order of the list. Returns
 * their number, or -1 with err. */
static int
parse(struct arena *a, const char *names, const struct sink_ops **ops,
	struct err *err)
{
	int n = 0;

	for (;;) {
		size_t length = strcspn(names, ",");
		const struct sink_ops *found = find(names, length);
		int i = 0;

		if (found == NULL) {
			unknown(a, names, length, err);
			return -1;
		}
		while (i < n && ops[i] != found)
			i++;
		if (i == n)
			ops[n++] = found;
		if (names[length] == '\0')
			return n;
		names += length + 1;
	}
}

bool
sinks_known(struct arena *a, const char *names, struct err *err)
{
	const struct sink_ops *ops[sizeof sinks / sizeof sinks[0]];

	return parse(a, names, ops, err) >= 0;
}

bool
sinks_keep_identity(const char *names)
{
	for (;;) {
		size_t length = strcspn(names, ",");
		const struct sink_ops *found = find(names, length);

		if (found != NULL && found->keeps_identity)
			return true;
		if (names[length] == '\0')
			return false;
		names += length + 1;
	}
}

struct sink *
sinks_open(struct arena *a, const char *names, const char *dir,
	const struct sink_setup *setup, struct err *err)
{
	const struct sink_ops *ops[sizeof sinks / sizeof sinks[0]];
	struct fan *f;
	int n = parse(a, names, ops, err);

	if (n < 0 || !file_mkdir(dir, err))
		return NULL;
	if (n == 1)
		return ops[0]->open(a, dir, setup, err);
	f = ARENA_NEW(a, struct fan);
	fan_init(f);
	for (int i = 0; i < n; i++) {
		struct sink *to = ops[i]->open(a, dir, setup, err);

		if (to == NULL) {
			sink_close(&f->base, &(struct err){ 0 });
			return NULL;
		}
		fan_add(f, to);
	}
	return &f->base;
}
