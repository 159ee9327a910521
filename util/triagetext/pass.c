// SPDX-License-Identifier: GPL-2.0-or-later
/* All engines take the events of a recording in one pass. */
#include "base/compat.h"

#include "triagetext/triagetext-internal.h"

#include "base/alloc.h"

#define LOCK_CHAIN 16U /* frames of a call chain of a lock that are looked at */

/* ---- locks ---- */

static const char *symbol(void *ctx, u64 address, u64 *start)
{
	const struct triage_pass *p = ctx;
	struct recording *r = analysis_recording(p->a);

	return resolve_kernel_name(r->machine, recording_symbols(r), address, start);
}

static bool look_at_chain(void *ctx, const u64_una *ips, u32 nr, u64 *caller)
{
	struct triage_pass *p = ctx;
	struct recording *r = analysis_recording(p->a);

	if (!p->placed)
		lock_code_place(&p->code, r->machine, recording_symbols(r));
	p->placed = true;
	*caller = lock_code_caller(&p->code, ips, nr);
	return true;
}

static struct lock *new_locks(struct triage_pass *p)
{
	p->words = (struct lock_words){ .symbol = symbol, .ctx = p };
	p->code = (struct lock_code){ .words = &p->words };
	return lock_new(&(struct lock_conf){
		.by = LOCK_BY_CALLER,
		.tasks = analysis_tasks(p->a),
		.max_stack = LOCK_CHAIN,
		.chain = look_at_chain,
		.ctx = p,
	});
}

/* ---- block devices ---- */

static void on_block(void *ctx, const struct block_event *ev)
{
	struct triage_pass *p = ctx;

	block_flow_event(p->flow, ev);
}

static void on_block_lost(void *ctx)
{
	struct triage_pass *p = ctx;

	block_flow_lost(p->flow);
}

static u32 whose_block(void *ctx, const struct block_event *ev)
{
	struct triage_pass *p = ctx;

	return task_table_at(analysis_tasks(p->a), ev->pid, ev->tid, ev->time)->id;
}

static void on_block_end(void *ctx, const struct block_io *io, const struct block_event *ev)
{
	struct triage_pass *p = ctx;
	struct block_key key = { .dev = io->dev, .task = io->who };

	memcpy(key.rwbs, io->rwbs, sizeof(key.rwbs));
	block_sums_end(&p->blocks, &key, io);
}

/* ---- interrupts ---- */

static void on_work(void *ctx, const struct kwork_run *run, const struct engine_input *in)
{
	struct triage_pass *p = ctx;

	triage_states_interrupt(p->states, in->pid, in->tid, in->time, run->end - run->start);
}

/* ---- the pass ---- */

static void start(struct triage_pass *p, struct analysis *a)
{
	struct task_table *tasks = analysis_tasks(a);

	*p = (struct triage_pass){ .a = a };
	p->states = triage_states_new(tasks);
	p->locks = new_locks(p);
	p->futexes = futex_new(&(struct futex_conf){ .tasks = tasks });
	p->flow = block_flow_new(
		&(struct block_watch){ .ctx = p, .who = whose_block, .end = on_block_end });
	p->blocks.by = BLOCK_BY_DEV | BLOCK_BY_TASK | BLOCK_BY_OP;
	p->work = kwork_new(
		&(struct kwork_conf){ .classes = KWORK_BIT(KWORK_IRQ) | KWORK_BIT(KWORK_SOFTIRQ),
				      .run = on_work,
				      .ctx = p });
}

int triage_pass_run(struct triage_pass *p, struct analysis *a, struct err *err)
{
	struct block_tap tap = { on_block, on_block_lost, p };
	struct engine engines[NR_PARTS];
	struct analysis_part parts[NR_PARTS] = { 0 };

	start(p, a);
	engines[PART_STATES] = triage_states_engine(p->states);
	engines[PART_LOCKS] = lock_engine("triage");
	engines[PART_FUTEXES] = futex_engine();
	engines[PART_BLOCKS] = block_engine("triage");
	engines[PART_WORK] =
		kwork_engine("triage", KWORK_BIT(KWORK_IRQ) | KWORK_BIT(KWORK_SOFTIRQ));
	parts[PART_STATES].state = p->states;
	parts[PART_LOCKS].state = p->locks;
	parts[PART_FUTEXES].state = p->futexes;
	parts[PART_BLOCKS].state = &tap;
	parts[PART_WORK].state = p->work;
	for (u32 i = 0; i < NR_PARTS; i++) {
		parts[i].engine = &engines[i];
		parts[i].optional = true;
	}
	return analysis_run_parts(a, parts, NR_PARTS, err);
}

void triage_pass_release(struct triage_pass *p)
{
	triage_states_free(p->states);
	lock_free(p->locks);
	futex_free(p->futexes);
	block_flow_free(p->flow);
	block_sums_release(&p->blocks);
	kwork_free(p->work);
}

/* ---- functions ---- */

void triage_frames_of(struct triage_pass *p, const struct triage_thread *t, u32 chain,
		      struct triage_frames *out)
{
	struct recording *r = analysis_recording(p->a);
	u8 mode = PERF_RECORD_MISC_KERNEL;
	const u64_una *ips;
	struct thread_at at;
	bool first = true;
	u64 nr;

	*out = (struct triage_frames){ 0 };
	ips = triage_chain(p->states, chain, &nr);
	machine_thread_at(r->machine, t->pid, t->tid, t->last, &at);
	for (u64 i = 0; i < nr && out->nr < TRIAGE_FRAMES; i++) {
		bool kernel = mode == PERF_RECORD_MISC_KERNEL;
		struct location l;

		if (ips[i] >= (u64)PERF_CONTEXT_MAX) {
			mode = callchain_mode(ips[i]);
			continue;
		}
		resolve_find(r->machine, recording_symbols(r), kernel ? at.kernel_epoch : at.epoch,
			     mode, ips[i], &l);
		if (first) {
			out->leaf = location_symbol(&l);
			out->user = !kernel;
			out->object = location_dso(&l);
		}
		first = false;
		if (!kernel) {
			out->caller = location_symbol(&l);
			return;
		}
		out->kernel[out->nr++] = location_symbol(&l);
	}
}
