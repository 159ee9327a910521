// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kworkrun/work-count.h"

#include "bpf/btf.h"
#include "bpf/sys.h"
#include "kworkrun/work-count-internal.h"

#include <errno.h>
#include <unistd.h>

#define MAX_OPEN 16384

static const struct work_event events[] = {
	{ "irq_handler_entry", KWORK_IRQ, WORK_BEGAN },
	{ "irq_handler_exit", KWORK_IRQ, WORK_ENDED },
	{ "softirq_raise", KWORK_SOFTIRQ, WORK_RAISED },
	{ "softirq_entry", KWORK_SOFTIRQ, WORK_BEGAN },
	{ "softirq_exit", KWORK_SOFTIRQ, WORK_ENDED },
	{ "workqueue_activate_work", KWORK_WORKQUEUE, WORK_RAISED },
	{ "workqueue_execute_start", KWORK_WORKQUEUE, WORK_BEGAN },
	{ "workqueue_execute_end", KWORK_WORKQUEUE, WORK_ENDED },
};

static int make_maps(struct work_count *w, const struct work_count_opts *o, struct err *err)
{
	const struct bpf_map_spec maps[] = {
		{ &w->ctl, "work_ctl", BPF_MAP_TYPE_ARRAY, 4, sizeof(struct work_ctl), 1 },
		{ &w->open, "work_open", BPF_MAP_TYPE_LRU_HASH, sizeof(struct work_key),
		  sizeof(struct work_open), MAX_OPEN },
		{ &w->sums, "work_sums", BPF_MAP_TYPE_HASH, sizeof(struct work_key),
		  sizeof(struct work_value), o->entries },
	};
	int rc = bpf_maps_new(maps, ARRAY_SIZE(maps), err);

	if (rc >= 0 && o->cpus)
		rc = w->cpus = chosen_cpus_map(o->cpus, err);
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

	work_prog(&code, w, event, irq_name);
	return programs_attach(&w->progs, event->tracepoint, &code, err);
}

int work_count_open(struct work_count *w, const struct work_count_opts *opts, struct err *err)
{
	int irq_name = opts->classes & KWORK_BIT(KWORK_IRQ) ? irq_name_offset(opts->sysroot) : -1,
	    rc;

	*w = (struct work_count){ -1, -1, -1, -1 };
	rc = make_maps(w, opts, err);
	for (size_t i = 0; i < ARRAY_SIZE(events) && !rc; i++)
		if (opts->classes & KWORK_BIT(events[i].class))
			rc = attach(w, &events[i], irq_name, err);
	if (rc)
		work_count_close(w);
	return rc;
}

void work_count_close(struct work_count *w)
{
	const int maps[] = { w->ctl, w->open, w->sums, w->cpus };

	programs_close(&w->progs);
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		if (maps[i] >= 0)
			close(maps[i]);
}

void work_count_enable(struct work_count *w, bool on)
{
	struct work_ctl ctl;

	bpf_value_get(w->ctl, &ctl, sizeof(ctl));
	ctl.enabled = on;
	bpf_value_set(w->ctl, &ctl);
}

u64 work_count_read(const struct work_count *w, work_count_fn fn, void *ctx)
{
	struct work_value value;
	struct work_ctl ctl;
	struct work_key key;

	for (int rc = bpf_map_next(w->sums, NULL, &key); !rc;
	     rc = bpf_map_next(w->sums, &key, &key)) {
		if (bpf_map_get(w->sums, &key, &value))
			continue;
		value.name[WORK_COUNT_NAME - 1] = 0;
		fn(ctx, &(struct kwork_item){
				.class = (enum kwork_class)key.class,
				.cpu = key.cpu,
				.id = key.id,
				.function = value.function,
				.name = value.name,
				.runs = value.spans[0],
				.delays = value.spans[1],
			});
	}
	bpf_value_get(w->ctl, &ctl, sizeof(ctl));
	return ctl.lost;
}
