/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make a small tree of stacks with names as nobody should have them. */
#ifndef TESTS_HOSTILE_STACKS_H
#define TESTS_HOSTILE_STACKS_H

#include "stacktree/stacks.h"
#include "export/export.h"

#define HOSTILE_NAME "</script><img onerror=alert(1) src=x>"
#define HOSTILE_LONG 100000 /* bytes of the longest name */

/* The sums of all samples of the first event, cpu-clock. */
#define HOSTILE_SAMPLES 10
#define HOSTILE_PERIOD 10500

/**
 * hostile_stacks - make a tree with all @dims; free with stacks_free(). Of event cpu-clock, by
 * samples and period:
 *	main -> f -> g -> f -> h	3, 3000 in thread 100/100
 *	main -> f -> inlined		2, 2000 in thread 100/101
 *	main, kernel			4, 4500 in thread 100/100
 *	(a name of 100000 bytes)	1, 1000 in thread 0/0
 * of sched:sched_switch one sample of main in threads 100/100 and 0/0, on CPU 0 and in this order,
 * three times; of a probe one in thread 100/101.
 */
struct stacks *hostile_stacks(const struct stacks_dims *dims);
/** hostile_write - write those stacks as format @name to @written. Return: 0; negative: there is no
 * such format, or it failed. */
int hostile_write(const char *name, const struct export_opts *opts, struct strbuf *written);

#endif
