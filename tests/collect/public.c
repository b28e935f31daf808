/* SPDX-License-Identifier: MIT */
/*
 * public WAY - calls the recorder's functions in a thread that has kept few
 * system calls: under weft run they do nothing there.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <ovni.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <weft/ctf.h>
#include <weft/hwc.h>
#include <weft/trace.h>

enum { MANY = 200000, RUNS = 4 };

#define ALLOW(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* What malloc() and this program need. */
static struct sock_filter kept[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(SYS_brk),
	ALLOW(SYS_exit),
	ALLOW(SYS_exit_group),
	ALLOW(SYS_mmap),
	ALLOW(SYS_mprotect),
	ALLOW(SYS_munmap),
	ALLOW(SYS_write),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

/* Calls that only the recorder makes. */
#define KILL(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

static struct sock_filter ours[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	KILL(SYS_mkdirat),
	KILL(SYS_pwrite64),
	KILL(SYS_pwritev),
	KILL(SYS_sigaltstack),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static struct sock_fprog kills = { sizeof ours / sizeof *ours, ours };
static struct sock_fprog keeps = { sizeof kept / sizeof *kept, kept };

static struct weft_region early = WEFT_REGION("early"),
			  late = WEFT_REGION("late");
static struct weft_ctf_tracepoint points[] = { { .name = "step",
						       .fields = "u32 n" },
	{ 0 } },
				  more[] = { { .name = "more" }, { 0 } };
static const struct weft_ctf_runtime runtime = {
	.prefix = "public", .points = points, .ncpus = 2
};

static void
emit(const char *mcv)
{
	struct ovni_ev ev = { 0 };

	ovni_ev_set_clock(&ev, ovni_clock_now());
	ovni_ev_set_mcv(&ev, mcv);
	ovni_ev_emit(&ev);
}

static void
use_ovni(void)
{
	struct ovni_ev ev = { 0 };
	uint8_t data[3] = { 1, 2, 3 };

	for (int i = 0; i < MANY; i++)
		emit("OB.");
	ovni_ev_set_clock(&ev, ovni_clock_now());
	ovni_ev_set_mcv(&ev, "OU[");
	ovni_ev_jumbo_emit(&ev, data, sizeof data);
	ovni_flush();
	ovni_mark_type(7, 0, "late");
	ovni_mark_label(7, 1, "one");
	ovni_mark_set(7, 1);
	ovni_mark_push(7, 1);
	ovni_mark_pop(7, 1);
	ovni_thread_require("nosv", "1.0.0");
	ovni_add_cpu(1, 1);
	ovni_proc_set_rank(0, 1);
}

static void
use_attributes(void)
{
	ovni_attr_set_double("a.b", 1);
	ovni_attr_set_boolean("a.c", 1);
	ovni_attr_set_str("a.d", "x");
	ovni_attr_set_json("a.e", "{}");
	(void)ovni_attr_has("a.b");
	(void)ovni_attr_get_double("a.b");
	(void)ovni_attr_get_boolean("a.c");
	(void)strlen(ovni_attr_get_str("a.d"));
	free(ovni_attr_get_json("a.e"));
	ovni_attr_flush();
}

static void
use_weft(void)
{
	static struct weft_counter counter = WEFT_COUNTER(3, "n");
	uint64_t value[WEFT_HWC_MAX] = { 0 };

	weft_enter(&early);
	weft_enter(&late);
	for (int i = 0; i < MANY; i++)
		weft_ev_u64("OM=", 1);
	weft_leave(&late);
	weft_leave(&early);
	weft_count(&counter, 1);
	weft_jumbo("WYm", "x", 2);
	weft_require("nosv", "1.0.0");
	weft_after_fork();
	(void)weft_dump();
	(void)weft_lost();
	(void)weft_hwc_count();
	weft_hwc_delta(value);
	weft_off();
	weft_on();
}

static void
use_ctf(void)
{
	uint32_t n = 1;

	weft_ctf_cpu(1);
	for (int i = 0; i < MANY; i++)
		weft_ctf_data(&points[0].event[0], &n, sizeof n);
	weft_ctf_declare(more);
	weft_ctf_task_type("t");
	(void)weft_ctf_now();
	weft_ctf_leave();
	weft_ctf_stop();
}

static void
begin(void)
{
	ovni_proc_init(1, "node.1", getpid());
	ovni_thread_init((pid_t)syscall(SYS_gettid));
	emit("OB.");
	(void)weft_ctf_start(&runtime);
	weft_ctf_cpu(0);
	weft_enter(&early);
	weft_leave(&early);
}

static void
confine(struct sock_fprog *filter)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0) != 0)
		exit(8);
}

static void
use_all(void)
{
	static const char done[] = "used\n";

	confine(&keeps);
	use_ovni();
	use_attributes();
	use_weft();
	use_ctf();
	(void)ovni_thread_isready();
	ovni_thread_free();
	ovni_proc_fini();
	if (write(1, done, sizeof done - 1) < 0)
		exit(9);
}

static void *
thread(void *none)
{
	ovni_thread_init((pid_t)syscall(SYS_gettid));
	emit("OB.");
	use_all();
	syscall(SYS_exit, 0);
	return none;
}

static void *
made(void *none)
{
	ovni_thread_init((pid_t)syscall(SYS_gettid));
	emit("OB.");
	use_weft();
	ovni_thread_free();
	return none;
}

/* Its thread is confined as well. */
static void *
maker(void *none)
{
	pthread_t t;

	confine(&kills);
	pthread_create(&t, NULL, made, NULL);
	pthread_join(t, NULL);
	puts("used");
	return none;
}

int
main(int argc, char **argv)
{
	const struct timespec t = { 0, 1000000 };
	pthread_t other;

	begin();
	if (argc > 1 && strcmp(argv[1], "main") != 0) {
		pthread_create(&other, NULL,
			strcmp(argv[1], "made") == 0 ? maker : thread, NULL);
		pthread_join(other, NULL);
		for (int i = 0; i < RUNS; i++)
			nanosleep(&t, NULL);
		emit("OB.");
		ovni_thread_free();
		ovni_proc_fini();
	} else {
		use_all();
	}
	return 5;
}
