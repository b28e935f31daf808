/* SPDX-License-Identifier: MIT */
#include "inproc/collect/fd.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "inproc/code/peek.h"
#include "inproc/collect/objects.h"
#include "inproc/collect/put.h"
#include "inproc/collect/wait.h"
#include "perf/smallfile.h"

enum { NAME = 256 }; /* bytes of a name that are kept */

uint32_t *fd_table;

bool
fd_init(void)
{
	void *p = mmap(NULL, FD_MAX * sizeof *fd_table, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return false;
	/* the numbers of files are those of the process */
	if (madvise(p, FD_MAX * sizeof *fd_table, MADV_WIPEONFORK) != 0) {
		munmap(p, FD_MAX * sizeof *fd_table);
		return false;
	}
	fd_table = p;
	return true;
}

static bool
blocks(int fd, const struct stat *st)
{
	int flags;

	/* a terminal that is a character device blocks; other devices, such as
	 * /dev/null, do so rarely */
	if (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode) ||
		S_ISBLK(st->st_mode) || (S_ISCHR(st->st_mode) && !isatty(fd)))
		return false;
	flags = fcntl(fd, F_GETFL);
	return flags >= 0 && (flags & O_NONBLOCK) == 0;
}

uint32_t
fd_look(int fd)
{
	int error = errno;
	struct stat st;
	uint32_t known = FD_TIMED;

	collect_enter();
	/* a descriptor that is not open is asked for again */
	if (fstat(fd, &st) == 0) {
		known = blocks(fd, &st) ? FD_WAITS : FD_TIMED;
		if ((unsigned)fd < FD_MAX)
			__atomic_store_n(
				&fd_table[fd], known, __ATOMIC_RELAXED);
	}
	collect_leave();
	errno = error;
	return known;
}

void
fd_forget(unsigned first, unsigned last)
{
	for (unsigned fd = first; fd <= last && fd < FD_MAX; fd++)
		if (__atomic_load_n(&fd_table[fd], __ATOMIC_RELAXED) != 0)
			__atomic_store_n(&fd_table[fd], 0, __ATOMIC_RELAXED);
}

/* A name that grows; it is cut when it is full. */
struct name {
	size_t n;
	char text[NAME];
};

static void
add(struct name *to, const char *text)
{
	size_t n = strnlen(text, NAME - 1 - to->n);

	memcpy(to->text + to->n, text, n);
	to->n += n;
	to->text[to->n] = '\0';
}

static void
add_number(struct name *to, uint64_t value)
{
	char digits[24], *at = digits + sizeof digits - 1;

	*at = '\0';
	do
		*--at = (char)('0' + value % 10);
	while ((value /= 10) > 0);
	add(to, at);
}

static void
add_address(struct name *to, const struct sockaddr_storage *of, socklen_t size)
{
	const struct sockaddr_in *v4 = (const void *)of;
	const struct sockaddr_in6 *v6 = (const void *)of;
	const struct sockaddr_un *un = (const void *)of;
	size_t n = size > offsetof(struct sockaddr_un, sun_path)
		? size - offsetof(struct sockaddr_un, sun_path)
		: 0;
	char text[INET6_ADDRSTRLEN] = "";

	if (of->ss_family == AF_UNIX && n > 0 && un->sun_path[0] == '\0') {
		add(to, "@");
		for (size_t i = 1; i < n && un->sun_path[i] != '\0'; i++)
			add(to, (char[]){ un->sun_path[i], '\0' });
	} else if (of->ss_family == AF_UNIX && n > 0) {
		for (size_t i = 0; i < n && un->sun_path[i] != '\0'; i++)
			add(to, (char[]){ un->sun_path[i], '\0' });
	} else if (of->ss_family == AF_INET) {
		add(to, inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text));
		add(to, ":");
		add_number(to, ntohs(v4->sin_port));
	} else if (of->ss_family == AF_INET6) {
		add(to, "[");
		add(to, inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text));
		add(to, "]:");
		add_number(to, ntohs(v6->sin6_port));
	}
}

static void
add_family(struct name *to, int fd, const struct sockaddr_storage *of)
{
	int type = 0;
	socklen_t size = sizeof type;

	getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size);
	if (of->ss_family == AF_UNIX)
		add(to, "unix ");
	else if (of->ss_family == AF_INET || of->ss_family == AF_INET6)
		add(to, type == SOCK_DGRAM ? "udp " : "tcp ");
}

/* Names a socket after its peer, or else after its own address. */
static void
name_socket(struct name *to, int fd, const struct stat *st)
{
	struct sockaddr_storage a = { 0 };
	socklen_t size = sizeof a, own = sizeof a;
	bool has_peer = getpeername(fd, (struct sockaddr *)&a, &size) == 0 &&
		size > sizeof a.ss_family;

	if (!has_peer) {
		size = own;
		if (getsockname(fd, (struct sockaddr *)&a, &size) != 0)
			size = 0;
	}
	add_family(to, fd, &a);
	if (!has_peer && size > sizeof a.ss_family)
		add(to, "from ");
	add_address(to, &a, size);
	if (size <= sizeof a.ss_family) {
		add(to, "socket:[");
		add_number(to, st->st_ino);
		add(to, "]");
	}
}

static void
name_fd(struct name *to, int fd, const struct stat *st)
{
	struct name link = { 0 };
	ssize_t n;

	if (S_ISSOCK(st->st_mode)) {
		name_socket(to, fd, st);
		return;
	}
	add(&link, "/proc/self/fd/");
	add_number(&link, (uint64_t)fd);
	n = readlink(link.text, to->text, NAME - 1);
	to->n = n < 0 ? 0 : (size_t)n;
	to->text[to->n] = '\0';
	if (n < 0) { /* there is no /proc */
		add(to, "fd ");
		add_number(to, (uint64_t)fd);
		add(to, ", inode ");
		add_number(to, st->st_ino);
	}
}

static enum file_kind
kind_of(const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return FILE_REGULAR;
	if (S_ISDIR(st->st_mode))
		return FILE_DIRECTORY;
	if (S_ISFIFO(st->st_mode))
		return FILE_PIPE;
	if (S_ISSOCK(st->st_mode))
		return FILE_SOCKET;
	return S_ISBLK(st->st_mode) || S_ISCHR(st->st_mode) ? FILE_DEVICE
							    : FILE_OTHER;
}

static void
define(uint32_t number, enum file_kind kind, const struct name *name)
{
	struct __attribute__((packed)) {
		uint32_t file, kind;
		char name[NAME];
	} data = { number, kind, "" };

	memcpy(data.name, name->text, name->n + 1);
	put_definition(
		"WYf", &data, (uint32_t)(sizeof data - NAME + name->n + 1));
}

/* Returns the number of a file by its name, not by its inode: a new file may
 * get the inode of a deleted one, a socket gets another name when it is
 * connected, and all event descriptors share one inode. Only names that were
 * cut need it. */
static uint32_t
named(const struct name *name, enum file_kind kind, uint64_t inode)
{
	uint64_t h = 0xcbf29ce484222325u ^
		(name->n == NAME - 1 ? inode * 0x9e3779b97f4a7c15u : 0);
	struct object *o;
	uint32_t number;

	for (size_t i = 0; i < name->n; i++)
		h = (h ^ (unsigned char)name->text[i]) * 0x100000001b3u;
	h = (h ^ (uint64_t)kind) * 0xff51afd7ed558ccdu;
	o = object_at(
		(const void *)(uintptr_t)((h ^ h >> 29) & UINT64_MAX >> 8),
		KIND_FILE);
	number = object_place(o);
	if (o != NULL && !put_is_defined(&o->defined)) {
		define(number, kind, name);
		put_was_defined(&o->defined);
	}
	return number;
}

uint32_t
fd_number(int fd)
{
	uint32_t known = (unsigned)fd < FD_MAX
		? __atomic_load_n(&fd_table[fd], __ATOMIC_RELAXED)
		: 0;
	struct name name = { 0 };
	struct stat st;
	int error = errno;
	uint32_t number = 0;

	if (object_is_defined(known >> 2))
		return known >> 2;
	collect_enter();
	if (fstat(fd, &st) == 0) {
		name_fd(&name, fd, &st);
		number = named(&name, kind_of(&st), st.st_ino);
	}
	if (known != 0)
		__atomic_store_n(&fd_table[fd], (known & 3) | number << 2,
			__ATOMIC_RELAXED);
	collect_leave();
	errno = error;
	return number;
}

uint32_t
fd_path_number(const char *path)
{
	struct name name = { 0 };
	int error = errno;
	uint32_t number;

	if (path == NULL)
		return 0;
	collect_enter();
	code_peek(name.text, path, NAME - 1);
	name.n = strlen(name.text);
	number = named(&name, FILE_PATH, 0);
	collect_leave();
	errno = error;
	return number;
}

int
fd_of_stream(FILE *f)
{
	int error = errno, fd = f == NULL ? -1 : fileno(f);

	/* a stream of memory has none */
	errno = error;
	return fd;
}

uint32_t
fd_stream_number(FILE *f)
{
	int fd = fd_of_stream(f);

	return fd < 0 ? 0 : fd_number(fd);
}

uint32_t
fd_peer_number(int fd, const struct sockaddr *to, unsigned size)
{
	struct sockaddr_storage a = { 0 };
	struct name name = { 0 };
	int error = errno;
	uint32_t number;

	if (to == NULL || size > sizeof a || size <= sizeof a.ss_family)
		return fd_number(fd);
	collect_enter();
	code_peek(&a, to, size);
	add_family(&name, fd, &a);
	add_address(&name, &a, size);
	/* not of an address of a family that is not known here, or of none */
	number = name.n == 0 ? 0 : named(&name, FILE_SOCKET, 0);
	collect_leave();
	errno = error;
	return number == 0 ? fd_number(fd) : number;
}

void
fd_connected(int fd, uint32_t number)
{
	fd_forget((unsigned)fd, (unsigned)fd);
	if ((unsigned)fd < FD_MAX && number != 0)
		__atomic_store_n(&fd_table[fd],
			(fd_look(fd) & FD_KIND) | number << 2,
			__ATOMIC_RELAXED);
}

int
fd_process(int fd)
{
	struct name path = { 0 };
	char text[256], *at;
	int error = errno, pid = -1;

	if (fd < 0)
		return -1;
	collect_enter();
	add(&path, "/proc/self/fdinfo/");
	add_number(&path, (uint64_t)fd);
	if (smallfile_read(path.text, text, sizeof text)) {
		at = strstr(text, "Pid:\t");
		pid = at == NULL ? -1 : (int)strtol(at + 5, NULL, 10);
	}
	collect_leave();
	errno = error;
	return pid > 0 ? pid : -1;
}
