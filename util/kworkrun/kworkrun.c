// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kworkrun/kworkrun.h"

#include "base/clock.h"
#include "bpf/work-count.h"
#include "kernel/target.h"
#include "kernel/workload.h"
#include "running/running.h"

#define ENTRIES 10240 /* different sums that are kept */
#define SOFTIRQ_FORMAT "/sys/kernel/tracing/events/irq/softirq_entry/format"
#define SOFTIRQ_FORMAT_OLD "/sys/kernel/debug/tracing/events/irq/softirq_entry/format"

static const enum kwork_class class_of[WORK_CLASSES] = {
	[WORK_IRQ] = KWORK_IRQ,
	[WORK_SOFTIRQ] = KWORK_SOFTIRQ,
	[WORK_OF_QUEUE] = KWORK_WORKQUEUE,
};

/* A run that counts. */
struct counting {
	const struct kwork_run_conf *conf;
	struct kwork *items;
	struct running_kernel kernel;
	u64 start, end; /* ns */
	u64 lost;       /* spans that there was no room for */
	int signal;     /* it ended the run */
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

static struct kwork_spans spans_of(const struct work_span *s)
{
	return (struct kwork_spans){ s->count, s->total, s->max, s->max_start, s->max_end };
}

static void add_sum(void *ctx, const struct work_sum *sum)
{
	const struct counting *c = ctx;

	kwork_add(c->items, &(struct kwork_item){
				    .class = class_of[sum->class],
				    .cpu = sum->cpu,
				    .id = sum->id,
				    .function = sum->function,
				    .name = sum->name,
				    .runs = spans_of(&sum->runs),
				    .delays = spans_of(&sum->delays),
			    });
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
		c->lost = work_count_read(w, add_sum, c);
	return rc;
}

static int run(void *ctx, struct workload *command, const sigset_t *set, struct err *err)
{
	struct counting *c = ctx;
	struct work_count_opts opts = { .sysroot = c->conf->sysroot, .entries = ENTRIES };
	const char *text = c->conf->o->cpus;
	struct int_list cpus = { 0 };
	struct work_count w;
	int rc = text ? cpu_list_target(opts.sysroot, text, &cpus, err) : 0;

	int_list_sort(&cpus);
	opts.cpus = text ? &cpus : NULL;
	for (u32 class = 0; class < WORK_CLASSES; class ++)
		if (c->conf->show->classes & KWORK_BIT(class_of[class]))
			opts.classes |= 1U << class;
	rc = rc ?: work_count_open(&w, &opts, err);
	if (!rc) {
		rc = count(c, &w, command, set, err);
		work_count_close(&w);
	}
	int_list_release(&cpus);
	return rc;
}

int kwork_run_live(const struct kwork_run_conf *conf, struct strbuf *out, struct strbuf *notes,
		   int *signal, struct err *err)
{
	struct counting c = { .conf = conf, .items = kwork_new(&(struct kwork_conf){ 0 }) };
	struct kwork_counted counted = { .items = c.items, .name = function_name, .ctx = &c };
	int rc;

	name_softirqs(&c);
	running_kernel_open(&c.kernel, conf->sysroot, conf->o);
	rc = workload_around(conf->command, WORKLOAD_OUTPUT_OURS, run, &c, err);
	*signal = c.signal;
	if (!rc) {
		counted.time = c.end - c.start;
		kwork_table_put(conf->show, conf->view, &counted, out);
		if (c.lost)
			strbuf_addf(notes,
				    "  INFO: %" PRIu64
				    " runs and delays were not counted, as there "
				    "was no room for them\n",
				    c.lost);
	}
	running_kernel_close(&c.kernel);
	kwork_free(c.items);
	return rc;
}
