/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns that `perf script` shows for samples of each kind of event: the defaults, the changes
 * that -F makes, and the limits that the recorded attributes set.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_FIELDS_H
#define PERF_SAMPLETEXT_SAMPLE_FIELDS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "events/evlist.h"

/* Name of the bit, word after -F. */
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
	X(PHYS_ADDR, "phys_addr")                                                                  \
	X(DATA_SRC, "data_src")                                                                    \
	X(INS_LAT, "ins_lat")                                                                      \
	X(RETIRE_LAT, "retire_lat")                                                                \
	X(IREGS, "iregs")                                                                          \
	X(UREGS, "uregs")                                                                          \
	X(BRSTACK, "brstack")                                                                      \
	X(BRSTACKSYM, "brstacksym")                                                                \
	X(BRSTACKINSN, "brstackinsn")                                                              \
	X(BRSTACKINSNLEN, "brstackinsnlen")                                                        \
	X(INSN, "insn")                                                                            \
	X(INSNLEN, "insnlen")                                                                      \
	X(SRCLINE, "srcline")                                                                      \
	X(SRCCODE, "srccode")                                                                      \
	X(DSOFF, "dsoff")                                                                          \
	X(BRSTACKOFF, "brstackoff")                                                                \
	X(FLAGS, "flags")                                                                          \
	X(MISC, "misc")                                                                            \
	X(CGROUP, "cgroup")                                                                        \
	X(DATA_PAGE_SIZE, "data_page_size")                                                        \
	X(CODE_PAGE_SIZE, "code_page_size")                                                        \
	X(TOD, "tod")                                                                              \
	X(CALLINDENT, "callindent")                                                                \
	X(SYNTH, "synth")                                                                          \
	X(IPC, "ipc")                                                                              \
	X(MACHINE_PID, "machine_pid")                                                              \
	X(VCPU, "vcpu")                                                                            \
	X(METRIC, "metric")                                                                        \
	X(DISASM, "disasm")                                                                        \
	X(BRSTACKDISASM, "brstackdisasm")                                                          \
	X(BRCNTR, "brcntr")

enum sample_field_nr {
#define X(name, word) SF_NR_##name,
	SAMPLE_FIELDS(X)
#undef X
		SF_NR
};

enum sample_field {
#define X(name, word) SF_##name = 1ULL << SF_NR_##name,
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
		u64 fields;
		u64 invalid; /* columns that this kind can never show */
		u64 asked;   /* columns named for all events; it is an error when one lacks them */
		bool user_set; /* the user replaced or changed the defaults */
		bool replaced;
		bool typed; /* the last list was for this kind alone and replaced its columns */
	} kind[SK_NR];
	bool flags; /* SF_FLAGS is shown for all kinds that have flags, or for none */
};

/** sample_fields_names - append the names of all fields, each with a blank behind it. */
void sample_fields_names(struct strbuf *out);
/** sample_fields_init - set the defaults. */
void sample_fields_init(struct sample_fields *sf);

/**
 * sample_fields_parse - apply one argument of -F: "comm,tid", "+addr,-comm", "sw:time,event".
 * @notices: receives lines that the command prints on stderr, also on success
 * Return: 0, or -EINVAL and a sentence.
 */
int sample_fields_parse(struct sample_fields *sf, const char *arg, struct strbuf *notices,
			struct err *err);

/**
 * sample_fields_check - adapt the columns to the events of a file. Default columns that the
 * attributes lack are removed; for requested ones that is an error. Tracepoints with call chains
 * get the address columns unless the user has chosen columns. Events that only track tasks are
 * ignored.
 * Return: 0; -EINVAL when a column cannot be shown; -ENOENT when there are no events of a kind that
 * was named; both with a sentence.
 */
int sample_fields_check(struct sample_fields *sf, const struct evlist *evlist, bool hide_callchain,
			struct err *err);

/** sample_kind_of - return the kind of an event. */
enum sample_kind sample_kind_of(const struct evsel *e);
/**
 * sample_fields_shown - tell whether any event has this column, before or after
 * sample_fields_check().
 */
bool sample_fields_shown(const struct sample_fields *sf, const struct evlist *evlist, u64 field);
/** sample_fields_of - return the columns of one event, after sample_fields_check(). */
u64 sample_fields_of(const struct sample_fields *sf, const struct evsel *e);

#endif
