// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/alloc.h"
#include "base/compat.h"
#include "base/hash.h"
#include "drive.h"

#define MAX_WORKERS 16

struct drive_worker {
	u64 samples, digest;
};

struct drive_run {
	struct drive *d;
	struct drive_worker workers[MAX_WORKERS];
	u64 last_time;
};

static u64 mix_bytes(u64 h, const void *p, u64 n)
{
	return p ? hash_mix(h, hash_bytes(p, (size_t)n)) : h;
}

static u64 mix_regs(u64 h, const struct wire_regs *r)
{
	return r->regs ? mix_bytes(h, (const void *)r->regs, 8 * (u64)__builtin_popcountll(r->mask))
		       : h;
}

u64 drive_touch(const struct sample *s)
{
	u64 h = hash_mix(s->ip, s->time);

	h = hash_mix(h, (u64)s->pid << 32 | s->tid);
	h = hash_mix(h, s->period);
	h = hash_mix(h, s->addr ^ s->cpu ^ s->misc);
	h = mix_bytes(h, s->read, s->read_size);
	h = mix_bytes(h, (const void *)s->callchain, s->nr_callchain * 8);
	h = mix_bytes(h, s->raw, s->raw_size);
	h = mix_bytes(h, (const void *)s->branches, s->nr_branches * 24);
	h = mix_bytes(h, (const void *)s->branch_counters, s->nr_branches * 8);
	h = mix_regs(h, &s->user_regs);
	h = mix_regs(h, &s->intr_regs);
	h = mix_bytes(h, s->user_stack, s->user_stack_dyn);
	h = hash_mix(h, s->weight ^ s->data_src ^ s->transaction ^ s->phys_addr ^ s->cgroup);
	return mix_bytes(h, s->aux, s->aux_size);
}

/* Decode a non-sample record the way its readers do; strings are read to their end. */
static u64 touch_record(const struct session_event *ev)
{
	const wire_header *h = ev->hdr;
	size_t size = h->size;
	union {
		struct rec_mmap mmap;
		struct rec_comm comm;
		struct rec_task task;
		struct rec_namespaces ns;
		struct rec_ksymbol ksym;
		struct rec_bpf bpf;
		struct rec_cgroup cgroup;
		struct rec_switch sw;
	} r;

	switch (h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return rec_mmap_decode(h, size, &r.mmap) ? 0 : strlen(r.mmap.filename);
	case PERF_RECORD_COMM:
		return rec_comm_decode(h, size, &r.comm) ? 0 : strlen(r.comm.comm);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return rec_task_decode(h, size, &r.task) ? 0 : r.task.pid;
	case PERF_RECORD_NAMESPACES:
		return rec_namespaces_decode(h, size, &r.ns)
			       ? 0
			       : mix_bytes(0, (const void *)r.ns.links, r.ns.nr * 16);
	case PERF_RECORD_KSYMBOL:
		return rec_ksymbol_decode(h, size, &r.ksym) ? 0 : strlen(r.ksym.name);
	case PERF_RECORD_BPF_EVENT:
		return rec_bpf_decode(h, size, &r.bpf) ? 0 : mix_bytes(0, r.bpf.tag, 8);
	case PERF_RECORD_CGROUP:
		return rec_cgroup_decode(h, size, &r.cgroup) ? 0 : strlen(r.cgroup.path);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return rec_switch_decode(h, size, &r.sw) ? 0 : r.sw.next_prev_pid;
	default:
		return mix_bytes(0, h, size);
	}
}

static void see_time(struct drive_run *run, const struct session_event *ev)
{
	if (ev->time < run->last_time)
		run->d->disorder++;
	run->last_time = ev->time;
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct drive_run *run = ctx;

	see_time(run, ev);
	run->d->state++;
	run->d->digest += touch_record(ev) & 1;
	return 0;
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct drive_run *run = ctx;

	see_time(run, ev);
	run->d->other++;
	(void)touch_record(ev);
	return 0;
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct drive_run *run = ctx;

	run->d->events++;
	return 0;
}

static void *on_worker(void *ctx, int worker)
{
	struct drive_run *run = ctx;

	return &run->workers[worker];
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err)
{
	struct drive_worker *w = ctx;

	w->samples++;
	w->digest += hash_mix(drive_touch(ev->sample), ev->evsel->idx) ^ ev->time;
	return 0;
}

static int on_format(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct drive_run *run = ctx;

	if (!out)
		out = &run->d->text;
	strbuf_dec(out, ev->time, 0);
	strbuf_addch(out, ' ');
	if (ev->sample) {
		__atomic_add_fetch(&run->d->samples, 1, __ATOMIC_RELAXED);
		strbuf_hex(out, drive_touch(ev->sample), 16, 16);
		strbuf_addch(out, ' ');
		strbuf_addname(out, ev->evsel->name);
	} else {
		const char *name = record_name(ev->hdr->type);

		strbuf_addstr(out, name ? name : "?");
	}
	strbuf_addch(out, '\n');
	return 0;
}

static int on_write(void *ctx, const char *text, size_t len, struct err *err)
{
	struct drive_run *run = ctx;

	strbuf_add(&run->d->text, text, len);
	return 0;
}

int drive_samples(struct session *s, struct drive *d, int workers, struct err *err)
{
	static const struct session_sample_ops ops = {
		.state = { .state = on_state, .other = on_other, .events = on_events },
		.worker_new = on_worker,
		.sample = on_sample,
	};
	struct drive_run run = { .d = d };
	int ret = session_samples(s, &ops, &run, MIN(workers, MAX_WORKERS), err);

	for (int i = 0; i < MAX_WORKERS; i++) {
		d->samples += run.workers[i].samples;
		d->digest += run.workers[i].digest;
	}
	return ret;
}

int drive_ordered(struct session *s, struct drive *d, int workers, bool all, struct err *err)
{
	struct session_ordered_ops ops = {
		.state = { .state = on_state, .other = on_other, .events = on_events },
		.format = on_format,
		.write = on_write,
		.all = all,
	};
	struct drive_run run = { .d = d };

	return session_ordered(s, &ops, &run, workers, err);
}

int drive_sequential(struct session *s, struct drive *d, bool all, struct err *err)
{
	struct session_ordered_ops ops = {
		.state = { .state = on_state, .other = on_other, .events = on_events },
		.format = on_format,
		.all = all,
	};
	struct drive_run run = { .d = d };

	return session_ordered(s, &ops, &run, 1, err);
}

void drive_release(struct drive *d)
{
	strbuf_release(&d->text);
	memset(d, 0, sizeof(*d));
}

u64 drive_file(const char *path, int workers)
{
	struct err err = { 0 };
	struct drive d = { 0 };
	struct session s;
	u64 n;

	if (session_open(&s, path, true, &err))
		return 0;
	drive_samples(&s, &d, workers, &err);
	if (!s.file->pipe) /* a pipe is read once */
		drive_ordered(&s, &d, workers, true, &err);
	session_close(&s);
	n = d.samples;
	drive_release(&d);
	if (session_open(&s, path, true, &err))
		return n;
	drive_ordered(&s, &d, workers, true, &err);
	session_close(&s);
	drive_release(&d);
	return n;
}
