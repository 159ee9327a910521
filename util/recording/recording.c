// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "recording/recording.h"

#include "recording/jit.h"

#include "auxsamples/auxsamples.h"
#include "base/alloc.h"
#include "jit/jitdump.h"

#include <errno.h>

/* ---- before the first record ---- */

/* Decide who unwinds copied stacks. A stream tells its architecture later than it is opened. */
static int choose_style(struct recording *r, struct err *err)
{
	const struct perf_file *f = r->session.file;
	const char *styles = r->options->unwind_styles;
	enum unwind_style *style = &r->unwind_style;
	int ret = styles ? unwind_style_parse(styles, style, err) : 0;

	if (ret || unwind_style_takes(*style, f->env.arch, f->swap))
		return ret;
	notice(r->notices,
	       "%s cannot unwind stacks of a recording of this kind on this machine: tables do\n",
	       unwind_style_name(*style));
	*style = UNWIND_TABLES;
	return 0;
}

int recording_open(struct recording *r, const struct recording_options *o,
		   const struct notices *notices, struct err *err)
{
	int ret;

	*r = (struct recording){ .options = o, .notices = notices, .on_off = o->on_off };
	ret = session_open(&r->session, o->input, o->force, err);
	if (ret)
		return ret;
	ret = choose_style(r, err);
	if (ret)
		session_close(&r->session);
	else
		r->machine = machine_new();
	return ret;
}

int recording_read_traces(struct recording *r, bool in_place, struct err *err)
{
	const struct aux_samples_conf conf = { &r->options->itrace, in_place, r->notices };
	int ret = aux_samples_open(&r->session, &conf, &r->first_made, err);

	r->traces_read = ret > 0 && r->first_made < r->session.evlist.nr;
	return MIN(ret, 0);
}

/* The kernel of what runs now has another short name than that of a file, as in perf 6.1. */
static struct machine *live_machine(void)
{
	struct machine *m = machine_new();

	machine_name_kernel(m, "[kernel]");
	return m;
}

void recording_open_source(struct recording *r, const struct recording_options *o,
			   const struct notices *notices, struct source *src, const char *name,
			   const struct evlist *l)
{
	*r = (struct recording){ .options = o, .notices = notices, .on_off = o->on_off };
	session_open_source(&r->session, src, name, l);
	r->machine = live_machine();
}

/* Fill an empty model. What programs compiled is read again into it. */
static void fill_anew(struct recording *r, struct machine *m,
		      void (*fill)(void *ctx, struct machine *m), void *ctx)
{
	const struct recording_options *o = r->options;

	jitdumps_free(
		r->jit); /* its problems are those of the next one, which are told at the end */
	r->jit = follow_jitdumps(m, &r->session, &o->symfs, o->force);
	fill(ctx, m);
}

struct machine *recording_renew_tasks(struct recording *r,
				      void (*fill)(void *ctx, struct machine *m), void *ctx)
{
	struct machine *old = machine_forget(r->machine);

	fill_anew(r, r->machine, fill, ctx);
	return old;
}

void recording_renew(struct recording *r, void (*fill)(void *ctx, struct machine *m), void *ctx)
{
	struct machine *m = live_machine();

	fill_anew(r, m, fill, ctx);
	if (r->symbols)
		symbols_follow(r->symbols, r->machine, m);
	machine_free(r->machine);
	r->machine = m;
}

void recording_close(struct recording *r)
{
	end_jitdumps(r->jit, r->notices);
	sample_filter_release(&r->filter);
	symbols_free(r->symbols);
	free(r->kcore_dir);
	machine_free(r->machine);
	guest_states_release(&r->guests);
	strangers_release(&r->strangers);
	formats_release(&r->formats);
	session_close(&r->session);
	*r = (struct recording){ 0 };
}

/* Tell what the recorder knew of BPF programs. It is in the byte order of the recorded machine. */
static void set_bpf(struct recording *r)
{
	const struct perf_file *f = r->session.file;
	struct bpf_features b = { 0 };

	if (f->swap)
		return;
	b.info = perf_file_feature(f, HEADER_BPF_PROG_INFO, &b.info_size);
	b.btf = perf_file_feature(f, HEADER_BPF_BTF, &b.btf_size);
	if (b.info)
		symbols_set_bpf(r->symbols, &b);
}

struct symbols *recording_symbols(struct recording *r)
{
	const struct recording_options *o = r->options;
	const struct perf_file *file = r->session.file;
	struct symconf conf = {
		.os_release = file->env.os_release,
		.force = o->force,
		.symfs = o->symfs,
		.vmlinux = o->vmlinux,
		.kallsyms = o->kallsyms,
		.lines = o->lines,
		.buildid_dir = o->buildid_dir,
		.cache = o->cache,
		.no_demangle = o->no_demangle,
		.parameters = o->parameters,
		.demangle_kernel = o->demangle_kernel,
		.bare_names = o->bare_names,
		.ignore_vmlinux = o->ignore_vmlinux,
	};

	guest_symbols(&o->guest, &conf);
	if (!r->symbols) {
		if (!recording_is_stream(r)) /* there is one when it is a folder, and has it */
			conf.kcore_dir = r->kcore_dir = xasprintf("%s/kcore_dir", file->path);
		r->symbols = symbols_new(&conf);
		set_bpf(r); /* of a stream it is not known yet */
	}
	return r->symbols;
}

/* -C: numbers the recorded machine has. */
static int filter_cpus(struct recording *r, struct err *err)
{
	const struct env *env = &r->session.file->env;
	const char *cpus = r->options->cpus;
	int ret = sample_filter_cpus(&r->filter, cpus, err);

	if (ret || !env->nr_cpus_avail || sample_filter_last_cpu(&r->filter) < env->nr_cpus_avail)
		return ret;
	return err_set(err, -EINVAL, "-C %s: the recorded machine has %u CPUs, numbered from 0",
		       cpus, env->nr_cpus_avail);
}

int recording_prepare(struct recording *r, struct err *err)
{
	const struct recording_options *o = r->options;
	struct sample_filter *f = &r->filter;
	int ret = guest_start(&o->guest, r->machine, err);

	r->jit = follow_jitdumps(r->machine, &r->session, &o->symfs, o->force);
	if (!ret && o->comms)
		ret = sample_filter_comms(f, o->comms, err);
	if (!ret && o->pids)
		ret = sample_filter_pids(f, o->pids, err);
	if (!ret && o->tids)
		ret = sample_filter_tids(f, o->tids, err);
	if (!ret && o->cpus)
		ret = filter_cpus(r, err);
	if (!ret && recording_is_stream(r))
		ret = recording_settle_time(r, err);
	return ret;
}

/* A sink returns this when it has seen enough. */
#define STOP 1

static int stop_at_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return STOP;
}

static int stop_at_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
			  struct err *err)
{
	return STOP;
}

int recording_read_header(struct recording *r, struct err *err)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = stop_at_state },
		.format = stop_at_record,
	};
	int ret = recording_is_stream(r) ? session_ordered(&r->session, &ops, NULL, 1, err) : 0;

	return ret == STOP ? 0 : ret;
}

int recording_settle_time(struct recording *r, struct err *err)
{
	struct session *s = &r->session;
	const char *time = r->options->time;
	u64 first = 0, last = 0;
	int ret = 0;

	if (!time || r->time_settled)
		return 0;
	r->time_settled = true;
	if (!recording_is_stream(r)) {
		ret = session_scan(s, err);
		first = s->first_time;
		last = s->last_time;
	}
	if (ret)
		return ret;
	ret = r->options->time_since ? sample_filter_time_since(&r->filter, time, first, last, err)
				     : sample_filter_time(&r->filter, time, first, last, err);
	r->bad_time = ret;
	return ret;
}

int recording_bind_switch(struct recording *r, struct err *err)
{
	return event_switch_start(&r->on_off, &r->session.evlist, err);
}

/* ---- records ---- */

void apply_build_ids(struct machine *m, const struct env *env)
{
	for (size_t i = 0; i < env->nr_build_ids; i++) {
		const struct env_build_id *b = &env->build_ids[i];
		char *name = guest_object_name(b->filename, b->misc, b->pid);

		machine_set_build_id(m, name, b->misc, b->id, b->size);
		free(name);
	}
}

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct recording *r = ctx;

	r->ready = false;
	if (r->ops->formats)
		formats_take(&r->formats, evlist, env, r->options->verbose, r->notices);
	return r->ops->events ? r->ops->events(r->ctx, err) : 0;
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct recording *r = ctx;
	bool applied =
		!(ev->guest ? guest_states_apply(&r->guests, r->machine, ev)
			    : machine_apply(r->machine, ev->hdr, ev->hdr->size, ev->time, NULL));

	/* A malformed record changes nothing; it is counted and told at the end. */
	if (!applied)
		diag_record(&r->session.diag, DIAG_BAD_RECORD, ev->hdr->type, ev->offset);
	return r->ops->state ? r->ops->state(r->ctx, ev, applied, err) : 0;
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct recording *r = ctx;

	return r->ops->other(r->ctx, ev, err);
}

static void describe_objects(struct recording *r)
{
	const struct env *env = &r->session.file->env;

	if (r->symbols) {
		symbols_set_os_release(r->symbols, env->os_release);
		set_bpf(r);
	}
	apply_build_ids(r->machine, env);
}

static int tell_ready(struct recording *r, struct err *err)
{
	r->ready = true;
	return r->ops->ready ? r->ops->ready(r->ctx, err) : 0;
}

static int get_ready(struct recording *r, struct err *err)
{
	describe_objects(r);
	return tell_ready(r, err);
}

/* Get ready for the samples of a file, whose state is complete. */
static int on_ready(void *ctx, struct err *err)
{
	struct recording *r = ctx;

	machine_seal(r->machine);
	guest_states_seal(&r->guests);
	if (!r->partial)
		return get_ready(r, err);
	r->partial = false;
	describe_objects(r);
	return strangers_stay(&r->strangers, r->machine) ? 0 : -ESTALE;
}

/* Samples will come before the state is complete. */
static int on_begin(void *ctx, struct err *err)
{
	struct recording *r = ctx;

	r->partial = true;
	r->known = 0;
	return tell_ready(r, err);
}

static void on_settled(void *ctx, u64 until)
{
	struct recording *r = ctx;

	r->known = until;
}

/* Forget the state, because all its records will come again. */
static int on_again(void *ctx, struct err *err)
{
	struct recording *r = ctx;
	struct machine *m = machine_new();
	int ret = guest_start(&r->options->guest, m, err);

	jitdumps_free(r->jit);
	r->jit = follow_jitdumps(m, &r->session, &r->options->symfs, r->options->force);
	if (r->symbols)
		symbols_follow(r->symbols, r->machine, m);
	machine_free(r->machine);
	r->machine = m;
	strangers_release(&r->strangers);
	r->ready = r->partial = false;
	return ret ?: r->ops->again(r->ctx, err);
}

static struct session_state_ops state_ops(const struct recording_ops *ops)
{
	return (struct session_state_ops){
		.state = on_state,
		.plain = ops->plain || !ops->state,
		.other = ops->other ? on_other : NULL,
		.ready = on_ready,
		.begin = on_begin,
		.settled = on_settled,
		.losses = ops->losses,
		.events = on_events,
	};
}

/* ---- what a sample is ---- */

void recording_thread_at(struct recording *r, u32 pid, u32 tid, u64 time, struct thread_at *at)
{
	if (r->partial && machine_thread_known(r->machine, pid, tid, time, r->known, at)) {
		if (unlikely(machine_stranger(r->machine, at->thread) != UINT32_MAX))
			strangers_note(&r->strangers, time, at);
		return;
	}
	if (r->partial)
		session_complete(&r->session);
	machine_thread_at(r->machine, pid, tid, time, at);
}

bool recording_takes(const struct recording *r, const struct session_event *ev,
		     struct thread_at *at)
{
	const struct sample *s = ev->sample;

	/* While a file is read once there is one thread. */
	if (at->tid != s->tid || at->pid != s->pid || ev->time < at->from || ev->time >= at->until)
		recording_thread_at((struct recording *)r, s->pid, s->tid, ev->time, at);
	return likely(!r->filter.any) ||
	       sample_filter_match(&r->filter, s->pid, s->tid, s->cpu, s->time,
				   machine_comm_told(r->machine, at->comm));
}

void recording_place(const struct recording *r, const struct session_event *ev,
		     const struct thread_at *at, struct location *out)
{
	const struct sample *s = ev->sample;

	resolve_find(r->machine, r->symbols, at->epoch, s->cpumode, s->ip, out);
}

/* ---- samples in any order ---- */

static void *on_worker(void *ctx, int worker)
{
	struct recording *r = ctx;

	return r->ops->worker_new ? r->ops->worker_new(r->ctx, worker) : r->ctx;
}

/* A stream has one worker, which begins when the first sample comes. */
static void *on_stream_worker(void *ctx, int worker)
{
	return ctx;
}

static int on_stream_sample(void *ctx, const struct session_event *ev, struct err *err)
{
	struct recording *r = ctx;
	int ret = r->ready ? 0 : get_ready(r, err);

	if (ret)
		return ret;
	if (!r->worker)
		r->worker = r->ops->worker_new ? r->ops->worker_new(r->ctx, 0) : r->ctx;
	return r->ops->sample(r->worker, ev, err);
}

int recording_samples(struct recording *r, const struct recording_ops *ops, void *ctx, int workers,
		      struct err *err)
{
	bool stream = recording_is_stream(r);
	const struct session_sample_ops session_ops = {
		.state = state_ops(ops),
		.worker_new = stream ? on_stream_worker : on_worker,
		.sample = stream && ops->sample ? on_stream_sample : ops->sample,
	};

	r->ops = ops;
	r->ctx = ctx;
	return session_samples(&r->session, &session_ops, r, workers, err);
}

/* ---- everything in the order of time ---- */

/* Take the first record, and those that nobody wants. */
static int __attribute__((noinline))
on_other_format(struct recording *r, int worker, const struct session_event *ev, struct strbuf *out,
		struct err *err)
{
	int ret = r->ready ? 0 : get_ready(r, err);

	if (ret || !r->ops->format)
		return ret;
	return r->ops->format(r->ctx, worker, ev, out, err);
}

static int on_format(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct recording *r = ctx;

	if (unlikely(!r->ready || !r->ops->format))
		return on_other_format(r, worker, ev, out, err);
	return r->ops->format(r->ctx, worker, ev, out, err);
}

static void on_soon(void *ctx, int worker, const struct session_event *ev)
{
	struct recording *r = ctx;

	if (r->ready)
		r->ops->soon(r->ctx, worker, ev);
}

static void on_finish(void *ctx, int worker, struct strbuf *out)
{
	struct recording *r = ctx;

	r->ops->finish(r->ctx, worker, out);
}

static int on_write(void *ctx, const char *text, size_t len, struct err *err)
{
	struct recording *r = ctx;

	return r->ops->write(r->ctx, text, len, err);
}

static int on_arrived(void *ctx, const struct pipe_record *raw, const wire_header *rec,
		      struct err *err)
{
	struct recording *r = ctx;

	return r->ops->arrived(r->ctx, raw, rec, err);
}

static bool on_wants(void *ctx, const struct evsel *e)
{
	struct recording *r = ctx;

	return r->ops->wants(r->ctx, e);
}

int recording_ordered(struct recording *r, const struct recording_ops *ops, void *ctx, int workers,
		      struct err *err)
{
	const struct session_ordered_ops session_ops = {
		.state = state_ops(ops),
		.format = on_format,
		.soon = ops->soon ? on_soon : NULL,
		.finish = ops->finish ? on_finish : NULL,
		.write = ops->write ? on_write : NULL,
		.all = ops->all,
		.between = ops->between,
		.arrived = ops->arrived ? on_arrived : NULL,
		.wants = ops->wants ? on_wants : NULL,
		.again = ops->again ? on_again : NULL,
	};

	r->ops = ops;
	r->ctx = ctx;
	return session_ordered(&r->session, &session_ops, r, workers, err);
}
