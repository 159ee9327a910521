/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf report: options (builtin-report.c), the run (-run), what needs no histogram (-facts). */
#ifndef PERF_CMD_REPORT_REPORT_H
#define PERF_CMD_REPORT_REPORT_H

#include "base/color.h"
#include "cli/options.h"
#include "cmd/common/export.h"
#include "cmd/common/itrace.h"
#include "profile/profile.h"
#include "cmd/report/heatmap.h"

/* What to show of a file instead of a profile. */
struct report_facts {
	bool stats, tasks, mmaps; /* mmaps before tasks */
	bool all;                 /* types of records that there were none of, too */
};

static inline bool report_facts_any(const struct report_facts *f)
{
	return f->stats || f->tasks || f->mmaps;
}

/** report_facts - print them of an open session. Return: 0, or -1 with a message printed. */
int report_facts(const struct report_facts *f, struct session *s, int workers);

/** report_stats - the counts of a session read with by_event; @losses: of each event too; @all: of
 * types that there were none of. */
int report_stats(struct session *s, bool losses, bool all);
/** report_dump - every record, and the counts. Return: 0, or negative with a message printed. */
int report_dump(struct session *s, int workers);

struct report {
	const struct option *options;
	const char *const *usage;
	struct profile p;
	const char *pretty; /* of -T */
	const char *sep, *cpus, *pids, *tids, *levels;
	u16 widths[HIST_MAX_COLUMNS]; /* -w */
	bool quiet, children_set, stdio, raw_dump, demangle, inverted, header, header_only,
		show_info, skip_empty, total_cycles, branch_history;
	/* Nothing to be done for: modules are shown as far as is known, and what is known does not
	 * depend on an order */
	bool modules, no_order;
	bool stitch, itrace;
	regex_t callees;           /* of --ignore-callees */
	bool prefix, prefix_strip; /* given */
	char browse[160];          /* options given that only matter where rows are looked into */
	int verbose;
	enum color_when color;
	bool colored; /* what is printed */
	struct palette palette;
	double percent_limit;
	bool relative;
	struct report_facts facts;
	struct exports exports; /* then no text */
	struct report_heatmap heatmap;
};

/** report_graph_word - one word of -g; @numbers: how many there were. Return: 0, or -1 when it
 * means nothing. */
int report_graph_word(struct report *rep, const char *tok, int *numbers);
/** report_opt_graph - -g; _callees - --ignore-callees; _browse - options for looking into rows.
 * opt->value: the report. */
int report_opt_graph(const struct option *opt, const char *arg, int unset);
int report_opt_callees(const struct option *opt, const char *arg, int unset);
int report_opt_browse(const struct option *opt, const char *arg, int unset);
/** report_branch_history - what --branch-history means. */
void report_branch_history(struct report *rep);
/** report_tell_browse - say that those have no effect here. Return: 0, -EINVAL with a message. */
int report_tell_browse(const struct report *rep);

/** report_filters - -C, --pid, --tid and --parallelism for @p. Return: 0, -EINVAL and a
 * sentence. */
int report_filters(const struct report *rep, struct profile *p, struct err *err);
/**
 * report_exports - instead of a report: write what is asked for. What was run stays.
 * @before: the options, for the recording of --compare; @ret: of profile_run()
 * Return: exit status, with a message printed.
 */
int report_exports(struct report *rep, struct profile *before, int ret, struct err *err);
/** print_preamble - print the lines that stand in front of a report of any kind. */
void print_preamble(struct report *rep);
/** report_names - print filters of one name. Return: 0, -EINVAL: a key does not exist. */
int report_names(struct report *rep, struct err *err);
/** report_tell_keys - a key that is not there: which ones there are. */
void report_tell_keys(const struct report *rep, const struct err *err);
/** report_refuses_options - tell what excludes each other or is not there, before anything is
 * printed. Return: false: goes on; *@ret: exit status. */
bool report_refuses_options(struct report *rep, int *ret);
/** report_refuses_samples - tell what cannot be had of the samples. As before. */
bool report_refuses_samples(struct report *rep, int *ret);
/** report_run - report as asked. Return: exit status. */
int report_run(struct report *rep);

#endif
