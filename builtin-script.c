// SPDX-License-Identifier: GPL-2.0-or-later
/* perf script: file -> session (time order) -> machine -> sample text. */
#include "base/compat.h"

#include "builtin.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "output/sample-filter.h"
#include "output/sample-text.h"
#include "session/session.h"
#include "tracefmt/tracefmt.h"

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
	bool force, hide_callchain, nanosecs, demangle, header, header_only, show_info;
	int verbose;
	unsigned int max_stack;
	struct sample_fields fields;
	/* running */
	struct session session;
	struct machine *machine;
	struct symbols *symbols;
	struct tracefmt *tracefmt;
	struct sample_filter filter;
	struct sample_text *text;
	struct sample_writer *writers[MAX_WORKERS];
	const void *tracing_seen; /* the tracing data that tracefmt was made of */
	bool fields_checked;
	u64 shown; /* features of a pipe that were printed */
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
}

/* An event without a name in the file has the one its format says. */
static void name_tracepoints(struct evlist *l, const struct tracefmt *tf)
{
	size_t i;

	for (i = 0; i < l->nr; i++) {
		struct evsel *e = l->evsels[i];
		const struct tf_event *ev;

		if (!evsel_is_tracepoint(e) || strncmp(e->name, "unknown", 7))
			continue;
		ev = tracefmt_event(tf, (u32)e->attr.config);
		if (ev) {
			free(e->name);
			e->name = xasprintf("%s:%s", ev->system, ev->name);
		}
	}
}

static void tell_failed(const struct tracefmt *tf)
{
	size_t i;

	for (i = 0; i < tracefmt_nr(tf); i++) {
		const struct tf_event *ev = tracefmt_at(tf, i);

		if (ev->failed)
			fprintf(stderr, "  [%s:%s] print fmt: %s\n", ev->system, ev->name, ev->why);
	}
}

static void load_formats(struct script *sc, const struct env *env)
{
	struct err err = { 0 };

	if (!env->tracing_data || env->tracing_data == sc->tracing_seen)
		return;
	sc->tracing_seen = env->tracing_data;
	tracefmt_free(sc->tracefmt);
	if (tracefmt_read_section(env->tracing_data, env->tracing_size, &sc->tracefmt, &err))
		sc->tracefmt = NULL;
	if (err.code)
		error_err(&err);
	if (sc->tracefmt && sc->verbose)
		tell_failed(sc->tracefmt);
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct script *sc = ctx;

	drop_text(sc);
	if (sc->header && sc->session.file->pipe)
		print_features(sc->session.file, evlist, sc->show_info, &sc->shown);
	load_formats(sc, env);
	if (sc->tracefmt)
		name_tracepoints(evlist, sc->tracefmt);
	return 0;
}

static void apply_build_ids(struct script *sc)
{
	const struct env *env = &sc->session.file->env;
	size_t i;

	symbols_set_os_release(sc->symbols, env->os_release);
	for (i = 0; i < env->nr_build_ids; i++) {
		const struct env_build_id *b = &env->build_ids[i];

		machine_set_build_id(sc->machine, b->filename, b->misc, b->id, b->size);
	}
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
		.tracefmt = sc->tracefmt,
		.max_stack = sc->max_stack,
		.hide_callchain = sc->hide_callchain,
		.nanosecs = sc->nanosecs,
	};
	int ret, i;

	ret = sample_fields_check(&sc->fields, conf.evlist, sc->hide_callchain, err);
	if (ret)
		return ret;
	sc->text = sample_text_new(&conf);
	for (i = 0; i < workers; i++)
		sc->writers[i] = sample_writer_new(sc->text);
	return 0;
}

/* ---- records ---- */

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct script *sc = ctx;

	/* A malformed record changes nothing; it is counted and told at the end. */
	if (machine_apply(sc->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_add(&sc->session.diag, DIAG_BAD_RECORD, 1, ev->offset);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct script *sc = ctx;
	int ret;

	apply_build_ids(sc);
	machine_seal(sc->machine);
	if (sc->time) {
		ret = sample_filter_time(&sc->filter, sc->time, sc->session.first_time,
					 sc->session.last_time, err);
		if (ret)
			return ret;
	}
	return make_text(sc, MAX_WORKERS, err);
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct script *sc = ctx;
	const struct sample *s = ev->sample;
	struct sample_writer *w;
	const char *comm = "";
	int ret;

	if (unlikely(!sc->text)) { /* a pipe: the events came just before */
		apply_build_ids(sc);
		ret = make_text(sc, 1, err);
		if (ret)
			return ret;
	}
	w = sc->writers[worker];
	if (sc->filter.any) {
		if (sc->filter.nr_comms)
			comm = machine_comm(
				sc->machine,
				sample_writer_thread(w, s->pid, s->tid, ev->time)->comm);
		if (!sample_filter_match(&sc->filter, s->pid, s->tid, s->cpu, s->time, comm))
			return 0;
	}
	sample_writer_put(w, ev->evsel, s, ev->time, out);
	return 0;
}

static int on_text(void *ctx, const char *text, size_t len, struct err *err)
{
	ssize_t n;

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
	return ret;
}

static int run(struct script *sc, struct err *err)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = on_state, .ready = on_ready, .events = on_events },
		.format = on_record,
		.write = on_text,
	};
	const struct symconf conf = {
		.symfs = sc->symfs,
		.vmlinux = sc->vmlinux,
		.kallsyms = sc->kallsyms,
		.buildid_dir = buildid_dir(),
		.no_demangle = !sc->demangle,
	};
	int ret = session_open(&sc->session, sc->input, sc->force, err);

	if (ret)
		return ret;
	/* Text on the terminal shows well enough how far it has got. */
	if (!isatty(STDOUT_FILENO))
		sc->session.progress = progress_open();
	setup_pager();
	if (sc->header || sc->header_only)
		print_header(sc->session.file, &sc->session.evlist, sc->show_info);
	if (sc->header_only) {
		session_close(&sc->session);
		return 0;
	}
	sc->machine = machine_new();
	sc->symbols = symbols_new(&conf);
	ret = make_filter(sc, err);
	if (!ret)
		ret = session_ordered(&sc->session, &ops, sc, MIN(pool_cpus(), MAX_WORKERS), err);
	progress_close(sc->session.progress);
	sc->session.progress = NULL;
	if (!ret) {
		warn_lost(&sc->session);
		warn_diag(&sc->session.diag);
	}
	drop_text(sc);
	sample_filter_release(&sc->filter);
	symbols_free(sc->symbols);
	machine_free(sc->machine);
	tracefmt_free(sc->tracefmt);
	session_close(&sc->session);
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

int cmd_script(int argc, const char **argv)
{
	struct script sc = { .max_stack = DEFAULT_MAX_STACK, .demangle = true };
	const struct option options[] = {
		OPT_INCR('v', "verbose", &sc.verbose, "be more verbose (show symbol address, etc)"),
		OPT_STRING('i', "input", &sc.input, "file", "input file name"),
		OPT_BOOLEAN('f', "force", &sc.force, "don't complain, do it"),
		OPT_CALLBACK(
			'F', "fields", &sc.fields, "str",
			"comma separated output fields, prepend with 'type:'. +field to add and -field to remove. "
			"Valid types: hw,sw,trace,raw,break,synth. Fields: comm,tid,pid,time,cpu,event,trace,ip,sym,"
			"dso,addr,symoff,period,weight,bpf-output,phys_addr",
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
		OPT_STRING('c', "comms", &sc.comms, "comm[,comm...]",
			   "only display events for these comms"),
		OPT_STRING(0, "pid", &sc.pids, "pid[,pid...]",
			   "only consider symbols in these pids"),
		OPT_STRING(0, "tid", &sc.tids, "tid[,tid...]",
			   "only consider symbols in these tids"),
		OPT_STRING('C', "cpu", &sc.cpus, "cpu", "list of cpus to profile"),
		OPT_STRING(0, "time", &sc.time, "str", "Time span of interest (start,stop)"),
		OPT_STRING('k', "vmlinux", &sc.vmlinux, "file", "vmlinux pathname"),
		OPT_STRING(0, "kallsyms", &sc.kallsyms, "file", "kallsyms pathname"),
		OPT_STRING(0, "symfs", &sc.symfs, "directory",
			   "Look for files with symbols relative to this directory"),
		OPT_BOOLEAN(0, "demangle", &sc.demangle, "Enable symbol demangling"),
		OPT_END(),
	};
	struct err err = { 0 };
	int ret;

	sample_fields_init(&sc.fields);
	argc = parse_options(argc, argv, options, script_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (argc) {
		error("Couldn't find script `%s'\n\n See perf script -l for available scripts.",
		      argv[0]);
		return 129;
	}
	ret = run(&sc, &err);
	if (ret == -EPIPE)
		return 0;
	if (ret) {
		error_err(&err);
		return -1;
	}
	return 0;
}
