/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of events while they are being counted: the source of a session (session/source.h) that
 * reads the rings the kernel writes to, and the other data that such a session needs.
 *
 *	rings_map()			the events are open, their rings are mapped
 *	live_before()			the state before: threads, their maps, the kernel
 *	live_source_new()		the source; session_open_source() takes it over
 *	live_describe()			the machine, as the header of a file describes it
 *	session_ordered(), ...		run until the source has ended
 */
#ifndef PERF_LIVE_LIVE_H
#define PERF_LIVE_LIVE_H

#include "kernel/ring.h"
#include "session/source.h"

struct live_conf {
	struct rings *rings;         /* borrowed; rings that the kernel overwrites are skipped */
	const struct strbuf *before; /* records that are delivered first; borrowed; NULL: none */
	/*
	 * Called by the thread of the session each time after all rings were read, to wait until
	 * the kernel may have written more. Everything up to the last but one call has been
	 * delivered by then, so this is the place to show intermediate results.
	 * Return: 1 to go on; 0 to end after reading the rest of the rings; a negative errno and a
	 * sentence on failure.
	 */
	int (*wait)(void *ctx, struct err *err);
	void *ctx;
};

/**
 * live_source_new - make a source that reads rings until conf->wait returns 0. The session that is
 * opened with it frees it.
 */
struct source *live_source_new(const struct live_conf *conf);

struct live_state {
	const struct sysroot *sysroot;    /* borrowed */
	const struct wire_layout *layout; /* layout of the event that carries side-band; borrowed */
	const struct int_list *tids;      /* borrowed; empty: all threads */
	bool mmap_data;                   /* include maps of data */
	bool namespaces;
	bool cgroups;              /* include control groups of version 2 */
	int workers;               /* threads that read /proc; 0: one for each CPU */
	unsigned int map_limit_ms; /* time for the maps of one process; 0: any */
};

/**
 * live_before - append records of the state before the events were opened: the kernel and its
 * modules, threads with their names, and their maps. Return: 0, or a negative errno and a sentence
 * when /proc cannot be read.
 */
int live_before(const struct live_state *st, struct strbuf *out, struct err *err);

/**
 * live_describe - fill in the environment of @f for this machine: host name, release, CPUs,
 * topology.
 */
void live_describe(struct perf_file *f, const struct sysroot *sr);

#endif
