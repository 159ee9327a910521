/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which columns `perf script` shows for the samples of which kind of event: the defaults, what
 * -F changes in them, and what the recorded attributes can give.
 */
#ifndef PERF_OUTPUT_SAMPLE_FIELDS_H
#define PERF_OUTPUT_SAMPLE_FIELDS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "events/evlist.h"

/* bit name, word after -F */
#define SAMPLE_FIELDS(X)                                                                           \
	X(COMM, "comm")                                                                            \
	X(TID, "tid")                                                                              \
	X(PID, "pid")                                                                              \
	X(TIME, "time")                                                                            \
	X(CPU, "cpu")                                                                              \
	X(EVENT, "event")                                                                          \
	X(TRACE, "trace")                                                                          \
	X(IP, "ip")                                                                                \
	X(SYM, "sym")                                                                              \
	X(DSO, "dso")                                                                              \
	X(ADDR, "addr")                                                                            \
	X(SYMOFF, "symoff")                                                                        \
	X(PERIOD, "period")                                                                        \
	X(WEIGHT, "weight")                                                                        \
	X(BPF_OUTPUT, "bpf-output")                                                                \
	X(PHYS_ADDR, "phys_addr")

enum sample_field_nr {
#define X(name, word) SF_NR_##name,
	SAMPLE_FIELDS(X)
#undef X
		SF_NR
};

enum sample_field {
#define X(name, word) SF_##name = 1 << SF_NR_##name,
	SAMPLE_FIELDS(X)
#undef X
};

/* Kinds of events that have columns of their own; the first six are attr.type. */
enum sample_kind {
	SK_HARDWARE,
	SK_SOFTWARE,
	SK_TRACEPOINT,
	SK_HW_CACHE,
	SK_RAW,
	SK_BREAKPOINT,
	SK_OTHER,
	SK_SYNTH,
	SK_NR
};

struct sample_fields {
	struct {
		u32 fields;
		u32 invalid;   /* can never be shown for this kind */
		u32 asked;     /* named by the user: an error when the file lacks them */
		bool user_set; /* the user replaced or changed the defaults */
		bool replaced;
	} kind[SK_NR];
};

/** sample_fields_init - the defaults. */
void sample_fields_init(struct sample_fields *sf);

/**
 * sample_fields_parse - apply one -F argument: "comm,tid", "+addr,-comm", "sw:time,event".
 * @notices: lines that the command prints on stderr, also when it succeeds
 * Return: 0 or -EINVAL and a sentence.
 */
int sample_fields_parse(struct sample_fields *sf, const char *arg, struct strbuf *notices,
			struct err *err);

/**
 * sample_fields_check - fit the columns to the events of a file.
 * Defaults that the attributes lack go away; asked-for ones are an error. Tracepoints with call
 * chains get the address columns unless the user chose columns.
 */
int sample_fields_check(struct sample_fields *sf, const struct evlist *evlist, bool hide_callchain,
			struct err *err);

/** sample_kind_of - the kind of an event. */
enum sample_kind sample_kind_of(const struct evsel *e);
/** sample_fields_of - the columns for one event, after sample_fields_check(). */
u32 sample_fields_of(const struct sample_fields *sf, const struct evsel *e);

#endif
