/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check the parsers of texts that users and the kernel write of probes. */
#ifndef PERF_TESTS_LIB_PROBE_FUZZ_H
#define PERF_TESTS_LIB_PROBE_FUZZ_H

/** probe_fuzz - read a text as a definition of a probe, a filter of names, a range of lines, a
 * line of tracefs, and a file of definitions that a cache keeps. Parsing ends, and what was read is
 * written as one line or refused, which reads
 * back as the same; abort() otherwise. */
void probe_fuzz(const char *text);

#endif
