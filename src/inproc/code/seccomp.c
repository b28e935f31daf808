/* SPDX-License-Identifier: MIT */
#include "inproc/code/seccomp.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/code/peek.h"

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

/* Returns what the filter does with the call. Each step goes forward. A filter
 * that cannot be read, or that jumps behind its end, is refused by the kernel.
 */
static uint32_t
action_of(const struct sock_fprog *program, const struct seccomp_call *call)
{
	struct machine m = { .in = { .nr = call->number,
				     .arch = AUDIT_ARCH_X86_64 } };
	struct sock_filter f;
	uint32_t skip;

	memcpy(m.in.args, call->args, sizeof call->args);
	for (uint32_t at = 0; at < program->len; at++) {
		if (code_peek(&f, program->filter + at, sizeof f) < sizeof f)
			break;
		if (BPF_CLASS(f.code) == BPF_RET)
			return (BPF_RVAL(f.code) == BPF_A ? m.a : f.k) &
				SECCOMP_RET_ACTION_FULL;
		if (BPF_CLASS(f.code) != BPF_JMP) {
			step(&m, &f);
			continue;
		}
		skip = jump(m.a, operand(&m, &f), &f);
		if (skip >= program->len - at)
			break;
		at += skip;
	}
	return SECCOMP_RET_ALLOW;
}

static bool
forbids(const void *filter, const struct seccomp_call *calls, size_t n)
{
	struct sock_fprog program;
	uint32_t action;

	if (code_peek(&program, filter, sizeof program) < sizeof program)
		return false;
	for (size_t i = 0; i < n; i++) {
		action = action_of(&program, &calls[i]);
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

bool
seccomp_is_near(long number, const unsigned long a[4],
	const struct seccomp_call *calls, size_t n, bool *all)
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
		is_near = may_filter() && forbids(filter, calls, n);
	errno = error;
	return is_near;
}
