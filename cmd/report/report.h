/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf report: options (builtin-report.c), the run (-run), what needs no histogram (-facts). */
#ifndef PERF_CMD_REPORT_REPORT_H
#define PERF_CMD_REPORT_REPORT_H

#include "base/color.h"
#include "cli/options.h"
#include "cmd/common/export.h"
#include "cmd/common/option-groups.h"
#include "profile/profile.h"

/* The facts of a file that are shown instead of a profile. */
struct report_facts {
	bool stats, tasks, mmaps; /* mmaps before tasks */
};

static inline bool report_facts_any(const struct report_facts *f)
{
	return f->stats || f->tasks || f->mmaps;
}

/* --pair, --key, --heatmap: latencies of pairs of events, and when samples were. */
struct report_heatmap {
	const char *file; /* of the picture; NULL: none */
	const char *pair; /* "START,END"; NULL: samples over time */
	const char *key;
};

static inline bool report_heatmap_any(const struct report_heatmap *h)
{
	return h->file || h->pair || h->key;
}

/** report_heatmap_stdout - tell whether the picture is all that goes to standard output. */
static inline bool report_heatmap_stdout(const struct report_heatmap *h)
{
	return h->file && !strcmp(h->file, "-");
}

struct report {
	const struct option *options;
	const char *const *usage;
	struct recording_options source;
	struct profile_options asked;
	struct recording rec; /* open while report_run() runs */
	struct profile *profile;
	const char *pretty;  /* of -T */
	bool always_quality; /* what the profile lacks is told into files and pipes, too */
	bool tell_quality;   /* it is told at all */
	const char *sep;
	struct row_options rows;
	bool quiet, children_set, stdio, tui, raw_dump, demangle, inverted, header, header_only,
		show_info, skip_empty, total_cycles;
	/* These two options change nothing: modules are shown as far as they are known in any case,
	 * and what is known does not depend on an order. */
	bool modules, no_order;
	bool stitch;
	struct look_options look;
	char *command; /* as it was given; owned */
	int verbose;
	enum color_when color;
	bool colored;      /* what is printed */
	bool told_filters; /* filters of one name were printed */
	struct palette palette;
	struct report_facts facts;
	struct exports exports; /* then no text */
	struct report_heatmap heatmap;
};

/** report_opt_graph - the callback of -g. opt->value: the report. */
int report_opt_graph(const struct option *opt, const char *arg, int unset);

/** report_filters - have @p read -C, --pid, --tid and --parallelism. Return: 0, -EINVAL and a
 * sentence. */
int report_filters(struct profile *p, struct err *err);
/** report_quality - say how much the profile can be trusted, to a terminal or where that is asked
 * for. */
void report_quality(const struct report *rep);
/** report_on_screen - tell whether it is shown on a screen. */
bool report_on_screen(const struct report *rep);
/** report_profile - run @p with a progress bar. Return: what profile_run() returns. */
int report_profile(struct recording *r, struct profile *p, struct err *err);
/**
 * report_exports - write what is asked for instead of a report, with --compare after a look at the
 * other recording.
 * @ret: of profile_run()
 * Return: exit status, with a message printed.
 */
int report_exports(struct report *rep, int ret, struct err *err);
/** print_preamble - print the lines that stand in front of a report of any kind. */
void print_preamble(struct report *rep);
/** report_names - print filters of one name. Return: 0, -EINVAL: a key does not exist. */
int report_names(struct report *rep, struct err *err);
/** report_tell_keys - tell, for a key that does not exist, which ones there are. */
void report_tell_keys(const struct report *rep, const struct err *err);
/** report_refuses_options - tell what excludes each other or is not there, before anything is
 * printed. Return: false: goes on; *@ret: exit status. */
bool report_refuses_options(struct report *rep, int *ret);
/** report_refuses_samples - tell what cannot be had of the samples. As before. */
bool report_refuses_samples(struct report *rep, int *ret);
/** report_heatmap - make the timeline. Return: exit status, with a message printed. */
int report_heatmap(struct report *rep);
/** report_run - report as asked. Return: exit status. */
int report_run(struct report *rep);

#endif
