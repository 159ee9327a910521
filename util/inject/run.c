// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "inject/run.h"

#include "file/writer.h"

#include <errno.h>

bool inject_has_traces(const struct inject *in)
{
	return in->rw.traces || in->rec.session.counts[PERF_RECORD_AUXTRACE_INFO] ||
	       perf_file_has_feature(in->rec.session.file, HEADER_AUXTRACE);
}

/* ---- record after record ---- */

static bool wants_maps(const struct inject *in)
{
	return in->ids.in_maps || in->ids.in_all_maps;
}

static bool wants_ids(const struct inject *in)
{
	return in->ids.hits || in->ids.all || wants_maps(in);
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct inject *in = ctx;

	if (in->aslr)
		inject_aslr_events(in->aslr, env);
	return in->sched ? sched_merge_events(in->sched, evlist, env, err) : 0;
}

/* Tell whether a sample was made of a trace. */
static bool is_made(const struct inject *in, const struct session_event *ev)
{
	return in->rec.traces_read && ev->evsel && ev->evsel->idx >= in->rec.first_made;
}

static int on_record(void *ctx, struct rewrite *rw, const struct session_event *ev, struct err *err)
{
	struct inject *in = ctx;
	int ret;

	if (in->guests) {
		ret = inject_guests_record(in->guests, rw, ev, err);
		if (ret)
			return ret;
	}
	if (in->aslr) {
		if (in->ids.marks && recording_is_stream(&in->rec))
			inject_ids_record(&in->ids, ev);
		return inject_aslr_record(in->aslr, rw, ev);
	}
	if (ev->guest) /* it was put here earlier, and is of another machine than the samples */
		return REWRITE_KEEP;
	if (in->ids.marks && recording_is_stream(&in->rec))
		inject_ids_record(&in->ids, ev);
	if (in->jit) {
		ret = inject_jit_record(in->jit, ev, err);
		if (ret != REWRITE_KEEP)
			return ret;
	}
	if (wants_maps(in) && inject_ids_map(&in->ids, ev) == REWRITE_DROP)
		return REWRITE_DROP;
	/* Traces that stay encoded must not lose the samples beside them. */
	if (in->options->strip && ev->sample && !inject_has_traces(in) && !is_made(in, ev))
		return REWRITE_DROP;
	if (in->chains && inject_chains_record(in->chains, rw, ev) == REWRITE_DROP)
		return REWRITE_DROP;
	return in->sched ? (int)sched_merge_record(in->sched, rw, ev) : REWRITE_KEEP;
}

/* ---- the run ---- */

int inject_open(struct inject *in, const struct inject_options *o, const struct notices *notices,
		struct err *err)
{
	int ret = file_writer_probe(o->output, err);

	*in = (struct inject){
		.options = o,
		.ids = { .hits = o->ids_of_hits,
			 .all = o->ids_of_all,
			 .in_maps = o->ids_in_maps,
			 .in_all_maps = o->ids_in_all_maps,
			 .vmlinux = o->vmlinux,
			 .verbose = o->verbose },
	};
	if (!ret && o->known_ids)
		ret = known_ids_parse(&in->ids.known, o->known_ids, notices, err);
	if (!ret)
		ret = recording_open(&in->rec, &o->rec, notices, err);
	if (!ret && o->rec.itrace.given) {
		ret = recording_read_traces(&in->rec, true, err);
		if (ret)
			recording_close(&in->rec);
	}
	if (ret)
		known_ids_release(&in->ids.known);
	return ret;
}

static int rewrite_all(struct inject *in, struct err *err)
{
	static const struct rewrite_ops ops = { .record = on_record, .events = on_events };
	bool stream = recording_is_stream(&in->rec);
	bool ordered = in->sched || in->options->strip || in->jit || in->chains || in->guests ||
		       in->aslr || wants_maps(in) || (in->ids.hits && stream);
	int ret;

	in->ids.copied = !ordered;
	if (wants_ids(in) && stream) {
		inject_ids_stream(&in->ids);
	} else if (wants_ids(in)) {
		ret = inject_ids_file(&in->ids, err);
		if (ret)
			return ret;
	}
	if (in->guests) {
		ret = inject_guests_begin(in->guests, &in->rw, err);
		if (ret)
			return ret;
	}
	if (ordered) {
		ret = rewrite_ordered(&in->rw, &ops, in, err);
		return !ret && in->guests ? inject_guests_rest(in->guests, &in->rw, err) : ret;
	}
	return rewrite_copy(&in->rw, in->ids.all && stream ? &ops : NULL, in, err);
}

static int open_guests(struct inject *in, struct rewrite_conf *conf, struct err *err)
{
	const struct inject_options *o = in->options;
	const struct guests_conf guests = {
		.specs = &o->guests,
		.host = &in->rec,
		.mount = o->rec.guest.mount,
		.force = o->rec.force,
		.verbose = o->verbose,
		.notices = in->rec.notices,
	};

	if (!o->guests.nr)
		return 0;
	in->guests = inject_guests_new(&guests, err);
	if (!in->guests)
		return err->code;
	conf->added = inject_guests_events(in->guests, &conf->nr_added);
	return 0;
}

/* Additions from outside have addresses of their own, which come too late for --aslr. */
static int refuse_others(const struct inject_options *o, struct err *err)
{
	if (!o->aslr || !(o->merge_sched || o->merge_jit || o->unwind || o->strip || o->guests.nr ||
			  o->ids_in_maps || o->ids_in_all_maps))
		return 0;
	return err_set(
		err, -EINVAL,
		"--aslr goes with -b and --buildid-all alone: run perf inject with the other "
		"options first, and with --aslr on its output");
}

int inject_run(struct inject *in, struct err *err)
{
	const struct inject_options *o = in->options;
	static const struct rewrite_about no_copies = { .attr = attr_drop_copies };
	struct rewrite_conf conf = { .about = o->aslr     ? &aslr_about
					      : o->unwind ? &no_copies
							  : NULL };
	int ret = refuse_others(o, err) ?: open_guests(in, &conf, err);

	if (ret)
		return ret;

	in->ids.rec = &in->rec;
	in->ids.rw = &in->rw;
	in->sched = o->merge_sched ? sched_merge_new() : NULL;
	if (o->unwind) {
		in->chains = inject_chains_new(&in->rec, in->rec.notices, err);
		if (!in->chains)
			return -EINVAL;
	}
	ret = rewrite_open(&in->rw, &in->rec.session, o->output, &conf, err);
	if (o->merge_jit)
		in->jit = inject_jit_new(&in->rec.session, &in->rw, o->rec.force);
	if (!ret && o->aslr)
		in->aslr = inject_aslr_new(in->rec.session.file->swap);
	if (!ret)
		ret = rewrite_all(in, err);
	if (!ret)
		ret = rewrite_finish(&in->rw, err);
	in->finished = !ret;
	return ret;
}

void inject_close(struct inject *in)
{
	const struct notices *notices = in->rec.notices;

	if (rewrite_close(&in->rw) && !in->finished)
		notice(notices, "%s could not be completed and was removed\n", in->options->output);
	inject_ids_release(&in->ids);
	sched_merge_free(in->sched);
	inject_jit_free(in->jit, notices);
	inject_chains_free(in->chains);
	inject_aslr_free(in->aslr);
	inject_guests_free(in->guests);
	recording_close(&in->rec);
}
