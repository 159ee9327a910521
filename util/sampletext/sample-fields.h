/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which columns `perf script` shows for the samples of which kind of event: the defaults, what
 * -F changes in them, and what the recorded attributes can give.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_FIELDS_H
#define PERF_SAMPLETEXT_SAMPLE_FIELDS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "events/evlist.h"

/* bit name, word after -F. The last three are blank but for what AUX traces are decoded to. */
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
		u64 invalid;   /* can never be shown for this kind */
		u64 asked;     /* named for all events: an error when one lacks them */
		bool user_set; /* the user replaced or changed the defaults */
		bool replaced;
		bool typed; /* the last list was for this kind alone, and all of it */
	} kind[SK_NR];
	bool flags; /* SF_FLAGS is a column of all kinds that have any, or of none */
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
 * chains get the address columns unless the user chose columns. Events that only track tasks do not
 * count. Return: 0; -EINVAL: a column cannot be shown, -ENOENT: no events of a kind that was named,
 * both with a sentence.
 */
int sample_fields_check(struct sample_fields *sf, const struct evlist *evlist, bool hide_callchain,
			struct err *err);

/** sample_kind_of - the kind of an event. */
enum sample_kind sample_kind_of(const struct evsel *e);
/** sample_fields_shown - does any event have this column? Before or after sample_fields_check(). */
bool sample_fields_shown(const struct sample_fields *sf, const struct evlist *evlist, u64 field);
/** sample_fields_of - the columns for one event, after sample_fields_check(). */
u64 sample_fields_of(const struct sample_fields *sf, const struct evsel *e);

#endif
