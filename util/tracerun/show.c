// SPDX-License-Identifier: GPL-2.0-or-later
/* Each event becomes a line, and the tables follow at the end. */
#include "base/compat.h"
#include "tracerun/tracerun-internal.h"

#include "base/clock.h"
#include "tracetext/trace-json.h"

/* ---- what stands before a line ---- */

static const char *comm_of(const struct trace_run *t, u32 pid, u32 tid, u64 time)
{
	struct thread_at at;

	recording_thread_at(t->r, pid, tid, time, &at);
	return machine_comm(t->r->machine, at.comm);
}

/* Return the name of a thread at the time of the sample that is looked at, which usually is its
 * own. */
static const char *comm_now(const struct trace_run *t, u32 tid)
{
	const struct sample *s = t->now->sample;

	return tid == s->tid ? machine_comm(t->r->machine, t->at->comm)
			     : comm_of(t, s->pid, tid, s->time);
}

static void put_sample(struct trace_run *t)
{
	const struct sample *s = t->now->sample;

	strbuf_addf(&t->out, "%s: %s %" PRIu64 " (%s): cpu %u ip %" PRIx64 "\n",
		    t->now->evsel->name, comm_now(t, s->tid), s->time, "PERF_RECORD_SAMPLE", s->cpu,
		    s->ip);
}

/* Return a time as lines show it. */
static u64 shown_time(const struct trace_run *t, u64 time)
{
	return t->look.full_time || time < t->base ? time : time - t->base;
}

/* Return the head of a line about the sample that is looked at. */
static struct trace_head head_now(const struct trace_run *t)
{
	const struct sample *s = t->now->sample;

	return (struct trace_head){
		.timed = true,
		.time = shown_time(t, s->time),
		.tid = s->tid,
		.comm = t->look.comm ? comm_now(t, s->tid) : NULL,
		.pid = s->pid,
		.cpu = s->cpu,
	};
}

static struct trace_head head_of_call(const struct trace_run *t, const struct syscall_call *c)
{
	return (struct trace_head){
		.timed = c->begun,
		.time = shown_time(t, c->start),
		.lasted = c->state == SYSCALL_DONE && c->begun && c->end >= c->start,
		.ns = c->end - c->start,
		.tid = c->tid,
		.comm = t->look.comm ? comm_now(t, c->tid) : NULL,
		.pid = c->pid,
		.cpu = t->now->sample->cpu,
	};
}

static void put_head(struct trace_run *t, const struct trace_head *head)
{
	if (t->asked->print_sample)
		put_sample(t);
	trace_line_head(&t->out, &t->look, head);
}

static void count_line(struct trace_run *t)
{
	t->shown++;
	t->enough = t->asked->most_events && t->shown >= t->asked->most_events;
}

/* Tell whether a chain stands below the line: all lines have one, or this event by its terms. */
static bool has_chain(const struct trace_run *t)
{
	return t->asked->chains || t->now->evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
}

/* ---- calls ---- */

static bool is_wanted(const struct trace_run *t, s64 nr)
{
	if (!t->wanted)
		return true;
	if (sysargs_of(t->sa, nr) != t->sa)
		return sysargs_own_number(nr) < (s64)sysargs_nr(sysargs_of(t->sa, nr)) &&
		       t->wanted_narrow[sysargs_own_number(nr)];
	return nr >= 0 && nr < (s64)sysargs_nr(t->sa) && t->wanted[nr];
}

static bool has_failed(const struct syscall_call *c)
{
	return c->state == SYSCALL_DONE && c->ret < 0 && c->ret >= -SYSCALL_MAX_ERRNO;
}

/* Lines of calls that go on are of no use where only some calls are shown, by what becomes of
 * them. */
static bool passes(struct trace_run *t, const struct syscall_call *c)
{
	const struct trace_asked *a = t->asked;

	if (!a->lines || t->enough || !is_wanted(t, c->nr))
		return false;
	if (c->state == SYSCALL_GOES_ON && t->look.json)
		return false;
	if (a->failed && !has_failed(c))
		return false;
	if (a->least_ns &&
	    (c->state != SYSCALL_DONE || !c->begun || c->end - c->start < a->least_ns))
		return false;
	return c->state == SYSCALL_GOES_ON || trace_chain_deep(t);
}

/* A call counts from its begin on, or from its return when that is all we have seen. Either is the
 * sample that is looked at. */
static void sum_up(struct trace_run *t, const struct syscall_call *c)
{
	if (!t->asked->summary || t->counted || c->state == SYSCALL_GOES_ON || !is_wanted(t, c->nr))
		return;
	if (!c->begun || c->state == SYSCALL_LAST)
		syscall_sums_call(&t->sums, t->group, c->nr);
	if (c->state == SYSCALL_DONE)
		syscall_sums_return(&t->sums, t->group, c->nr, c->begun && c->end >= c->start,
				    c->end - c->start, c->ret);
}

void *trace_count_call(void *ctx, const struct syscall_call *call)
{
	struct trace_run *t = ctx;

	if (t->asked->summary && !t->counted && is_wanted(t, call->nr))
		syscall_sums_call(&t->sums, t->group, call->nr);
	return t->asked->lines ? trace_pending_take(&t->pending, call) : NULL;
}

static void put_call(struct trace_run *t, const struct syscall_call *c)
{
	const struct trace_head head = head_of_call(t, c);

	t->call = c;
	if (t->look.json) {
		trace_json_call(&t->out, &head, t->sa, c, &t->look.view);
	} else {
		put_head(t, &head);
		trace_line_call(&t->out, &t->look, t->sa, c);
	}
	t->call = NULL;
}

static bool show(struct trace_run *t, const struct syscall_call *c)
{
	if (!passes(t, c))
		return false;
	put_call(t, c);
	if (c->state == SYSCALL_GOES_ON)
		return true;
	count_line(t);
	if (has_chain(t))
		trace_chain(t, t->asked->kernel_chains);
	return true;
}

static bool __attribute__((noinline))
show_lines(struct trace_run *t, const struct syscall_call *call)
{
	bool shown;

	trace_path_made(t, call);
	shown = show(t, call);
	trace_path_closed(t, call);
	return shown;
}

bool trace_show_call(void *ctx, const struct syscall_call *call)
{
	struct trace_run *t = ctx;

	sum_up(t, call);
	if (t->map && call->state == SYSCALL_DONE && call->begun && is_wanted(t, call->nr))
		span_map_add(t->map, call->start, MAX(call->start, call->end));
	return t->asked->lines && show_lines(t, call);
}

/* ---- other events ---- */

static void put_fields(struct trace_run *t, struct strbuf *out, const struct tf_event *format)
{
	const struct sample *s = t->now->sample;
	struct tf_printer printer = { 0 };

	if (format && t->asked->print_format)
		tf_print(format, &printer, s->raw, s->raw_size, out);
	else if (format)
		sysargs_print_fields(out, t->sa, format, s->raw, s->raw_size, &t->look.view);
	strbuf_release(&printer.tmp);
}

static void put_event(struct trace_run *t, const struct trace_event *e)
{
	const struct trace_head head = head_now(t);
	struct strbuf text = STRBUF_INIT;

	if (t->look.json) {
		put_fields(t, &text, e->format);
		trace_json_event(&t->out, &head, t->now->evsel->name, strbuf_str(&text), text.len);
		strbuf_release(&text);
		return;
	}
	put_head(t, &head);
	strbuf_addname(&t->out, t->now->evsel->name);
	strbuf_addch(&t->out, '(');
	put_fields(t, &t->out, e->format);
	strbuf_addstr(&t->out, ")\n");
}

void trace_show_event(struct trace_run *t, struct trace_event *e)
{
	const u64 most = t->now->evsel->terms.max_events;

	if (!t->asked->lines || (most && e->shown == most) || !trace_chain_deep(t))
		return;
	e->shown++;
	syscalls_between(t->calls);
	put_event(t, e);
	count_line(t);
	if (has_chain(t))
		trace_chain(t, true);
}

static void find_instruction(struct trace_run *t, struct trace_fault *f)
{
	struct location l;

	recording_place(t->r, t->now, t->at, &l);
	f->symbol = location_symbol(&l);
	f->offset = f->symbol ? l.addr - symtab_range(l.symtab, l.sym).start : l.addr;
}

/* Find out what was accessed. */
static void find_data(struct trace_run *t, struct trace_fault *fault)
{
	const struct sample *s = t->now->sample;
	const struct map *map;

	fault->at = s->addr;
	map = machine_find_map(t->r->machine, t->at->epoch, PERF_RECORD_MISC_USER, s->addr);
	if (!map) {
		map = machine_find_map(t->r->machine, t->at->kernel_epoch, PERF_RECORD_MISC_KERNEL,
				       s->addr);
		fault->kernel = map != NULL;
	}
	if (!map)
		return;
	fault->object = map->dso->path;
	if (map->dso->kind == DSO_USER)
		fault->at = s->addr - map->start + map->pgoff;
}

static void put_fault(struct trace_run *t, const struct trace_fault *fault)
{
	struct trace_head head = head_now(t);
	struct strbuf text = STRBUF_INIT;

	if (t->look.json) {
		trace_line_fault(&text, fault);
		trace_json_event(&t->out, &head, fault->major ? "majfault" : "minfault", text.buf,
				 text.len - 1); /* without the newline */
		strbuf_release(&text);
		return;
	}
	head.lasted = true; /* the column is not left blank */
	put_head(t, &head);
	trace_line_fault(&t->out, fault);
}

void trace_show_fault(struct trace_run *t, const struct trace_event *e)
{
	struct trace_fault fault = { .major = e->major };

	if (!t->asked->lines || !trace_chain_deep(t))
		return;
	syscalls_between(t->calls);
	find_instruction(t, &fault);
	find_data(t, &fault);
	put_fault(t, &fault);
	count_line(t);
	if (has_chain(t))
		trace_chain(t, true);
}

/* ---- the tables ---- */

static const char *group_name(void *ctx, const struct syscall_group *g)
{
	const struct trace_run *t = ctx;

	if (t->asked->mode == TRACE_BY_CGROUP)
		return machine_cgroup(t->r->machine, g->key - 1);
	return comm_of(t, g->pid, (u32)g->key, g->last);
}

void trace_run_begin(struct trace_run *t)
{
	t->wall_from = t->asked->live ? clock_ns(CLOCK_MONOTONIC) : 0;
}

/* Return how long what is summed up took. Of recordings the events tell. */
static u64 wall_time(const struct trace_run *t)
{
	const u64 from = t->wall_from ?: t->base;
	u64 last = 0;

	if (t->asked->live)
		return clock_ns(CLOCK_MONOTONIC) - t->wall_from;
	for (size_t i = 0; i < t->sums.nr; i++)
		last = MAX(last, t->sums.groups[i].last);
	return last > from ? last - from : 0;
}

static u64 interval(const struct trace_run *t)
{
	return t->asked->interval_ms * 1000000ULL;
}

void trace_show_interval(struct trace_run *t, u64 time)
{
	if (!t->asked->interval_ms || time < t->due)
		return;
	if (!t->due) {
		t->due = t->base + interval(t);
		return;
	}
	trace_counted_take(t);
	trace_show_summary(t);
	t->wall_from = t->asked->live ? clock_ns(CLOCK_MONOTONIC) : t->due;
	t->due += ((time - t->due) / interval(t) + 1) * interval(t);
	syscall_sums_release(&t->sums);
	trace_sums_start(t);
}

void trace_hist_numbers(const struct trace_asked *asked, const struct sysargs *sa, s64 numbers[2])
{
	const struct sysargs *narrow = sa ? sysargs_of(sa, SYSARGS_NARROW) : NULL;
	int nr = narrow && narrow != sa && asked->hist ? sysargs_number(narrow, asked->hist) : -1;

	numbers[0] = sa && asked->hist ? sysargs_number(sa, asked->hist) : -1;
	numbers[1] = nr < 0 ? -1 : nr + SYSARGS_NARROW;
}

void trace_show_summary(struct trace_run *t)
{
	struct trace_summary summary = {
		.mode = t->asked->mode,
		.errnos = t->asked->errnos,
		.runtime = t->asked->sched,
		.most = t->asked->most_rows,
		.nr_quantiles = t->asked->nr_quantiles,
		.wall = t->asked->wall,
		.wall_ns = t->asked->wall ? wall_time(t) : 0,
		.interval = t->asked->interval_ms != 0,
		.hist = t->asked->hist != NULL,
		.name = group_name,
		.ctx = t,
	};

	if (summary.interval)
		summary.from_ns = shown_time(t, t->due - interval(t));
	trace_hist_numbers(t->asked, t->sa, summary.hist_of);
	memcpy(summary.quantiles, t->asked->quantiles, sizeof(summary.quantiles));
	syscall_sums_sort(&t->sums);
	if (t->asked->form == TABLE_TEXT) {
		trace_summary(&t->out, &summary, t->sa, &t->sums);
		return;
	}
	if (!t->headed)
		trace_rows_head(&t->out, t->asked->form, &summary);
	t->headed = true;
	trace_rows(&t->out, t->asked->form, &summary, t->sa, &t->sums);
}
