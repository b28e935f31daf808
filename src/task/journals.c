/* SPDX-License-Identifier: MIT */
#include "task/journals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "task/journal.h"

enum look { ABSENT, EMPTY, FOREIGN, JOURNAL };

/* Reads the header of a journal. EMPTY: its writer was killed before it had
 * written the header. */
static enum look
look_at(const char *path, struct journal_head *head)
{
	static const char none[sizeof head->magic];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int64_t got;

	if (fd < 0)
		return errno == ENOENT ? ABSENT : FOREIGN;
	got = file_pread(fd, head, sizeof *head, 0);
	close(fd);
	if (got == 0)
		return EMPTY;
	if (got != (int64_t)sizeof *head)
		return FOREIGN;
	head->store[sizeof head->store - 1] = '\0';
	if (memcmp(head->magic, none, sizeof none) == 0)
		return EMPTY;
	return memcmp(head->magic, JOURNAL_MAGIC, sizeof head->magic) == 0
		? JOURNAL
		: FOREIGN;
}

/* Returns the beginning of all journal names. Journals lie beside the file
 * itself, not beside a symbolic link to it. */
static const char *
stem(struct arena *a, const struct store_address *address)
{
	const char *path = address->path;
	char real[PATH_MAX];
	struct stat st;
	size_t n;

	if (path == NULL)
		return arena_printf(a, "weft-%s", address->database);
	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) &&
		realpath(path, real) != NULL)
		path = real;
	for (n = strlen(path); n > 1 && path[n - 1] == '/';)
		n--;
	return arena_strndup(a, path, n);
}

static const char *
numbered(struct arena *a, const struct store_address *address, uint64_t run)
{
	return arena_printf(a, "%s.%llu.journal", stem(a, address),
		(unsigned long long)run);
}

static bool
is_local(const char *host)
{
	return strcmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 ||
		strcmp(host, "127.0.0.1") == 0;
}

const char *
journals_store(struct arena *a, const struct store_address *address)
{
	int usual = strcmp(address->kind, "mongodb") == 0 ? 27017 : 3306;

	if (address->path != NULL)
		return "";
	return arena_printf(a, "%s://%s:%d/%s", address->kind,
		is_local(address->host) ? "localhost" : address->host,
		address->port != 0 ? address->port : usual, address->database);
}

/* Returns the number in "STEM.12.journal", or 0 for any other name. */
static uint64_t
number_in(const char *name, const char *stem)
{
	size_t n = strlen(stem);
	uint64_t run;
	char *end;

	if (strncmp(name, stem, n) != 0 || name[n] != '.' ||
		name[n + 1] < '1' || name[n + 1] > '9')
		return 0;
	run = strtoull(name + n + 1, &end, 10);
	return strcmp(end, ".journal") == 0 && run <= INT64_MAX ? run : 0;
}

/* Adds the journal if it belongs to the store address. */
static void
consider(struct journals *j, struct arena *a,
	const struct store_address *address, const char *path)
{
	const char *store = journals_store(a, address);
	struct journal_head head;

	if (look_at(path, &head) != JOURNAL || head.run == 0)
		return;
	if (head.store[0] != '\0' &&
		strncmp(head.store, store, sizeof head.store - 1) != 0)
		return;
	if (head.run > j->greatest)
		j->greatest = head.run;
	VEC_PUSH(&j->run, a, ((struct journals_run){ head.run, path }));
}

static int
by_run(const void *pa, const void *pb)
{
	const struct journals_run *a = pa, *b = pb;

	return a->run < b->run ? -1 : a->run > b->run;
}

void
journals_find(struct journals *j, struct arena *a,
	const struct store_address *address)
{
	const char *base = stem(a, address), *slash = strrchr(base, '/');
	size_t n = slash != NULL ? (size_t)(slash + 1 - base) : 0;
	const char *folder = n > 0 ? arena_strndup(a, base, n) : "./";
	const struct dirent *entry;
	DIR *dir = opendir(folder);

	*j = (struct journals){ 0 };
	if (address->path != NULL)
		consider(j, a, address, arena_printf(a, "%s.journal", base));
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		uint64_t run = number_in(entry->d_name, base + n);

		if (run == 0)
			continue;
		if (run > j->greatest)
			j->greatest = run;
		consider(j, a, address, numbered(a, address, run));
	}
	if (dir != NULL)
		closedir(dir);
	if (j->run.n > 1)
		qsort(j->run.at, (size_t)j->run.n, sizeof *j->run.at, by_run);
}

const char *
journals_path(const struct journals *j, uint64_t run)
{
	for (int i = j->run.n; i > 0; i--)
		if (j->run.at[i - 1].run == run)
			return j->run.at[i - 1].path;
	return NULL;
}

static bool
make(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Returns true if both names are links to one file: a process was killed
 * between making the second name and removing the first. */
static bool
is_same(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
		x.st_ino == y.st_ino;
}

/* Renames the journal of a killed run, so that the next run can use its
 * name. */
static bool
set_aside(struct arena *a, const struct store_address *address,
	const char *path, uint64_t run)
{
	for (;; run++) {
		const char *name = numbered(a, address, run);

		if (link(path, name) == 0 ||
			(errno == EEXIST && is_same(path, name)))
			return unlink(path) == 0;
		if (errno == EEXIST)
			continue;
		if (errno != EPERM && errno != EOPNOTSUPP)
			return false;
		return access(name, F_OK) != 0 && rename(path, name) == 0;
	}
}

/* Claims the journal of a file. The owner's lock keeps other processes out. */
static const char *
claim_of_file(struct arena *a, const struct store_address *address)
{
	const char *path = arena_printf(a, "%s.journal", stem(a, address));
	struct journal_head head;

	switch (look_at(path, &head)) {
	case EMPTY:
		return path;
	case FOREIGN:
		errno = EEXIST;
		return NULL;
	case JOURNAL:
		if (!set_aside(a, address, path, head.run))
			return NULL;
		break;
	default:
		break;
	}
	return make(path) ? path : NULL;
}

/* Claims a number for a run of a database by creating the file of that name. */
static const char *
claim_of_server(
	struct arena *a, const struct store_address *address, uint64_t *run)
{
	for (;; ++*run) {
		const char *path = numbered(a, address, *run);

		if (make(path))
			return path;
		if (errno != EEXIST)
			return NULL;
	}
}

const char *
journals_claim(struct arena *a, const struct store_address *address,
	uint64_t *run, int *why)
{
	struct journals j;
	const char *path;

	journals_find(&j, a, address);
	if (j.greatest >= *run)
		*run = j.greatest + 1;
	path = address->path != NULL ? claim_of_file(a, address)
				     : claim_of_server(a, address, run);
	*why = path == NULL ? errno : 0;
	return path;
}
