/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of events while they are being counted: the source of a session (session/source.h) that
 * reads the rings the kernel writes to, and what such a session knows besides.
 *
 *	rings_map()			the events are open, their rings are mapped
 *	live_before()			what was there before: threads, their maps, the kernel
 *	live_source_new()		the source; session_open_source() takes it over
 *	live_describe()			the machine, as the header of a file describes it
 *	session_ordered(), ...		run until the source has ended
 */
#ifndef PERF_LIVE_LIVE_H
#define PERF_LIVE_LIVE_H

#include "kernel/ring.h"
#include "session/source.h"

struct live_conf {
	struct rings *rings;         /* borrowed; those that are overwritten are passed over */
	const struct strbuf *before; /* records that come first; borrowed; NULL: none */
	/*
	 * Called each time that all rings have been read, in the thread that runs the session:
	 * wait until the kernel may have written more. Everything up to the last but one call has
	 * been handed to the sinks by then, so this is the place to show intermediate results.
	 * Return: 1: go on; 0: the end has come, what the rings still hold is read and that is
	 * all; negative errno and a sentence.
	 */
	int (*wait)(void *ctx, struct err *err);
	void *ctx;
};

/** live_source_new - make a source that reads rings until conf->wait says that the end has come. */
struct source *live_source_new(const struct live_conf *conf);

struct live_state {
	const struct sysroot *sysroot;    /* borrowed */
	const struct wire_layout *layout; /* of the event that carries side-band; borrowed */
	const struct int_list *tids;      /* borrowed; empty: every thread there is */
	bool mmap_data;                   /* maps of data too */
	bool namespaces;
};

/**
 * live_before - append records of what was there before the events were opened: the kernel and its
 * modules, threads with their names, and their maps. Return: 0, or negative errno when /proc cannot
 * be read.
 */
int live_before(const struct live_state *st, struct strbuf *out);

/** live_describe - fill the environment of @f with this machine: host, release, CPUs, topology. */
void live_describe(struct perf_file *f, const struct sysroot *sr);

#endif
