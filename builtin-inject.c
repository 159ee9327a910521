// SPDX-License-Identifier: GPL-2.0-or-later
/* perf inject: a recording is read and written again, with more in it. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/common/settings.h"

#include "inject/inject.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static const char *const inject_usage[] = { "perf inject [<options>]", NULL };

struct inject {
	/* options */
	struct recording_options opts;
	const char *output, *known, *kallsyms;
	bool merge_sched, merge_jit, itrace, strip, ignore_vmlinux;
	int verbose;
	/* running */
	struct recording rec;
	struct rewrite rw;
	struct inject_ids ids;
	struct sched_merge *sched;
	struct inject_jit *jit;
	bool told; /* that instruction traces stay as they are */
};

/* ---- --itrace ---- */

static bool has_traces(const struct inject *in)
{
	return in->rw.traces || in->rec.session.counts[PERF_RECORD_AUXTRACE_INFO] ||
	       perf_file_has_feature(in->rec.session.file, HEADER_AUXTRACE);
}

static void tell_traces(struct inject *in)
{
	if (!in->itrace || in->told || !has_traces(in))
		return;
	in->told = true;
	fprintf(stderr, "decoding of instruction traces is not in this perf: "
			"they are passed on as they are\n");
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

	return in->sched ? sched_merge_events(in->sched, evlist, env, err) : 0;
}

static int on_record(void *ctx, struct rewrite *rw, const struct session_event *ev, struct err *err)
{
	struct inject *in = ctx;
	int ret;

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
	if (in->strip && ev->sample && !has_traces(in))
		return REWRITE_DROP;
	return in->sched ? (int)sched_merge_record(in->sched, rw, ev) : REWRITE_KEEP;
}

/* ---- the run ---- */

static int rewrite_all(struct inject *in, struct err *err)
{
	static const struct rewrite_ops ops = { .record = on_record, .events = on_events };
	bool pipe = recording_is_stream(&in->rec);
	bool ordered = in->sched || in->strip || in->jit || wants_maps(in) ||
		       (in->ids.hits && pipe);
	int ret;

	in->ids.copied = !ordered;
	if (wants_ids(in) && pipe) {
		inject_ids_stream(&in->ids);
	} else if (wants_ids(in)) {
		ret = inject_ids_file(&in->ids, err);
		if (ret)
			return ret;
	}
	if (ordered)
		return rewrite_ordered(&in->rw, &ops, in, err);
	return rewrite_copy(&in->rw, in->ids.all && pipe ? &ops : NULL, in, err);
}

static int inject_run(struct inject *in, struct err *err)
{
	int ret = file_writer_probe(in->output, err);

	if (!ret && in->known)
		ret = known_ids_parse(&in->ids.known, in->known, &stderr_notices, err);
	if (!ret)
		ret = recording_open(&in->rec, &in->opts, &stderr_notices, err);
	if (ret) {
		known_ids_release(&in->ids.known);
		return error_err(err);
	}
	in->rec.session.progress = progress_open();
	in->sched = in->merge_sched ? sched_merge_new() : NULL;
	in->ids.rec = &in->rec;
	in->ids.rw = &in->rw;
	in->ids.verbose = in->verbose;
	ret = rewrite_open(&in->rw, &in->rec.session, in->output, err);
	in->jit = in->merge_jit ? inject_jit_new(&in->rec.session, &in->rw, in->opts.force) : NULL;
	if (!ret)
		ret = rewrite_all(in, err);
	if (!ret)
		ret = rewrite_finish(&in->rw, err);
	progress_close(in->rec.session.progress);
	tell_traces(in);
	if (!ret)
		warn_diag(&in->rec.session.diag);
	if (ret)
		error_err(err);
	if (rewrite_close(&in->rw) && ret)
		fprintf(stderr, "%s could not be completed and was removed\n", in->output);
	inject_ids_release(&in->ids);
	sched_merge_free(in->sched);
	inject_jit_free(in->jit, &stderr_notices);
	recording_close(&in->rec);
	return ret;
}

int cmd_inject(int argc, const char **argv)
{
	struct inject in = { .opts.input = "-", .output = "-", .verbose = debug_level("verbose") };
	const struct option options[] = {
		OPT_BOOLEAN('b', "build-ids", &in.ids.hits,
			    "Inject build-ids into the output stream"),
		OPT_BOOLEAN(0, "buildid-all", &in.ids.all,
			    "Inject build-ids of all DSOs into the output stream"),
		OPT_BOOLEAN(0, "mmap2-buildids", &in.ids.in_maps,
			    "Drop unused mmap events, make others mmap2 with build IDs"),
		OPT_BOOLEAN(0, "mmap2-buildid-all", &in.ids.in_all_maps,
			    "Rewrite all mmap events as mmap2 events with build IDs"),
		OPT_STRING(0, "known-build-ids", &in.known, "buildid path [,buildid path...]",
			   "build-ids to use for given paths"),
		INPUT_OPTIONS(&in.opts),
		OPT_STRING('o', "output", &in.output, "file", "output file name"),
		OPT_BOOLEAN('s', "sched-stat", &in.merge_sched,
			    "Merge sched-stat and sched-switch for getting events where and how "
			    "long tasks slept"),
		OPT_BOOLEAN('j', "jit", &in.merge_jit, "merge jitdump files into perf.data file"),
		OPT_INCR('v', "verbose", &in.verbose, "be more verbose (show build ids, etc)"),
		OPT_STRING('k', "vmlinux", &in.ids.vmlinux, "file", "vmlinux pathname"),
		OPT_BOOLEAN(0, "ignore-vmlinux", &in.ignore_vmlinux,
			    "don't load vmlinux even if found"),
		OPT_STRING(0, "kallsyms", &in.kallsyms, "file", "kallsyms pathname"),
		ITRACE_OPTION(&in.itrace),
		OPT_BOOLEAN(0, "strip", &in.strip,
			    "strip non-synthesized events (use with --itrace)"),
		OPT_END(),
	};
	struct err err = { 0 };

	argc = parse_options(argc, argv, options, inject_usage, 0);
	if (argc)
		usage_with_options(inject_usage, options);
	if (in.strip && !in.itrace) {
		fprintf(stderr, "--strip option requires --itrace option\n");
		return -1;
	}
	if (in.ignore_vmlinux)
		in.ids.vmlinux = NULL;
	if (!file_is_readable(in.ids.vmlinux) || !file_is_readable(in.kallsyms))
		return -1;
	signal(SIGXFSZ, SIG_IGN); /* a full disk is told, and cleaned up after */
	return inject_run(&in, &err) ? -1 : 0;
}
