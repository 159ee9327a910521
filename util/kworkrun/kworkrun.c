// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kworkrun/kworkrun.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "kernel/target.h"
#include "kernel/workload.h"
#include "kworkrun/shares.h"
#include "kworkrun/work-count.h"
#include "running/running.h"

#define ENTRIES 10240 /* different sums that are kept */
#define SOFTIRQ_FORMAT "/sys/kernel/tracing/events/irq/softirq_entry/format"
#define SOFTIRQ_FORMAT_OLD "/sys/kernel/debug/tracing/events/irq/softirq_entry/format"

/* This is kept during a run. */
struct counting {
	const struct kwork_run_conf *conf;
	struct kwork *items;
	struct running_kernel kernel;
	u64 start, end; /* ns */
	struct shares_result shares;
	u64 lost;   /* spans that there was no room for */
	int signal; /* it ended the run */
};

/* The kernel tells the names of softirqs in the format of their event. Where that cannot be read,
 * they have numbers alone. */
static void name_softirqs(struct counting *c)
{
	const struct engine e = kwork_engine("kwork", c->conf->show->classes);
	struct tracefmt *tf = tracefmt_new(false, sizeof(long));
	struct strbuf text = STRBUF_INIT;
	const struct tf_event *format = NULL;

	if (!sysroot_read(c->conf->sysroot, &text, SOFTIRQ_FORMAT) ||
	    !sysroot_read(c->conf->sysroot, &text, SOFTIRQ_FORMAT_OLD))
		format = tracefmt_add(tf, "irq", strbuf_str(&text), text.len, NULL);
	if (format)
		e.bound(c->items, KWORK_SOFTIRQ_ENTRY, format);
	strbuf_release(&text);
	tracefmt_free(tf);
}

static void add_item(void *ctx, const struct kwork_item *item)
{
	kwork_add(ctx, item);
}

static const char *function_name(void *ctx, u64 address)
{
	const struct counting *c = ctx;
	u64 start;

	return running_kernel_name(&c->kernel, address, &start);
}

/* Count while the command runs, or until a signal comes. */
static int count(struct counting *c, struct work_count *w, struct workload *command,
		 const sigset_t *set, struct err *err)
{
	int rc;

	c->start = clock_ns(CLOCK_MONOTONIC);
	work_count_enable(w, true);
	rc = workload_run(command, c->conf->command[0], set, &c->signal, err);
	work_count_enable(w, false);
	c->end = clock_ns(CLOCK_MONOTONIC);
	if (!rc)
		c->lost = work_count_read(w, add_item, c->items);
	return rc;
}

/* Read the list of CPUs that users gave. Return: it, or NULL: all; or a sentence in @err. */
static const struct int_list *chosen_cpus(const struct kwork_run_conf *conf, struct int_list *list,
					  int *rc, struct err *err)
{
	*rc = conf->o->cpus ? cpu_list_target(conf->sysroot, conf->o->cpus, list, err) : 0;
	int_list_sort(list);
	return conf->o->cpus ? list : NULL;
}

static int run_items(void *ctx, struct workload *command, const sigset_t *set, struct err *err)
{
	struct counting *c = ctx;
	struct int_list list = { 0 };
	struct work_count_opts opts = {
		.sysroot = c->conf->sysroot,
		.classes = c->conf->show->classes,
		.entries = ENTRIES,
	};
	struct work_count w;
	int rc;

	opts.cpus = chosen_cpus(c->conf, &list, &rc, err);
	rc = rc ?: work_count_open(&w, &opts, err);
	if (!rc) {
		rc = count(c, &w, command, set, err);
		work_count_close(&w);
	}
	int_list_release(&list);
	return rc;
}

static int run_shares(void *ctx, struct workload *command, const sigset_t *set, struct err *err)
{
	struct counting *c = ctx;
	struct int_list list = { 0 };
	struct shares_opts opts = {
		.sysroot = c->conf->sysroot,
		.irqs = c->conf->show->classes & KWORK_BIT(KWORK_IRQ),
		.softirqs = c->conf->show->classes & KWORK_BIT(KWORK_SOFTIRQ),
	};
	struct shares s;
	int rc;

	opts.cpus = chosen_cpus(c->conf, &list, &rc, err);
	rc = rc ?: shares_open(&s, &opts, err);
	if (!rc) {
		shares_enable(&s, true);
		rc = workload_run(command, c->conf->command[0], set, &c->signal, err);
		shares_enable(&s, false);
		c->start = s.start;
		c->end = s.end;
		if (!rc)
			shares_read(&s, &c->shares);
		shares_close(&s);
	}
	int_list_release(&list);
	return rc;
}

static void put_shares(const struct counting *c, struct strbuf *out)
{
	const struct shares_result *r = &c->shares;
	struct kwork_task *tasks = xcalloc(r->nr_tasks + 1, sizeof(*tasks));
	const struct kwork_shares s = { r->cpus, r->nr_cpus, tasks, r->nr_tasks,
					c->end - c->start };

	for (size_t i = 0; i < r->nr_tasks; i++)
		tasks[i] = (struct kwork_task){ r->tasks[i].tid, r->tasks[i].ns,
						r->tasks[i].comm[0] ? r->tasks[i].comm : NULL };
	kwork_top_put(c->conf->show, &s, out);
	strbuf_addch(out, '\n');
	free(tasks);
}

static void put_lost(u64 lost, const char *what, struct strbuf *notes)
{
	if (lost)
		strbuf_addf(notes,
			    "  INFO: %" PRIu64
			    " %s were not counted, as there was no room for them\n",
			    lost, what);
}

static int top(struct counting *c, struct strbuf *out, struct strbuf *notes, struct err *err)
{
	int rc = workload_around(c->conf->command, WORKLOAD_OUTPUT_OURS, run_shares, c, err);

	if (!rc) {
		put_shares(c, out);
		put_lost(c->shares.lost, "pieces of time", notes);
	}
	shares_result_release(&c->shares);
	return rc;
}

static int table(struct counting *c, struct strbuf *out, struct strbuf *notes, struct err *err)
{
	struct kwork_counted counted = { .name = function_name, .ctx = c };
	int rc;

	c->items = kwork_new(&(struct kwork_conf){ 0 });
	name_softirqs(c);
	running_kernel_open(&c->kernel, c->conf->sysroot, c->conf->o);
	rc = workload_around(c->conf->command, WORKLOAD_OUTPUT_OURS, run_items, c, err);
	if (!rc) {
		counted.items = c->items;
		counted.time = c->end - c->start;
		kwork_table_put(c->conf->show, c->conf->view, &counted, out);
		put_lost(c->lost, "runs and delays", notes);
	}
	running_kernel_close(&c->kernel);
	kwork_free(c->items);
	return rc;
}

int kwork_run_live(const struct kwork_run_conf *conf, struct strbuf *out, struct strbuf *notes,
		   int *signal, struct err *err)
{
	struct counting c = { .conf = conf };
	int rc = (conf->view == KWORK_TOP ? top : table)(&c, out, notes, err);

	*signal = c.signal;
	return rc;
}
