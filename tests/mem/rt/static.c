/* SPDX-License-Identifier: MIT */
/* static.c - a statically linked program: no loader preloads the recorder. */
int
main(void)
{
	return 0;
}
