// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "schedtext/why-internal.h"

#include "schedtext/schedtext-internal.h"

#include <errno.h>
#include <stdio.h>

/* ---- parts of a line ---- */

static void put_task(struct strbuf *out, const struct task_at *task)
{
	if (!task->tid) {
		strbuf_addstr(out, "<idle>");
		return;
	}
	sched_put_comm(task, out);
	strbuf_addf(out, "[%u]", task->tid);
}

/* Append a task with the name that it had then. */
static void put_task_at(const struct why *y, u32 pid, u32 tid, u64 time)
{
	put_task(y->out, task_table_at(analysis_tasks(y->a), pid, tid, time));
}

static void put_duration(struct strbuf *out, u64 ns)
{
	sched_put_ms(out, ns, 1);
	strbuf_addstr(out, " ms");
}

bool why_chain(const struct why *y, const struct sched_chain_at *of, u32 chain, struct strbuf *out)
{
	struct sched_chain_at at = *of;
	size_t start = out->len;

	at.ips = sched_why_chain(y->state, chain, &at.nr);
	if (!at.nr)
		return false;
	sched_chains_put_at(y->chains, &at, out);
	if (out->len == start)
		strbuf_addstr(out, "the scheduler");
	return true;
}

static void put_chain(const struct why *y, u32 pid, u32 tid, u64 time, u32 chain)
{
	const struct sched_chain_at of = { .pid = pid, .tid = tid, .time = time };
	struct strbuf text = STRBUF_INIT;

	if (why_chain(y, &of, chain, &text))
		strbuf_addf(y->out, " in %s", strbuf_str(&text));
	strbuf_release(&text);
}

/* ---- lines ---- */

static void put_holders(const struct why *y, const struct why_delay *d)
{
	if (!d->nr_holders)
		return;
	strbuf_addstr(y->out, "        CPU:   ");
	for (u32 i = 0; i < d->nr_holders; i++) {
		const struct why_holder *h = &d->holders[i];

		strbuf_addstr(y->out, i ? ", " : " ");
		put_task(y->out, task_table_last(analysis_tasks(y->a), h->task));
		strbuf_addch(y->out, ' ');
		put_duration(y->out, h->ns);
		if (h->runs > 1)
			strbuf_addf(y->out, " in %u runs", h->runs);
	}
	if (d->others) {
		strbuf_addstr(y->out, ", others ");
		put_duration(y->out, d->others);
	}
	if (d->unknown) {
		strbuf_addstr(y->out, "; who had it for ");
		put_duration(y->out, d->unknown);
		strbuf_addstr(y->out, " is not known");
	}
	strbuf_addch(y->out, '\n');
}

static void put_sleep(const struct why *y, u32 pid, u32 tid, const struct why_sleep *s)
{
	put_duration(y->out, s->until - s->from);
	strbuf_addf(y->out, " (%c)", s->state);
	if (s->io) {
		strbuf_addstr(y->out, ", of that ");
		put_duration(y->out, s->io);
		strbuf_addstr(y->out, " for I/O,");
	}
	put_chain(y, pid, tid, s->from, s->chain);
}

/* The lines of the waker @nr of a chain. */
static void put_waker(const struct why *y, const struct why_waker *by, u32 nr)
{
	strbuf_addf(y->out, "        %s ", nr ? "that by:" : "woken by:");
	if (by->interrupt)
		strbuf_addf(y->out, "an interrupt on CPU %u, during ", by->cpu);
	put_task_at(y, by->pid, by->tid, by->time);
	if (!by->interrupt)
		strbuf_addf(y->out, " on CPU %u", by->cpu);
	put_chain(y, by->pid, by->tid, by->time, by->chain);
	strbuf_addch(y->out, '\n');
	if (by->interrupt || !by->sleep.until)
		return;
	strbuf_addstr(y->out, "                  which had slept ");
	put_sleep(y, by->pid, by->tid, &by->sleep);
	strbuf_addstr(y->out, ", until ");
	put_duration(y->out, by->time - by->sleep.until);
	strbuf_addstr(y->out, " before\n");
}

static void put_delay(const struct why *y, const struct why_delay *d, size_t nr)
{
	struct strbuf *out = y->out;

	strbuf_addf(out, "%s%3zu. ", nr ? "\n" : "", nr + 1);
	sched_put_ms(out, d->ran - d->ready, 6);
	strbuf_addstr(out, " ms  ");
	put_task_at(y, d->pid, d->tid, d->ran);
	strbuf_addf(out, " waited for CPU %u from ", d->cpu);
	sched_put_time(out, d->ready, 1);
	strbuf_addstr(out, " to ");
	sched_put_time(out, d->ran, 1);
	strbuf_addstr(out, d->gap ? " s, while events were lost\n" : " s\n");
	put_holders(y, d);
	if (d->moved) {
		strbuf_addf(out, "        moved: from CPU %u after ", d->from_cpu);
		put_duration(out, d->moved - d->ready);
		strbuf_addch(out, '\n');
	}
	if (d->preempted)
		strbuf_addstr(out, "        it had been preempted\n");
	else if (d->sleep.until) {
		strbuf_addstr(out, "        slept: ");
		put_sleep(y, d->pid, d->tid, &d->sleep);
		strbuf_addch(out, '\n');
	}
	for (u32 i = 0; i < d->nr_wakers; i++)
		put_waker(y, &d->wakers[i], i);
}

/* ---- run ---- */

static bool wants(void *ctx, const struct task_at *task)
{
	const struct why *y = ctx;
	const struct name_list *l = &y->show->names;
	char tid[16];

	if (!analysis_wants_task(y->a, task))
		return false;
	snprintf(tid, sizeof(tid), "%u", task->tid);
	return !l->set || name_list_has(l, tid) || (task->comm && name_list_has(l, task->comm));
}

static void on_delay(void *ctx, const struct task_at *task, u64 ready, u64 ran)
{
	delay_map_add(((const struct why *)ctx)->map, task, ready, ran);
}

static int put_all(const struct why *y, struct err *err)
{
	size_t nr;
	const struct why_delay *d = sched_why_delays(y->state, &nr);

	if (!nr)
		return err_set(err, -ENOENT,
			       "sched why: no such task waited for a CPU.\nTasks and their longest "
			       "delays: perf sched latency -s max -p");
	if (y->show->form == TABLE_JSON)
		why_json(y, d, nr);
	for (size_t i = 0; i < nr && y->show->form == TABLE_TEXT; i++)
		put_delay(y, &d[i], i);
	return 0;
}

int why_run(const struct why_show *show, struct analysis *a, struct strbuf *out, struct err *err)
{
	struct why y = { .show = show, .a = a, .out = out };
	struct sched_why_conf conf = {
		.tasks = analysis_tasks(a),
		.most = show->most,
		.depth = show->depth,
		.wants = wants,
		.delay = show->heatmap ? on_delay : NULL,
		.ctx = &y,
	};
	int ret;

	y.map = show->heatmap ? delay_map_new(a) : NULL;
	y.state = sched_why_new(&conf);
	y.chains = sched_chains_new(analysis_recording(a), show->max_stack);
	ret = analysis_run(a, sched_why_engine(), y.state, err) ?: put_all(&y, err);
	if (!ret && y.map)
		ret = delay_map_write(y.map, show->heatmap, err);
	delay_map_free(y.map);
	sched_chains_free(y.chains);
	sched_why_free(y.state);
	return ret;
}
