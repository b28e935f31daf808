/* SPDX-License-Identifier: MIT */
/* nolock.c - a preloaded library that makes file locks fail, as on a file
 * system without them. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

/* with 64-bit file sizes the symbol is fcntl64 */
__attribute__((visibility("default"))) int
fcntl(int fd, int cmd, ...)
{
	int (*real)(int, int, ...);
	va_list args;
	void *arg;

	va_start(args, cmd);
	arg = va_arg(args, void *);
	va_end(args);
	if (cmd == F_OFD_SETLK || cmd == F_OFD_SETLKW) {
		errno = ENOLCK;
		return -1;
	}
	*(void **)&real = dlsym(RTLD_NEXT, "fcntl64");
	return real(fd, cmd, arg);
}
