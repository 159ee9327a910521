// SPDX-License-Identifier: GPL-2.0-or-later
/* The events of a recording, one after the other in the order of time. */
#include "base/compat.h"
#include "tracerun/tracerun-internal.h"

#include "base/alloc.h"
#include "tracetext/trace-json.h"
#include "wire/records.h"

#include <errno.h>

#define OUT_SIZE ((size_t)64 << 10) /* bytes of text that are written at once */
#define ENDED_KEPT 4096             /* threads that have ended and have tables of their own */
#define OUTPUT_FULL "the output takes no more: %s"
#define ENOUGH 1 /* ends the run: all lines that were asked for are there */

static void forget(void *ctx, void *kept)
{
	struct trace_run *t = ctx;

	trace_memory_give(&t->memory, kept);
}

void trace_sums_start(struct trace_run *t)
{
	syscall_sums_init(&t->sums, ENDED_KEPT);
	t->sums.steps = t->asked->nr_quantiles || t->asked->hist;
}

static const struct span_map_words map_words = {
	.title = "Times of system calls",
	.subtitle = "from the begin of a call to its return",
	.what = "calls",
};

static void set_up(struct trace_run *t, struct recording *r, const struct trace_asked *asked,
		   const struct trace_output *out)
{
	const struct syscalls_conf conf = {
		.call = trace_show_call, .entered = trace_count_call, .forget = forget, .ctx = t
	};

	t->r = r;
	t->asked = asked;
	t->look = asked->look;
	t->look.view.ops = &trace_answers;
	t->look.view.ctx = t;
	t->paths.live = asked->live != NULL;
	t->output = *out;
	t->calls = syscalls_new(&conf);
	trace_sums_start(t);
	t->map = asked->heatmap ? span_map_new(&map_words) : NULL;
}

struct trace_run *trace_run_new(struct recording *r, const struct trace_asked *asked,
				const struct trace_output *out)
{
	struct trace_run *t = xzalloc(sizeof(*t));

	set_up(t, r, asked, out);
	trace_run_begin(t);
	return t;
}

static void release(struct trace_run *t)
{
	trace_chains_release(t);
	trace_types_release(t);
	trace_paths_release(&t->paths);
	trace_pending_release(&t->pending);
	syscalls_free(t->calls);
	trace_memory_pool_release(&t->memory);
	syscall_sums_release(&t->sums);
	span_map_free(t->map);
	state_log_release(&t->log);
	sysargs_free(t->sa);
	free(t->wanted);
	free(t->wanted_narrow);
	free(t->rows[0]);
	free(t->rows[1]);
	map64_release(&t->spaces);
	free(t->events);
	strbuf_release(&t->out);
}

void trace_run_free(struct trace_run *t)
{
	if (!t)
		return;
	release(t);
	free(t);
}

void trace_run_counted(struct trace_run *t, struct call_sums *counted)
{
	t->counted = counted;
}

bool trace_run_has_narrow(const struct trace_run *t)
{
	return t->has_narrow || t->nr_low;
}

u64 trace_run_lost(const struct trace_run *t)
{
	return t->lost;
}

u64 trace_run_strings(const struct trace_run *t)
{
	return t->strings;
}

u64 trace_run_copied(const struct trace_run *t)
{
	return t->copied;
}

u64 trace_run_most_lost(const struct trace_run *t)
{
	return t->most_lost;
}

/* Return what there may be to read of a call, or NULL. The tables are made when they are needed. */
static const struct call_copies *row_of(struct trace_run *t, s64 nr)
{
	const struct sysargs *sa = sysargs_of(t->sa, nr);
	struct call_copies **rows = &t->rows[sa != t->sa];

	nr = sysargs_own_number(nr);
	if (nr < 0 || nr >= (s64)sysargs_nr(sa))
		return NULL;
	if (!*rows)
		*rows = sysargs_copies(sa, NULL, &t->look.view);
	return &(*rows)[nr];
}

/* Read the memory of a call that goes on, once. */
static void read_strings(void *ctx, struct syscall_call *call)
{
	struct trace_run *t = ctx;
	const struct call_copies *row = row_of(t, call->nr);

	if (call->kept || !trace_memory_wanted(row))
		return;
	call->kept = trace_memory_read(&t->memory, t->asked->live, call, row);
	t->strings += call->kept != NULL;
	if (!call->kept)
		call->kept = trace_memory_new(&t->memory);
}

void trace_run_look(struct trace_run *t)
{
	trace_state_renew(t);
	trace_counted_look(t);
	if (t->asked->live && t->asked->lines && t->sa)
		syscalls_each_open(t->calls, read_strings, t);
}

int trace_run_flush(struct trace_run *t, struct err *err)
{
	int rc = t->out.len ? t->output.write(t->output.ctx, t->out.buf, t->out.len) : 0;

	strbuf_reset(&t->out);
	return rc ? err_set(err, rc, OUTPUT_FULL, err_str(rc)) : 0;
}

/* ---- events ---- */

/* Return the group that a sample is summed up in. */
static size_t group_of(struct trace_run *t, const struct sample *s)
{
	u64 key = s->tid;

	if (t->asked->mode == TRACE_BY_TOTAL)
		key = 1;
	else if (t->asked->mode == TRACE_BY_CGROUP)
		key = s->cgroup + 1;
	return syscall_sums_group(&t->sums, key, s->pid);
}

static void count_event(struct trace_run *t, const struct trace_event *e)
{
	const struct sample *s = t->now->sample;
	struct syscall_group *group;

	if (!t->asked->summary || t->counted)
		return;
	t->group = group_of(t, s);
	syscall_sums_event(&t->sums, t->group, s->time);
	if (likely(e->kind == TRACE_CALL))
		return;
	group = &t->sums.groups[t->group];
	if (e->kind == TRACE_FAULT && e->major)
		group->faults_major++;
	else if (e->kind == TRACE_FAULT)
		group->faults_minor++;
	else if (e->kind == TRACE_RUNTIME && s->raw && s->raw_size >= e->runtime.offset + 8)
		group->runtime += engine_unsigned((const u8 *)s->raw + e->runtime.offset, 8,
						  t->r->session.file->swap);
}

static void take_call(struct trace_run *t, const struct trace_event *e)
{
	const struct sample *s = t->now->sample;
	struct syscall_numbers n;

	if (!t->asked->syscalls || !syscall_read(&e->call, s->raw, s->raw_size, &n))
		return;
	if (unlikely(t->any_low))
		n.nr = e->call.side == SYSCALL_ENTER ? trace_number_begun(t, s->pid, n.nr)
						     : trace_number_ended(t, s->pid, s->tid, n.nr);
	if (e->call.side == SYSCALL_ENTER)
		syscalls_enter(t->calls, s->pid, s->tid, s->time, &n);
	else if (!e->filtered || syscalls_is_in(t->calls, s->tid, n.nr))
		syscalls_exit(t->calls, s->pid, s->tid, s->time, &n);
}

/* Find the thread of a sample. Return: false: the sample is not wanted. */
static bool is_taken(struct trace_run *t, const struct session_event *ev)
{
	bool taken = true;

	/* Sums ask for names of threads at the end. */
	if (t->asked->lines || t->r->filter.any) {
		struct thread_at *at = &t->seen[ev->sample->tid % TRACE_THREADS_SEEN];

		taken = recording_takes(t->r, ev, at);
		t->at = at;
	}
	return taken && recording_switch_takes(t->r, ev);
}

/* After exec the addresses are of another program. */
bool trace_is_exec(const struct trace_run *t, s64 nr)
{
	const struct syscall_desc *d = nr >= 0 && nr <= UINT32_MAX ? sysargs_call(t->sa, (u32)nr)
								   : NULL;

	return d && !strncmp(d->name, "execve", 6);
}

/* Memory comes just before its call begins, and again before it returns. */
static void take_memory(struct trace_run *t, const struct sample *s)
{
	struct syscall_call *call;
	struct call_record r;

	if (!t->asked->lines ||
	    !call_record_read(s->raw, s->raw_size, t->r->session.file->swap, &r))
		return;
	call = syscalls_open_call(t->calls, s->tid);
	if (r.head.flags & CALL_AT_RETURN && trace_is_exec(t, r.head.nr))
		return;
	if (call && trace_memory_is_of(&r.head, call)) {
		t->copied += !call->kept;
		call->kept = call->kept ?: trace_memory_new(&t->memory);
		trace_memory_add(call->kept, &r);
	} else if (!(r.head.flags & CALL_AT_RETURN)) {
		t->copied++;
		trace_pending_add(&t->pending, &t->memory, s->tid, &r);
	}
}

/* The kernel has fetched a path: it is that of the first argument of the call that is not known. */
static void take_name(struct trace_run *t, const struct trace_event *e)
{
	const struct sample *s = t->now->sample;
	struct syscall_call *call = syscalls_open_call(t->calls, s->tid);
	size_t len;
	const char *name = tf_field_data(e->format, e->name, s->raw, s->raw_size, &len);

	/* An empty one may be memory that the probe could not read. */
	if (!t->asked->lines || !call || !name || !len || !*name || call->nr < 0 ||
	    call->nr > UINT32_MAX)
		return;
	if (!call->kept)
		call->kept = trace_memory_new(&t->memory);
	trace_memory_name(call->kept, call, sysargs_call(t->sa, (u32)call->nr), name, len);
}

/* Do what comes before a sample is counted or shown. Return: false: it is neither. */
static bool is_told_of(struct trace_run *t, const struct trace_event *e,
		       const struct session_event *ev)
{
	if (e->kind == TRACE_SILENT || !is_taken(t, ev))
		return false;
	/* A recording begins with its first sample, a trace with the first that is not copied
	 * memory: that may be of what ran before exec. */
	if (!t->based && (e->kind != TRACE_MEMORY || !t->asked->live)) {
		t->base = ev->sample->time;
		t->based = true;
	}
	if (e->kind == TRACE_MEMORY) {
		take_memory(t, ev->sample);
		return false;
	}
	if (unlikely(t->asked->interval_ms))
		trace_show_interval(t, ev->sample->time);
	return true;
}

static void take_sample(struct trace_run *t, const struct session_event *ev)
{
	struct trace_event *e = &t->events[ev->evsel->idx];

	if (!(t->sums_alone && e->kind == TRACE_CALL) && !is_told_of(t, e, ev))
		return;
	t->now = ev;
	t->taken++;
	count_event(t, e);
	switch (e->kind) {
	case TRACE_CALL:
		take_call(t, e);
		break;
	case TRACE_NAME:
		take_name(t, e);
		break;
	case TRACE_FAULT:
		trace_show_fault(t, e);
		break;
	case TRACE_OTHER:
		trace_show_event(t, e);
		break;
	case TRACE_MEMORY:
	case TRACE_RUNTIME:
	case TRACE_SILENT:
		break;
	}
}

/* ---- other records ---- */

static void take_exit(struct trace_run *t, const struct session_event *ev)
{
	struct rec_task task;

	if (rec_task_decode(ev->hdr, ev->hdr->size, &task))
		return;
	syscalls_task_end(t->calls, task.tid);
	trace_counted_ended(t, task.tid, ev->time);
	if (t->asked->summary && t->asked->mode == TRACE_BY_THREAD)
		syscall_sums_end(&t->sums, task.tid);
}

static void take_lost(struct trace_run *t, const struct session_event *ev)
{
	struct rec_lost lost;

	if (rec_lost_decode(ev->hdr, ev->hdr->size, &lost))
		return;
	t->lost += lost.lost;
	t->most_lost = MAX(t->most_lost, lost.lost);
	if (t->look.json)
		trace_json_lost(&t->out, lost.lost);
	else if (t->asked->lines)
		strbuf_addf(&t->out, "LOST %" PRIu64 " events!\n", lost.lost);
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct trace_run *t = ctx;
	int rc = 0;

	if (ev->sample && ev->part != PART_RECORD && ev->evsel->idx < t->nr_events)
		take_sample(t, ev);
	else if (ev->hdr->type == PERF_RECORD_EXIT)
		take_exit(t, ev);
	else if (ev->hdr->type == PERF_RECORD_LOST)
		take_lost(t, ev);
	else
		trace_narrow_note(t, ev);
	if (t->out.len >= OUT_SIZE)
		rc = trace_run_flush(t, err);
	return t->enough ? ENOUGH : rc;
}

static int on_ready(void *ctx, struct err *err)
{
	struct trace_run *t = ctx;

	t->sums_alone = !t->asked->lines && !t->asked->interval_ms && !t->r->filter.any &&
			!event_switch_any(&t->r->on_off);
	return recording_settle_time(t->r, err) ?: trace_bind(t, err);
}

static int on_events(void *ctx, struct err *err)
{
	struct trace_run *t = ctx;

	t->nr_events = 0;
	return 0;
}

/* All records come again. */
static int on_again(void *ctx, struct err *err)
{
	struct trace_run *t = ctx, was = *t;

	if (t->asked->lines && !t->output.take_back(t->output.ctx))
		return err_set(err, -EIO, OUTPUT_STAYS);
	release(t);
	*t = (struct trace_run){ 0 };
	set_up(t, was.r, was.asked, &was.output);
	t->counted = was.counted;
	return 0;
}

/* Tell whether some lines need what is mapped: those of page faults and of call chains. */
static bool shows_places(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];
		const bool bare = evsel_is_tracepoint(e) || evsel_is_bpf_output(e);

		if (!bare || e->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	}
	return false;
}

/* Tell whether the file may be read once: what is shown can be taken back, and no filter asks for
 * the first name that a thread will get. */
static bool can_begin_again(const struct trace_run *t)
{
	const struct trace_asked *a = t->asked;
	const struct recording_options *o = t->r->options;

	if (a->live || a->interval_ms || t->counted || o->comms || o->time ||
	    event_switch_any(&t->r->on_off))
		return false;
	return !a->lines || (t->output.take_back && !shows_places(&t->r->session.evlist));
}

int trace_run_events(struct trace_run *t, struct err *err)
{
	const struct recording_ops ops = {
		.formats = true,
		.events = on_events,
		.ready = on_ready,
		.state = t->asked->live ? trace_state_note : NULL,
		.plain = true,
		.format = on_record,
		.all = true,
		.between = true,
		.again = can_begin_again(t) ? on_again : NULL,
	};
	/* A thread that reads ahead saved no time, and took a fifth more CPU time. */
	int rc = recording_ordered(t->r, &ops, t, 1, err);

	return rc == ENOUGH ? 0 : rc;
}

static void add_stats(struct trace_run *t)
{
	strbuf_addf(&t->out,
		    "Stats:\n events  : %" PRIu64 "\n lines   : %" PRIu64 "\n lost    : %" PRIu64
		    "\n open    : %zu\n renewed : %" PRIu64 "\n",
		    t->taken, t->shown, t->lost, syscalls_open(t->calls), t->renewed);
}

int trace_run_end(struct trace_run *t, struct err *err)
{
	struct err ignored = { 0 };
	int rc = trace_run_flush(t, err);

	if (!rc && t->map)
		rc = span_map_write(t->map, t->asked->heatmap, err);
	trace_counted_rest(t);
	if (t->asked->summary)
		trace_show_summary(t);
	if (t->asked->tool_stats)
		add_stats(t);
	if (rc) {
		(void)trace_run_flush(t, &ignored);
		return rc;
	}
	rc = t->out.len ? t->output.write(t->output.ctx, t->out.buf, t->out.len) : 0;
	if (rc) /* whoever writes may know of another place */
		(void)trace_run_flush(t, &ignored);
	strbuf_reset(&t->out);
	return rc ? err_set(err, rc, OUTPUT_FULL, err_str(rc)) : 0;
}
