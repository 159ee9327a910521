// SPDX-License-Identifier: GPL-2.0-or-later
/* perf script: file -> session (time order) -> machine -> sample text. */
#include "base/compat.h"

#include "builtin.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "output/sample-filter.h"
#include "output/sample-metric.h"
#include "output/branch-counters.h"
#include "output/sample-text.h"
#include "parts/dlfilter.h"
#include "parts/dump.h"
#include "parts/event-switch.h"
#include "parts/guest.h"
#include "parts/itrace.h"
#include "parts/script-dump.h"
#include "parts/script-rows.h"
#include "parts/script-show.h"
#include "parts/script-stat.h"
#include "parts/recording.h"
#include "session/session.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_WORKERS 64
#define DEFAULT_MAX_STACK 127

static const char *const script_usage[] = { "perf script [<options>]", NULL };

struct script {
	/* options */
	const char *input, *comms, *pids, *tids, *cpus, *time, *symfs, *vmlinux, *kallsyms;
	bool force, hide_callchain, nanosecs, narrow, demangle, header, header_only, show_info,
		raw_dump;
	int verbose;
	const char *wanted, *dsos, *stops, *functions;
	bool all_cpus, delta, relative, checks, unsorted, per_event, kernel_path, demangle_kernel;
	bool stitch, itrace, trace, xed, full_source_path, inlines;
	u64 addr_range;
	unsigned int max_stack, max_blocks;
	struct event_switch on_off;
	struct guest_options guest;
	const char *dlfilter_name;
	char **dlargs; /* --dlarg */
	size_t nr_dlargs, cap_dlargs;
	bool list_dlfilters;
	struct sample_fields fields;
	/* running */
	struct session session;
	struct machine *machine;
	struct jitdumps *jit;
	struct symbols *symbols;
	struct formats formats;
	struct dump_text dump;
	struct script_show show;
	struct script_stat stat;
	struct guest_ids guests;
	bool counts; /* the file may have counts, which are taken in one after the other */
	struct sample_filter filter;
	struct place_filter places;
	struct name_list graph_functions;
	struct dlfilter *dlfilter;
	struct script_dump *files; /* --per-event-dump */
	struct script_rows rows;
	u64 last_time, misordered; /* -d */
	struct sample_text *text;
	struct sample_writer *writers[MAX_WORKERS];
	int workers;
	struct sample_metrics *metrics; /* -F metric */
	bool bad_time;
	u64 shown; /* features of a pipe that were printed */
	struct branch_counters counters;
	bool legend; /* of them was printed */
};

/* ---- events ---- */

static void drop_text(struct script *sc)
{
	int i;

	for (i = 0; i < MAX_WORKERS; i++) {
		sample_writer_free(sc->writers[i]);
		sc->writers[i] = NULL;
	}
	sample_text_free(sc->text);
	sc->text = NULL;
	sample_metrics_free(sc->metrics);
	sc->metrics = NULL;
	script_rows_drop(&sc->rows);
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct script *sc = ctx;

	drop_text(sc);
	if (sc->header && sc->session.file->pipe)
		print_features(sc->session.file, evlist, sc->show_info, &sc->shown);
	formats_take(&sc->formats, evlist, env, sc->verbose);
	return 0;
}

static void take_build_ids(struct script *sc)
{
	symbols_set_os_release(sc->symbols, sc->session.file->env.os_release);
	apply_build_ids(sc->machine, &sc->session.file->env);
}

static int wall_clock(struct script *sc, u64 *offset, struct err *err)
{
	const struct env *env = &sc->session.file->env;

	*offset = env->clock_wall - env->clock_time;
	if (env->clock_wall || !sample_fields_shown(&sc->fields, &sc->session.evlist, SF_TOD))
		return 0;
	return err_set(err, -EINVAL,
		       "Can't provide 'tod' time, missing clock data. Please record with "
		       "-k/--clockid option.");
}

/* The files of --per-event-dump. */
static int make_files(struct script *sc, struct err *err)
{
	const char *path = sc->session.file->pipe ? "perf.data" : sc->session.file->path;

	if (!sc->per_event)
		return 0;
	if (sc->files)
		return script_dump_more(sc->files, &sc->session.evlist, err);
	sc->files = script_dump_open(path, &sc->session.evlist, err);
	return sc->files ? 0 : err->code;
}

/* What the letters stand for that branch counters are shown as. */
static void tell_counters(struct script *sc)
{
	struct strbuf sb = STRBUF_INIT;

	if (sc->legend || script_rows_any(&sc->rows) ||
	    !sample_fields_shown(&sc->fields, &sc->session.evlist, SF_BRCNTR))
		return;
	sc->legend = true;
	if (!sc->counters.width)
		fprintf(stderr, "the recording does not say how wide branch counters are "
				"(branch_counter_width): they are shown as recorded\n");
	else if (!sc->verbose)
		branch_counters_legend(&sc->counters, &sb);
	fputs(strbuf_str(&sb), stdout);
	fflush(stdout); /* samples are written past it */
	strbuf_release(&sb);
}

/* What is shown depends on what the events have: made when they are known, again when more of them
 * come. */
static int make_text(struct script *sc, int workers, struct err *err)
{
	struct sample_text_conf conf = {
		.evlist = &sc->session.evlist,
		.fields = &sc->fields,
		.machine = sc->machine,
		.symbols = sc->symbols,
		.tracefmt = sc->formats.tracefmt,
		.max_stack = sc->max_stack,
		.max_blocks = sc->max_blocks,
		.inlines = sc->inlines,
		.full_source_path = sc->full_source_path,
		.hide_callchain = sc->hide_callchain,
		.narrow = sc->narrow,
		.kernel_path = sc->kernel_path,
		.times = { .form = sc->delta      ? TIMES_DELTA
				   : sc->relative ? TIMES_RELATIVE
						  : TIMES_FULL,
			   .nanosecs = sc->nanosecs },
		.places = &sc->places,
		.guests = &sc->guests,
		.counters = &sc->counters,
		.arch = sc->session.file->env.arch,
	};
	int ret, i;

	if (sc->cpus && !evlist_sample_types(conf.evlist, PERF_SAMPLE_CPU))
		return err_set(err, -EINVAL,
			       "File does not contain CPU events. Remove -C option to proceed.");
	ret = sample_fields_check(&sc->fields, conf.evlist, sc->hide_callchain, err);
	if (!ret)
		ret = wall_clock(sc, &conf.times.wall_offset, err);
	if (!ret && sc->session.file->pipe)
		ret = event_switch_start(&sc->on_off, conf.evlist);
	if (!ret)
		ret = make_files(sc, err);
	if (ret)
		return ret;
	branch_counters_init(&sc->counters, sc->session.file, conf.evlist);
	sc->counters.names = sc->verbose;
	tell_counters(sc);
	sc->text = sample_text_new(&conf);
	if (sample_fields_shown(&sc->fields, conf.evlist, SF_METRIC))
		sc->metrics = sample_metrics_new(conf.evlist);
	for (i = 0; i < workers; i++)
		sc->writers[i] = sample_writer_new(sc->text);
	return script_rows_any(&sc->rows) ? script_rows_make(&sc->rows, &conf, workers, err) : 0;
}

/* ---- records ---- */

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct script *sc = ctx;

	/* A malformed record changes nothing; it is counted and told at the end. */
	if (machine_apply(sc->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_add(&sc->session.diag, DIAG_BAD_RECORD, 1, ev->offset);
	else
		script_show_note(&sc->show, ev);
	return 0;
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct script *sc = ctx;

	if (sc->raw_dump)
		dump_text_note(&sc->dump, ev->hdr);
	guest_ids_note(&sc->guests, ev->hdr);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct script *sc = ctx;
	int ret;

	take_build_ids(sc);
	machine_seal(sc->machine);
	if (sc->time) {
		ret = sample_filter_time(&sc->filter, sc->time, sc->session.first_time,
					 sc->session.last_time, err);
		sc->bad_time = ret;
		if (ret)
			return ret;
	}
	return make_text(sc, sc->workers, err);
}

/* -d: nothing is shown but how many samples are older than the one before. */
static int check_order(struct script *sc, const struct sample *s)
{
	if (sc->filter.nr_spans && !sample_filter_time_takes(&sc->filter, s->time))
		return 0;
	if (s->time < sc->last_time) {
		fprintf(stderr, "Samples misordered, previous: %" PRIu64 " this: %" PRIu64 "\n",
			sc->last_time, s->time);
		sc->misordered++;
	}
	sc->last_time = s->time;
	return 0;
}

static int ask_dlfilter(struct script *sc, struct sample_writer *w, const struct session_event *ev,
			bool early)
{
	const struct sample *s = ev->sample;

	return dlfilter_call(sc->dlfilter, ev, sample_writer_thread(w, s->pid, s->tid, ev->time),
			     early);
}

static void put_metrics(struct script *sc, struct sample_writer *w, const struct session_event *ev,
			struct strbuf *out)
{
	const struct sample *s = ev->sample;
	const struct thread_at *at = sample_writer_thread(w, s->pid, s->tid, ev->time);

	if (sc->fields.kind[sample_kind_of(ev->evsel)].fields & SF_METRIC)
		sample_metrics_put(sc->metrics, w, ev->evsel, s,
				   machine_comm(sc->machine, at->comm), out);
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct script *sc = ctx;
	const struct sample *s = ev->sample;
	struct sample_writer *w;
	const char *comm = "";
	size_t len;
	int ret;

	if (unlikely(!sc->text)) { /* a pipe: the events came just before */
		take_build_ids(sc);
		ret = make_text(sc, 1, err);
		if (ret)
			return ret;
	}
	w = sc->writers[worker];
	if (sc->raw_dump)
		dump_event(&sc->session, &sc->dump, ev,
			   s ? sample_writer_thread(w, s->pid, s->tid, ev->time) : NULL, out);
	if (!s && script_rows_any(&sc->rows)) {
		script_rows_show(&sc->rows, &sc->show, ev, out);
		return 0;
	}
	if (!s) {
		script_show_put(&sc->show, w, ev, out);
		if (sc->counts)
			script_stat_put(&sc->stat, &sc->session, ev, out);
		return 0;
	}
	if (ev->part == PART_RECORD)
		return 0;
	if (sc->checks)
		return check_order(sc, s);
	if (sc->dlfilter) {
		ret = ask_dlfilter(sc, w, ev, true);
		if (ret)
			return MIN(ret, 0);
	}
	if (sc->filter.any) {
		if (sc->filter.nr_comms)
			comm = machine_comm(
				sc->machine,
				sample_writer_thread(w, s->pid, s->tid, ev->time)->comm);
		if (!sample_filter_match(&sc->filter, s->pid, s->tid, s->cpu, s->time, comm))
			return 0;
	}
	if (!sample_writer_wants(w, s, ev->time) || sc->graph_functions.set)
		return 0;
	if (event_switch_any(&sc->on_off) && !event_switch_takes(&sc->on_off, ev->evsel))
		return 0;
	if (sc->dlfilter) {
		ret = ask_dlfilter(sc, w, ev, false);
		if (ret)
			return MIN(ret, 0);
	}
	if (script_rows_any(&sc->rows)) {
		rows_put(sc->rows.writers[worker], ev->evsel, s, ev->time, out);
		return 0;
	}
	len = out->len;
	sample_writer_put(w, ev->evsel, s, ev->time, out);
	if (sc->metrics)
		put_metrics(sc, w, ev, out);
	if (!sc->files)
		return 0;
	ret = script_dump_put(sc->files, ev->evsel, out->buf + len, out->len - len, err);
	out->len = len;
	return ret;
}

/* What a filter prints stands where it was printed. */
static int on_record_now(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
			 struct err *err)
{
	struct script *sc = ctx;
	int ret = on_record(ctx, worker, ev, out, err);

	if (script_rows_any(&sc->rows)) {
		fflush(stdout);
		ret = ret ? ret : script_rows_write(&sc->rows, out->buf, out->len);
	} else if (out->len && fwrite(out->buf, 1, out->len, stdout) != out->len)
		ret = err_set(err, -errno, "cannot write to standard output: %s", err_str(-errno));
	strbuf_reset(out);
	return ret;
}

static int on_text(void *ctx, const char *text, size_t len, struct err *err)
{
	struct script *sc = ctx;
	ssize_t n;

	if (sc->rows.out)
		return script_rows_write(&sc->rows, text, len);
	while (len) {
		n = write(STDOUT_FILENO, text, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, -errno, "cannot write to standard output: %s",
				       err_str(-errno));
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

/* ---- the run ---- */

static int make_filter(struct script *sc, struct err *err)
{
	int ret = 0;

	if (sc->comms)
		ret = sample_filter_comms(&sc->filter, sc->comms, err);
	if (!ret && sc->pids)
		ret = sample_filter_pids(&sc->filter, sc->pids, err);
	if (!ret && sc->tids)
		ret = sample_filter_tids(&sc->filter, sc->tids, err);
	if (!ret && sc->cpus)
		ret = sample_filter_cpus(&sc->filter, sc->cpus, err);
	if (!ret && sc->time && sc->session.file->pipe)
		ret = sample_filter_time(&sc->filter, sc->time, 0, 0, err);
	sc->places.range = sc->addr_range;
	if (!ret && sc->wanted)
		ret = place_filter_symbols(&sc->places, sc->wanted, err);
	if (!ret && sc->dsos)
		ret = name_list_parse(&sc->places.dsos, sc->dsos, "dso", err);
	if (!ret && sc->stops)
		ret = name_list_parse(&sc->places.stops, sc->stops, "bt stop", err);
	if (!ret && sc->functions)
		ret = name_list_parse(&sc->graph_functions, sc->functions, "graph_function", err);
	return ret;
}

static bool has_lbr_chains(const struct script *sc)
{
	for (size_t i = 0; i < sc->session.evlist.nr; i++)
		if (layout_lbr_chain(&sc->session.evlist.evsels[i]->layout))
			return true;
	return false;
}

/* What was asked for and cannot be done with what is in the file. */
static void tell_traces(const struct script *sc)
{
	bool traces = sc->session.counts[PERF_RECORD_AUXTRACE_INFO] ||
		      perf_file_has_feature(sc->session.file, HEADER_AUXTRACE);

	if ((sc->itrace || sc->trace || sc->functions) && traces)
		fprintf(stderr, "decoding of instruction traces is not in this perf: "
				"what they tell is not shown\n");
	else if (sc->functions)
		fprintf(stderr, "--graph-function: there is no decoded trace of calls to choose "
				"from\n");
	if (sc->xed)
		fprintf(stderr, "--xed: no instructions are decoded that could be disassembled\n");
	if (sc->stitch && !has_lbr_chains(sc))
		fprintf(stderr, "Can't find LBR callchain. Switch off --stitch-lbr.\n"
				"Please apply --call-graph lbr when recording.\n");
	else if (sc->stitch)
		fprintf(stderr, "--stitch-lbr: chains of branch stacks are shown as recorded, "
				"not stitched together\n");
}

/*
 * What depends on the samples before is done one after the other; so is a description of a data
 * source, which is padded to the widest before it.
 */
static int workers_wanted(const struct script *sc)
{
	if (sc->dlfilter || sc->counts || sc->delta || sc->relative || sc->checks ||
	    sc->per_event || event_switch_any(&sc->on_off))
		return 1;
	if (sample_fields_shown(&sc->fields, &sc->session.evlist,
				SF_DATA_SRC | SF_SRCCODE | SF_METRIC))
		return 1;
	return MIN(pool_cpus(), MAX_WORKERS);
}

static bool wants_guests(const struct script *sc)
{
	for (int i = 0; i < SK_NR; i++)
		if (sc->fields.kind[i].fields & (SF_MACHINE_PID | SF_VCPU))
			return true;
	return false;
}

/* What can fail before anything is read. */
static int start(struct script *sc, struct err *err)
{
	int ret = script_rows_any(&sc->rows) ? script_rows_open(&sc->rows, &sc->fields, err) : 0;

	if (!ret)
		ret = guest_start(&sc->guest, sc->machine, err);
	if (!ret)
		ret = make_filter(sc, err);
	if (!ret && sc->dlfilter)
		ret = dlfilter_start(sc->dlfilter, sc->machine, sc->symbols);
	if (!ret && !sc->session.file->pipe)
		ret = event_switch_start(&sc->on_off, &sc->session.evlist);
	return ret;
}

/* All has been read, or @ret says why not. */
static int finish(struct script *sc, int ret, struct err *err)
{
	ret = script_rows_close(&sc->rows, ret, err);
	if (!ret) {
		warn_lost(&sc->session);
		warn_diag(&sc->session.diag);
		if (sc->session.file->pipe) /* now it is known what was in it */
			tell_traces(sc);
		if (sc->checks)
			fprintf(stderr, "Misordered timestamps: %" PRIu64 "\n", sc->misordered);
		ret = script_dump_close(sc->files, err);
	} else {
		script_dump_close(sc->files, NULL);
	}
	if (dlfilter_close(sc->dlfilter) < 0 && !ret)
		ret = err_set(err, -EINVAL, "the filter failed when it was stopped");
	sc->dlfilter = NULL;
	return ret;
}

static void release(struct script *sc)
{
	end_jitdumps(sc->jit);
	drop_text(sc);
	sample_filter_release(&sc->filter);
	place_filter_release(&sc->places);
	name_list_release(&sc->graph_functions);
	script_show_release(&sc->show);
	script_stat_release(&sc->stat);
	guest_ids_release(&sc->guests);
	dump_text_release(&sc->dump);
	symbols_free(sc->symbols);
	machine_free(sc->machine);
	formats_release(&sc->formats);
	session_close(&sc->session);
}

static int run(struct script *sc, struct err *err)
{
	struct session_ordered_ops ops = {
		.state = { .state = on_state,
			   .other = sc->raw_dump || wants_guests(sc) ? on_other : NULL,
			   .ready = on_ready,
			   .events = on_events },
		.format = sc->dlfilter ? on_record_now : on_record,
		.write = on_text,
		.all = sc->raw_dump || script_show_any(&sc->show),
	};
	struct symconf conf = {
		.symfs = sc->symfs,
		.vmlinux = sc->vmlinux,
		.kallsyms = sc->kallsyms,
		.buildid_dir = buildid_dir(),
		.no_demangle = !sc->demangle,
		.demangle_kernel = sc->demangle_kernel,
		.parameters = sc->verbose,
	};
	int ret = session_open(&sc->session, sc->input, sc->force, err);

	if (ret)
		return ret;
	/* Text on the terminal shows well enough how far it has got. */
	if (!isatty(STDOUT_FILENO))
		sc->session.progress = progress_open();
	setup_pager();
	sc->counts =
		!script_rows_any(&sc->rows) &&
		(sc->session.file->pipe || perf_file_has_feature(sc->session.file, HEADER_STAT));
	ops.all |= sc->counts && !sc->session.file->pipe;
	if (sc->raw_dump)
		dump_open(&sc->session);
	if (sc->header || sc->header_only)
		print_header(sc->session.file, &sc->session.evlist, sc->show_info);
	if (sc->header_only) {
		session_close(&sc->session);
		return 0;
	}
	sc->machine = machine_new();
	sc->jit = follow_jitdumps(sc->machine, &sc->session, sc->symfs, sc->force);
	guest_symbols(&sc->guest, &conf);
	sc->symbols = symbols_new(&conf);
	sc->show.machine = sc->machine;
	sc->show.symbols = sc->symbols;
	sc->show.filter = &sc->filter;
	sc->session.file_order |= sc->show.round || sc->unsorted;
	if (sc->raw_dump)
		dump_init(&sc->dump, &sc->session, sc->machine, sc->symbols);
	sc->dump.unordered |= sc->unsorted;
	if (!sc->session.file->pipe)
		tell_traces(sc);
	ret = start(sc, err);
	sc->workers = workers_wanted(sc);
	if (!ret)
		ret = session_ordered(&sc->session, &ops, sc, sc->workers, err);
	if (!ret && script_rows_any(&sc->rows) && !sc->text) /* a pipe without samples */
		ret = make_text(sc, 1, err);
	progress_close(sc->session.progress);
	sc->session.progress = NULL;
	ret = finish(sc, ret, err);
	release(sc);
	return ret;
}

/* ---- options ---- */

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
	EVENT_SWITCH_OPTIONS(&sc.on_off),
	OPT_BOOLEAN(0, "show-kernel-path", &sc.kernel_path, "Show the path of [kernel.kallsyms]"),
	OPT_BOOLEAN(0, "demangle-kernel", &sc.demangle_kernel, "Enable kernel symbol demangling"),
	OPT_BOOLEAN(0, "stitch-lbr", &sc.stitch, "Enable LBR callgraph stitching approach"),
	OPT_CALLBACK_OPTARG(0, "itrace", &sc.itrace, NULL, "opts", "Instruction Tracing options",
			    opt_itrace),
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
	OPT_STRING('i', "input", &sc.input, "file", "input file name"),
	OPT_BOOLEAN('f', "force", &sc.force, "don't complain, do it"),
	OPT_BOOLEAN('D', "dump-raw-trace", &sc.raw_dump, "dump raw trace in ASCII"),
	OPT_CALLBACK(
		'F', "fields", &sc.fields, "str",
		"comma separated output fields, prepend with 'type:'. +field to add and -field to remove. "
		"Valid types: hw,sw,trace,raw,break,synth. Fields: comm,tid,pid,time,cpu,event,trace,ip,sym,"
		"dso,addr,symoff,period,weight,bpf-output,phys_addr,data_src,ins_lat,retire_lat,iregs,uregs,"
		"brstack,brstacksym,brstackoff,brstackinsn,brstackinsnlen,srcline,srccode,insn,insnlen,dsoff,flags,misc,cgroup,data_page_size,code_page_size,tod,callindent,synth,metric,ipc,machine_pid,vcpu,disasm,brstackdisasm,brcntr",
		parse_fields),
	OPT_BOOLEAN(0, "header", &sc.header, "Show data header."),
	OPT_BOOLEAN(0, "header-only", &sc.header_only, "Show only data header."),
	OPT_BOOLEAN('I', "show-info", &sc.show_info,
		    "display extended information from perf.data file"),
	OPT_BOOLEAN('G', "hide-call-graph", &sc.hide_callchain,
		    "When printing symbols do not display call chain"),
	OPT_BOOLEAN(0, "ns", &sc.nanosecs, "Use 9 decimal places when displaying time"),
	OPT_UINTEGER(
		0, "max-stack", &sc.max_stack,
		"Set the maximum stack depth when parsing the callchain, anything beyond is ignored"),
	OPT_UINTEGER(0, "max-blocks", &sc.max_blocks,
		     "Maximum number of code blocks to dump with brstackinsn"),
	OPT_BOOLEAN(0, "inline", &sc.inlines, "Show inlined functions in call chains"),
	OPT_BOOLEAN(0, "full-source-path", &sc.full_source_path,
		    "Show full source file name path for source lines"),
	OPT_STRING(0, "dlfilter", &sc.dlfilter_name, "file", "filter .so file name"),
	OPT_CALLBACK(0, "dlarg", &sc, "argument", "filter argument", parse_dlarg),
	OPT_BOOLEAN(0, "list-dlfilters", &sc.list_dlfilters, "list available dlfilters"),
	OPT_STRING_DEFAULT(
		0, "ndjson", &sc.rows.ndjson, "file",
		"write samples as JSON, an object on each line, to file or standard output", "-"),
	OPT_STRING_DEFAULT(0, "csv", &sc.rows.csv, "file",
			   "write samples as comma-separated values to file or standard output",
			   "-"),
	OPT_STRING('c', "comms", &sc.comms, "comm[,comm...]",
		   "only display events for these comms"),
	OPT_STRING(0, "pid", &sc.pids, "pid[,pid...]", "only consider symbols in these pids"),
	OPT_STRING(0, "tid", &sc.tids, "tid[,tid...]", "only consider symbols in these tids"),
	OPT_STRING('C', "cpu", &sc.cpus, "cpu", "list of cpus to profile"),
	OPT_STRING(0, "time", &sc.time, "str", "Time span of interest (start,stop)"),
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
	OPT_STRING('k', "vmlinux", &sc.vmlinux, "file", "vmlinux pathname"),
	OPT_STRING(0, "kallsyms", &sc.kallsyms, "file", "kallsyms pathname"),
	GUEST_OPTIONS(&sc.guest),
	OPT_STRING(0, "symfs", &sc.symfs, "directory",
		   "Look for files with symbols relative to this directory"),
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
	if (sc.rows.csv && script_show_any(&sc.show))
		return "--csv has columns for samples alone: no --show-*-events";
	if ((sc.header || sc.header_only) && !strcmp(path, "-"))
		return "--header is no part of rows: name a file for them";
	return NULL;
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
	if (!file_is_readable(sc.vmlinux) || !file_is_readable(sc.kallsyms) ||
	    !guest_files_readable(&sc.guest))
		return -1;
	sc.raw_dump |= sc.unsorted;
	if (script_rows_any(&sc.rows)) {
		if (rows_conflict()) {
			error("%s.", rows_conflict());
			return 129;
		}
		script_rows_default(&sc.fields);
	}
	if (sc.list_dlfilters) {
		dlfilter_list(sc.verbose);
		return 0;
	}
	if (sc.dlfilter_name) {
		sc.dlfilter = dlfilter_open(sc.dlfilter_name, sc.dlargs, (int)sc.nr_dlargs);
		if (!sc.dlfilter)
			return -1;
	}
	ret = run(&sc, &err);
	while (sc.nr_dlargs)
		free(sc.dlargs[--sc.nr_dlargs]);
	free(sc.dlargs);
	if (ret == -EPIPE)
		return 0;
	if (ret == -ENOENT && event_switch_any(&sc.on_off) && !err.msg[0])
		return ret;
	if (ret) {
		error_err(&err);
		return sc.bad_time ? -EINVAL : -1; /* the status of perf 6.1 */
	}
	return 0;
}
