// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "annotaterun/annotate-run.h"

#include "base/alloc.h"
#include "hist/blocks.h"
#include "machine/machine.h"

/* One thread counts into this. */
struct annotate_run_worker {
	struct annotate_run *run;
	struct annotate_worker *counts;
	struct blocks_worker *blocks; /* NULL: none */
};

static void *worker_new(void *ctx, int worker)
{
	struct annotate_run *run = ctx;
	struct annotate_run_worker *w = xzalloc(sizeof(*w));

	w->run = run;
	w->counts = annotate_counts_worker(run->counts);
	if (run->blocks)
		w->blocks = blocks_worker_new(run->blocks);
	VEC_GROW(run->v, run->nr + 1, run->cap);
	run->v[run->nr++] = w;
	return w;
}

static u64 period_of(const struct session_event *ev)
{
	bool told = ev->part == PART_VALUE || ev->evsel->layout.sample_type & PERF_SAMPLE_PERIOD;

	return told ? ev->sample->period : ev->evsel->attr.sample_period;
}

static int count(void *ctx, const struct session_event *ev, struct err *err)
{
	struct annotate_run_worker *w = ctx;
	const struct sample *s = ev->sample;
	struct thread_at at = { 0 };
	bool kernel;

	if (!recording_takes(w->run->r, ev, &at))
		return 0;
	if (w->run->takes && !w->run->takes(w->run->ctx, ev))
		return 0;
	kernel = s->cpumode == PERF_RECORD_MISC_KERNEL;
	annotate_counts_add(w->counts, ev->evsel->idx, kernel ? at.kernel_epoch : at.epoch,
			    s->cpumode, s->ip, period_of(ev));
	if (w->blocks && s->nr_branches)
		blocks_add(w->blocks, s, at.epoch, at.kernel_epoch, ev->offset);
	return 0;
}

/* Give the functions what branch stacks say of their blocks. */
static void take_blocks(struct annotate_run *run)
{
	size_t nr, nr_blocks;
	struct annotate_function *f = annotate_functions(run->counts, &nr);

	blocks_finish(run->blocks, run->resolver);
	for (size_t i = 0; i < nr; i++) {
		const struct block *b =
			blocks_of(run->blocks, f[i].at.symtab, f[i].at.sym, &nr_blocks);

		for (size_t k = 0; k < nr_blocks; k++)
			annotate_add_block(
				&f[i], &(struct annotate_block){ b[k].start, b[k].end, b[k].cycles,
								 b[k].nr, b[k].least, b[k].most });
	}
}

int annotate_run_samples(struct annotate_run *run, bool blocks, struct err *err)
{
	const struct recording_ops ops = { .worker_new = worker_new, .sample = count };
	struct recording *r = run->r;
	int ret;

	run->counts = annotate_counts_new();
	if (blocks)
		run->blocks = blocks_new();
	ret = recording_samples(r, &ops, run, run->workers, err);
	if (ret)
		return ret;
	if (recording_is_stream(r)) {
		apply_build_ids(r->machine, &r->session.file->env);
		machine_seal(r->machine);
	}
	run->resolver = resolver_new(r->machine, recording_symbols(r));
	if (run->asked)
		annotate_counts_only(run->counts, run->asked, run->ctx);
	annotate_counts_finish(run->counts, run->resolver, (u32)r->session.evlist.nr, run->workers);
	if (run->blocks)
		take_blocks(run);
	return 0;
}

void annotate_run_release(struct annotate_run *run)
{
	annotate_counts_free(run->counts);
	blocks_free(run->blocks);
	resolver_free(run->resolver);
	while (run->nr)
		free(run->v[--run->nr]);
	free(run->v);
}
