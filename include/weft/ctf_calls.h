/* SPDX-License-Identifier: MIT */
/*
 * weft/ctf_calls.h - the calls of weft/ctf.h that take fields, one for each
 * order of up to three of u32, u64, i32 and i64:
 *
 *	weft_ctf_ev_u32(point, a)                    a plain event
 *	weft_ctf_ev_i64_u32(point, a, b)
 *	weft_ctf_enter_u64_u64_i32(point, in_task, a, b, c)    an entry point
 *
 * The tracepoint's table declares the same types in the same order. For other
 * types and for more fields, up to eight, use weft_ctf_data() and
 * weft_ctf_enter_data(). weft/ctf.h includes this file.
 */
#ifndef WEFT_CTF_CALLS_H
#define WEFT_CTF_CALLS_H

#ifndef WEFT_CTF_H
#error "include <weft/ctf.h>"
#endif

#define WEFT_CTF_CALLS_1(A, ta) \
	WEFT_INLINE void weft_ctf_ev_##A( \
		const struct weft_ctf_tracepoint *p, ta a) \
	{ \
		weft_ctf_data(&p->event[0], &a, sizeof a); \
	} \
	WEFT_INLINE void weft_ctf_enter_##A( \
		const struct weft_ctf_tracepoint *p, int in_task, ta a) \
	{ \
		weft_ctf_enter_data(p, in_task, &a, sizeof a); \
	} \
	WEFT_CTF_CALLS_2(A, ta, u32, uint32_t) \
	WEFT_CTF_CALLS_2(A, ta, u64, uint64_t) \
	WEFT_CTF_CALLS_2(A, ta, i32, int32_t) \
	WEFT_CTF_CALLS_2(A, ta, i64, int64_t)

#define WEFT_CTF_CALLS_2(A, ta, B, tb) \
	WEFT_INLINE void weft_ctf_ev_##A##_##B( \
		const struct weft_ctf_tracepoint *p, ta a, tb b) \
	{ \
		unsigned char all[sizeof a + sizeof b]; \
		memcpy(all, &a, sizeof a); \
		memcpy(all + sizeof a, &b, sizeof b); \
		weft_ctf_data(&p->event[0], all, sizeof all); \
	} \
	WEFT_INLINE void weft_ctf_enter_##A##_##B( \
		const struct weft_ctf_tracepoint *p, int in_task, ta a, tb b) \
	{ \
		unsigned char all[sizeof a + sizeof b]; \
		memcpy(all, &a, sizeof a); \
		memcpy(all + sizeof a, &b, sizeof b); \
		weft_ctf_enter_data(p, in_task, all, sizeof all); \
	} \
	WEFT_CTF_CALLS_3(A, ta, B, tb, u32, uint32_t) \
	WEFT_CTF_CALLS_3(A, ta, B, tb, u64, uint64_t) \
	WEFT_CTF_CALLS_3(A, ta, B, tb, i32, int32_t) \
	WEFT_CTF_CALLS_3(A, ta, B, tb, i64, int64_t)

#define WEFT_CTF_CALLS_3(A, ta, B, tb, C, tc) \
	WEFT_INLINE void weft_ctf_ev_##A##_##B##_##C( \
		const struct weft_ctf_tracepoint *p, ta a, tb b, tc c) \
	{ \
		unsigned char all[sizeof a + sizeof b + sizeof c]; \
		memcpy(all, &a, sizeof a); \
		memcpy(all + sizeof a, &b, sizeof b); \
		memcpy(all + sizeof a + sizeof b, &c, sizeof c); \
		weft_ctf_data(&p->event[0], all, sizeof all); \
	} \
	WEFT_INLINE void weft_ctf_enter_##A##_##B##_##C( \
		const struct weft_ctf_tracepoint *p, int in_task, ta a, tb b, \
		tc c) \
	{ \
		unsigned char all[sizeof a + sizeof b + sizeof c]; \
		memcpy(all, &a, sizeof a); \
		memcpy(all + sizeof a, &b, sizeof b); \
		memcpy(all + sizeof a + sizeof b, &c, sizeof c); \
		weft_ctf_enter_data(p, in_task, all, sizeof all); \
	}

WEFT_CTF_CALLS_1(u32, uint32_t)
WEFT_CTF_CALLS_1(u64, uint64_t)
WEFT_CTF_CALLS_1(i32, int32_t)
WEFT_CTF_CALLS_1(i64, int64_t)

#undef WEFT_CTF_CALLS_1
#undef WEFT_CTF_CALLS_2
#undef WEFT_CTF_CALLS_3

#endif
