// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kworkrun/work-count.h"

#include "bpf/btf.h"
#include "bpf/sys.h"
#include "kworkrun/work-count-internal.h"

#include <errno.h>
#include <unistd.h>

#define MAX_OPEN 16384

static const struct work_event events[WORK_COUNT_PROGS] = {
	{ "irq_handler_entry", WORK_IRQ, WORK_BEGAN },
	{ "irq_handler_exit", WORK_IRQ, WORK_ENDED },
	{ "softirq_raise", WORK_SOFTIRQ, WORK_RAISED },
	{ "softirq_entry", WORK_SOFTIRQ, WORK_BEGAN },
	{ "softirq_exit", WORK_SOFTIRQ, WORK_ENDED },
	{ "workqueue_activate_work", WORK_OF_QUEUE, WORK_RAISED },
	{ "workqueue_execute_start", WORK_OF_QUEUE, WORK_BEGAN },
	{ "workqueue_execute_end", WORK_OF_QUEUE, WORK_ENDED },
};

static int make_maps(struct work_count *w, const struct work_count_opts *o, struct err *err)
{
	u32 cpus = o->cpus && o->cpus->nr ? (u32)o->cpus->v[o->cpus->nr - 1] + 1 : 0;
	const struct {
		int *map;
		const char *name;
		u32 type, key, value, max;
	} maps[] = {
		{ &w->ctl, "work_ctl", BPF_MAP_TYPE_ARRAY, 4, sizeof(struct work_ctl), 1 },
		{ &w->open, "work_open", BPF_MAP_TYPE_LRU_HASH, sizeof(struct work_key),
		  sizeof(struct work_open), MAX_OPEN },
		{ &w->sums, "work_sums", BPF_MAP_TYPE_HASH, sizeof(struct work_key),
		  sizeof(struct work_value), o->entries },
		{ &w->cpus, "work_cpus", BPF_MAP_TYPE_ARRAY, 4, 4, cpus },
	};
	int rc = 0;

	for (size_t i = 0; i < ARRAY_SIZE(maps) && rc >= 0; i++)
		if (maps[i].max)
			rc = *maps[i].map = bpf_map_new(maps[i].name, maps[i].type, maps[i].key,
							maps[i].value, maps[i].max, err);
	for (size_t i = 0; rc >= 0 && cpus && i < o->cpus->nr; i++) {
		rc = bpf_map_set(w->cpus, &o->cpus->v[i], &(u32){ 1 });
		if (rc)
			err_set(err, rc, "failed to choose a CPU for BPF programs: %s",
				err_str(rc));
	}
	return MIN(rc, 0);
}

/* Return the offset of the name in struct irqaction; -1: it is not known, and names are left
 * out. */
static int irq_name_offset(const struct sysroot *sr)
{
	struct btf b;
	int offset;

	if (btf_open_kernel(&b, sr, NULL))
		return -1;
	offset = btf_member(&b, "irqaction", "name");
	btf_close(&b);
	return offset;
}

static int attach(struct work_count *w, const struct work_event *event, int irq_name,
		  struct err *err)
{
	struct bpf_code code = { 0 };
	int prog, link;

	work_prog(&code, w, event, irq_name);
	prog = bpf_prog_new(event->tracepoint, BPF_PROG_TYPE_RAW_TRACEPOINT, &code, err);
	bpf_code_release(&code);
	if (prog < 0)
		return prog;
	w->fds[w->nr_fds++] = prog;
	link = bpf_attach_raw_tp(event->tracepoint, prog);
	if (link < 0)
		return err_set(err, link, "failed to attach a BPF program to %s: %s",
			       event->tracepoint, err_str(link));
	w->fds[w->nr_fds++] = link;
	return 0;
}

int work_count_open(struct work_count *w, const struct work_count_opts *opts, struct err *err)
{
	int irq_name = opts->classes & 1U << WORK_IRQ ? irq_name_offset(opts->sysroot) : -1, rc;

	*w = (struct work_count){ -1, -1, -1, -1 };
	rc = make_maps(w, opts, err);
	for (size_t i = 0; i < ARRAY_SIZE(events) && !rc; i++)
		if (opts->classes >> events[i].class & 1)
			rc = attach(w, &events[i], irq_name, err);
	if (rc)
		work_count_close(w);
	return rc;
}

void work_count_close(struct work_count *w)
{
	const int maps[] = { w->ctl, w->open, w->sums, w->cpus };

	while (w->nr_fds)
		close(w->fds[--w->nr_fds]);
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		if (maps[i] >= 0)
			close(maps[i]);
}

static struct work_ctl get_ctl(const struct work_count *w)
{
	struct work_ctl ctl = { 0 };
	u32 zero = 0;

	bpf_map_get(w->ctl, &zero, &ctl);
	return ctl;
}

void work_count_enable(struct work_count *w, bool on)
{
	struct work_ctl ctl = get_ctl(w);
	u32 zero = 0;

	ctl.enabled = on;
	bpf_map_set(w->ctl, &zero, &ctl);
}

u64 work_count_read(const struct work_count *w, work_count_fn fn, void *ctx)
{
	struct work_value value;
	struct work_key key;

	for (int rc = bpf_map_next(w->sums, NULL, &key); !rc;
	     rc = bpf_map_next(w->sums, &key, &key)) {
		struct work_sum sum;

		if (bpf_map_get(w->sums, &key, &value))
			continue;
		sum = (struct work_sum){
			.class = (enum work_class)key.class,
			.cpu = key.cpu,
			.id = key.id,
			.function = value.function,
			.runs = value.spans[0],
			.delays = value.spans[1],
		};
		memcpy(sum.name, value.name, sizeof(sum.name) - 1);
		fn(ctx, &sum);
	}
	return get_ctl(w).lost;
}
