// SPDX-License-Identifier: GPL-2.0-or-later
/* perf script: its options, and where the text goes. Room scriptrun does the rest. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/header.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/progress.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"
#include "cmd/script/programs.h"
#include "cmd/script/standard.h"

#include "scriptrun/scriptrun.h"

#include <errno.h>
#include <unistd.h>

static const char *const script_usage[] = {
	"perf script [<options>]",
	"perf script [<options>] -s <file> [<script args>]",
	"perf script record <script> [<record options>] [<command>]",
	"perf script report <script> [<script args>]",
	"perf script <script> [<script args>] [<record options>] [<command>]",
	NULL
};

struct script {
	struct recording_options source;
	struct script_options asked;
	bool header, header_only, show_info, demangle;
	bool stitch, call_trace, xed; /* of traces, which are not decoded */
	bool all_cpus;                /* nothing to be done for */
	bool list;
	int verbose;
	struct programs programs;
	bool unwritten; /* standard output took no more */
};

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

/* Read options of traces that choose the columns opt->data. */
static int parse_trace(const struct option *opt, const char *arg, int unset)
{
	struct script *s = opt->value;
	struct strbuf notices = STRBUF_INIT;
	struct err err = { 0 };
	int ret = sample_fields_parse(&s->asked.fields, opt->data, &notices, &err);

	strbuf_release(&notices);
	s->asked.nanosecs = s->call_trace = true;
	s->asked.wide_objects |= !strcmp(opt->long_name, "call-trace");
	return ret;
}

static int parse_insn_trace(const struct option *opt, const char *arg, int unset)
{
	if (!arg || !strcmp(arg, "raw") || !strcmp(arg, "disasm"))
		return parse_trace(opt, arg, unset);
	fprintf(stderr, "only accept raw|disasm\n");
	return -1;
}

static int parse_xed(const struct option *opt, const char *arg, int unset)
{
	struct script *sc = opt->value;

	sc->xed = !unset;
	return 0;
}

static struct script sc = { .asked = { .max_stack = 127, .inlines = true }, .demangle = true };

static const struct option options[] = {
	OPT_BOOLEAN('a', "all-cpus", &sc.all_cpus, "system-wide collection from all CPUs"),
	OPT_BOOLEAN('d', "debug-mode", &sc.asked.checks,
		    "do various checks like samples ordering and lost events"),
	OPT_STRING('S', "symbols", &sc.asked.wanted, "symbol[,symbol...]",
		   "only consider these symbols"),
	OPT_STRING(0, "dsos", &sc.asked.dsos, "dso[,dso...]",
		   "only consider symbols in these DSOs"),
	OPT_U64(0, "addr-range", &sc.asked.addr_range,
		"Use with -S to list traced records within address range"),
	OPT_STRING(0, "stop-bt", &sc.asked.stops, "symbol[,symbol...]",
		   "Stop display of callgraph at these symbols"),
	OPT_BOOLEAN(0, "deltatime", &sc.asked.delta, "Show time stamps relative to previous event"),
	OPT_BOOLEAN(0, "reltime", &sc.asked.relative, "Show time stamps relative to start"),
	OPT_BOOLEAN(0, "dump-unsorted-raw-trace", &sc.asked.unsorted,
		    "dump unsorted raw trace in ASCII"),
	OPT_BOOLEAN(0, "per-event-dump", &sc.asked.per_event,
		    "Dump trace output to files named by the monitored events"),
	OPT_BOOLEAN(0, "show-kernel-path", &sc.asked.kernel_path,
		    "Show the path of [kernel.kallsyms]"),
	OPT_CALLBACK_OPTARG(0, "insn-trace", &sc, "+insn,-event,-period", "raw|disasm",
			    "Decode instructions from itrace", parse_insn_trace),
	OPT_CALLBACK_OPTARG(0, "call-trace", &sc, "-ip,-addr,-event,-period,+callindent", "",
			    "Decode calls from itrace", parse_trace),
	OPT_CALLBACK_OPTARG(0, "call-ret-trace", &sc, "-ip,-addr,-event,-period,+flags,+callindent",
			    "", "Decode calls and returns from itrace", parse_trace),
	OPT_CALLBACK_OPTARG(0, "xed", &sc, NULL, "", "Run xed disassembler on output", parse_xed),
	OPT_STRING(0, "graph-function", &sc.asked.functions, "symbol[,symbol...]",
		   "Only print symbols and callees with --call-trace/--call-ret-trace"),
	OPT_BOOLEAN('L', "Latency", &sc.asked.narrow,
		    "show latency attributes (irqs/preemption disabled, etc)"),
	OPT_INCR('v', "verbose", &sc.verbose, "be more verbose (show symbol address, etc)"),
	INPUT_OPTIONS(&sc.source),
	SYMBOL_OPTIONS(&sc.source),
	SAMPLE_FILTER_OPTIONS(&sc.source),
	OPT_BOOLEAN(0, "runtime-addresses", &sc.asked.runtime_addresses,
		    "Show the addresses of frames as the process had them"),
	FRAME_OPTIONS(&sc.source, &sc.asked, &sc.asked.full_source_path),
	TRACE_OPTIONS(&sc.stitch, &sc.source.itrace),
	HEADER_OPTIONS(&sc.header, &sc.header_only),
	OPT_BOOLEAN('D', "dump-raw-trace", &sc.asked.raw_dump, "dump raw trace in ASCII"),
	OPT_CALLBACK(
		'F', "fields", &sc.asked.fields, "str",
		"comma separated output fields, prepend with 'type:'. +field to add and -field to remove. "
		"Valid types: hw,sw,trace,raw,break,synth. Fields: comm,tid,pid,time,cpu,event,trace,ip,sym,"
		"dso,addr,symoff,period,weight,bpf-output,phys_addr,data_src,ins_lat,retire_lat,iregs,uregs,"
		"brstack,brstacksym,brstackoff,brstackinsn,brstackinsnlen,srcline,srccode,insn,insnlen,dsoff,flags,misc,cgroup,data_page_size,code_page_size,tod,callindent,synth,metric,ipc,machine_pid,vcpu,disasm,brstackdisasm,brcntr",
		parse_fields),
	OPT_BOOLEAN('I', "show-info", &sc.show_info,
		    "display extended information from perf.data file"),
	OPT_BOOLEAN('G', "hide-call-graph", &sc.asked.hide_callchain,
		    "When printing symbols do not display call chain"),
	OPT_BOOLEAN(0, "ns", &sc.asked.nanosecs, "Use 9 decimal places when displaying time"),
	OPT_UINTEGER(0, "max-blocks", &sc.asked.max_blocks,
		     "Maximum number of code blocks to dump with brstackinsn"),
	OPT_STRING('s', "script", &sc.programs.script, "name",
		   "script file name (lang:script name, script name, or lang)"),
	OPT_STRING('g', "gen-script", &sc.programs.generate, "lang",
		   "generate perf-script.xx script in specified language"),
	OPT_STRING(0, "dlfilter", &sc.programs.filter, "file", "filter .so file name"),
	OPT_CALLBACK(0, "dlarg", &sc.programs, "argument", "filter argument", parse_filter_arg),
	OPT_BOOLEAN('l', "list", &sc.list, "list available scripts"),
	OPT_BOOLEAN(0, "list-dlfilters", &sc.programs.list_filters, "list available dlfilters"),
	OPT_STRING_DEFAULT(
		0, "ndjson", &sc.asked.rows.ndjson, "file",
		"write samples as JSON, an object on each line, to file or standard output", "-"),
	OPT_STRING_DEFAULT(0, "csv", &sc.asked.rows.csv, "file",
			   "write samples as comma-separated values to file or standard output",
			   "-"),
	OPT_STRING(0, "columnar", &sc.asked.rows.columnar, "file",
		   "write samples as columns, in the Arrow format, to file (-: standard output)"),
	OPT_STRING('c', "comms", &sc.source.comms, "comm[,comm...]",
		   "only display events for these comms"),
	OPT_BOOLEAN(0, "show-task-events", &sc.asked.show.task, "Show the fork/comm/exit events"),
	OPT_BOOLEAN(0, "show-mmap-events", &sc.asked.show.mmap, "Show the mmap events"),
	OPT_BOOLEAN(0, "show-switch-events", &sc.asked.show.switches,
		    "Show context switch events (if recorded)"),
	OPT_BOOLEAN(0, "show-namespace-events", &sc.asked.show.namespaces,
		    "Show namespace events (if recorded)"),
	OPT_BOOLEAN(0, "show-cgroup-events", &sc.asked.show.cgroup,
		    "Show cgroup events (if recorded)"),
	OPT_BOOLEAN(0, "show-lost-events", &sc.asked.show.lost, "Show lost events (if recorded)"),
	OPT_BOOLEAN(0, "show-round-events", &sc.asked.show.round,
		    "Show round events (if recorded)"),
	OPT_BOOLEAN(0, "show-bpf-events", &sc.asked.show.bpf,
		    "Show bpf related events (if recorded)"),
	OPT_BOOLEAN(0, "show-text-poke-events", &sc.asked.show.text_poke,
		    "Show text poke related events (if recorded)"),
	OPT_BOOLEAN(0, "no-merge-callchains", &sc.asked.show.deferred,
		    "Show user parts of call chains where the kernel recorded them"),
	OPT_BOOLEAN(0, "demangle", &sc.demangle, "Enable symbol demangling"),
	OPT_END(),
};

/* Tell the first thing that makes no sense in these options. Rows are for programs: nothing else
 * goes where they go. */
static int refused(const struct script *s)
{
	const struct script_options *o = &s->asked;
	const struct rows_file *rows = &o->rows;
	const char *file = rows_file_path(rows);
	bool any = rows_file_any(rows);
	const struct refusal table[] = {
		{ o->delta && o->relative,
		  "reltime and deltatime - the two don't get along well. "
		  "Please limit to --reltime or --deltatime.",
		  .status = EXIT_FAILED },
		REFUSE_UNREADABLE_SYMBOLS(&s->source, EXIT_FAILED),
		{ !!rows->ndjson + !!rows->csv + !!rows->columnar > 1,
		  "  Error: --ndjson, --csv and --columnar: one at a time.", .status = EXIT_USAGE },
		{ any && (o->raw_dump || o->unsorted || o->checks),
		  "  Error: --ndjson, --csv and --columnar do not go with -D and -d.",
		  .status = EXIT_USAGE },
		{ any && o->per_event,
		  "  Error: --ndjson, --csv and --columnar do not go with --per-event-dump.",
		  .status = EXIT_USAGE },
		{ (rows->csv || rows->columnar) && record_lines_any(&o->show),
		  "  Error: --csv and --columnar have columns for samples alone: no "
		  "--show-*-events.",
		  .status = EXIT_USAGE },
		{ rows->columnar && !strcmp(file, "-") && isatty(STDOUT_FILENO),
		  "  Error: --columnar - writes what no terminal shows: name a file.",
		  .status = EXIT_USAGE },
		{ any && s->programs.script,
		  "  Error: --ndjson, --csv and --columnar do not go with a script (-s).",
		  .status = EXIT_USAGE },
		{ s->programs.script && (o->raw_dump || o->unsorted || o->checks || o->per_event),
		  "  Error: -s does not go with -D, -d and --per-event-dump.",
		  .status = EXIT_USAGE },
		{ any && (s->header || s->header_only) && !strcmp(file, "-"),
		  "  Error: --header is no part of rows: name a file for them.",
		  .status = EXIT_USAGE },
	};

	return refusal_find(table, ARRAY_SIZE(table), script_usage, options);
}

/* Derive the settings that depend on more than one option. */
static void settle(struct script *s)
{
	struct script_options *o = &s->asked;

	o->raw_dump |= o->unsorted;
	o->features = s->header || s->show_info;
	o->full = s->show_info;
	o->names = s->verbose;
	o->cpus = s->source.cpus;
	if (rows_file_any(&o->rows))
		rows_file_default(&o->fields);
	s->source.verbose = s->source.parameters = s->verbose;
	s->source.no_demangle = !s->demangle;
	s->source.time_since = o->relative;
	source_defaults(&s->source);
}

/* ---- the run ---- */

/* Errors are told as finish_output() does it. */
static int cannot_write(struct script *s, struct err *err)
{
	s->unwritten = true;
	return err_set(err, -errno, "write failure on standard output: %s", err_str(-errno));
}

/* Print text. Filters print to the same stream; without one, text goes past the stream's buffer. */
static int put_text(void *ctx, const char *text, size_t len, struct err *err)
{
	struct script *s = ctx;

	if (s->programs.filter)
		return fwrite(text, 1, len, stdout) == len ? 0 : cannot_write(s, err);
	while (len) {
		ssize_t n = write(STDOUT_FILENO, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return cannot_write(s, err);
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

static void flush(void *ctx)
{
	fflush(stdout);
}

/* Say which options have no effect on what the recording holds. */
static void tell_traces(const struct script *s, const struct recording *r)
{
	const struct session *session = &r->session;
	bool graph = s->asked.functions, given = s->source.itrace.given && !r->traces_read;

	if (!warn_traces(session, given || s->call_trace || graph) && graph)
		fprintf(stderr, "--graph-function: there is no decoded trace of calls to choose "
				"from\n");
	if (s->xed)
		fprintf(stderr, "--xed: no instructions are decoded that could be disassembled\n");
	warn_stitching(session, s->stitch);
}

/* Return the exit status of a run that failed, as perf 6.1 has it. */
static int status_of(const struct script *s, const struct script_run *run, int ret)
{
	enum script_fault fault = script_fault(run);

	if (fault == SCRIPT_FAULT_SCRIPT)
		return script_run_status(run);
	if (fault == SCRIPT_FAULT_SWITCH)
		return ret;
	if (s->unwritten)
		return EXIT_WRITE;
	return fault == SCRIPT_FAULT_INVALID ? EXIT_REFUSED : EXIT_FAILED;
}

/* Return: the exit status, with a message printed. */
static int show(struct script *s, struct recording *r)
{
	const struct script_output out = { put_text, flush, s, &stderr_notices };
	struct script_run *run = script_run_new(&s->asked, r, &s->programs.loaded, &out);
	struct session *session = &r->session;
	struct err err = { 0 };
	bool itrace = s->source.itrace.given;
	int ret, status = EXIT_OK;

	if (!s->asked.raw_dump)
		fetch_missing(r, false);
	if (!recording_is_stream(r))
		tell_traces(s, r);
	ret = script_run_all(run, &err);
	progress_close(session->progress);
	session->progress = NULL;
	if (!ret) {
		warn_lost(session);
		status = warn_diag(session);
		if (recording_is_stream(r)) /* now it is known what was in it */
			tell_traces(s, r);
		else if (!itrace) /* the script has asked for them */
			warn_traces(session, s->source.itrace.given && !r->traces_read);
	}
	ret = script_run_end(run, ret, &err);
	if (ret && ret != -EPIPE && !ferror(stdout)) /* otherwise it is told at the end */
		error_err(&err);
	if (ret)
		ret = ret == -EPIPE ? 0 : status_of(s, run, ret);
	script_run_free(run);
	return ret ? ret : status;
}

/* Open the recording, and print what stands in front of its samples. */
static int run(struct script *s)
{
	struct recording r;
	int ret = 0;

	s->source.itrace.none |= s->asked.raw_dump;
	if (open_recording(&r, &s->source))
		return EXIT_FAILED;
	/* Text on the terminal shows well enough how far it has got. */
	if (!isatty(STDOUT_FILENO))
		r.session.progress = progress_open();
	if (!s->programs.script)
		setup_pager();
	if (s->asked.raw_dump)
		print_dump_order(&r.session);
	if (s->header || s->header_only)
		print_header(r.session.file, &r.session.evlist, s->show_info);
	if (!s->header_only)
		ret = s->programs.generate ? programs_generate(&s->programs, &r) : show(s, &r);
	recording_close(&r);
	return ret;
}

int cmd_script(int argc, const char **argv)
{
	int ret;

	sample_fields_init(&sc.asked.fields);
	argc = parse_options(argc, argv, options, script_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (sc.list)
		return standard_print();
	if (argc && !sc.programs.script) {
		if (standard_run(argc, argv, sc.source.input, &ret))
			return ret;
		error("Couldn't find script `%s'\n\n See perf script -l for available scripts.",
		      argv[0]);
		if (sc.source.force)
			fprintf(stderr,
				" -f is --force and takes no value: fields are chosen "
				"with -F, as in -F %s\n",
				argv[0]);
		return EXIT_USAGE;
	}
	ret = refused(&sc);
	if (ret)
		return ret;
	settle(&sc);
	sc.programs.loaded.start.itrace = &sc.source.itrace.given;
	if (programs_list(&sc.programs, sc.verbose))
		return 0;
	ret = programs_check(&sc.programs, script_usage, options);
	if (!ret)
		ret = programs_load(&sc.programs, argc, argv);
	if (!ret)
		ret = run(&sc);
	programs_release(&sc.programs);
	return ret;
}
