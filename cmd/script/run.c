// SPDX-License-Identifier: GPL-2.0-or-later
/* perf script: file -> session (time order) -> machine -> sample text. */
#include "base/compat.h"

#include "cmd/script/script.h"

#include "base/pool.h"
#include "cmd/common/pager.h"
#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/common/settings.h"
#include "cmd/common/header.h"
#include "recording/jit.h"

#include <errno.h>
#include <unistd.h>

int script_time(struct script *sc, struct err *err)
{
	const struct session *s = &sc->session;
	u64 first = s->file->pipe ? 0 : s->first_time, last = s->file->pipe ? 0 : s->last_time;
	int ret = sc->relative ? sample_filter_time_since(&sc->filter, sc->time, first, last, err)
			       : sample_filter_time(&sc->filter, sc->time, first, last, err);

	sc->invalid |= ret;
	return ret;
}

/* -C: numbers the recorded machine has. */
static int filter_cpus(struct script *sc, struct err *err)
{
	const struct env *env = &sc->session.file->env;
	int ret = sample_filter_cpus(&sc->filter, sc->cpus, err);

	if (ret || !env->nr_cpus_avail || sample_filter_last_cpu(&sc->filter) < env->nr_cpus_avail)
		return ret;
	return err_set(err, -EINVAL, "-C %s: the recorded machine has %u CPUs, numbered from 0",
		       sc->cpus, env->nr_cpus_avail);
}

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
		ret = filter_cpus(sc, err);
	if (!ret && sc->time && sc->session.file->pipe)
		ret = script_time(sc, err);
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

/* Refuse options that the contents of the file do not allow. */
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
	return MIN(pool_cpus(), SCRIPT_WORKERS);
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
	end_jitdumps(sc->jit, &stderr_notices);
	script_text_drop(sc);
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

/* Open everything that is needed before the first record; release() closes it. */
static void prepare(struct script *sc)
{
	struct symconf conf = {
		.symfs = sc->symfs,
		.vmlinux = sc->vmlinux,
		.kallsyms = sc->kallsyms,
		.buildid_dir = buildid_dir(),
		.no_demangle = !sc->demangle,
		.demangle_kernel = sc->demangle_kernel,
		.parameters = sc->verbose,
	};
	struct session *s = &sc->session;

	sc->counts = !script_rows_any(&sc->rows) &&
		     (s->file->pipe || perf_file_has_feature(s->file, HEADER_STAT));
	sc->machine = machine_new();
	sc->jit = follow_jitdumps(sc->machine, s, sc->symfs, sc->force);
	guest_symbols(&sc->guest, &conf);
	sc->symbols = symbols_new(&conf);
	sc->show.machine = sc->machine;
	sc->show.symbols = sc->symbols;
	sc->show.filter = &sc->filter;
	s->file_order |= sc->show.round || sc->unsorted;
	if (sc->raw_dump)
		dump_init(&sc->dump, s, sc->machine, sc->symbols);
	sc->dump.unordered |= sc->unsorted;
}

static int show_all(struct script *sc, struct err *err)
{
	struct session_ordered_ops ops;
	int ret;

	prepare(sc);
	if (!sc->session.file->pipe)
		tell_traces(sc);
	ret = start(sc, err);
	sc->workers = workers_wanted(sc);
	script_sinks(sc, &ops);
	if (!ret)
		ret = session_ordered(&sc->session, &ops, sc, sc->workers, err);
	if (!ret && script_rows_any(&sc->rows) && !sc->text) /* a pipe without samples */
		ret = script_text_make(sc, 1, err);
	progress_close(sc->session.progress);
	sc->session.progress = NULL;
	ret = finish(sc, ret, err);
	release(sc);
	return ret;
}

int script_run(struct script *sc, struct err *err)
{
	int ret = session_open(&sc->session, sc->input, sc->force, err);

	if (ret)
		return ret;
	/* Text on the terminal shows well enough how far it has got. */
	if (!isatty(STDOUT_FILENO))
		sc->session.progress = progress_open();
	setup_pager();
	if (sc->raw_dump)
		dump_open(&sc->session);
	if (sc->header || sc->header_only)
		print_header(sc->session.file, &sc->session.evlist, sc->show_info);
	if (!sc->header_only)
		return show_all(sc, err);
	session_close(&sc->session);
	return 0;
}
