/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of perf trace says this, and these functions do it. */
#ifndef PERF_CMD_TRACE_H
#define PERF_CMD_TRACE_H

#include "cli/output-mark.h"
#include "cmd/common/record-front.h"
#include "tracerun/tracerun.h"

struct trace_command {
	struct record_front rec; /* the target, events and rings of a live run */
	struct recording_options source;
	struct trace_asked asked;
	struct trace_select select;
	struct sysargs *sa;       /* owned; calls of this machine */
	const char *output;       /* -o; NULL: stderr */
	const char *filter_pids;  /* --filter-pids; NULL: not given */
	const char *cgroup;       /* -G; NULL: not given */
	bool with_summary;        /* -S */
	bool csv;                 /* --csv */
	bool count, count_given;  /* --bpf-summary, --no-bpf-summary */
	struct call_sums counted; /* open if asked.counted */
	bool sort_events;
	struct int_list pids;       /* of --filter-pids */
	struct int_list left_out;   /* those, and our own */
	struct call_copies *copies; /* owned; the memory of calls that is copied, or NULL */
	struct output_file {
		int fd;
		bool failed;
		struct output_mark begin;
	} out;
};

/* Option callbacks; opt->value: the struct trace_command. They tell on stderr what is wrong. */
int trace_opt_events(const struct option *opt, const char *arg, int unset);
int trace_opt_filter(const struct option *opt, const char *arg, int unset);
int trace_opt_faults(const struct option *opt, const char *arg, int unset);
int trace_opt_duration(const struct option *opt, const char *arg, int unset);
int trace_opt_summary(const struct option *opt, const char *arg, int unset);
int trace_opt_string_len(const struct option *opt, const char *arg, int unset);
int trace_opt_mode(const struct option *opt, const char *arg, int unset);
int trace_opt_map_dump(const struct option *opt, const char *arg, int unset);

/** trace_read_config - take the variables trace.* of the configuration. */
void trace_read_config(struct trace_command *t);
/** trace_config_events - add the calls and events of trace.add_events to those of the command line.
 * Where that chooses no calls all are shown anyway. Return: 0, or negative, which was told. */
int trace_config_events(struct trace_command *t);
/** trace_do - trace what is asked for, live or from a file. Return: exit status. */
int trace_do(struct trace_command *t, const char *const usage[], const struct option *table);
/** trace_record_copies - tell what is recorded of the memory of all calls, which @t owns; NULL:
 * nothing, because no calls are. @nr: is set to the number of rows */
const struct call_copies *trace_record_copies(struct trace_command *t, u32 *nr);
/** trace_record_arguments - make the arguments of perf record from those of perf trace record, in
 * an array that the caller frees. Return: their number. */
int trace_record_arguments(const struct trace_command *t, int argc, const char **argv,
			   const char ***out);

#endif
