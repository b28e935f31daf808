/* SPDX-License-Identifier: MIT */
#include "cli/trace/anonymous.h"

#include <pwd.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/tempdir.h"
#include "cli/copy.h"
#include "cli/shell.h"
#include "cli/trace/pipeline.h"
#include "trace/align/table.h"
#include "trace/perf/perf.h"
#include "trace/text/text.h"

#define DOCUMENT_MOST ((size_t)1 << 30) /* bytes */
#define LEVELS 32

/* Members whose texts readers need. */
static const char *const own[] = {
	/* stream.json */
	"version", "commit", "part", "chan_type", "clock", "kind", "boot", "id",
	/* CTF */
	"name", "namespace", "uid", "uuid", "tracer_name", "domain", "type",
	"encoding", "roles", "path", "origin", "byte-order", "bit-order",
	"field-class", "element-field-class", "default-clock-class-id",
	"media-type", "cpu_list", "model.emf.uri", NULL
};

static void
add_host(struct anonymous *n, const char *host)
{
	scrub_name(&n->scrub, &n->run->arena, host, SCRUB_HOST);
}

/* Adds the name of the user that a file belongs to. */
static void
add_owner(struct anonymous *n, const char *file)
{
	const struct passwd *pw;
	struct stat st;

	pw = stat(file, &st) == 0 ? getpwuid(st.st_uid) : NULL;
	if (pw != NULL)
		scrub_name(&n->scrub, &n->run->arena, pw->pw_name, SCRUB_USER);
}

/* Adds the host in a name of a node: "node7.cluster.17", "node7". */
static void
add_node(struct anonymous *n, const char *name)
{
	const char *dot = strrchr(name, '.');
	bool pid = dot != NULL && dot[1] != '\0' &&
		strspn(dot + 1, "0123456789") == strlen(dot + 1);

	add_host(n,
		pid ? arena_strndup(&n->run->arena, name, (size_t)(dot - name))
		    : name);
}

/* Adds the hosts of a table of clocks: the second column in that of ovni, else
 * the first one, or that behind "reference". */
static void
add_hosts_of_table(void *arg, const char *path, const char *relative)
{
	struct anonymous *n = arg;
	struct arena *a = &n->run->arena;
	size_t size;
	char *text =
		file_read(a, path, DOCUMENT_MOST, &size, &(struct err){ 0 });
	bool of_weft = text != NULL && clock_table_is(text);
	char *line;

	(void)relative;
	for (int i = 0; text != NULL && (line = strsep(&text, "\n")); i++) {
		char *word[2] = { NULL }, *rest = line;

		for (int k = 0; k < 2; k++)
			word[k] =
				strtok_r(k == 0 ? line : NULL, " \t\r", &rest);
		if (i == 0 || word[0] == NULL)
			continue;
		add_host(n,
			of_weft && strcmp(word[0], "reference") != 0 ? word[0]
								     : word[1]);
	}
}

static void
find_names(struct anonymous *n)
{
	const struct trace *t = &n->run->source->trace;
	const struct file_visitor visitor = { .file = add_hosts_of_table,
		.arg = n,
		.also = "clock-offsets.txt",
		.levels = LEVELS };
	const struct trace_env *e;

	for (int i = 0; i < t->nodes.n; i++)
		add_node(n, t->nodes.at[i].name);
	for (int i = 0; i < t->parts.n; i++) {
		e = trace_env(t->parts.at[i], "hostname");
		if (e != NULL)
			add_host(n, e->text);
	}
	if (file_is_dir(n->root))
		file_find(&n->run->arena, n->root, CLOCK_TABLE_FILE, &visitor,
			&(struct err){ 0 });
	scrub_here(&n->scrub, &n->run->arena);
	add_owner(n, n->root);
	if (t->streams.n > 0)
		add_owner(n, t->streams.at[0].file);
}

const char *
anonymous_name(const struct anonymous *n, const char *file, struct err *err)
{
	struct arena *a = &n->run->arena;
	size_t length = strlen(n->root);
	char *name;

	while (length > 1 && n->root[length - 1] == '/')
		length--;
	if (strcmp(file, n->root) == 0)
		return n->path;
	if (strncmp(file, n->root, length) != 0 || file[length] != '/') {
		err_set(err, ERR_INPUT,
			"%s is not below %s: name the directory of the trace "
			"itself",
			file, n->root);
		return NULL;
	}
	name = arena_strdup(a, file + length + 1);
	scrub_bytes(&n->scrub, name, strlen(name));
	return arena_printf(a, "%s/%s", n->path, name);
}

/* JSON may write "/" as "\/", which would hide a path. */
static size_t
without_escaped_slashes(char *text, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\\' && i + 1 < n && text[i + 1] != '/')
			text[to++] = text[i++];
		else if (text[i] == '\\' && i + 1 < n)
			i++;
		text[to++] = text[i];
	}
	return to;
}

static bool
is_table(const char *file)
{
	return strcmp(file_name(file), CLOCK_TABLE_FILE) == 0 ||
		strcmp(file_name(file), "clock-offsets.txt") == 0;
}

/* Copies a file of metadata, a table of clocks, or a whole trace in words. */
static bool
copy_document(struct anonymous *n, const char *file, struct err *err)
{
	struct arena a = { 0 };
	const char *to = anonymous_name(n, file, err), *left;
	size_t size = 0;
	char *text = to == NULL
		? NULL
		: file_read(&a, file, DOCUMENT_MOST, &size, err);
	struct outfile out;
	bool ok = text != NULL;

	if (to != NULL && !ok)
		err_in(err, "%s", file);
	if (ok && size > 0 && text[0] == '{')
		size = without_escaped_slashes(text, size);
	if (ok && (n->run->source->ops == &source_text || is_table(file)))
		scrub_bytes(&n->scrub, text, size);
	else if (ok)
		scrub_document(&n->scrub, text, size);
	left = ok ? scrub_find(&n->scrub, text, size) : NULL;
	if (left != NULL)
		ok = err_set(err, ERR_INPUT,
			"%s: the word %s has another meaning there, so it "
			"cannot be replaced: rename it in a copy of the trace",
			file, left);
	ok = ok && copy_parents(&a, to, err) &&
		outfile_open(&out, &a, to, 1 << 16, err);
	if (ok) {
		outfile_write(&out, text, size);
		ok = outfile_close(&out, err);
	}
	arena_fini(&a);
	return ok;
}

/* A file beside the streams that readers use. */
struct beside {
	struct anonymous *n;
	struct err *err;
	bool ok;
};

static void
copy_beside_streams(void *arg, const char *path, const char *relative)
{
	struct beside *b = arg;

	(void)relative;
	b->ok = b->ok && copy_document(b->n, path, b->err);
}

static bool
copy_others(struct anonymous *n, struct err *err)
{
	static const char *const names[][2] = {
		{ CLOCK_TABLE_FILE, "clock-offsets.txt" },
		{ "VERSION", "nanos6_kerneldefs.json" },
	};
	struct beside b = { n, err, true };
	struct file_visitor visitor = {
		.file = copy_beside_streams, .arg = &b, .levels = LEVELS
	};

	for (int i = 0; i < 2 && b.ok && file_is_dir(n->root); i++) {
		visitor.also = names[i][1];
		b.ok = file_find(&n->run->arena, n->root, names[i][0], &visitor,
			       err) &&
			b.ok;
	}
	return b.ok;
}

/* Copies a file of a stream, as it is. */
static bool
copy_stream(struct anonymous *n, const char *file, struct err *err)
{
	const char *to = anonymous_name(n, file, err);

	return to != NULL && copy_file(&n->run->arena, file, to, err);
}

static bool
copy_files(struct anonymous *n, struct err *err)
{
	const struct trace *t = &n->run->source->trace;
	bool ok = true;

	for (int i = 0; i < t->streams.n && ok; i++) {
		const struct stream *s = &t->streams.at[i];
		bool again = i > 0 && s->meta != NULL &&
			t->streams.at[i - 1].meta != NULL &&
			strcmp(s->meta, t->streams.at[i - 1].meta) == 0;

		if (s->meta != NULL && !again && file_is_regular(s->meta))
			ok = copy_document(n, s->meta, err);
		if (ok && file_is_regular(s->file))
			ok = copy_stream(n, s->file, err);
	}
	return ok && copy_others(n, err);
}

static bool
refuse_perf(const struct anonymous *n, struct err *err)
{
	const char *name = n->title;

	return err_set(err, ERR_INPUT,
		"a file of perf has command lines and paths in many places: "
		"convert it, and pack that: weft convert %s -o %s.ctf2/ && "
		"weft pack --anonymous %s.ctf2",
		shell_word(&n->run->arena, n->run->source->trace.path), name,
		name);
}

bool
anonymous_find(struct anonymous *n, struct err *err)
{
	struct arena *a = &n->run->arena;
	const struct source *source = n->run->source;
	char *top;

	if (source->ops == &source_perf)
		return refuse_perf(n, err);
	n->scrub = (struct scrub){ .same_length = true, .own = own };
	n->root = copy_inputs(a, source->trace.path);
	find_names(n);
	if (n->scrub.is_full)
		return err_set(err, ERR_LIMIT,
			"too many hosts have names of the same few letters: "
			"there are not as many other names");
	top = arena_strdup(a, file_name(n->title));
	scrub_bytes(&n->scrub, top, strlen(top));
	n->top = top;
	return true;
}

bool
anonymous_copy(struct anonymous *n, struct err *err)
{
	n->dir = tempdir_make(&n->run->arena, err);
	if (n->dir == NULL)
		return false;
	n->path = arena_printf(&n->run->arena, "%s/%s", n->dir, n->top);
	if (n->run->source->ops == &source_text)
		return copy_document(n, n->root, err);
	return copy_files(n, err) && anonymous_events(n, err);
}
