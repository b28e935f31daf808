/* SPDX-License-Identifier: MIT */
#include "inproc/core/claim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inproc/core/directory.h"
#include "inproc/core/proc.h"
#include "inproc/core/ringfile.h"
#include "inproc/core/text.h"

enum { OWNER = PATH_MAX + 16, TRIES = 16 };

/* End of the text in the owner file of a process that could not lock the
 * file. */
static const char no_lock[] = ", \"lock\": false}\n";

static void
owner_path(const char *folder, char path[OWNER])
{
	snprintf(path, OWNER, "%s/owner", folder);
}

/* Keeps the lock of fd without a descriptor: a mapping of the file holds it.
 * exec and fork do not inherit the mapping. */
static void
keep(int fd)
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);

	if (page == MAP_FAILED)
		return; /* then the descriptor has to stay open */
	madvise(page, 4096, MADV_DONTFORK);
	close(fd);
}

/* Writes the owner's text; the file is locked or new. A full disk leaves it
 * empty, and others treat it as an unknown owner. */
static void
write_owner(int fd, const struct ident *me, bool has_lock)
{
	char text[IDENT_TEXT + sizeof(no_lock)];
	size_t n = weft_rt_ident_text(me, text);

	if (!has_lock && n > 2) {
		n -= 2; /* brace, newline */
		memcpy(text + n, no_lock, sizeof(no_lock) - 1);
		n += sizeof(no_lock) - 1;
	}
	/* Once a file was cut to nothing, ext4 writes it to the disk when it is
	 * closed, so a new one is not cut. */
	if ((lseek(fd, 0, SEEK_END) == 0 || ftruncate(fd, 0) == 0) &&
		lseek(fd, 0, SEEK_SET) == 0)
		weft_rt_text_write(fd, text, n);
}

/* Writes the owner file of a directory that we made. If that fails, others do
 * not take the directory either. */
static void
own(const char *folder, const struct ident *me)
{
	char path[OWNER];
	bool has_lock;
	int fd;

	owner_path(folder, path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return;
	has_lock = ringfile_hold(fd);
	write_owner(fd, me, has_lock);
	if (has_lock)
		keep(fd);
	else
		close(fd);
}

/* Returns the length of the string at text[0], with both quotes. */
static size_t
string_length(const char *text, size_t n)
{
	size_t i = 1;

	while (i < n && text[i] != '"')
		i += text[i] == '\\' ? 2 : 1;
	return i + 1 < n ? i + 1 : n;
}

static bool
is_key(const char *text, size_t length, size_t n, const char *name)
{
	size_t i = length;

	while (i < n && strchr(" \t\n", text[i]))
		i++;
	return i < n && text[i] == ':' && length == strlen(name) &&
		memcmp(text, name, length) == 0;
}

/* Returns true if the JSON text has the key "finished" in "ovni". */
static bool
says_finished(const char *text, size_t n)
{
	bool is_ovni = false;
	int depth = 0;

	for (size_t i = 0, length; i < n; i += length) {
		length = 1;
		if (text[i] == '{' || text[i] == '[')
			depth++;
		else if (text[i] == '}' || text[i] == ']')
			depth--;
		if (text[i] != '"')
			continue;
		length = string_length(text + i, n - i);
		if (depth == 2 && is_ovni &&
			is_key(text + i, length, n - i, "\"finished\""))
			return true;
		if (depth == 1)
			is_ovni = is_key(text + i, length, n - i, "\"ovni\"");
	}
	return false;
}

static bool
is_finished_thread(int folder, const char *thread)
{
	char path[NAME_MAX + 16];
	struct stat st = { 0 };
	char *text = MAP_FAILED;
	bool is = false;
	int fd;

	snprintf(path, sizeof(path), "%s/stream.json", thread);
	fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && st.st_size > 0)
		text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			fd, 0);
	close(fd);
	if (text != MAP_FAILED) {
		is = says_finished(text, (size_t)st.st_size);
		munmap(text, (size_t)st.st_size);
	}
	return is;
}

/* Returns true if there is a thread and all threads ended regularly. */
static bool
is_finished(const char *folder)
{
	DIR *d = opendir(folder);
	bool any = false, all = true;

	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		if (strncmp(e->d_name, "thread.", 7) != 0)
			continue;
		any = true;
		all = all && is_finished_thread(dirfd(d), e->d_name);
	}
	if (d)
		closedir(d);
	return any && all;
}

/* Returns true if the owner's process in our pid namespace has ended. */
static bool
is_gone(const struct ident *owner, const struct ident *me)
{
	return owner->pid == me->pid ||
		(kill(owner->pid, 0) != 0 && errno == ESRCH) ||
		weft_rt_ident_started(owner->pid) != owner->started;
}

/* Returns true if the owner has ended; we hold its lock now. In another pid
 * namespace only the lock tells, if the owner could lock the file. */
static bool
is_over(const char *folder, const struct ident *owner, const struct ident *me,
	bool had_lock)
{
	if (me->boot[0] == '\0' || owner->boot[0] == '\0')
		return false;
	if (strcmp(owner->boot, me->boot) != 0)
		return is_finished(folder);
	if (owner->pidns == me->pidns && me->pidns != 0)
		return is_gone(owner, me);
	return had_lock;
}

/* Determines which process has the directory. fd: the owner's file. */
static enum claim
look(const char *folder, int fd, const struct ident *me)
{
	char text[IDENT_TEXT + sizeof(no_lock)];
	struct ident owner;
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	bool is_known;

	text[n > 0 ? n : 0] = '\0';
	is_known = weft_rt_ident_read(&owner, text);
	if (is_known && weft_rt_ident_is_same(&owner, me))
		return CLAIM_IMAGE;
	if (!is_known || !ringfile_hold(fd) ||
		!is_over(folder, &owner, me, strstr(text, no_lock) == NULL))
		return CLAIM_TAKEN;
	return CLAIM_EARLIER;
}

static enum claim
take_over(const char *folder, const struct ident *me)
{
	char path[OWNER];
	enum claim claim;
	struct stat st;
	int fd;

	owner_path(folder, path);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return CLAIM_TAKEN;
	claim = look(folder, fd, me);
	/* the previous owner may have removed it meanwhile, with the
	 * directory */
	if (claim == CLAIM_EARLIER && (fstat(fd, &st) != 0 || st.st_nlink == 0))
		claim = CLAIM_TAKEN;
	if (claim != CLAIM_EARLIER) {
		close(fd);
		return claim;
	}
	write_owner(fd, me, true);
	keep(fd);
	return claim;
}

enum claim
weft_rt_claim(const char *folder, const struct ident *me)
{
	/* another process that ends may remove the parent directory again */
	for (int i = 0; i < TRIES; i++) {
		if (!weft_rt_folder_above(folder))
			return CLAIM_FAILED;
		if (mkdir(folder, 0755) == 0) {
			own(folder, me);
			return CLAIM_FRESH;
		}
		if (errno == EEXIST)
			return take_over(folder, me);
		if (errno != ENOENT)
			return CLAIM_FAILED;
	}
	return CLAIM_FAILED;
}

void
weft_rt_claim_undo(const char *folder)
{
	char path[OWNER];

	owner_path(folder, path);
	unlink(path);
	rmdir(folder);
}
