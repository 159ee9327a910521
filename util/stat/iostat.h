/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat --iostat: what passes between the devices below PCIe root ports and the memory or the
 * processors. The PMUs uncore_iio_N of Intel's servers count it, each for one port of each die, and
 * a file DIE of the PMU, "die0", tells which: "0000:17".
 */
#ifndef PERF_STAT_IOSTAT_H
#define PERF_STAT_IOSTAT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

#define IOSTAT_COUNTS 4

/* A root port. */
struct iostat_port {
	u32 domain;
	u8 bus;
	u8 pmu, die; /* which counts it, and where */
};

struct iostat_ports {
	struct iostat_port *v; /* owned; by PMU and die */
	size_t nr, cap;
};

/* What is counted of each port. */
struct iostat_count {
	const char *name;  /* "Inbound Read(MB)" */
	const char *terms; /* of its event */
};

extern const struct iostat_count iostat_counts[IOSTAT_COUNTS];
/* The events count pieces of 4 bytes. */
#define IOSTAT_PER_MB (256.0 * 1024)

/** iostat_is_choice - tell whether a word is "list" or looks like a list of ports, as in
 * "0000:17,0:3a". */
bool iostat_is_choice(const char *word);
/**
 * iostat_scan - read which ports there are.
 * @chosen: of these only, as in "0000:17,0:3a"; NULL: all
 * Return: 0; -EOPNOTSUPP when there is no such PMU, or another negative errno, with a sentence.
 * iostat_release() is to be called either way.
 */
int iostat_scan(struct iostat_ports *p, const struct sysroot *sr, const char *chosen,
		struct err *err);
void iostat_release(struct iostat_ports *p);
/** iostat_list - append a line for each port: "S0-uncore_iio_0<0000:00>". */
void iostat_list(const struct iostat_ports *p, struct strbuf *out);
/** iostat_events - append the events that count the ports, in the syntax of -e: for each PMU its
 * counts, in the order of iostat_counts. */
void iostat_events(const struct iostat_ports *p, struct strbuf *out);
/** iostat_event - return the position of the first event of a port in that list. */
size_t iostat_event(const struct iostat_ports *p, const struct iostat_port *port);

#endif
