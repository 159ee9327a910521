/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that makes libdw look into files includes this, for the time it is built with
 * sanitizers: the leak checker of gcc 12 guesses wrongly where a library that was loaded later
 * keeps its thread-local data, reads there and dies. */
#ifndef TESTS_ASAN_TLS_H
#define TESTS_ASAN_TLS_H

/** __asan_default_options - what the sanitizer asks for; one file of a program has it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "intercept_tls_get_addr=0";
}

#endif
