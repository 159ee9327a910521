// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was there before us, as records. Processes that belong to the recording are those that its
 * own records tell of: children of the command, or of the processes given with -p. An output file
 * after the first one begins with those that live.
 */
#include "base/compat.h"
#include "recorder/existing.h"

#include "bpf/prog.h"
#include "symbol/object-id.h"
#include "wire/records.h"

#include <signal.h>

/* --- processes that records tell of ---------------------------------------------- */

void tasks_note(struct map64 *tasks, const void *rec, size_t size)
{
	const struct perf_event_header *h = rec;
	struct rec_task t;

	if ((h->type != PERF_RECORD_FORK && h->type != PERF_RECORD_EXIT) ||
	    rec_task_decode(rec, size, &t))
		return;
	if (h->type == PERF_RECORD_FORK)
		map64_set(tasks, t.pid, 1);
	else if (h->type == PERF_RECORD_EXIT && t.pid == t.tid)
		map64_set(tasks, t.pid, 0);
}

void tasks_join(struct map64 *tasks, struct map64 *from)
{
	for (size_t i = 0; from->keys && i <= from->mask; i++) {
		u32 *to, alive = from->vals[i];

		if (alive == MAP64_NONE)
			continue;
		to = map64_slot(tasks, from->keys[i]);
		/* its end may stand in the records of another CPU than its beginning */
		*to = MIN(*to, alive);
	}
	map64_release(from);
}

/* Describe those that live, and forget the others. */
static void synth_tasks(struct existing *x, struct synth *s)
{
	struct map64 alive = { 0 }, *seen = &x->tasks;

	if (x->command)
		map64_set(seen, (u64)x->command, 1);
	for (size_t i = 0; seen->keys && i <= seen->mask; i++) {
		pid_t pid = (pid_t)seen->keys[i];

		if (seen->vals[i] != 1 || kill(pid, 0))
			continue;
		map64_set(&alive, seen->keys[i], 1);
		synth_process(s, pid);
	}
	map64_release(seen);
	*seen = alive;
}

/* --- records ----------------------------------------------------------------------- */

static void tell_slow(void *ctx, int pid)
{
	const struct existing *x = ctx;

	notice(x->notes,
	       "Reading /proc/%d/maps time out. You may want to increase the time limit by "
	       "--proc-map-timeout\n",
	       pid);
}

/* Return what the functions of room kernel need. @ids: for the build-ids of maps; to be freed */
static struct synth synth_of(const struct existing *x, struct strbuf *out, struct object_ids **ids)
{
	const struct record_opts *o = x->opts;
	struct synth s = { .sysroot = x->ev->sysroot,
			   .workers = (int)o->ring.synth_threads,
			   .out = out,
			   .layout = &evlist_side_band(x->ev->list)->layout,
			   .mmap_data = o->sample.addr || o->sample.data_maps,
			   .no_maps = !(o->synth & SYNTH_MAPS),
			   .namespaces = o->sample.namespaces,
			   .map_limit_ns = MAX((u64)o->map_timeout * 1000000, (u64)1),
			   .slow = tell_slow,
			   .slow_ctx = (void *)x,
			   .build_id = object_ids_find };

	s.build_id_ctx = *ids = object_ids_new(x->ev->sysroot, !o->sample.build_ids);
	return s;
}

/* Append the tables in the order in which perf 6.1 writes them. */
void existing_tables(const struct existing *x, struct strbuf *out)
{
	const struct opened *ev = x->ev;
	struct object_ids *ids;
	struct synth s = synth_of(x, out, &ids);

	synth_time_conv(out, ev->rings.v[0].base);
	synth_id_index(out, &ev->kevents);
	synth_kernel(&s);
	synth_event_update(out, ev->list);
	synth_thread_map(out, &ev->tids, NULL);
	synth_cpu_map(out, &ev->cpus);
	object_ids_free(ids);
}

void existing_events(struct existing *x, struct strbuf *out, bool again)
{
	const struct record_opts *o = x->opts;
	struct object_ids *ids;
	struct synth s = synth_of(x, out, &ids);

	synth_bpf(&s, x->progs);
	if (o->sample.cgroups && o->synth & SYNTH_CGROUPS)
		synth_cgroups(&s);
	if (!(o->synth & SYNTH_TASKS))
		;
	else if (o->sample.system_wide)
		synth_all(&s);
	else if (target_tasks(&o->target))
		synth_threads(&s, &x->ev->tids);
	if (again && !o->sample.system_wide)
		synth_tasks(x, &s);
	else if (!again && x->command)
		synth_comm(&s, x->command, "perf-exec");
	object_ids_free(ids);
}
