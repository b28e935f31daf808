/* SPDX-License-Identifier: MIT */
#include "inproc/collect/confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/collect/wait.h"

/* The registers of a filter. */
struct machine {
	uint32_t a, x, memory[BPF_MEMWORDS];
	struct seccomp_data in;
};

/* An operand: a constant, or the register x. */
static uint32_t
operand(const struct machine *m, const struct sock_filter *f)
{
	return BPF_SRC(f->code) == BPF_X ? m->x : f->k;
}

static void
load(struct machine *m, const struct sock_filter *f, uint32_t *to)
{
	switch (BPF_MODE(f->code)) {
	case BPF_ABS:
		if (f->k <= sizeof m->in - sizeof *to)
			memcpy(to, (const char *)&m->in + f->k, sizeof *to);
		break;
	case BPF_MEM:
		*to = m->memory[f->k % BPF_MEMWORDS];
		break;
	case BPF_LEN:
		*to = sizeof m->in;
		break;
	default:
		*to = f->k;
	}
}

static uint32_t
calculate(uint32_t a, uint32_t b, int op)
{
	switch (op) {
	case BPF_ADD:
		return a + b;
	case BPF_SUB:
		return a - b;
	case BPF_MUL:
		return a * b;
	case BPF_DIV:
		return b != 0 ? a / b : 0;
	case BPF_OR:
		return a | b;
	case BPF_AND:
		return a & b;
	case BPF_LSH:
		return b < 32 ? a << b : 0;
	case BPF_RSH:
		return b < 32 ? a >> b : 0;
	case BPF_XOR:
		return a ^ b;
	default:
		return -a;
	}
}

/* Returns how many steps to skip. */
static uint32_t
jump(uint32_t a, uint32_t b, const struct sock_filter *f)
{
	bool holds;

	switch (BPF_OP(f->code)) {
	case BPF_JA:
		return f->k;
	case BPF_JEQ:
		holds = a == b;
		break;
	case BPF_JGT:
		holds = a > b;
		break;
	case BPF_JGE:
		holds = a >= b;
		break;
	default:
		holds = (a & b) != 0;
	}
	return holds ? f->jt : f->jf;
}

static void
step(struct machine *m, const struct sock_filter *f)
{
	switch (BPF_CLASS(f->code)) {
	case BPF_LD:
		load(m, f, &m->a);
		break;
	case BPF_LDX:
		load(m, f, &m->x);
		break;
	case BPF_ST:
		m->memory[f->k % BPF_MEMWORDS] = m->a;
		break;
	case BPF_STX:
		m->memory[f->k % BPF_MEMWORDS] = m->x;
		break;
	case BPF_ALU:
		m->a = calculate(m->a, operand(m, f), BPF_OP(f->code));
		break;
	case BPF_MISC:
		if (BPF_MISCOP(f->code) == BPF_TAX)
			m->x = m->a;
		else
			m->a = m->x;
		break;
	}
}

/* Returns what the filter does with a system call whose arguments are 0. Each
 * step goes forward. A filter that cannot be read is refused by the kernel. */
static uint32_t
action_of(const struct sock_fprog *program, int number)
{
	struct machine m = { .in = { .nr = number,
				     .arch = AUDIT_ARCH_X86_64 } };
	struct sock_filter f;

	for (uint32_t at = 0; at < program->len; at++) {
		if (collect_peek(&f, program->filter + at, sizeof f) < sizeof f)
			break;
		if (BPF_CLASS(f.code) == BPF_RET)
			return (BPF_RVAL(f.code) == BPF_A ? m.a : f.k) &
				SECCOMP_RET_ACTION_FULL;
		if (BPF_CLASS(f.code) == BPF_JMP)
			at += jump(m.a, operand(&m, &f), &f);
		else
			step(&m, &f);
	}
	return SECCOMP_RET_ALLOW;
}

/* The recorder's system calls. The first one does not exist: most filters name
 * the calls that they allow. */
static const struct {
	int number;
	bool is_needed; /* nothing is recorded where it fails */
} calls[] = {
	{ 1000, false },
	{ SYS_clone, false },
	{ SYS_close, true },
	{ SYS_futex, true },
	{ SYS_gettid, true },
	{ SYS_mkdirat, true },
	{ SYS_mmap, true },
	{ SYS_openat, true },
	{ SYS_process_vm_readv, false },
	{ SYS_pwrite64, true },
	{ SYS_readlink, false },
	{ SYS_renameat2, true },
	{ SYS_rt_sigprocmask, true },
	{ SYS_sigaltstack, false },
	{ SYS_unlinkat, false },
};

static bool
forbids(const void *filter)
{
	struct sock_fprog program;
	uint32_t action;

	if (collect_peek(&program, filter, sizeof program) < sizeof program)
		return false;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		action = action_of(&program, calls[i].number);
		if (action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_LOG &&
			(action != SECCOMP_RET_ERRNO || calls[i].is_needed))
			return true;
	}
	return false;
}

/* Returns true if the kernel lets the thread have a filter. */
static bool
may_filter(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
		0 };
	struct __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return syscall(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
		(syscall(SYS_capget, &head, has) == 0 &&
			(has[0].effective >> CAP_SYS_ADMIN & 1) != 0);
}

void
confine_thread(void)
{
	collect_self.is_confined = true;
	collect_self.busy++;
	collect_self.stack = UINTPTR_MAX;
}

/* Programs that this one executes cannot be recorded either. */
void
confine_children(void)
{
	static const char key[] = "LD_PRELOAD=", ours[] = "libweft-collect.so";
	char *at, *from, *end;

	for (char **e = environ; e != NULL && *e != NULL; e++) {
		if (strncmp(*e, key, sizeof key - 1) != 0)
			continue;
		at = strstr(*e, ours);
		if (at == NULL)
			continue;
		end = at + sizeof ours - 1;
		for (from = at; !strchr("=: ", from[-1]); from--)
			;
		end += *end != '\0';
		memmove(from, end, strlen(end) + 1);
	}
}

bool
confine_is_near(long number, const unsigned long a[4], bool *all)
{
	bool is_prctl = number == SYS_prctl && a[0] == PR_SET_SECCOMP;
	bool is_call = number == SYS_seccomp;
	const void *filter = (const void *)a[2];
	int error = errno;
	bool is_near = false;

	*all = is_call && (a[1] & SECCOMP_FILTER_FLAG_TSYNC) != 0;
	if ((is_prctl && a[1] == SECCOMP_MODE_STRICT) ||
		(is_call && a[0] == SECCOMP_SET_MODE_STRICT && a[1] == 0 &&
			filter == NULL))
		is_near = true;
	else if ((is_prctl && a[1] == SECCOMP_MODE_FILTER) ||
		(is_call && a[0] == SECCOMP_SET_MODE_FILTER))
		is_near = may_filter() && forbids(filter);
	errno = error;
	return is_near;
}
