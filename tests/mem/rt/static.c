/* SPDX-License-Identifier: MIT */
/* static.c - a program that no loader sees. */
int
main(void)
{
	return 0;
}
