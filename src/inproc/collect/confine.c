/* SPDX-License-Identifier: MIT */
#include "inproc/collect/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/code/seccomp.h"
#include "inproc/collect/alien.h"
#include "inproc/collect/wait.h"

enum {
	FILE_NUMBER = 9, /* some file that the recorder has open */
	ROOM = 1 << 16,
	THREAD = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
		CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
		CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
};

/* The recorder's system calls, with the arguments that filters look at. The
 * first one does not exist: most filters name the calls that they allow. */
static const struct seccomp_call calls[] = {
	{ 1000, false, { 0 } },
	{ SYS_clone, false, { CLONE_VM | CLONE_VFORK } },
	{ SYS_clone, false, { THREAD } },
	{ SYS_clone3, false, { 0 } },
	{ SYS_close, true, { FILE_NUMBER } },
	{ SYS_close_range, false, { 0, UINT32_MAX } },
	{ SYS_exit, true, { 0 } },
	{ SYS_faccessat, false, { (uint32_t)AT_FDCWD } },
	{ SYS_fallocate, false, { FILE_NUMBER } },
	{ SYS_fcntl, false, { FILE_NUMBER, F_GETFD } },
	{ SYS_fstat, true, { FILE_NUMBER } },
	{ SYS_ftruncate, false, { FILE_NUMBER } },
	{ SYS_futex, true, { 0, FUTEX_WAIT_BITSET_PRIVATE } },
	{ SYS_futex, true, { 0, FUTEX_WAKE_PRIVATE, INT_MAX } },
	{ SYS_getcwd, false, { 0 } },
	{ SYS_getdents64, false, { FILE_NUMBER } },
	{ SYS_getpid, true, { 0 } },
	{ SYS_getrandom, false, { 0 } },
	{ SYS_gettid, true, { 0 } },
	{ SYS_kill, false, { 0, 0 } },
	{ SYS_lseek, true, { FILE_NUMBER } },
	{ SYS_madvise, false, { 0, ROOM, MADV_HUGEPAGE } },
	{ SYS_madvise, false, { 0, ROOM, MADV_POPULATE_WRITE } },
	{ SYS_mkdirat, true, { (uint32_t)AT_FDCWD, 0, 0755 } },
	{ SYS_mmap, true,
		{ 0, ROOM, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			UINT32_MAX } },
	{ SYS_mmap, true,
		{ 0, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, FILE_NUMBER } },
	{ SYS_mprotect, false, { 0, ROOM, PROT_NONE } },
	{ SYS_mprotect, true, { 0, ROOM, PROT_READ | PROT_WRITE } },
	{ SYS_mremap, false,
		{ 0, 0, ROOM, MREMAP_MAYMOVE | MREMAP_FIXED, UINT32_MAX } },
	{ SYS_munmap, false, { 0, ROOM } },
	{ SYS_nanosleep, false, { 0 } },
	{ SYS_newfstatat, false, { (uint32_t)AT_FDCWD } },
	{ SYS_openat, false, { (uint32_t)AT_FDCWD, 0, O_RDONLY | O_CLOEXEC } },
	{ SYS_openat, true, { (uint32_t)AT_FDCWD, 0, O_WRONLY | O_CLOEXEC } },
	{ SYS_openat, true,
		{ (uint32_t)AT_FDCWD, 0, O_RDWR | O_CREAT | O_CLOEXEC, 0644 } },
	{ SYS_pidfd_getfd, false, { FILE_NUMBER } },
	{ SYS_pidfd_open, false, { 0 } },
	{ SYS_prctl, false, { PR_GET_NAME } },
	{ SYS_prctl, false, { PR_SET_NAME } },
	{ SYS_pread64, false, { FILE_NUMBER } },
	{ SYS_prlimit64, false, { 0, RLIMIT_FSIZE } },
	{ SYS_process_vm_readv, false, { 0 } },
	{ SYS_pwrite64, true, { FILE_NUMBER } },
	{ SYS_pwritev, true, { FILE_NUMBER } },
	{ SYS_read, false, { FILE_NUMBER } },
	{ SYS_readlink, false, { 0 } },
	{ SYS_renameat2, true, { (uint32_t)AT_FDCWD, 0, (uint32_t)AT_FDCWD } },
	{ SYS_rseq, true, { 0 } },
	{ SYS_rt_sigaction, false, { SIGXFSZ } },
	{ SYS_rt_sigpending, false, { 0 } },
	{ SYS_rt_sigprocmask, true, { SIG_SETMASK, 0, 0, 8 } },
	{ SYS_rt_sigtimedwait, false, { 0 } },
	{ SYS_sched_getaffinity, false, { 0 } },
	{ SYS_sched_setaffinity, false, { 0 } },
	{ SYS_sched_yield, false, { 0 } },
	{ SYS_set_robust_list, false, { 0 } },
	{ SYS_sigaltstack, false, { 0 } },
	{ SYS_statfs, false, { 0 } },
	{ SYS_tgkill, false, { 0 } },
	{ SYS_uname, false, { 0 } },
	{ SYS_unlinkat, false, { (uint32_t)AT_FDCWD } },
	{ SYS_unshare, false, { CLONE_FILES } },
	{ SYS_write, false, { FILE_NUMBER } },
};

void
confine_thread(void)
{
	__atomic_add_fetch(&collect_nconfined, 1, __ATOMIC_RELAXED);
	collect_self.is_confined = true;
	collect_self.busy++;
	collect_self.stack = UINTPTR_MAX;
}

void
confine_borrower(void)
{
	confine_thread();
	collect_self.is_lent = true;
}

bool
confine_returns(void)
{
	if (!collect_self.is_lent)
		return false;
	collect_self.is_lent = false;
	collect_self.is_confined = false;
	__atomic_sub_fetch(&collect_nconfined, 1, __ATOMIC_RELAXED);
	collect_leave();
	return true;
}

static const char key[] = "LD_PRELOAD=", ours[] = "libweft-collect.so",
		  others[] = "libweft-mem.so";

/* Returns true if the variable makes programs load this library. */
static bool
is_ours(const char *variable)
{
	return strncmp(variable, key, sizeof key - 1) == 0 &&
		strstr(variable, ours) != NULL;
}

static void
remove_library(char *list, const char *name)
{
	char *at, *end;

	while ((at = strstr(list, name)) != NULL) {
		end = at + strcspn(at, ": ");
		while (strchr("=: ", at[-1]) == NULL)
			at--;
		end += *end != '\0';
		memmove(at, end, strlen(end) + 1);
	}
}

/* Copies such a variable, without this library and the memory recorder, to as
 * much room. The string itself may be read-only, and other threads may read it.
 */
static void
copy_without(char *to, const char *variable)
{
	memcpy(to, variable, strlen(variable) + 1);
	remove_library(to, ours);
	remove_library(to, others);
}

/* The file of this library; empty: not known. Set at load. */
static char file[PATH_MAX];

void
confine_load(void)
{
	const char *list = getenv("LD_PRELOAD"), *at;
	size_t before, n;

	at = list != NULL ? strstr(list, ours) : NULL;
	if (at == NULL)
		return;
	for (before = 0; at > list && strchr(": ", at[-1]) == NULL; before++)
		at--;
	n = before + sizeof ours - 1;
	if (n < sizeof file && at[0] == '/')
		memcpy(file, at, n);
}

/* Returns true if programs that this process executes can load this library:
 * not in another root, nor without permission or descriptors. The loader would
 * report that. Keeps errno. */
static bool
is_loadable(void)
{
	int error = errno,
	    fd = file[0] == '\0' ? -1 : open(file, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	errno = error;
	return fd >= 0 || file[0] == '\0';
}

/* Set where all threads are confined, or will be. */
static bool is_all;

size_t
confine_room(const char *path, char *const *env)
{
	size_t n = 0, text = 0;

	if (env == NULL ||
		(!collect_self.is_confined && !is_all && is_loadable() &&
			!alien_is(path)))
		return 0;
	for (; env[n] != NULL; n++)
		if (is_ours(env[n]))
			text += strlen(env[n]) + 1;
	return text == 0 ? 0 : (n + 1) * sizeof *env + text;
}

char *const *
confine_env(void *room, char *const *env)
{
	char **to = room, *text;
	size_t n = 0;

	while (env[n] != NULL)
		n++;
	text = (char *)(to + n + 1);
	for (size_t i = 0; i < n; i++) {
		to[i] = env[i];
		if (!is_ours(env[i]))
			continue;
		to[i] = text;
		copy_without(text, env[i]);
		text += strlen(env[i]) + 1;
	}
	to[n] = NULL;
	return to;
}

/* Functions of the C library, as system(), pass the environment on themselves.
 * A longer list of libraries is dropped: there may be no call that gets
 * memory. */
static char list[8192];

/* Puts `list` into the environment. Returns the variable that it replaces, or
 * NULL. */
static char *
put_list(void)
{
	char *was = NULL;

	for (char **e = environ; e != NULL && *e != NULL; e++) {
		if (!is_ours(*e))
			continue;
		was = *e;
		if (strlen(was) < sizeof list)
			copy_without(list, was);
		else
			memcpy(list, key, sizeof key);
		__atomic_store_n(e, list, __ATOMIC_RELEASE);
	}
	return was;
}

/* Threads that share the environment without this library. `busy` is a lock
 * that is held for a few instructions; it guards the other fields. */
static struct {
	uint32_t busy, users;
	char *was; /* the variable that the first of them replaced, or NULL */
} sharing;

static void
begin_change(void)
{
	while (__atomic_exchange_n(&sharing.busy, 1, __ATOMIC_ACQUIRE) != 0)
		__builtin_ia32_pause();
}

static void
end_change(void)
{
	__atomic_store_n(&sharing.busy, 0, __ATOMIC_RELEASE);
}

void
confine_children(void)
{
	begin_change();
	is_all = true;
	(void)put_list();
	end_change();
}

bool
confine_environ(void)
{
	if (is_all || (!collect_self.is_confined && is_loadable()))
		return false;
	begin_change();
	if (sharing.users++ == 0)
		sharing.was = put_list();
	end_change();
	return true;
}

/* Another thread may have made the environment a larger array meanwhile. */
void
confine_environ_back(void *none)
{
	(void)none;
	begin_change();
	if (--sharing.users == 0 && sharing.was != NULL && !is_all)
		for (char **e = environ; e != NULL && *e != NULL; e++)
			if (*e == list)
				__atomic_store_n(
					e, sharing.was, __ATOMIC_RELEASE);
	end_change();
}

void
confine_forked(void)
{
	sharing.busy = 0;
	if (collect_self.is_confined)
		confine_children();
	if (sharing.users > 0) {
		sharing.users = 1;
		confine_environ_back(NULL);
	}
}

bool
confine_is_near(long number, const unsigned long a[4], bool *all)
{
	return seccomp_is_near(
		number, a, calls, sizeof calls / sizeof *calls, all);
}
