// SPDX-License-Identifier: GPL-2.0-or-later
/* perf script: recording (in the order of time) -> sample text. */
#include "base/compat.h"

#include "cmd/script/script.h"

#include "arch/arch.h"
#include "base/pool.h"
#include "cmd/common/pager.h"
#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/common/settings.h"
#include "cmd/common/header.h"

#include <errno.h>
#include <unistd.h>

static int make_place_filter(struct script *sc, struct err *err)
{
	int ret = 0;

	sc->places.range = sc->addr_range;
	if (sc->wanted)
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
	for (size_t i = 0; i < sc->rec.session.evlist.nr; i++)
		if (layout_lbr_chain(&sc->rec.session.evlist.evsels[i]->layout))
			return true;
	return false;
}

/* Refuse options that the contents of the file do not allow. */
static void tell_traces(const struct script *sc)
{
	bool traces = sc->rec.session.counts[PERF_RECORD_AUXTRACE_INFO] ||
		      perf_file_has_feature(sc->rec.session.file, HEADER_AUXTRACE);

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
	    sc->per_event || event_switch_any(&sc->rec.on_off))
		return 1;
	if (sample_fields_shown(&sc->fields, &sc->rec.session.evlist,
				SF_DATA_SRC | SF_SRCCODE | SF_METRIC))
		return 1;
	return MIN(pool_cpus(), SCRIPT_WORKERS);
}

/* What can fail before anything is read. */
static int start(struct script *sc, struct err *err)
{
	int ret = rows_file_any(&sc->rows) ? rows_file_open(&sc->rows, &sc->fields, err) : 0;

	if (!ret)
		ret = recording_prepare(&sc->rec, err);
	if (!ret)
		ret = make_place_filter(sc, err);
	if (!ret && sc->dlfilter)
		ret = dlfilter_start(sc->dlfilter, sc->rec.machine, sc->rec.symbols,
				     arch_of(sc->rec.session.file->env.arch));
	return ret;
}

/* All has been read, or @ret says why not. */
static int finish(struct script *sc, int ret, struct err *err)
{
	ret = rows_file_close(&sc->rows, ret, err);
	if (!ret) {
		warn_lost(&sc->rec.session);
		warn_diag(&sc->rec.session.diag);
		if (recording_is_stream(&sc->rec)) /* now it is known what was in it */
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
	script_text_drop(sc);
	place_filter_release(&sc->places);
	name_list_release(&sc->graph_functions);
	record_lines_release(&sc->show);
	count_lines_release(&sc->stat);
	guest_ids_release(&sc->guests);
	dump_text_release(&sc->dump);
	sc->invalid |= sc->rec.bad_time;
	recording_close(&sc->rec);
}

/* Open everything that is needed before the first record; release() closes it. */
static void prepare(struct script *sc)
{
	struct session *s = &sc->rec.session;

	sc->counts = !rows_file_any(&sc->rows) &&
		     (recording_is_stream(&sc->rec) || perf_file_has_feature(s->file, HEADER_STAT));
	sc->show.machine = sc->rec.machine;
	sc->show.symbols = recording_symbols(&sc->rec);
	sc->show.filter = &sc->rec.filter;
	s->file_order |= sc->show.round || sc->unsorted;
	if (sc->raw_dump)
		dump_init(&sc->dump, s, sc->rec.machine, sc->rec.symbols);
	sc->dump.unordered |= sc->unsorted;
}

static int show_all(struct script *sc, struct err *err)
{
	struct recording_ops ops;
	int ret;

	prepare(sc);
	if (!recording_is_stream(&sc->rec))
		tell_traces(sc);
	ret = start(sc, err);
	sc->workers = workers_wanted(sc);
	ops = script_sinks(sc);
	if (!ret)
		ret = recording_ordered(&sc->rec, &ops, sc, sc->workers, err);
	if (!ret && rows_file_any(&sc->rows) && !sc->text) /* a pipe without samples */
		ret = script_text_make(sc, err);
	progress_close(sc->rec.session.progress);
	sc->rec.session.progress = NULL;
	ret = finish(sc, ret, err);
	release(sc);
	return ret;
}

int script_run(struct script *sc, struct err *err)
{
	int ret;

	sc->opts.verbose = sc->opts.parameters = sc->verbose;
	sc->opts.no_demangle = !sc->demangle;
	sc->opts.time_since = sc->relative;
	sc->opts.buildid_dir = buildid_dir();
	ret = recording_open(&sc->rec, &sc->opts, &stderr_notices, err);
	if (ret)
		return ret;
	/* Text on the terminal shows well enough how far it has got. */
	if (!isatty(STDOUT_FILENO))
		sc->rec.session.progress = progress_open();
	setup_pager();
	if (sc->raw_dump)
		print_dump_order(&sc->rec.session);
	if (sc->header || sc->header_only)
		print_header(sc->rec.session.file, &sc->rec.session.evlist, sc->show_info);
	if (!sc->header_only)
		return show_all(sc, err);
	recording_close(&sc->rec);
	return 0;
}
