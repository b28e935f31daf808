// SPDX-License-Identifier: MIT
/*
 * weft/weft.hpp - regions, counters and marks of a C++ program, without macros.
 *
 *	static weft::region solve("solve");
 *	static weft::counter queue(1, "Queue length");
 *	static weft::mark warm(2, "Phase", "Warming up");
 *
 *	void work() {
 *		weft::scope in(solve);	// until the block ends, also by an exception
 *		queue.count(3);
 *		warm.set();
 *	}
 *
 * Objects of these classes hold two or four words. Their constructors are
 * constexpr, so static objects need no guard and no constructor at run time,
 * and no destructor: they may be used before main, in thread_local objects and
 * in static destructors. No call allocates memory in C++ or throws. A name is
 * not copied: it must live as long as the object.
 *
 * A scope belongs to the thread and the block that made it. It can be neither
 * copied nor moved, and a coroutine must not suspend while it has one.
 *
 * C++17 and later. Link with -lovni (pkg-config weft).
 */
#ifndef WEFT_WEFT_HPP
#define WEFT_WEFT_HPP

#include <cstdint>

#include <weft/trace.h>

namespace weft {

/* A named part of the program. Regions nest. */
class region {
public:
	explicit constexpr region(const char *name) noexcept : c_{ name, 0 } {}
	region(const region &) = delete;
	region &operator=(const region &) = delete;

	void enter() noexcept { weft_enter(&c_); }
	void leave() noexcept { weft_leave(&c_); }

private:
	weft_region c_;
};

/* The calling thread is in the region while the object lives. */
class scope {
public:
	[[nodiscard]] explicit scope(region &in) noexcept : in_(in)
	{
		in_.enter();
	}
	~scope() { in_.leave(); }
	scope(const scope &) = delete;
	scope &operator=(const scope &) = delete;

private:
	region &in_;
};

/* A number over time: a mark type from 0 to 98, with its title. */
class counter {
public:
	constexpr counter(std::int32_t type, const char *title) noexcept
	    : c_{ title, type, 0 }
	{
	}
	counter(const counter &) = delete;
	counter &operator=(const counter &) = delete;

	void count(std::int64_t value) noexcept { weft_count(&c_, value); }

private:
	weft_counter c_;
};

/* A named value of a mark type from 0 to 98, which holds until another mark of
 * the type is set in the same thread. */
class mark {
public:
	constexpr mark(std::int32_t type, const char *title,
		const char *name) noexcept
	    : c_{ title, name, 0, type }
	{
	}
	mark(const mark &) = delete;
	mark &operator=(const mark &) = delete;

	void set() noexcept { weft_set(&c_); }

private:
	weft_mark c_;
};

} // namespace weft

#endif
