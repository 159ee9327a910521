/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of options that several commands have: a command names a group in its table and gets all
 * of its options in one line.
 */
#ifndef PERF_CMD_COMMON_OPTION_GROUPS_H
#define PERF_CMD_COMMON_OPTION_GROUPS_H

#include "cli/options.h"
#include "profile/profile.h"
#include "recording/recording.h"

#include <regex.h>

/* Options that choose the recording. @o: a struct recording_options */
#define INPUT_OPTIONS(o)                                                                           \
	OPT_STRING('i', "input", &(o)->input, "file", "input file name"),                          \
		OPT_BOOLEAN('f', "force", &(o)->force, "don't complain, do it")

/* Options on where symbols come from, those of guests included. @o: a struct recording_options */
#define SYMBOL_OPTIONS(o)                                                                          \
	OPT_STRING('k', "vmlinux", &(o)->vmlinux, "file", "vmlinux pathname"),                     \
		OPT_STRING(0, "kallsyms", &(o)->kallsyms, "file", "kallsyms pathname"),            \
		SYMFS_OPTION(o), DEBUGINFOD_OPTION(o), LINE_OPTIONS(&(o)->lines),                  \
		OPT_BOOLEAN(0, "demangle-kernel", &(o)->demangle_kernel,                           \
			    "Enable kernel symbol demangling"),                                    \
		OPT_BOOLEAN(0, "bare-names", &(o)->bare_names,                                     \
			    "Show clones of functions (.cold, .part, ...) under one name"),        \
		GUEST_OPTIONS(&(o)->guest)

/* The option that asks for a heat map. @file: const char *; @what: a string, what it shows */
#define HEATMAP_OPTION(file, what)                                                                 \
	OPT_STRING_NOEMPTY(0, "heatmap", file, "file",                                             \
			   "write " what " over time as a heat map: SVG, or a page for .html")

/**
 * heatmap_check_live - check that no heat map is asked of sums that BPF programs count.
 * @file: that --heatmap names; NULL: none
 * Return: 0, or -EINVAL and a sentence.
 */
int heatmap_check_live(const char *file, struct err *err);

/* The option that names a copy of the recorded system's files. @o: a struct recording_options */
#define SYMFS_OPTION(o)                                                                            \
	OPT_CALLBACK(0, "symfs", &(o)->symfs, "directory[,layout]",                                \
		     "Look for files with symbols relative to this directory; layout: hierarchy "  \
		     "(default), or flat when all are directly in it",                             \
		     opt_symfs)

/** opt_duration - the callback of a number of seconds, maybe with decimals, into a u64 of ms. */
int opt_duration(const struct option *opt, const char *arg, int unset);

/** opt_symfs - the callback of --symfs. */
int opt_symfs(const struct option *opt, const char *arg, int unset);

/* The option that has missing objects fetched. @o: a struct recording_options */
#define DEBUGINFOD_OPTION(o)                                                                       \
	OPT_CALLBACK_OPTARG(0, "debuginfod", &(o)->debuginfod, NULL, "debuginfod urls",            \
			    "Fetch missing debug information from these servers, or those of "     \
			    "DEBUGINFOD_URLS",                                                     \
			    opt_debuginfod)

/** opt_debuginfod - the callback of --debuginfod. */
int opt_debuginfod(const struct option *opt, const char *arg, int unset);

/* Options on who reads source lines. @l: a struct line_source */
#define LINE_OPTIONS(l)                                                                            \
	OPT_CALLBACK(0, "addr2line", l, "path",                                                    \
		     "Have this addr2line read source lines and inlined functions",                \
		     opt_addr2line),                                                               \
		OPT_CALLBACK(0, "addr2line-style", l, "style[,style...]",                          \
			     "Who reads them: builtin, libdw, cmd:addr2line (llvm and libbfd are " \
			     "passed over); the first there is",                                   \
			     opt_addr2line_style)

/** opt_addr2line, opt_addr2line_style - the callbacks of these options. */
int opt_addr2line(const struct option *opt, const char *arg, int unset);
int opt_addr2line_style(const struct option *opt, const char *arg, int unset);

/* Options that choose threads. @o: a struct recording_options */
#define THREAD_FILTER_OPTIONS(o)                                                                   \
	OPT_STRING(0, "pid", &(o)->pids, "pid[,pid...]", "only consider symbols in these pids"),   \
		OPT_STRING(0, "tid", &(o)->tids, "tid[,tid...]",                                   \
			   "only consider symbols in these tids")

/* The option that chooses a span of time. @o: a struct recording_options */
#define TIME_FILTER_OPTIONS(o)                                                                     \
	OPT_STRING(0, "time", &(o)->time, "str", "Time span of interest (start,stop)")

/* Options that choose samples by thread, CPU, time and switches. @o: a struct recording_options */
#define SAMPLE_FILTER_OPTIONS(o)                                                                   \
	THREAD_FILTER_OPTIONS(o), TIME_FILTER_OPTIONS(o),                                          \
		OPT_STRING('C', "cpu", &(o)->cpus, "cpu", "list of cpus to profile"),              \
		EVENT_SWITCH_OPTIONS(&(o)->on_off)

/* The option that chooses who unwinds copied stacks. @o: a struct recording_options */
#define UNWIND_OPTION(o)                                                                           \
	OPT_STRING(0, "unwind-style", &(o)->unwind_styles, "style[,style...]",                     \
		   "Who unwinds copied stacks: tables, libdw, libunwind; the first there is")

/* Options on call chains. @o: a struct recording_options; @asked: has max_stack and inlines;
 * @paths: bool */
#define FRAME_OPTIONS(o, asked, paths)                                                             \
	UNWIND_OPTION(o),                                                                          \
		OPT_UINTEGER(0, "max-stack", &(asked)->max_stack,                                  \
			     "Set the maximum stack depth when parsing the callchain, anything "   \
			     "beyond is ignored"),                                                 \
		OPT_BOOLEAN(0, "inline", &(asked)->inlines,                                        \
			    "Show inlined functions in call chains (default)"),                    \
		OPT_BOOLEAN(0, "full-source-path", paths,                                          \
			    "Show full source file name path for source lines")

/* Options on what processors traced: LBR stacks and instruction traces. @stitched: bool, @traces:
 * struct itrace_option */
#define TRACE_OPTIONS(stitched, traces)                                                            \
	OPT_BOOLEAN(0, "stitch-lbr", stitched, "Enable LBR callgraph stitching approach"),         \
		ITRACE_OPTION(traces)
#define ITRACE_OPTION(traces)                                                                      \
	OPT_CALLBACK_OPTARG(0, "itrace", traces, NULL, "opts", "Instruction Tracing options",      \
			    opt_itrace)

/* Options that print what a recording says of itself. @all, @only: bool */
#define HEADER_OPTIONS(all, only)                                                                  \
	OPT_BOOLEAN(0, "header", all, "Show data header."),                                        \
		OPT_BOOLEAN(0, "header-only", only, "Show only data header.")

/* @sw: a struct event_switch */
#define EVENT_SWITCH_OPTIONS(sw)                                                                   \
	OPT_STRING(0, "switch-on", &(sw)->on, "event",                                             \
		   "Consider events after the ocurrence of this event"),                           \
		OPT_STRING(0, "switch-off", &(sw)->off, "event",                                   \
			   "Stop considering events after the ocurrence of this event"),           \
		OPT_BOOLEAN(                                                                       \
			0, "show-on-off-events", &(sw)->show,                                      \
			"Show the on/off switch events, used with --switch-on and --switch-off")

/* @g: a struct guest_options */
#define GUEST_OPTIONS(g)                                                                           \
	OPT_STRING(0, "guestmount", &(g)->mount, "directory",                                      \
		   "guest mount directory under which every guest os instance has a subdir"),      \
		OPT_STRING(0, "guestvmlinux", &(g)->vmlinux, "file",                               \
			   "file saving guest os vmlinux"),                                        \
		OPT_STRING(0, "guestkallsyms", &(g)->kallsyms, "file",                             \
			   "file saving guest os /proc/kallsyms"),                                 \
		OPT_STRING(0, "guestmodules", &(g)->modules, "file",                               \
			   "file saving guest os /proc/modules"),                                  \
		OPT_BOOLEAN(0, "guest-code", &(g)->code,                                           \
			    "Guest code can be found in hypervisor process")

/** opt_itrace - check --itrace; an option callback, opt->value: bool, whether it was given. Wrong
 * letters are told. */
int opt_itrace(const struct option *opt, const char *arg, int unset);

/* Options that only matter where functions are looked into, for commands that may show them. */
struct look_options {
	bool prefix, prefix_strip; /* given */
	char given[160];           /* names of those that were given */
};

/** look_option - take one of the options; opt->value: a struct look_options. */
int look_option(const struct option *opt, const char *arg, int unset);
/** look_options_tell - say that those which were given have no effect on text. */
void look_options_tell(const struct look_options *o);

/* Options on the rows of a profile, which report and top have in common. */
struct row_options {
	struct profile_options *asked; /* borrowed */
	double percent_limit;
	bool relative, relative_default; /* --percentage; what --no-percentage goes back to */
	u16 widths[HIST_MAX_COLUMNS];    /* -w */
	bool widths_given, branch_history;
	regex_t callees; /* of --ignore-callees */
};

/* @r: a struct row_options; @a: its asked, as tables of options are constant */
#define ROW_OPTIONS(r, a)                                                                          \
	OPT_CALLBACK(0, "ignore-callees", r, "regex",                                              \
		     "ignore callees of these functions in call graphs", row_opt_callees),         \
		OPT_BOOLEAN(0, "branch-history", &(r)->branch_history,                             \
			    "add last branch records to call history"),                            \
		OPT_BOOLEAN(0, "raw-trace", &(a)->raw_trace,                                       \
			    "Show raw trace event output (do not use print fmt or plugins)"),      \
		OPT_BOOLEAN(0, "hierarchy", &(a)->hierarchy, "Show entries in a hierarchy"),       \
		OPT_INTEGER(0, "group-sort-idx", &(a)->group_sort,                                 \
			    "Sort the output by the event at the index n in group. If n is "       \
			    "invalid, sort by the first event. WARNING: should be used on "        \
			    "grouped events."),                                                    \
		OPT_BOOLEAN(0, "show-total-period", &(a)->total_period,                            \
			    "Show a column with the sum of periods"),                              \
		OPT_CALLBACK(0, "percent-limit", r, "percent",                                     \
			     "Don't show entries under that percent", row_opt_percent_limit),      \
		OPT_CALLBACK(0, "percentage", r, "relative|absolute",                              \
			     "how to display percentage of filtered entries", row_opt_percentage), \
		OPT_CALLBACK('w', "column-widths", r, "width[,width...]",                          \
			     "don't try to adjust column width, use these fixed values",           \
			     row_opt_widths)

/** row_opt_callees, row_opt_percent_limit, row_opt_percentage, row_opt_widths - the callbacks of
 * these options. */
int row_opt_callees(const struct option *opt, const char *arg, int unset);
int row_opt_percent_limit(const struct option *opt, const char *arg, int unset);
int row_opt_percentage(const struct option *opt, const char *arg, int unset);
int row_opt_widths(const struct option *opt, const char *arg, int unset);

#endif
