/* SPDX-License-Identifier: MIT */
#include "inproc/code/walk.h"

#include <string.h>

#include "inproc/code/cfi.h"

enum { ENTRIES = 32768, SIGNAL_BP = 120, SIGNAL_SP = 160, SIGNAL_IP = 168 };
enum {
	RED_ZONE = 128, /* bytes below sp that a function may use */
	OWNER_DEPTH = 128
};

/* Atomic: any thread writes any entry. An entry written by two threads at once
 * has a key that matches nothing. */
static struct walk_entry table[ENTRIES];

static uint8_t epoch; /* atomic; written under the drain's lock */

static uint64_t
pack(struct recipe r)
{
	uint64_t bits;

	memcpy(&bits, &r, sizeof(bits));
	return bits;
}

static inline bool
get(const struct walk_entry *e, uint64_t ip, struct recipe *r)
{
	uint64_t bits = __atomic_load_n(&e->recipe, __ATOMIC_RELAXED);
	uint64_t key = __atomic_load_n(&e->key, __ATOMIC_RELAXED);

	memcpy(r, &bits, sizeof(*r));
	return (key ^ bits) == ip &&
		r->epoch == __atomic_load_n(&epoch, __ATOMIC_RELAXED);
}

static void
put(struct walk_entry *e, uint64_t ip, struct recipe r)
{
	uint64_t bits = pack(r);

	__atomic_store_n(&e->recipe, bits, __ATOMIC_RELAXED);
	__atomic_store_n(&e->key, ip ^ bits, __ATOMIC_RELAXED);
}

static struct recipe
recipe_of(uint64_t ip)
{
	struct walk_entry *e = &table[(ip ^ ip >> 13) % ENTRIES];
	struct recipe r;

	if (get(e, ip, &r))
		return r;
	r = cfi_recipe(ip);
	r.epoch = __atomic_load_n(&epoch, __ATOMIC_RELAXED);
	put(e, ip, r);
	return r;
}

static inline struct recipe
recipe_lately(struct walk_lately *lately, uint64_t sp, uint64_t ip)
{
	struct walk_entry *e = &lately->at[sp / 16 % WALK_LATELY];
	struct walk_entry *of = &lately->of[(ip ^ ip >> 9) % WALK_ADDRESSES];
	struct recipe r;

	if (get(e, ip, &r))
		return r;
	if (!get(of, ip, &r)) {
		r = recipe_of(ip);
		put(of, ip, r);
	}
	put(e, ip, r);
	return r;
}

void
walk_forget(void)
{
	__atomic_fetch_add(&epoch, 1, __ATOMIC_RELEASE);
}

static inline bool
load(const struct stack *s, uint64_t address, uint64_t *value)
{
	if (address < s->lo || address > s->hi - 8 || address % 8 != 0)
		return false;
	memcpy(value, (const char *)s->bytes + (address - s->lo), 8);
	return true;
}

static bool
leave_handler(const struct stack *s, struct frame *at)
{
	uint64_t frame = at->sp;

	/* If the interrupted code ran on another stack, the path ends. */
	return load(s, frame + SIGNAL_SP, &at->sp) &&
		load(s, frame + SIGNAL_BP, &at->bp) &&
		load(s, frame + SIGNAL_IP, &at->ip) && at->sp > frame;
}

/* Leaves a frame for which no unwinding rule (struct recipe) is known, by its
 * frame pointer. */
static bool
leave_by_pointer(const struct stack *s, struct frame *at)
{
	uint64_t frame = at->bp;

	if (frame < at->sp || !load(s, frame, &at->bp) ||
		!load(s, frame + 8, &at->ip))
		return false;
	at->sp = frame + 16;
	return true;
}

static inline bool
leave_by_recipe(const struct stack *s, struct frame *at, struct recipe r)
{
	uint64_t cfa = (r.kind == RECIPE_SP ? at->sp : at->bp) +
		(uint64_t)(int64_t)r.offset;

	if (r.kind == RECIPE_DEREF_BP &&
		(!load(s, cfa, &cfa) || !load(s, at->bp, &at->bp)))
		return false;
	if (cfa <= at->sp || !load(s, cfa - 8, &at->ip))
		return false;
	if (r.bp != 0 && !load(s, cfa + (uint64_t)(int64_t)r.bp, &at->bp))
		return false;
	at->sp = cfa;
	return true;
}

enum step { STEP_UP, STEP_INTERRUPTED, STEP_END, STEP_CUT };

static inline enum step
step(const struct stack *s, struct frame *at, bool is_return,
	struct walk_lately *lately)
{
	uint64_t ip = at->ip - is_return;
	struct recipe r = lately == NULL ? recipe_of(ip)
					 : recipe_lately(lately, at->sp, ip);

	if (r.kind == RECIPE_SP || r.kind == RECIPE_BP ||
		r.kind == RECIPE_DEREF_BP)
		return leave_by_recipe(s, at, r) ? STEP_UP : STEP_CUT;
	if (r.kind == RECIPE_END)
		return STEP_END;
	if (r.kind == RECIPE_SIGNAL)
		return leave_handler(s, at) ? STEP_INTERRUPTED : STEP_CUT;
	return leave_by_pointer(s, at) ? STEP_UP : STEP_CUT;
}

/* Walks the stack from `at`. lately: caches of return addresses; NULL if `at`
 * is an interrupted address. */
static inline int
go(const struct stack *s, struct frame at, uint64_t *to, int max, bool *cut,
	struct walk_lately *lately)
{
	bool is_return = lately != NULL;
	int n = 0;

	*cut = true;
	while (n < max) {
		enum step how = step(s, &at, is_return, lately);

		if (how == STEP_END)
			*cut = false;
		if (how == STEP_END || how == STEP_CUT)
			break;
		if (at.ip == 0) { /* the bottom of a thread made by clone() */
			*cut = false;
			break;
		}
		is_return = how == STEP_UP;
		/* readers subtract one from return addresses */
		to[n++] = at.ip + !is_return;
	}
	return n;
}

/* Computes the CFA of a frame. Its bytes may be missing. */
static bool
cfa_of(const struct stack *s, const struct frame *at, struct recipe r,
	uint64_t *cfa)
{
	uint64_t offset = (uint64_t)(int64_t)r.offset;

	switch (r.kind) {
	case RECIPE_SP:
		*cfa = at->sp + offset;
		return true;
	case RECIPE_BP:
		*cfa = at->bp + offset;
		return true;
	case RECIPE_DEREF_BP:
		return load(s, at->bp + offset, cfa);
	default:
		return false;
	}
}

bool
walk_owner(const struct stack *s, struct frame at, uint64_t address,
	struct walk_owner *to)
{
	bool is_return = false;

	*to = (struct walk_owner){ 0 };
	if (address + RED_ZONE < at.sp)
		return false;
	for (; to->depth < OWNER_DEPTH; to->depth++) {
		uint64_t cfa, ip = at.ip - is_return;
		bool is_known = cfa_of(s, &at, recipe_of(ip), &cfa);
		enum step how;

		if (is_known && cfa > at.sp && address < cfa) {
			to->ip = ip;
			to->cfa = cfa;
			return true;
		}
		to->inner = is_known ? ip : 0;
		to->inner_cfa = is_known ? cfa : 0;
		how = step(s, &at, is_return, NULL);
		if (how == STEP_END || how == STEP_CUT || at.ip == 0 ||
			address < at.sp)
			return false;
		is_return = how == STEP_UP;
	}
	return false;
}

int
walk(const struct stack *s, struct frame at, uint64_t *to, int max, bool *cut)
{
	return go(s, at, to, max, cut, NULL);
}

int
walk_callers(const struct stack *s, struct frame at, uint64_t *to, int max,
	bool *cut, struct walk_lately *lately)
{
	to[0] = at.ip;
	return 1 + go(s, at, to + 1, max - 1, cut, lately);
}
