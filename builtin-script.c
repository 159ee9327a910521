// SPDX-License-Identifier: GPL-2.0-or-later
/* perf script: its options; what is done with them is in parts/script-*.c. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "cmd/script/script.h"

#include <errno.h>

#define DEFAULT_MAX_STACK 127

static const char *const script_usage[] = { "perf script [<options>]", NULL };

static int parse_fields(const struct option *opt, const char *arg, int unset)
{
	struct sample_fields *sf = opt->value;
	struct strbuf notices = STRBUF_INIT;
	struct err err = { 0 };
	int ret = sample_fields_parse(sf, arg, &notices, &err);

	fputs(strbuf_str(&notices), stderr);
	strbuf_release(&notices);
	if (ret)
		fprintf(stderr, "%s\n", err.msg);
	return ret;
}

static int change_fields(struct script *sc, const char *change)
{
	struct strbuf notices = STRBUF_INIT;
	struct err err = { 0 };
	int ret = sample_fields_parse(&sc->fields, change, &notices, &err);

	strbuf_release(&notices);
	sc->nanosecs = sc->trace = true;
	return ret;
}

static int parse_insn_trace(const struct option *opt, const char *arg, int unset)
{
	if (arg && strcmp(arg, "raw") && strcmp(arg, "disasm")) {
		fprintf(stderr, "only accept raw|disasm\n");
		return -1;
	}
	return change_fields(opt->value, "+insn,-event,-period");
}

static int parse_call_trace(const struct option *opt, const char *arg, int unset)
{
	((struct script *)opt->value)->call_trace = true;
	return change_fields(opt->value, "-ip,-addr,-event,-period,+callindent");
}

static int parse_call_ret_trace(const struct option *opt, const char *arg, int unset)
{
	return change_fields(opt->value, "-ip,-addr,-event,-period,+flags,+callindent");
}

static int parse_xed(const struct option *opt, const char *arg, int unset)
{
	struct script *sc = opt->value;

	sc->xed = !unset;
	return 0;
}

static int parse_dlarg(const struct option *opt, const char *arg, int unset)
{
	struct script *sc = opt->value;

	VEC_GROW(sc->dlargs, sc->nr_dlargs + 1, sc->cap_dlargs);
	sc->dlargs[sc->nr_dlargs++] = xstrdup(arg);
	return 0;
}

static struct script sc = { .max_stack = DEFAULT_MAX_STACK, .demangle = true };

static const struct option options[] = {
	OPT_BOOLEAN('a', "all-cpus", &sc.all_cpus, "system-wide collection from all CPUs"),
	OPT_BOOLEAN('d', "debug-mode", &sc.checks,
		    "do various checks like samples ordering and lost events"),
	OPT_STRING('S', "symbols", &sc.wanted, "symbol[,symbol...]", "only consider these symbols"),
	OPT_STRING(0, "dsos", &sc.dsos, "dso[,dso...]", "only consider symbols in these DSOs"),
	OPT_U64(0, "addr-range", &sc.addr_range,
		"Use with -S to list traced records within address range"),
	OPT_STRING(0, "stop-bt", &sc.stops, "symbol[,symbol...]",
		   "Stop display of callgraph at these symbols"),
	OPT_BOOLEAN(0, "deltatime", &sc.delta, "Show time stamps relative to previous event"),
	OPT_BOOLEAN(0, "reltime", &sc.relative, "Show time stamps relative to start"),
	OPT_BOOLEAN(0, "dump-unsorted-raw-trace", &sc.unsorted, "dump unsorted raw trace in ASCII"),
	OPT_BOOLEAN(0, "per-event-dump", &sc.per_event,
		    "Dump trace output to files named by the monitored events"),
	OPT_BOOLEAN(0, "show-kernel-path", &sc.kernel_path, "Show the path of [kernel.kallsyms]"),
	OPT_CALLBACK_OPTARG(0, "insn-trace", &sc, NULL, "raw|disasm",
			    "Decode instructions from itrace", parse_insn_trace),
	OPT_CALLBACK_OPTARG(0, "call-trace", &sc, NULL, "", "Decode calls from itrace",
			    parse_call_trace),
	OPT_CALLBACK_OPTARG(0, "call-ret-trace", &sc, NULL, "",
			    "Decode calls and returns from itrace", parse_call_ret_trace),
	OPT_CALLBACK_OPTARG(0, "xed", &sc, NULL, "", "Run xed disassembler on output", parse_xed),
	OPT_STRING(0, "graph-function", &sc.functions, "symbol[,symbol...]",
		   "Only print symbols and callees with --call-trace/--call-ret-trace"),
	OPT_BOOLEAN('L', "Latency", &sc.narrow,
		    "show latency attributes (irqs/preemption disabled, etc)"),
	OPT_INCR('v', "verbose", &sc.verbose, "be more verbose (show symbol address, etc)"),
	INPUT_OPTIONS(&sc.opts),
	SYMBOL_OPTIONS(&sc.opts),
	SAMPLE_FILTER_OPTIONS(&sc.opts),
	FRAME_OPTIONS(&sc.max_stack, &sc.inlines, &sc.full_source_path),
	TRACE_OPTIONS(&sc.stitch, &sc.itrace),
	HEADER_OPTIONS(&sc.header, &sc.header_only),
	OPT_BOOLEAN('D', "dump-raw-trace", &sc.raw_dump, "dump raw trace in ASCII"),
	OPT_CALLBACK(
		'F', "fields", &sc.fields, "str",
		"comma separated output fields, prepend with 'type:'. +field to add and -field to remove. "
		"Valid types: hw,sw,trace,raw,break,synth. Fields: comm,tid,pid,time,cpu,event,trace,ip,sym,"
		"dso,addr,symoff,period,weight,bpf-output,phys_addr,data_src,ins_lat,retire_lat,iregs,uregs,"
		"brstack,brstacksym,brstackoff,brstackinsn,brstackinsnlen,srcline,srccode,insn,insnlen,dsoff,flags,misc,cgroup,data_page_size,code_page_size,tod,callindent,synth,metric,ipc,machine_pid,vcpu,disasm,brstackdisasm,brcntr",
		parse_fields),
	OPT_BOOLEAN('I', "show-info", &sc.show_info,
		    "display extended information from perf.data file"),
	OPT_BOOLEAN('G', "hide-call-graph", &sc.hide_callchain,
		    "When printing symbols do not display call chain"),
	OPT_BOOLEAN(0, "ns", &sc.nanosecs, "Use 9 decimal places when displaying time"),
	OPT_UINTEGER(0, "max-blocks", &sc.max_blocks,
		     "Maximum number of code blocks to dump with brstackinsn"),
	OPT_STRING(0, "dlfilter", &sc.dlfilter_name, "file", "filter .so file name"),
	OPT_CALLBACK(0, "dlarg", &sc, "argument", "filter argument", parse_dlarg),
	OPT_BOOLEAN(0, "list-dlfilters", &sc.list_dlfilters, "list available dlfilters"),
	OPT_STRING_DEFAULT(
		0, "ndjson", &sc.rows.ndjson, "file",
		"write samples as JSON, an object on each line, to file or standard output", "-"),
	OPT_STRING_DEFAULT(0, "csv", &sc.rows.csv, "file",
			   "write samples as comma-separated values to file or standard output",
			   "-"),
	OPT_STRING('c', "comms", &sc.opts.comms, "comm[,comm...]",
		   "only display events for these comms"),
	OPT_BOOLEAN(0, "show-task-events", &sc.show.task, "Show the fork/comm/exit events"),
	OPT_BOOLEAN(0, "show-mmap-events", &sc.show.mmap, "Show the mmap events"),
	OPT_BOOLEAN(0, "show-switch-events", &sc.show.switches,
		    "Show context switch events (if recorded)"),
	OPT_BOOLEAN(0, "show-namespace-events", &sc.show.namespaces,
		    "Show namespace events (if recorded)"),
	OPT_BOOLEAN(0, "show-cgroup-events", &sc.show.cgroup, "Show cgroup events (if recorded)"),
	OPT_BOOLEAN(0, "show-lost-events", &sc.show.lost, "Show lost events (if recorded)"),
	OPT_BOOLEAN(0, "show-round-events", &sc.show.round, "Show round events (if recorded)"),
	OPT_BOOLEAN(0, "show-bpf-events", &sc.show.bpf, "Show bpf related events (if recorded)"),
	OPT_BOOLEAN(0, "show-text-poke-events", &sc.show.text_poke,
		    "Show text poke related events (if recorded)"),
	OPT_BOOLEAN(0, "demangle", &sc.demangle, "Enable symbol demangling"),
	OPT_END(),
};

/* Rows are for programs: nothing else goes where they go. */
static const char *rows_conflict(void)
{
	const char *path = sc.rows.csv ? sc.rows.csv : sc.rows.ndjson;

	if (sc.rows.ndjson && sc.rows.csv)
		return "--ndjson and --csv: one at a time";
	if (sc.raw_dump || sc.checks)
		return "--ndjson and --csv do not go with -D and -d";
	if (sc.per_event)
		return "--ndjson and --csv do not go with --per-event-dump";
	if (sc.rows.csv && record_lines_any(&sc.show))
		return "--csv has columns for samples alone: no --show-*-events";
	if ((sc.header || sc.header_only) && !strcmp(path, "-"))
		return "--header is no part of rows: name a file for them";
	return NULL;
}

static int list_filters(void)
{
	char *folder = xasprintf("%s/dlfilters", exec_path());
	struct strbuf sb = STRBUF_INIT;

	dlfilter_list(folder, sc.verbose, &sb);
	fputs(strbuf_str(&sb), stdout);
	strbuf_release(&sb);
	free(folder);
	return 0;
}

static int open_filter(void)
{
	char *folder = xasprintf("%s/dlfilters", exec_path());
	struct err err = { 0 };

	sc.dlfilter = dlfilter_open(sc.dlfilter_name, folder, sc.dlargs, (int)sc.nr_dlargs, &err);
	free(folder);
	return sc.dlfilter ? 0 : error_err(&err);
}

int cmd_script(int argc, const char **argv)
{
	struct err err = { 0 };
	int ret;

	sample_fields_init(&sc.fields);
	argc = parse_options(argc, argv, options, script_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (argc) {
		error("Couldn't find script `%s'\n\n See perf script -l for available scripts.",
		      argv[0]);
		return 129;
	}
	if (sc.delta && sc.relative) {
		fprintf(stderr, "reltime and deltatime - the two don't get along well. "
				"Please limit to --reltime or --deltatime.\n");
		return -1;
	}
	if (!file_is_readable(sc.opts.vmlinux) || !file_is_readable(sc.opts.kallsyms) ||
	    !guest_files_readable(&sc.opts.guest))
		return -1;
	sc.raw_dump |= sc.unsorted;
	if (rows_file_any(&sc.rows)) {
		if (rows_conflict()) {
			error("%s.", rows_conflict());
			return 129;
		}
		rows_file_default(&sc.fields);
	}
	if (sc.list_dlfilters)
		return list_filters();
	if (sc.dlfilter_name && open_filter())
		return -1;
	ret = script_run(&sc, &err);
	while (sc.nr_dlargs)
		free(sc.dlargs[--sc.nr_dlargs]);
	free(sc.dlargs);
	if (ret == -EPIPE)
		return 0;
	if (ret) {
		if (!ferror(stdout)) /* told at the end, then */
			error_err(&err);
		if (sc.no_switch)
			return ret;
		if (sc.unwritten)
			return 128;
		return sc.invalid ? -EINVAL : -1; /* the status of perf 6.1 */
	}
	return 0;
}
