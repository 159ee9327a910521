/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions print what a recording says about itself on stdout. */
#ifndef PERF_CMD_COMMON_HEADER_H
#define PERF_CMD_COMMON_HEADER_H

#include "base/err.h"

struct perf_file;
struct evlist;
struct session;

/** print_header - print what --header shows of a file. @full: as with -I */
void print_header(const struct perf_file *f, const struct evlist *evlist, bool full);

/** print_features - print features that have come through a pipe since. @printed: which were
 * shown */
void print_features(const struct perf_file *f, const struct evlist *evlist, bool full,
		    u64 *printed);

/**
 * print_dump_order - decide before a raw dump on the order of records; this may print a line
 * about it.
 */
void print_dump_order(struct session *s);

/**
 * print_dump - print the raw dump of all records of a session.
 * Return: 0, -EPIPE when nobody reads, or negative with a message printed.
 */
int print_dump(struct session *s, int workers);

#endif
