// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of those who had the CPUs has a bar for each CPU and a row for each task. */
#include "base/compat.h"

#include "kworktext/kworktext-internal.h"

#include "base/alloc.h"

#include <stdlib.h>

#define MS 1e6
#define BAR_COLUMNS 30U

static double percent(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0.0;
}

/* ---- CPUs ---- */

static void put_bar(u32 cpu, const struct kwork_cpu *c, struct strbuf *out)
{
	double busy = percent(c->total - c->idle, c->total);
	size_t start;

	strbuf_addf(out, "%%Cpu%-4u[", cpu);
	start = out->len;
	while (out->len < start + (size_t)(busy * BAR_COLUMNS / 100))
		strbuf_addch(out, '|');
	strbuf_pad(out, start + BAR_COLUMNS);
	strbuf_addf(out, " %6.2f%%]\n", busy);
}

void kwork_put_cpus(const struct kwork_cpu *cpus, u32 nr, struct strbuf *out)
{
	struct kwork_cpu all = { 0 };
	u32 seen = 0;

	for (u32 i = 0; i < nr; i++) {
		seen += !!cpus[i].total;
		all.total += cpus[i].total;
		all.idle += cpus[i].idle;
		all.irq += cpus[i].irq;
		all.softirq += cpus[i].softirq;
	}
	strbuf_addf(out,
		    "\nTotal  : %12.3f ms, %u cpus\n"
		    "%%Cpu(s): %6.2f%% id, %6.2f%% hi, %6.2f%% si\n",
		    (double)all.total / MS, seen, percent(all.idle, all.total),
		    percent(all.irq, all.total), percent(all.softirq, all.total));
	for (u32 i = 0; i < nr; i++)
		if (cpus[i].total)
			put_bar(i, &cpus[i], out);
}

/* ---- tasks ---- */

/* Longer times come first, and lower tids. The rate is the time in percent. */
static int compare_tasks(const void *a, const void *b, void *ctx)
{
	const struct kwork_task *x = a, *y = b;
	const struct kwork_order *o = ctx;

	for (u32 i = 0; i < o->nr; i++) {
		bool by_tid = o->keys[i] == 2;

		if (!by_tid && x->ns != y->ns)
			return x->ns < y->ns ? 1 : -1;
		if (by_tid && x->tid != y->tid)
			return x->tid < y->tid ? -1 : 1;
	}
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

void kwork_put_tasks(const struct kwork_order *o, struct kwork_task *tasks, size_t nr, u64 time,
		     struct strbuf *out)
{
	if (nr)
		qsort_r(tasks, nr, sizeof(*tasks), compare_tasks, (void *)o);
	strbuf_addstr(out, "\n       PID     %CPU           RUNTIME  COMMAND\n"
			   "  ----------------------------------------------------\n");
	for (size_t i = 0; i < nr; i++) {
		strbuf_addf(out, "  %8u  %6.2f%%  %12.3f ms  ", tasks[i].tid,
			    percent(tasks[i].ns, time), (double)tasks[i].ns / MS);
		if (tasks[i].comm)
			strbuf_addname(out, tasks[i].comm);
		else
			strbuf_addf(out, ":%u", tasks[i].tid);
		strbuf_addch(out, '\n');
	}
}

/* ---- both ---- */

/* Rows are collected before they are sorted. */
struct rows {
	const struct kwork_show *show;
	struct kwork_task *v; /* owned */
	size_t nr, cap;
};

static void add_task(struct rows *r, const struct kwork_task *task)
{
	if (!task->ns || (r->show->name && (!task->comm || strcmp(task->comm, r->show->name))))
		return;
	VEC_GROW(r->v, r->nr + 1, r->cap);
	r->v[r->nr++] = *task;
}

void kwork_top_put(const struct kwork_show *show, const struct kwork_shares *s, struct strbuf *out)
{
	struct rows rows = { .show = show };
	char **idle = xcalloc((size_t)s->nr_cpus + 1, sizeof(*idle));

	for (u32 i = 0; i < s->nr_cpus; i++) {
		idle[i] = xasprintf("swapper/%u", i);
		add_task(&rows, &(struct kwork_task){ 0, s->cpus[i].idle, idle[i] });
	}
	for (size_t i = 0; i < s->nr_tasks; i++)
		add_task(&rows, &s->tasks[i]);
	kwork_put_cpus(s->cpus, s->nr_cpus, out);
	kwork_put_tasks(&show->order, rows.v, rows.nr, s->time, out);
	for (u32 i = 0; i < s->nr_cpus; i++)
		free(idle[i]);
	free(idle);
	free(rows.v);
}

static void put_result(const struct kwork_show *show, const struct kwork_top *t,
		       struct task_table *table, struct strbuf *out)
{
	struct kwork_shares s = { .time = kwork_top_time(t) };
	u32 nr;
	const u64 *ns = kwork_top_tasks(t, &nr);
	struct kwork_task *tasks = xcalloc((size_t)nr + 1, sizeof(*tasks));

	for (u32 i = 0; i < nr; i++) {
		const struct task_at *task;

		if (!ns[i])
			continue;
		task = task_table_last(table, i);
		tasks[s.nr_tasks++] = (struct kwork_task){ task->tid, ns[i], task->comm };
	}
	s.tasks = tasks;
	s.cpus = kwork_top_cpus(t, &s.nr_cpus);
	kwork_top_put(show, &s, out);
	free(tasks);
}

/* A run whose state can be made anew. */
struct run {
	struct analysis *a;
	struct kwork_top *state;
};

static void *renew(void *ctx)
{
	struct run *r = ctx;

	kwork_top_free(r->state);
	r->state = kwork_top_new(analysis_tasks(r->a));
	return r->state;
}

int kwork_top_run(const struct kwork_show *show, struct analysis *a, struct strbuf *out,
		  struct err *err)
{
	const struct engine e = kwork_top_engine(show->classes & KWORK_BIT(KWORK_IRQ),
						 show->classes & KWORK_BIT(KWORK_SOFTIRQ));
	struct run r = { .a = a };
	struct analysis_part part = { .engine = &e, .state = renew(&r), .renew = renew, .ctx = &r };
	int ret = analysis_run_parts(a, &part, 1, err);

	if (!ret) {
		put_result(show, r.state, analysis_tasks(a), out);
		kwork_put_losses(a, out);
		strbuf_addch(out, '\n');
	}
	kwork_top_free(r.state);
	return ret;
}
