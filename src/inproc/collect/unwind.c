/* SPDX-License-Identifier: MIT */
/*
 * unwind.c - the functions that a compiler calls where a cancellation, or an
 * exception of C++, passes a wrapper.
 *
 * A wait that ends so is recorded by a cleanup that the compiler's tables
 * describe (-fexceptions), as nothing may stay registered with the thread when
 * longjmp() or an exception leaves the wrapper. What reads the tables is in
 * libgcc_s, which programs in C do not load: it is looked for when something
 * passes. By then whoever unwinds has loaded it, unless the program has an
 * unwinder of its own. The linker keeps both names out of those that are
 * exported.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <unwind.h>

#include "inproc/collect/wait.h"

typedef _Unwind_Reason_Code personality(int, _Unwind_Action,
	_Unwind_Exception_Class, struct _Unwind_Exception *,
	struct _Unwind_Context *);
typedef void resume(struct _Unwind_Exception *);

static personality *real_personality;
static resume *real_resume;

personality __gcc_personality_v0;

/* Copies the address of a function; NULL if the library has none. */
static void
find_name(void *lib, const char *name, void *to)
{
	void *at = dlsym(lib, name);

	memcpy(to, &at, sizeof at);
}

/* Returns false if there is no libgcc_s. Two threads find the same. */
static bool
find(void)
{
	personality *reads =
		__atomic_load_n(&real_personality, __ATOMIC_ACQUIRE);
	resume *resumes = NULL;
	void *lib;

	if (reads != NULL)
		return true;
	collect_enter();
	lib = dlopen("libgcc_s.so.1", RTLD_LAZY);
	if (lib != NULL) {
		find_name(lib, "__gcc_personality_v0", &reads);
		find_name(lib, "_Unwind_Resume", &resumes);
	}
	if (resumes != NULL) {
		__atomic_store_n(&real_resume, resumes, __ATOMIC_RELAXED);
		__atomic_store_n(&real_personality, reads, __ATOMIC_RELEASE);
	}
	collect_leave();
	return reads != NULL && resumes != NULL;
}

/* Called for each wrapper that is passed. */
_Unwind_Reason_Code
__gcc_personality_v0(int version, _Unwind_Action actions,
	_Unwind_Exception_Class class, struct _Unwind_Exception *exception,
	struct _Unwind_Context *context)
{
	return find()
		? real_personality(version, actions, class, exception, context)
		: _URC_CONTINUE_UNWIND;
}

/* Called after the cleanup of a wrapper. */
void
_Unwind_Resume(struct _Unwind_Exception *exception)
{
	real_resume(exception);
	__builtin_unreachable();
}
