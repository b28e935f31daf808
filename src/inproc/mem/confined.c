/* SPDX-License-Identifier: MIT */
#include "inproc/mem/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/code/seccomp.h"
#include "inproc/code/single.h"
#include "inproc/core/wiped.h"
#include "inproc/mem/drain.h"
#include "inproc/mem/first.h"
#include "inproc/mem/timer.h"
#include "inproc/mem/track.h"
#include "perf/smallfile.h"

enum {
	FILE_NUMBER = 9 /* some file that the recorder has open */,
	ROOM = 1 << 16
};

/* The recorder's system calls. The first one does not exist: most filters name
 * the calls that they allow. */
static const struct seccomp_call calls[] = {
	{ 1000, false, { 0 } },
	{ SYS_clock_gettime, true, { (uint32_t)-6 } },
	{ SYS_clone3, false, { 0 } },
	{ SYS_close, true, { FILE_NUMBER } },
	{ SYS_close_range, false, { 3, UINT32_MAX } },
	{ SYS_exit, true, { 0 } },
	{ SYS_futex, true, { 0, FUTEX_WAIT_BITSET_PRIVATE } },
	{ SYS_futex, true, { 0, FUTEX_WAKE_PRIVATE, INT_MAX } },
	{ SYS_getdents64, false, { FILE_NUMBER } },
	{ SYS_getpid, true, { 0 } },
	{ SYS_gettid, true, { 0 } },
	{ SYS_ioctl, false, { FILE_NUMBER } },
	{ SYS_madvise, false, { 0, ROOM, MADV_HUGEPAGE } },
	{ SYS_mmap, true,
		{ 0, ROOM, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			UINT32_MAX } },
	{ SYS_mprotect, true, { 0, ROOM, PROT_READ | PROT_WRITE } },
	{ SYS_munmap, false, { 0, ROOM } },
	{ SYS_openat, false, { (uint32_t)AT_FDCWD, 0, O_RDONLY | O_CLOEXEC } },
	{ SYS_openat, true,
		{ (uint32_t)AT_FDCWD, 0, O_WRONLY | O_CREAT | O_CLOEXEC,
			0666 } },
	{ SYS_perf_event_open, false, { 0 } },
	{ SYS_prctl, false, { PR_SET_NAME } },
	{ SYS_pread64, false, { FILE_NUMBER } },
	{ SYS_prlimit64, false, { 0, RLIMIT_STACK } },
	{ SYS_process_vm_readv, false, { 0 } },
	{ SYS_pwrite64, true, { FILE_NUMBER } },
	{ SYS_read, true, { FILE_NUMBER } },
	{ SYS_readlink, false, { 0 } },
	{ SYS_rseq, true, { 0 } },
	{ SYS_rt_sigaction, false, { SIGXFSZ } },
	{ SYS_rt_sigprocmask, true, { SIG_SETMASK, 0, 0, 8 } },
	{ SYS_rt_sigreturn, true, { 0 } },
	{ SYS_sched_yield, false, { 0 } },
	{ SYS_set_robust_list, false, { 0 } },
	{ SYS_tgkill, false, { 0 } },
	{ SYS_timer_create, false, { 0 } },
	{ SYS_timer_delete, false, { 0 } },
	{ SYS_timer_settime, false, { 0 } },
	{ SYS_unshare, false, { CLONE_FILES } },
	{ SYS_write, true, { FILE_NUMBER } },
};

/* The id of the process, in pages that a fork wipes: the child of a raw clone()
 * finds 0. A child that shares the memory finds its parent's id. */
static pid_t *own_pid;

bool
confined_init(void)
{
	if (own_pid == NULL)
		own_pid = wiped_map(sizeof *own_pid, 0);
	if (own_pid != NULL)
		*own_pid = getpid();
	return own_pid != NULL;
}

/* Ends the measurement. */
static void
end_all(void)
{
	first_stop();
	timer_stop();
	drain_finish();
	drain_is_gone();
	track.is_on = false;
}

/* Ends what is measured of this thread. */
static void
end_thread(void)
{
	timer_stop();
	self_end();
}

static void
confine(bool all)
{
	if (*own_pid == 0)
		track.is_on = false; /* a child that records nothing */
	else if (*own_pid != getpid())
		self_tls.is_lent = true; /* it will not allocate */
	else if (all || drain_is_alone())
		end_all();
	else
		end_thread();
	__atomic_add_fetch(&self_nconfined, 1, __ATOMIC_SEQ_CST);
	self_tls.is_confined = true;
}

void
confined_look(long number, const unsigned long a[4])
{
	int error = errno;
	bool all;

	if (!track.is_on || self_tls.is_confined)
		return;
	if (number == SYS_prctl || number == SYS_seccomp) {
		if (seccomp_is_near(number, a, calls,
			    sizeof calls / sizeof *calls, &all))
			confine(all);
	} else if (number == SYS_exit) {
		/* the last thread gives the process its exit code */
		if (*own_pid == getpid() && drain_is_alone())
			end_all();
	}
	if (single_is_wanted(number, single_flags(number, a)) &&
		*own_pid == getpid() && drain_is_alone())
		end_all();
	errno = error;
}

void
confined_by_self(void)
{
	if (!self_tls.is_lent)
		return;
	self_tls.is_lent = self_tls.is_confined = false;
	__atomic_sub_fetch(&self_nconfined, 1, __ATOMIC_SEQ_CST);
}

bool
confined_at_load(void)
{
	static const char key[] = "\nSeccomp_filters:\t";
	static char text[8192];
	const char *before = getenv("WEFT_FILTERS"), *at;

	if (before == NULL ||
		!smallfile_read("/proc/self/status", text, sizeof text))
		return false;
	at = strstr(text, key);
	return at != NULL &&
		strtoul(at + sizeof key - 1, NULL, 10) >
		strtoul(before, NULL, 10);
}
